// A step: one model call and the tool calls it asked for. Stored before it is used; a stored step is never called again.
// Owns: the stored shape. Laws: L16 (each call has an action or a fixed result).
// Tested in test/core/records/golden.test.ts.
import { z } from 'zod';
import { ActionId, MessageId, RunId } from '../base/ids.ts';
import { JsonObject } from '../base/json.ts';
import { Told } from './action.ts';
import { stepEnds, Usage } from './run.ts';

export const StepCall = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('action'),
    actionId: ActionId,
    name: z.string(),
    arguments: JsonObject,
  }),
  /** A call that never became an action: unknown tool, bad arguments, surplus. */
  z.strictObject({
    kind: z.literal('fixed'),
    callId: z.string(),
    name: z.string(),
    arguments: JsonObject,
    told: Told,
  }),
]);
export type StepCall = z.infer<typeof StepCall>;

export const Step = z.strictObject({
  schema: z.literal(1),
  runId: RunId,
  step: z.int().positive(),
  /** The model attempt that produced it, as text.delta events name it. */
  attempt: z.string(),
  text: z.string(),
  calls: z.array(StepCall),
  /** Why the run is not done by this answer; left out for a whole one. */
  end: z.enum(stepEnds).optional(),
  /** How many steps in a row, this one included, had a call that the limit cut. */
  cuts: z.int().positive().optional(),
  /** Messages this step took, in order; the model saw them before it answered. */
  took: z.array(MessageId),
  /** Facts the system told the model at this step. */
  facts: z.string().optional(),
  /** Results of the previous step's calls, as told, so that the transcript never changes afterwards. */
  results: z.array(z.strictObject({ callId: z.string(), name: z.string(), told: Told })),
  usage: Usage.extend({ callId: z.string(), model: z.string() }),
  at: z.iso.datetime(),
});
export type Step = z.infer<typeof Step>;
