// What the trials report: its schema, published as JSON Schema, and the verdict over its parts. Owns: those shapes.
import { z } from 'zod';
import { Json, JsonObject } from '../../../functions/core/base/json.ts';
import { Destination } from '../../../functions/core/registry/contract.ts';

export const verdicts = ['pass', 'fail', 'not_run', 'does_not_apply'] as const;
export const Verdict = z
  .enum(verdicts)
  .describe(
    '`not_run`: it could not be tried, or nothing could see how it came out; `because` says what is missing. `does_not_apply`: the contract promises nothing of the kind.',
  );
export type Verdict = z.infer<typeof Verdict>;

const Counts = z
  .strictObject({
    received: z.int().nonnegative().describe('Calls that left the product.'),
    forwarded: z.int().nonnegative().describe('Calls that the destination was given.'),
    answered: z.int().nonnegative().describe('Calls that the destination answered.'),
    delivered: z.int().nonnegative().describe('Answers that reached the product.'),
  })
  .describe('What the fault proxy saw of this part.');

export const PartExhibit = z.strictObject({
  actionId: z.string().optional(),
  reference: z.string().optional().describe('What travels as key or reference: the action’s id.'),
  effect: z.string().optional(),
  disposition: z.string().optional(),
  attempts: z.int().nonnegative().optional(),
  told: z.string().optional().describe('What the agent was told.'),
  objects: z.strictObject({
    by: z.enum(['look_up', 'exhibit', 'nothing']),
    tool: z.string().optional(),
    asked: JsonObject.describe('Arguments of the look-up or the exhibit.'),
    count: z.int().nonnegative().optional().describe('Left out: nothing could count them.'),
    found: z.array(Json).describe('The objects, at most three.'),
    because: z.string().optional(),
  }),
  proxy: Counts,
  answers: z.array(z.strictObject({ status: z.int(), body: z.string() })),
  journal: z.array(z.string()).describe('The action’s journal, one line per entry.'),
});
export type PartExhibit = z.infer<typeof PartExhibit>;

export const Part = z.strictObject({
  id: z.string(),
  title: z.string(),
  expected: z.string(),
  observed: z.array(z.string()),
  verdict: Verdict,
  because: z
    .array(z.string())
    .describe('Why it fails, was not run or does not apply; empty when it passes.'),
  limit: z
    .literal(true)
    .optional()
    .describe(
      'Not run, and named under `notTried`: a limit of what is believed, not in the way of a verification.',
    ),
  exhibit: PartExhibit.optional(),
  tookMs: z.int().nonnegative(),
});
export type Part = z.infer<typeof Part>;

export const trialIds = [
  'cut_before_transmission',
  'reply_lost',
  'restart_while_running',
  'two_people',
  'content_changed',
  'retention_exceeded',
  'authorisation_withdrawn',
] as const;
export type TrialId = (typeof trialIds)[number];

export const Trial = z.strictObject({
  id: z.enum(trialIds),
  title: z.string(),
  verdict: Verdict,
  parts: z.array(Part).min(1),
});
export type Trial = z.infer<typeof Trial>;

export const ToolReport = z.strictObject({
  tool: z.string(),
  destination: Destination,
  transport: z.string(),
  contract: JsonObject.describe('The contract that was tried, as it was registered.'),
  /** Assumptions under which it was tried. */
  notes: z.array(z.string()),
  verdict: Verdict,
  checks: z.array(Part).describe('What the contract claims, held against the destination.'),
  trials: z.array(Trial),
  notTried: z
    .array(z.strictObject({ what: z.string(), costs: z.string() }))
    .describe(
      'What the contract says and nothing here tried, and what it costs where it is not so.',
    ),
  left: z.array(z.string()).describe('What the trials left at the destination.'),
  verification: JsonObject.optional().describe(
    'What may be put into the contract; only when nothing failed and every promise was seen.',
  ),
});
export type ToolReport = z.infer<typeof ToolReport>;

export const Report = z.strictObject({
  $schema: z.string().optional(),
  schema: z.literal(2),
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime(),
  environment: z.string(),
  language: z.enum(['en', 'fr']),
  product: z.string(),
  verdict: Verdict,
  summary: z.string().describe('What came out, in one sentence: passed, failed, not run.'),
  tools: z.array(ToolReport).min(1),
});
export type Report = z.infer<typeof Report>;

/** Fails when one fails; is not run when one that counts was not; what does not apply is no gap. */
export const overall = (
  all: readonly { readonly verdict: Verdict; readonly limit?: true | undefined }[],
): Verdict => {
  const has = (wanted: Verdict): boolean => all.some(({ verdict }) => verdict === wanted);
  if (has('fail')) return 'fail';
  if (all.some(({ verdict, limit }) => verdict === 'not_run' && limit === undefined))
    return 'not_run';
  if (has('pass')) return 'pass';
  return has('not_run') ? 'not_run' : 'does_not_apply';
};

/** The published schema of `report.json`. */
export const reportSchema = (): object => ({
  ...z.toJSONSchema(Report),
  title: 'Report of the interruption trials',
});
