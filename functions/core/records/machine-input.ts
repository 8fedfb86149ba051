// What passes between the run machine and its functions: ids and small verdicts only. Old inputs stay accepted for a year, so
// every field added later gets a default. Laws: L18.
// Tested in test/statemachines/lint.test.ts.
import { z } from 'zod';
import { ActionId, ConversationId, RunId } from '../base/ids.ts';
import { runEnds } from './run.ts';

export const SegmentInput = z.object({
  schema: z.literal(1),
  runId: RunId,
  conversationId: ConversationId,
  segment: z.int().positive(),
});
export type SegmentInput = z.infer<typeof SegmentInput>;

/** `step` is the last stored step as the machine knows it: a hint that saves a read. */
export const ThinkInput = SegmentInput.extend({
  step: z.int().nonnegative().default(0),
  /** A wait reached this execution's parking time. */
  parked: z.boolean().default(false),
  /** A Perform failed time and again without an answer. */
  stuck: z.boolean().default(false),
  /** Calls of the model for this step that it refused for now. Left out by machines that cannot wait for it. */
  modelTries: z.int().nonnegative().optional(),
  /** Epoch milliseconds before which the model asked not to be called. */
  modelNotBeforeMs: z.number().optional(),
});
export type ThinkInput = z.infer<typeof ThinkInput>;

export const PerformInput = SegmentInput.extend({
  actionId: ActionId,
  /** Who asks: the run's machine, fenced by its segment, or a recovery, which may go on after it. */
  by: z.enum(['run', 'recover']).default('run'),
});
export type PerformInput = z.infer<typeof PerformInput>;

export const ParkInput = SegmentInput.extend({ why: z.enum(['budget', 'waiting']) });
export type ParkInput = z.infer<typeof ParkInput>;

export const FinishInput = SegmentInput.extend({
  reason: z.enum(runEnds),
  detail: z.string().max(2_000).default(''),
});
export type FinishInput = z.infer<typeof FinishInput>;

/** One round of recovering one action. */
export const VerifyInput = z.object({
  schema: z.literal(1),
  actionId: ActionId,
  round: z.int().positive(),
});
export type VerifyInput = z.infer<typeof VerifyInput>;
