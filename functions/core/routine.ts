// A routine: a message that is said on a schedule, by whatever zone it names and never by that of a machine. And its
// occurrences: each due firing, with the run it became or the reason why it became none.
// Owns: their stored shapes and ids, and which fate an occurrence has at an instant. Laws: L19.
import { z } from 'zod';
import { Author, messageCharactersMax } from './conversation.ts';
import {
  AgentId,
  ConversationId,
  derivedSuffix,
  MessageId,
  OccurrenceId,
  RoutineId,
  RunId,
} from './ids.ts';
import { readSchedule, type Timetable } from './schedule.ts';

/** A day of catching up, and no more: later nobody expects it. */
const windowMsMax = 7 * 86_400_000;

export const overlaps = ['skip', 'steer', 'queue'] as const;

export const RoutineContent = z.strictObject({
  name: z.string().trim().min(1).max(200),
  agentId: AgentId,
  message: z
    .string()
    .max(messageCharactersMax)
    .regex(/\S/)
    .describe('What is said; not only blanks.'),
  schedule: z
    .string()
    .min(1)
    .max(256)
    .describe('`cron(…)` with six fields, `rate(…)` or `at(…)`, by EventBridge Scheduler’s rules.'),
  zone: z.string().min(1).max(50).describe('IANA name, for example `Europe/Paris`.'),
  startsAt: z.iso.datetime().optional(),
  endsAt: z.iso.datetime().optional(),
  conversation: z
    .discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('own') }),
      z.strictObject({ kind: z.literal('fixed'), conversationId: ConversationId }),
    ])
    .default({ kind: 'own' })
    .describe('A new conversation for each firing, or always the same one.'),
  overlap: z
    .enum(overlaps)
    .default('skip')
    .describe('What happens when the run before is still in progress.'),
  missed: z
    .discriminatedUnion('policy', [
      z.strictObject({ policy: z.literal('skip') }),
      z.strictObject({
        policy: z.literal('one'),
        windowMs: z.int().min(60_000).max(windowMsMax),
      }),
    ])
    .default({ policy: 'skip' })
    .describe('Of firings that could not happen in time: none is made up for, or the newest.'),
});
export type RoutineContent = z.infer<typeof RoutineContent>;

export const routineStates = ['active', 'paused', 'deleted'] as const;

export const Routine = RoutineContent.extend({
  schema: z.literal(1),
  workspace: z.string(),
  routineId: RoutineId,
  state: z.enum(routineStates),
  /** Where a rate counts from. */
  anchorMs: z.int(),
  createdAt: z.iso.datetime(),
  createdBy: Author,
  changedAt: z.iso.datetime(),
  changedBy: Author,
});
export type Routine = z.infer<typeof Routine>;

/** What is known of a routine's firing; kept apart from the routine, which only people change. */
export const RoutineClock = z.strictObject({
  schema: z.literal(1),
  workspace: z.string(),
  routineId: RoutineId,
  /** Every occurrence due until then has its record. */
  coveredMs: z.int(),
  /** When the sweep looks at it next; never, when there is nothing to look for. */
  lookAtMs: z.int().optional(),
  /** Raised by each change of the routine; the Scheduler has what was applied. */
  wanted: z.int().positive(),
  applied: z.int().nonnegative(),
  /** The newest firing. */
  last: z.strictObject({ conversationId: ConversationId, runId: RunId }).optional(),
});
export type RoutineClock = z.infer<typeof RoutineClock>;

export const skipReasons = [
  'run_active',
  'queue_full',
  'too_many_messages',
  'paused',
  'deleted',
  'not_due',
  'agent_missing',
  'conversation_missing',
] as const;

export const OccurrenceOutcome = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('fired'),
    how: z.enum(['started', 'steered', 'queued']),
    conversationId: ConversationId,
    messageId: MessageId,
    /** Queued: the run it will be. */
    runId: RunId,
  }),
  z.strictObject({
    kind: z.literal('skipped'),
    because: z.enum(skipReasons),
    /** The run that was in progress. */
    runId: RunId.optional(),
  }),
  /** It could not happen in time, and was not made up for. */
  z.strictObject({ kind: z.literal('missed') }),
]);
export type OccurrenceOutcome = z.infer<typeof OccurrenceOutcome>;

export const Occurrence = z.strictObject({
  schema: z.literal(1),
  workspace: z.string(),
  routineId: RoutineId,
  occurrenceId: OccurrenceId,
  /** Due by the schedule, asked for by a person, or a further try of another one. */
  cause: z.enum(['due', 'now', 'retry']),
  dueAt: z.iso.datetime(),
  retryOf: OccurrenceId.optional(),
  /** Who asked for it. */
  by: Author.optional(),
  recordedAt: z.iso.datetime(),
  outcome: OccurrenceOutcome,
});
export type Occurrence = z.infer<typeof Occurrence>;

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
