// One page of the conversations, narrowed by their marks or their agent. Owns: filling a page, and how far one answer looks.
// Tested in test/functions/api/lists/lists.test.ts.
import type { z } from 'zod';
import type { Conversation } from '../../core/records/conversation.ts';
import type { ApiWorld } from '../../wiring/api.ts';
import { type Filtered, filtered } from '../http/walk.ts';
import type { Caller } from '../identity/identity.ts';
import type { ConversationsQuery, listMarks } from '../schemas/lists.ts';
import type { MarksView } from '../schemas/people.ts';
import type { ConversationSummary } from '../schemas/schemas.ts';
import { conversationSummary } from '../schemas/views.ts';
import { marksOf } from './marks.ts';

type Wanted = z.infer<typeof ConversationsQuery>;
type Mark = (typeof listMarks)[number];

const pagesMax = 5;
/** Marks of those that may have ended unseen take a read each; the others only of those whose run goes on. */
const pageOfIndex = (mark: Mark | undefined): number => (mark === 'unread' ? 200 : 500);

/** By the conversation alone, before anything is read of it. */
const mayHave = (mark: Mark | undefined, of: Conversation): boolean =>
  mark === undefined || (mark === 'unread' ? of.lastFinished : of.activeRun) !== undefined;

const has = (mark: Mark | undefined, of: MarksView): boolean => {
  switch (mark) {
    case 'needs_you':
      return of.needsYou > 0;
    case 'unread':
      return of.finishedWhileAway;
    case 'working':
    case undefined:
      return true;
  }
};

/** `cursor` is the place of the last conversation looked at. */
export const conversationPage = (
  world: ApiWorld,
  caller: Caller,
  { mark, agentId, limit }: Wanted,
  cursor: string | undefined,
): Promise<Filtered<Conversation, ConversationSummary>> => {
  const narrow = mark !== undefined || agentId !== undefined;
  const show = async (conversations: readonly Conversation[]) => {
    const may = conversations.filter(
      (of) => (agentId === undefined || of.agentId === agentId) && mayHave(mark, of),
    );
    const marks = await marksOf(world, caller, may);
    const shown = new Map<Conversation, ConversationSummary>();
    for (const [index, of] of may.entries()) {
      const own = marks[index];
      if (own !== undefined && has(mark, own)) shown.set(of, conversationSummary(of, own));
    }
    return conversations.map((of) => shown.get(of));
  };
  return filtered(
    (from) =>
      world.store.conversationsOf(caller.workspace, narrow ? pageOfIndex(mark) : limit, from),
    {
      limit,
      pagesMax: narrow ? pagesMax : 1,
      cursor,
      placeOf: ({ createdAt, conversationId }) => `${createdAt}#${conversationId}`,
    },
    show,
  );
};
