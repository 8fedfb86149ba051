// A request: a pause that needs a person. Owns: its stored shape and its decisions. Expiry and voiding are decisions too.
// Laws: L12, L13 (decided once, by a named identity, and the late one is told who and when).
// Tested in test/core/margins-of-changes.test.ts.
import { z } from 'zod';
import { Author } from '../base/author.ts';
import { Form } from '../base/form.ts';
import { ActionId, ConversationId, RequestId, RunId } from '../base/ids.ts';
import { JsonObject } from '../base/json.ts';

export const RequestDecision = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('approved'),
    /** A grant came with it: like calls need no approval of their own, as far as it says. */
    remembered: z
      .strictObject({
        scope: z.enum(['run', 'agent']),
        condition: z.string(),
        until: z.iso.datetime().optional(),
      })
      .optional(),
  }),
  z.strictObject({ kind: z.literal('refused'), reason: z.string() }),
  z.strictObject({ kind: z.literal('changes_requested'), text: z.string() }),
  z.strictObject({ kind: z.literal('answered'), answer: JsonObject }),
  /** The person was asked and chose not to answer. */
  z.strictObject({ kind: z.literal('declined'), reason: z.string().optional() }),
  z.strictObject({
    kind: z.literal('granted'),
    scope: z.enum(['run', 'agent']),
    /** It was taken out of the run again. */
    revoked: z.strictObject({ at: z.iso.datetime(), by: Author, because: z.string() }).optional(),
  }),
  /** A recovery is over: the action was settled, suspended or abandoned. */
  z.strictObject({ kind: z.literal('settled') }),
  z.strictObject({ kind: z.literal('expired') }),
  z.strictObject({ kind: z.literal('voided'), because: z.string() }),
]);
export type RequestDecision = z.infer<typeof RequestDecision>;
export type RequestDecisionKind = RequestDecision['kind'];

const base = {
  schema: z.literal(1),
  workspace: z.string(),
  requestId: RequestId,
  conversationId: ConversationId,
  runId: RunId,
  actionId: ActionId,
  openedAt: z.iso.datetime(),
  expiresAtMs: z.int().optional(),
  /** Those who may answer were told that it will expire. */
  remindedAt: z.iso.datetime().optional(),
  decision: RequestDecision.optional(),
  decidedAt: z.iso.datetime().optional(),
  decidedBy: Author.optional(),
  /** The run no longer waits for it (stopped or superseded), though it is still open. */
  released: z.boolean().optional(),
};

export const PersonRequest = z.discriminatedUnion('on', [
  z.strictObject({
    ...base,
    on: z.literal('approval'),
    digest: z.string(),
    role: z.string(),
    /** How long after it was given it may be begun, where the contract says so. */
    beginMs: z.int().positive().optional(),
    /** The look-alike that must be shown beside it, and the marker's revision that was seen. */
    likeness: z.strictObject({ rev: z.string(), holders: z.array(z.string()) }).optional(),
  }),
  z.strictObject({
    ...base,
    on: z.literal('question'),
    message: z.string(),
    form: Form,
    onExpiry: z.enum(['default', 'continue', 'stop']).default('continue'),
    /** Asked by an MCP tool in mid-call: what to hand back with the answer, and which answers belong to which of its requests. */
    asked: z
      .strictObject({
        requestState: z.string().optional(),
        /** Name of the tool's own request → its field → the form's field. */
        parts: z.record(z.string(), z.record(z.string(), z.string())),
        /** What the contract, under which the tool was called, says of a question that ends without an answer. */
        contract: z
          .strictObject({
            asksBeforeActing: z.literal(true).optional(),
            recoverer: z.string().optional(),
            whenUndetermined: z.enum(['wait', 'tell']).optional(),
          })
          .optional(),
      })
      .optional(),
  }),
  z.strictObject({
    ...base,
    on: z.literal('skill'),
    skill: z.string(),
    version: z.int().positive(),
    reason: z.string(),
    /** Tools that the skill brings. */
    tools: z.array(z.string()),
  }),
  z.strictObject({
    ...base,
    on: z.literal('recovery'),
    because: z.string(),
    /** False while the machine still looks; true once a verdict says that a person is needed. */
    needsPerson: z.boolean(),
    /** Who is in charge until somebody claims it. */
    recoverer: z.string().optional(),
  }),
]);
export type PersonRequest = z.infer<typeof PersonRequest>;
export type RequestKind = PersonRequest['on'];

/** Which decisions a request of each kind can get. */
export const decisionsOf = {
  approval: ['approved', 'refused', 'changes_requested', 'expired', 'voided'],
  question: ['answered', 'declined', 'expired', 'voided'],
  skill: ['granted', 'refused', 'expired', 'voided'],
  recovery: ['settled'],
} as const satisfies { [Kind in RequestKind]: readonly RequestDecisionKind[] };
