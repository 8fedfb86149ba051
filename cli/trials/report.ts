// What the trials report: its schema, published as JSON Schema, and the verdict over its parts. Owns: those shapes.
import { z } from 'zod';
import { Json, JsonObject } from '../../functions/core/base/json.ts';
import { Destination } from '../../functions/core/registry/contract.ts';

export const verdicts = ['pass', 'fail', 'undecidable'] as const;
export const Verdict = z
  .enum(verdicts)
  .describe(
    '`undecidable`: this contract promises nothing that could be tried here; `because` says what is missing.',
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
    .describe('Why it fails, or cannot be decided; empty when it passes.'),
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
  left: z.array(z.string()).describe('What the trials left at the destination.'),
  verification: JsonObject.optional().describe(
    'What may be put into the contract; only when nothing failed. `how` names what could not be decided.',
  ),
});
export type ToolReport = z.infer<typeof ToolReport>;

export const Report = z.strictObject({
  $schema: z.string().optional(),
  schema: z.literal(1),
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime(),
  environment: z.string(),
  language: z.enum(['en', 'fr']),
  product: z.string(),
  verdict: Verdict,
  summary: z.string().describe('What came out, in one sentence: passed, failed, not decidable.'),
  tools: z.array(ToolReport).min(1),
});
export type Report = z.infer<typeof Report>;

/** Fails when one fails, passes when one passes, else nothing could be decided. */
export const overall = (all: readonly { readonly verdict: Verdict }[]): Verdict => {
  if (all.some(({ verdict }) => verdict === 'fail')) return 'fail';
  return all.some(({ verdict }) => verdict === 'pass') ? 'pass' : 'undecidable';
};

/** The published schema of `report.json`. */
export const reportSchema = (): object => ({
  ...z.toJSONSchema(Report),
  title: 'Report of the interruption trials',
});
