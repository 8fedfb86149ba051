// What the API takes and gives about the calls that readers marked as faulty. Owns: those shapes.
// Tested in test/functions/api/routes/faults.test.ts.
import { z } from 'zod';
import { Author } from '../../core/base/author.ts';
import { FaultMark, FaultSaying } from '../../core/records/fault-mark.ts';

export const FaultMarkBody = z.strictObject({
  step: z.int().positive(),
  call: z
    .int()
    .nonnegative()
    .describe('Place among the step’s calls, from 0, as in the step and the action.'),
  ...FaultSaying.shape,
});
export const FaultChangeBody = FaultSaying;
export const FaultTakeBackBody = z.strictObject({
  erase: z
    .boolean()
    .default(false)
    .describe('Erases every note of the mark as well; who did what when stays.'),
});

const { markId, conversationId, runId, agentId, revision, step, call, tool, actionId } =
  FaultMark.shape;
const view = {
  markId,
  conversationId,
  runId,
  agentId,
  revision: revision.describe('The revision that the run used.'),
  step,
  call,
  tool: tool.describe('The name that the agent called.'),
  actionId: actionId.describe('Left out where the call got a fixed result.'),
  by: Author,
  at: z.iso.datetime().describe('When it was marked.'),
  kind: FaultSaying.shape.kind,
  note: z.string().optional().describe('Left out once it was taken back.'),
  /** The last change of its words by its author or an admin. */
  changed: z.strictObject({ at: z.iso.datetime(), by: Author }).optional(),
  takenBack: z.strictObject({ at: z.iso.datetime(), by: Author }).optional(),
  mayChange: z.boolean().describe('Whether you may change it or take it back.'),
};
export const FaultMarkView = z.strictObject(view);
export type FaultMarkView = z.infer<typeof FaultMarkView>;

/** One mark with what was said before; the oldest first. */
export const FaultMarkHistory = z.strictObject({ ...view, changes: FaultMark.shape.changes });
export type FaultMarkHistory = z.infer<typeof FaultMarkHistory>;
