// What the API takes and gives about people's requests: the answers to each kind, and what an answerer is shown.
// Owns: those shapes.
// Tested in test/functions/api/http/openapi.test.ts.
import { z } from 'zod';
import { againstKinds } from '../../core/answers/against.ts';
import { SkillVersion } from '../../core/answers/skill.ts';
import { Author } from '../../core/base/author.ts';
import { RequestId } from '../../core/base/ids.ts';
import { JsonObject } from '../../core/base/json.ts';
import { requestExpiryMsMax } from '../../core/base/limits.ts';
import { Action } from '../../core/records/action.ts';
import { ApprovalMandate } from '../../core/records/change.ts';
import { PersonRequest, RequestDecision } from '../../core/records/request.ts';

/** Of what a person says beside an answer. */
export const reasonCharactersMax = 4_000;
const text = (most: number) => z.string().trim().min(1).max(most);

/** One thing that stands against an approval: what, since when, whose doing, and the sentence that says so. */
export const AgainstView = z.strictObject({
  kind: z.enum(againstKinds),
  at: z.iso.datetime().optional(),
  by: Author.optional(),
  reason: z.string().optional(),
  says: z.string(),
});

export const RequestView = z.strictObject({
  request: PersonRequest,
  /** Exactly what would run, with the digest to approve. */
  action: Action.optional(),
  /** Actions that look like it: those that the request was asked with, and those that came up since. */
  lookAlikes: z.array(Action),
  /** The same in words: which, when, and what is known of it. */
  alike: z.array(z.strictObject({ actionId: z.string(), says: z.string() })),
  /** Why nothing could be sent under an approval now; empty when nothing stands against it. */
  against: z.array(AgainstView),
  /** The leave that was given, and whether it was taken back. */
  approval: ApprovalMandate.pick({
    grantedAt: true,
    grantedBy: true,
    expiresAtMs: true,
    revokedAt: true,
    revokedBy: true,
    revokedBecause: true,
  }).optional(),
  /** How far its approval may be remembered, by the contract and by what it is. */
  rememberable: z.enum(['never', 'run', 'agent']).optional(),
  /** The skill that is asked for, with its instructions and tools. */
  skill: SkillVersion.optional(),
});

export const Remember = z.strictObject({
  scope: z
    .enum(['run', 'agent'])
    .describe(
      'For this run only, or for the agent, where the tool’s contract lets it (policy.remember).',
    ),
  condition: z
    .string()
    .trim()
    .min(1)
    .max(2_000)
    .describe(
      'JSONata over the arguments, naming at least one; a call is covered when it is true.',
    ),
  expiresInMs: z
    .int()
    .min(1_000)
    .max(requestExpiryMsMax)
    .optional()
    .describe('When it ends; after 30 days unless said.'),
});

export const AnswerBody = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('approve'),
    digest: z.string().describe('The digest of the action as it was shown.'),
    remember: Remember.optional().describe(
      'Like calls need no approval of their own. Never for what cannot be taken back, never for look-alikes.',
    ),
  }),
  z.strictObject({ kind: z.literal('refuse'), reason: text(reasonCharactersMax) }),
  z.strictObject({ kind: z.literal('request_changes'), text: text(reasonCharactersMax) }),
  z.strictObject({
    kind: z.literal('answer'),
    answer: JsonObject.describe(
      'One value for each field of the form; what is left out gets its default.',
    ),
  }),
  z.strictObject({ kind: z.literal('decline'), reason: text(reasonCharactersMax).optional() }),
  z.strictObject({
    kind: z.literal('grant'),
    scope: z.enum(['run', 'agent']).describe('For this run, or for the agent: a new revision.'),
  }),
]);
export type AnswerBody = z.infer<typeof AnswerBody>;

export const Answered = z.strictObject({
  requestId: RequestId,
  decision: RequestDecision,
  decidedAt: z.iso.datetime(),
  decidedBy: Author,
});
