// A routine, what is known of its firing, and its occurrences, as they are stored. Owns: those shapes. Laws: L19.
// Tested in test/core/records/golden.test.ts.
import { z } from 'zod';
import { Author } from '../base/author.ts';
import { AgentId, ConversationId, MessageId, OccurrenceId, RoutineId, RunId } from '../base/ids.ts';
import { messageCharactersMax } from './conversation.ts';

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
