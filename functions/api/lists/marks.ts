// One reader's marks of conversations: what needs them, and what ended while they were away. Owns: how the marks come about from
// the conversation's numbers and the reader's own. Laws: L14.
// Tested in test/functions/api/lists/inbox.test.ts.

import type { ConversationId } from '../../core/base/ids.ts';
import type { Conversation } from '../../core/records/conversation.ts';
import type { People } from '../../ports/people.ts';
import type { Store } from '../../ports/store.ts';
import type { Clock } from '../../ports/world.ts';
import type { Caller } from '../identity/identity.ts';
import type { MarksView } from '../schemas/people.ts';
import { isFor } from './inbox.ts';

export interface MarksWorld {
  readonly store: Pick<Store, 'read'>;
  readonly people: Pick<People, 'runs' | 'readMarks'>;
  readonly clock: Clock;
}

/** Numbers of open requests that this person may answer, by conversation: those that the active runs wait for. */
const needsOf = async (
  { store, people, clock }: MarksWorld,
  caller: Caller,
  conversations: readonly Conversation[],
): Promise<ReadonlyMap<ConversationId, number>> => {
  const active = conversations.flatMap(({ activeRun }) => activeRun ?? []);
  const runs = active.length === 0 ? [] : await people.runs(active);
  const ids = runs.flatMap(({ state }) =>
    state.status === 'waiting' ? state.blocking.map(({ requestId }) => requestId) : [],
  );
  const { requests } = ids.length === 0 ? { requests: [] } : await store.read({ requests: ids });
  const counts = new Map<ConversationId, number>();
  for (const { item } of requests)
    if (item.released !== true && isFor(caller, item, clock.now()))
      counts.set(item.conversationId, (counts.get(item.conversationId) ?? 0) + 1);
  return counts;
};

const marksFrom = (of: Conversation, needsYou: number, read: number): MarksView => ({
  needsYou,
  newRequests: needsYou > 0 && (of.lastAsked ?? 0) > read,
  finished: of.lastRun !== undefined && of.activeRun === undefined,
  finishedWhileAway: (of.lastFinished ?? 0) > read,
});

/** Marks in the order of the conversations; three reads, however many there are. */
export const marksOf = async (
  world: MarksWorld,
  caller: Caller,
  conversations: readonly Conversation[],
): Promise<MarksView[]> => {
  if (conversations.length === 0) return [];
  const ids = conversations.map(({ conversationId }) => conversationId);
  const [needs, marks] = await Promise.all([
    needsOf(world, caller, conversations),
    world.people.readMarks(caller.author.subject, ids),
  ]);
  const read = new Map(marks.map(({ conversationId, number }) => [conversationId, number]));
  return conversations.map((of) =>
    marksFrom(of, needs.get(of.conversationId) ?? 0, read.get(of.conversationId) ?? 0),
  );
};
