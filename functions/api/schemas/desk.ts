// What the recovery desk's lists, observations and mandates take and give, as schemas. Owns: those shapes.
// Tested in test/functions/api/http/openapi.test.ts.
import { z } from 'zod';
import { Author } from '../../core/base/author.ts';
import { ActionId, AgentId, ConversationId, RequestId, RunId } from '../../core/base/ids.ts';
import { Disposition, effects } from '../../core/records/action.ts';
import { Decision } from '../../core/records/change.ts';
import { Observation, PersonsEvidence } from '../../core/records/evidence.ts';
import { StandingMandate, ToolBar } from '../../core/records/mandate.ts';
import { deskParts } from '../../core/recover/desk-list.ts';
import { observedSays } from '../../core/recover/observe.ts';
import { Destination } from '../../core/registry/contract.ts';
import { GrantView } from './people.ts';
import { ClaimView, DecisionView } from './schemas.ts';

const text = (most: number) => z.string().trim().min(1).max(most);

/** How the desk's list is narrowed, to be counted. */
export const DeskCountQuery = z.strictObject({
  part: z
    .enum(deskParts)
    .default('open')
    .describe('`aside`: abandoned or reissued, and still not known.'),
  state: z.enum(effects).optional().describe('Its effect.'),
  disposition: z.enum(Disposition.options.map((option) => option.shape.kind.value)).optional(),
  tool: z.string().min(1).max(64).optional(),
  agentId: AgentId.optional(),
  destination: z.string().min(1).max(256).optional().describe('Provider, or provider/account.'),
  olderThanMs: z.coerce.number().int().min(0).optional().describe('Age since its first attempt.'),
  owner: z
    .string()
    .min(1)
    .max(256)
    .optional()
    .describe('Subject of who holds the claim, `me`, or `none`.'),
});
export const DeskQuery = DeskCountQuery.extend({
  format: z.enum(['json', 'csv']).default('json'),
  cursor: z.string().min(1).max(2_048).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(50),
});

export const DeskEntry = z.strictObject({
  actionId: ActionId,
  conversationId: ConversationId,
  runId: RunId,
  tool: z.strictObject({ name: z.string(), version: z.int().positive() }),
  /** Its first arguments on one line, cut: enough to tell it from its neighbours. */
  about: z.string(),
  destination: Destination,
  effect: z.enum(effects),
  disposition: z.enum(Disposition.options.map((option) => option.shape.kind.value)),
  contradicted: z.boolean(),
  duplicateOf: ActionId.optional(),
  attempts: z.int().nonnegative(),
  /** When its first attempt was engaged. */
  since: z.iso.datetime(),
  ageMs: z.int().nonnegative(),
  /** An attempt may be under way until then. */
  runningUntil: z.iso.datetime().optional(),
  nextCheckAt: z.iso.datetime().optional(),
  /** A verdict asks for a person, and why. */
  needsPerson: z.boolean(),
  because: z.string().optional(),
  /** Who holds the claim. */
  holder: Author.optional(),
  heldUntil: z.iso.datetime().optional(),
  /** In charge until somebody claims it. */
  recoverer: z.string().optional(),
  head: z.int().positive(),
});
export type DeskEntry = z.infer<typeof DeskEntry>;

export const DeskSummary = z.strictObject({
  total: z.int().nonnegative(),
  /** Those of them whose effect is undetermined. */
  undetermined: z.int().nonnegative(),
  /** There are more than were looked at: the oldest were. */
  more: z.boolean(),
});
export type DeskSummary = z.infer<typeof DeskSummary>;

export const ObservationBody = z.strictObject({
  ...PersonsEvidence.shape,
  says: z
    .enum(observedSays)
    .describe('What it shows of the effect; `nothing` is kept all the same.'),
});
export const ObservationAdded = z.strictObject({
  observation: Observation,
  effect: z.enum(effects),
  contradicted: z.boolean(),
  head: z.int().positive(),
});
export const LookOrdered = z.strictObject({
  actionId: ActionId,
  /** The round of recovery that looks. */
  round: z.int().positive(),
});

export const DecisionsView = z.strictObject({
  /** Give it as `seenHead`. */
  head: z.int().positive(),
  claim: ClaimView.optional(),
  /** A repeat must affirm that recipient, content and permission still stand. */
  affirm: z.boolean(),
  decisions: z.array(DecisionView),
  taken: z.array(Decision),
});

export const ReasonBody = z.strictObject({ reason: text(1_000) });
export const StandingView = z.strictObject({
  agentId: z.string(),
  tool: z.string(),
  stands: z.boolean(),
  changes: StandingMandate.shape.changes.or(z.array(z.never())),
  /** What was remembered with approvals of this tool, newest first; each is taken back by itself. */
  remembered: z.array(GrantView).optional(),
});
export const BarView = z.strictObject({
  tool: z.string(),
  barred: z.boolean(),
  changes: ToolBar.shape.changes.or(z.array(z.never())),
});
export const ApprovalRevoked = z.strictObject({
  requestId: RequestId,
  actionId: ActionId,
  revokedAt: z.iso.datetime(),
  revokedBy: Author.optional(),
  /** Attempts made under it before: they are not undone. */
  attempts: z.int().nonnegative(),
});
