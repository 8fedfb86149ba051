// What the API gives to people about what waits for them and what was decided: inbox, marks, grants, skills, audit.
// Owns: those shapes.
// Tested in test/functions/api/http/openapi.test.ts.
import { z } from 'zod';
import { Author } from '../../core/base/author.ts';
import { ActionId, AgentId, ConversationId, RequestId, RunId } from '../../core/base/ids.ts';
import { Action } from '../../core/records/action.ts';
import { Grant } from '../../core/records/grant.ts';
import { PersonRequest } from '../../core/records/request.ts';
import { SkillName } from '../../core/registry/tool.ts';
import { roles } from '../identity/access.ts';
import { auditKinds } from './audit-kinds.ts';

/** One reader's marks of one conversation, the same on all their clients. */
export const MarksView = z.strictObject({
  /** Open requests of this conversation that you may answer. */
  needsYou: z.int().nonnegative(),
  /** A request was opened after what you have read, and you may answer one. Cleared by reading. */
  newRequests: z.boolean(),
  /** The last run has ended and none is active. */
  finished: z.boolean(),
  /** A run ended after what you have read. Cleared by reading; a pause never sets it. */
  finishedWhileAway: z.boolean(),
});
export type MarksView = z.infer<typeof MarksView>;

const about = {
  about: z.strictObject({
    title: z.string(),
    agentId: AgentId,
    /** What would run, or what is not known; left out for a question of the agent's own. */
    action: z
      .strictObject({
        ...Action.pick({ tool: true, destination: true, arguments: true, effectKind: true }).shape,
        effect: Action.shape.effect,
      })
      .optional(),
    /** The least role that may answer. */
    role: z.enum(roles),
  }),
};
const [approval, question, skill, recovery] = PersonRequest.options;

/** A request as the inbox lists it: the request itself, and what it is about. */
export const InboxItem = z.discriminatedUnion('on', [
  approval.extend(about),
  question.extend(about),
  skill.extend(about),
  recovery.extend(about),
]);
export type InboxItem = z.infer<typeof InboxItem>;

export const InboxSummary = z.strictObject({
  /** Open requests that you may answer, by kind. */
  needsYou: z.strictObject({
    total: z.int().nonnegative(),
    approval: z.int().nonnegative(),
    question: z.int().nonnegative(),
    skill: z.int().nonnegative(),
    recovery: z.int().nonnegative(),
  }),
  /** There are more than were counted. */
  more: z.boolean(),
  /** Among the conversations of the newest runs: those in which one ended after what you have read. */
  finishedWhileAway: z.int().nonnegative(),
});

export const SkillRegistered = z.strictObject({ name: SkillName, version: z.int().positive() });

export const GrantView = Grant.extend({
  /** Whether it covers calls now. */
  stands: z.boolean(),
});

/** One decision, with who took it and when. */
export const AuditEntry = z.strictObject({
  /** Its own, and the same for ever: the request's, the decision's, or of what it is about and its number. */
  id: z.string(),
  at: z.iso.datetime(),
  /** `machine` for a machine's credential and for Reprise itself. */
  by: Author,
  kind: z.enum(auditKinds),
  /** approved, refused, answered, expired, abandoned, revoked … */
  decision: z.string(),
  on: z.string().optional(),
  reason: z.string().optional(),
  requestId: RequestId.optional(),
  actionId: ActionId.optional(),
  conversationId: ConversationId.optional(),
  runId: RunId.optional(),
  agentId: z.string().optional(),
  tool: z.string().optional(),
  skill: z.string().optional(),
  /** A granted skill was taken out of its run again. */
  revoked: z.strictObject({ at: z.iso.datetime(), by: Author, because: z.string() }).optional(),
  /** What was remembered with an approval: for what, under which condition, until when. */
  remembered: z
    .strictObject({
      scope: z.enum(['run', 'agent']),
      condition: z.string(),
      until: z.iso.datetime().optional(),
    })
    .optional(),
  /** Of a registration: the version, or an agent’s revision. */
  version: z.int().positive().optional(),
  /** Of a registration of an agent: what it was called then. */
  agentName: z.string().optional(),
});
export type AuditEntry = z.infer<typeof AuditEntry>;
