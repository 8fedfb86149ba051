// A routine: a message that is said on a schedule, by whatever zone it names and never by that of a machine. And its
// occurrences: each due firing, with the run it became or the reason why it became none.
// Owns: their stored shapes and ids, and which fate an occurrence has at an instant. Laws: L19.
// Tested in test/routines/firing.test.ts.
import type { Author } from '../base/author.ts';
import {
  ConversationId,
  derivedSuffix,
  MessageId,
  OccurrenceId,
  type RoutineId,
  RunId,
} from '../base/ids.ts';
import type { Occurrence, Routine, RoutineClock } from '../records/routine.ts';
import { readSchedule, type Timetable } from './schedule.ts';

/** An occurrence before it has a fate. */
export interface Wanted {
  readonly occurrenceId: OccurrenceId;
  readonly cause: Occurrence['cause'];
  readonly dueMs: number;
  readonly retryOf?: OccurrenceId;
  readonly by?: Author;
}

/** Routine and due time are the occurrence: however often it is delivered, it is this one. */
export const occurrenceIdOf = (routineId: RoutineId, dueMs: number): OccurrenceId =>
  OccurrenceId.parse(`occ_${derivedSuffix('occurrence', routineId, String(dueMs))}`);

export const dueOccurrence = (routineId: RoutineId, dueMs: number): Wanted => ({
  occurrenceId: occurrenceIdOf(routineId, dueMs),
  cause: 'due',
  dueMs,
});

/** Everything an occurrence makes has its suffix, so that a second delivery makes the same. */
export const idsOf = (occurrenceId: OccurrenceId) => {
  const suffix = occurrenceId.slice('occ_'.length);
  return {
    conversationId: ConversationId.parse(`cnv_${suffix}`),
    messageId: MessageId.parse(`msg_${suffix}`),
    runId: RunId.parse(`run_${suffix}`),
  };
};

/** Read once more on every use: schedules are validated before they are stored. */
export const timetableOf = (routine: Routine): Timetable => {
  const read = readSchedule({
    expression: routine.schedule,
    zone: routine.zone,
    anchorMs: routine.anchorMs,
    ...(routine.startsAt === undefined ? {} : { startMs: Date.parse(routine.startsAt) }),
    ...(routine.endsAt === undefined ? {} : { endMs: Date.parse(routine.endsAt) }),
  });
  return read.kind === 'timetable' ? read.timetable : never;
};

/** A zone that a newer system no longer knows: nothing is due. */
const never: Timetable = { next: () => undefined, between: () => [], latest: (dueMs) => dueMs };

/** Later than this it was missed: the Scheduler is precise to the minute and retries at once. */
export const lateMs = 5 * 60_000;
/** A delivery names its time to the second, and a rate's may be beside ours. */
const nearMs = 60_000;

/** The due time that a delivery means: the nearest one, within a minute. */
export const dueNear = (timetable: Timetable, deliveredMs: number): number | undefined =>
  timetable
    .between(deliveredMs - nearMs - 1, deliveredMs + nearMs, 5)
    .toSorted((a, b) => Math.abs(a - deliveredMs) - Math.abs(b - deliveredMs))[0];

export type Fate =
  | { readonly fate: 'fire' }
  | { readonly fate: 'missed' }
  | { readonly fate: 'skip'; readonly because: 'paused' | 'deleted' | 'not_due' };

/** What becomes of an occurrence at this instant. A late one is made up for if it is the newest and within the window. */
export const fateOf = (
  routine: Routine,
  timetable: Timetable,
  { cause, dueMs }: Wanted,
  nowMs: number,
): Fate => {
  if (routine.state === 'deleted') return { fate: 'skip', because: 'deleted' };
  if (cause !== 'due') return { fate: 'fire' };
  if (routine.state === 'paused') return { fate: 'skip', because: 'paused' };
  if (timetable.next(dueMs - 1) !== dueMs) return { fate: 'skip', because: 'not_due' };
  if (nowMs - dueMs <= lateMs) return { fate: 'fire' };
  const newest = (timetable.next(dueMs) ?? Number.POSITIVE_INFINITY) > nowMs;
  const { missed } = routine;
  return missed.policy === 'one' && newest && nowMs - dueMs <= missed.windowMs
    ? { fate: 'fire' }
    : { fate: 'missed' };
};

/** How often a routine's schedule is held against the Scheduler's, should no firing be missing. */
const checkedMs = 86_400_000;

/** The clock with its next look: what has not been applied at once; else when the next occurrence should have a record. */
export const withLook = (
  clock: RoutineClock,
  routine: Routine,
  timetable: Timetable,
  nowMs: number,
): RoutineClock => {
  const { lookAtMs: _before, ...rest } = clock;
  if (clock.applied < clock.wanted) return { ...rest, lookAtMs: nowMs };
  if (routine.state !== 'active') return rest;
  const nextMs = timetable.next(clock.coveredMs);
  if (nextMs === undefined) return rest;
  return { ...rest, lookAtMs: Math.min(nextMs + lateMs, nowMs + checkedMs) };
};

/** The clock once an occurrence has its record: covered that far, when it was the next one. */
export const withRecord = (
  clock: RoutineClock,
  timetable: Timetable,
  { cause, dueMs }: Wanted,
): RoutineClock =>
  cause === 'due' && timetable.next(clock.coveredMs) === dueMs
    ? { ...clock, coveredMs: dueMs }
    : clock;
