// Gives an occurrence its record, whoever asks: the Scheduler's delivery, the sweep that found none, a person who runs it now.
// Owns: the reads around that decision. Laws: L11, L19 (whatever is delivered how often, the record is put once).

import { TryAgain } from '../core/base/errors.ts';
import type { ConversationId, RoutineId } from '../core/base/ids.ts';
import { conflictTriesMax } from '../core/base/limits.ts';
import type { Change, Versioned } from '../core/records/change.ts';
import { type Conversation, newConversation } from '../core/records/conversation.ts';
import { decide, type Round } from '../core/records/decide.ts';
import type { Occurrence, OccurrenceOutcome } from '../core/records/routine.ts';
import { fire, occurrenceOf, recordsOf, type Stand, skippedEvent } from '../core/routines/fire.ts';
import { fateOf, idsOf, timetableOf, type Wanted } from '../core/routines/routine.ts';
import type { Routines } from '../ports/routines.ts';
import type { Registry, Store } from '../ports/store.ts';
import type { Clock, Crash, Minter } from '../ports/world.ts';

export interface FiringWorld {
  readonly store: Pick<Store, 'read' | 'commit' | 'createConversation'>;
  readonly registry: Pick<Registry, 'newestAgent'>;
  readonly routines: Routines;
  readonly clock: Clock;
  readonly minter: Minter;
  readonly crash: Crash;
}

/** The run before is still in progress where it was said: that is where overlap is decided. */
const conversationOf = async (
  { store }: FiringWorld,
  { routine, clock }: Stand,
  wanted: Wanted,
): Promise<ConversationId> => {
  if (routine.conversation.kind === 'fixed') return routine.conversation.conversationId;
  const { last } = clock.item;
  if (last !== undefined) {
    const { conversation } = await store.read({ conversation: last.conversationId });
    if (conversation !== undefined && isBusyWith(conversation.item, last.runId))
      return last.conversationId;
  }
  return idsOf(wanted.occurrenceId).conversationId;
};

const isBusyWith = ({ activeRun, queued }: Conversation, runId: string): boolean =>
  activeRun === runId || queued.some((each) => each.runId === runId);

/** Titles are names of routines and their day; the same for each delivery. */
const begin = (
  { store }: FiringWorld,
  { routine, nowMs }: Stand,
  conversationId: ConversationId,
  dueMs: number,
): Promise<Versioned<Conversation>> =>
  store.createConversation(
    newConversation({
      workspace: routine.workspace,
      conversationId,
      agentId: routine.agentId,
      title: `${routine.name}, ${new Date(dueMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`,
      createdAt: new Date(nowMs).toISOString(),
      createdBy: { kind: 'routine', subject: routine.routineId, name: routine.name },
    }),
  );

interface Decided {
  readonly occurrence: Occurrence;
  /** Undefined: there is no conversation to say it in. */
  readonly change: Change | undefined;
  readonly writes: ReturnType<typeof recordsOf>['writes'];
}

const without = async (
  { store }: FiringWorld,
  stand: Stand,
  wanted: Wanted,
  outcome: OccurrenceOutcome,
): Promise<Decided> => {
  const { writes } = recordsOf(stand, [{ wanted, outcome }]);
  const occurrence = occurrenceOf(stand, wanted, outcome);
  const place = stand.routine.conversation;
  const conversation =
    place.kind === 'fixed'
      ? (await store.read({ conversation: place.conversationId })).conversation
      : undefined;
  const change = conversation && { conversation, events: [skippedEvent(occurrence)], writes };
  return { occurrence, change, writes };
};

const isCovered = ({ clock }: Stand, { cause, dueMs }: Wanted): boolean =>
  cause === 'due' && dueMs <= clock.item.coveredMs;

const decideOne = async (world: FiringWorld, stand: Stand, wanted: Wanted): Promise<Decided> => {
  const { routine, nowMs } = stand;
  const fate = fateOf(routine, timetableOf(routine), wanted, nowMs);
  const skipped = (because: Extract<OccurrenceOutcome, { kind: 'skipped' }>['because']) =>
    without(world, stand, wanted, { kind: 'skipped', because });
  if (fate.fate === 'skip') return skipped(fate.because);
  // All that was due until then has its record: a time without one was another schedule's, or fell into a pause.
  if (isCovered(stand, wanted)) return skipped('not_due');
  if (fate.fate === 'missed') return without(world, stand, wanted, { kind: 'missed' });
  const agent = await world.registry.newestAgent(routine.workspace, routine.agentId);
  if (agent === undefined) return skipped('agent_missing');
  const conversationId = await conversationOf(world, stand, wanted);
  const found = (await world.store.read({ conversation: conversationId })).conversation;
  if (found === undefined && routine.conversation.kind === 'fixed')
    return skipped('conversation_missing');
  const conversation = found ?? (await begin(world, stand, conversationId, wanted.dueMs));
  await world.crash.at('fire.conversation-made');
  const { change, occurrence } = fire({ ...stand, wanted, conversation, agent });
  return { change, occurrence, writes: [] };
};

/** The record of an occurrence, new or old; undefined when there is no such routine. Throws TryAgain. */
export const fireOccurrence = async (
  world: FiringWorld,
  routineId: RoutineId,
  wanted: Wanted,
): Promise<Occurrence | undefined> => {
  const { routines, store, clock, minter } = world;
  const round = async (tries = 1): Promise<Round<Occurrence | undefined>> => {
    const [stored, [earlier]] = await Promise.all([
      routines.read(routineId),
      routines.records(routineId, [wanted.occurrenceId]),
    ]);
    if (stored === undefined || earlier !== undefined) return { kind: 'answer', answer: earlier };
    const stand = { routine: stored.routine.item, clock: stored.clock, nowMs: clock.now() };
    const { change, occurrence, writes } = await decideOne(world, stand, wanted);
    if (change !== undefined) return { kind: 'commit', change, answer: occurrence };
    if ((await routines.commit(writes)) === 'done') return { kind: 'answer', answer: occurrence };
    if (tries >= conflictTriesMax)
      throw new TryAgain(`Others keep changing the routine ${routineId}. Nothing was written.`);
    await clock.pause(minter.fraction() * 100);
    return round(tries + 1);
  };
  return decide<Occurrence | undefined>({
    round,
    commit: store.commit,
    pause: clock.pause,
    fraction: minter.fraction,
  });
};
