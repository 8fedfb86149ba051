// What the API takes and gives, as schemas: the same ones check requests and make the OpenAPI document.
// Owns: the shapes that are not stored as such, and the names of all in the document.
// Tested in test/functions/api/http/openapi.test.ts.
import { z } from 'zod';
import { SkillContent, SkillVersion } from '../../core/answers/skill.ts';
import { Author } from '../../core/base/author.ts';
import {
  ActionId,
  AgentId,
  ConversationId,
  DecisionId,
  MessageId,
  RunId,
} from '../../core/base/ids.ts';
import { Json, JsonObject } from '../../core/base/json.ts';
import { Action } from '../../core/records/action.ts';
import { AuthorisationEntry, Decision } from '../../core/records/change.ts';
import { Message } from '../../core/records/conversation.ts';
import { EventBody, StoredEvent } from '../../core/records/event.ts';
import { Attempt, AttemptEnd, Observation, PersonsEvidence } from '../../core/records/evidence.ts';
import { PersonRequest, RequestDecision } from '../../core/records/request.ts';
import { RunState, runEnds, Usage } from '../../core/records/run.ts';
import { Step } from '../../core/records/step.ts';
import { decisionKinds } from '../../core/recover/desk.ts';
import { AgentConfiguration, AgentRevision } from '../../core/registry/agent.ts';
import { Contract } from '../../core/registry/contract.ts';
import { ToolRegistration, ToolVersion } from '../../core/registry/tool.ts';
import { FieldError, ProblemBody } from '../problems/problems.ts';
import { FaultMarkHistory, FaultMarkView } from './faults.ts';
import {
  AuditEntry,
  GrantView,
  InboxItem,
  InboxSummary,
  MarksView,
  SkillRegistered,
} from './people.ts';
import { AnswerBody, Answered, RequestView } from './requests.ts';
import { OccurrenceView, Preview, RoutineView } from './routines.ts';

export { AnswerBody, Answered, RequestView } from './requests.ts';

export const none = z.strictObject({});
export const Cursor = z.string().min(1).max(2_048);
const limited = (most: number, usual: number) =>
  z.coerce.number().int().min(1).max(most).default(usual);
export const PageQuery = z.strictObject({ cursor: Cursor.optional(), limit: limited(100, 50) });
/** Of a list that is read whole: a page ends where the answer would be too large. */
export const CursorQuery = PageQuery.pick({ cursor: true });
export const wholeListSays =
  'All that fit into one answer; `next` is the `cursor` of the next page.';
export const LimitQuery = z.strictObject({ limit: limited(1_000, 100) });

export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.strictObject({
    items: z.array(item),
    /** Give it back as `cursor` for the next page; left out on the last one. */
    next: z.string().optional(),
  });

/** Something a contract leaves open: it was accepted, and this is what it costs. */
export const ContractNote = FieldError;

export const ToolRegistered = z.strictObject({
  name: z.string(),
  version: z.int().positive(),
  notes: z.array(ContractNote),
});
export const AgentMade = z.strictObject({ agentId: AgentId, revision: z.int().positive() });

const lastRun = z.strictObject({ runId: RunId, reason: z.enum(runEnds) });
const conversation = {
  conversationId: ConversationId,
  agentId: AgentId,
  title: z.string(),
  createdAt: z.iso.datetime(),
  activeAt: z.iso
    .datetime()
    .describe('When its newest event was. Lists are ordered by `createdAt`.'),
  createdBy: Author,
  /** Number of the last event. A reader that remembers the one it saw knows whether anything is new. */
  eventNumber: z.int().nonnegative(),
  runs: z.int().nonnegative(),
  /** Messages that wait to be read by the agent. */
  pending: z.array(MessageId),
  lastRun: lastRun.optional(),
  activeRun: RunId.optional(),
  marks: MarksView,
};
export const ConversationSummary = z.strictObject(conversation);
export const ConversationView = z.strictObject({
  ...conversation,
  state: z.union([z.strictObject({ status: z.literal('idle') }), RunState]),
  /** Routines' messages that wait for the run in progress to end; each then starts a run of its own, in this order. */
  queued: z.array(MessageId),
});
export type ConversationSummary = z.infer<typeof ConversationSummary>;
export type ConversationView = z.infer<typeof ConversationView>;

/** One Step Functions execution. */
export const ExecutionView = z.strictObject({
  name: z.string(),
  trace: z
    .string()
    .optional()
    .describe(
      'Where its states and history are shown, relative to where the API is served: the Step Functions console, or the local twin’s own page.',
    ),
});
export type ExecutionView = z.infer<typeof ExecutionView>;

export const RunView = z.strictObject({
  runId: RunId,
  conversationId: ConversationId,
  agentId: AgentId,
  revision: z.int().positive(),
  number: z.int().positive(),
  state: RunState,
  steps: z.strictObject({ taken: z.int().nonnegative(), limit: z.int().positive() }),
  usage: Usage,
  /** Left out when the agent has no price table. A decimal text, unrounded. */
  cost: z.strictObject({ currency: z.string(), amount: z.string() }).optional(),
  /** Those that drive it, oldest first. */
  executions: z.array(ExecutionView),
  /** Granted during the run; each is taken back by its request. */
  skills: z.array(z.strictObject({ name: z.string(), version: z.int().positive() })),
  firstMessageId: MessageId.optional(),
  startedAt: z.iso.datetime(),
});
export type RunView = z.infer<typeof RunView>;

export const MessagePosted = z.strictObject({
  messageId: MessageId,
  fate: z.enum(['started', 'steering']),
  runId: RunId,
});
export const RunStopped = z.strictObject({ runId: RunId, state: RunState });

export const JournalView = z.strictObject({
  attempts: z.array(Attempt),
  ends: z.array(AttemptEnd),
  observations: z.array(Observation),
  authorisations: z.array(AuthorisationEntry),
  decisions: z.array(Decision),
});
export const ClaimView = z.strictObject({
  actionId: ActionId,
  /** Give it as `claimFence` when you decide. */
  fence: z.int().positive(),
  /** Left out when nobody holds it. */
  holder: Author.optional(),
  since: z.iso.datetime(),
  until: z.iso.datetime(),
  /** The holder before let it lapse: the next one adds an observation before deciding. */
  tookOver: z.boolean(),
});
export type ClaimView = z.infer<typeof ClaimView>;
/** Whether this caller may decide so now; a refusal says its reason, fact and date. */
export const DecisionView = z.strictObject({
  kind: z.enum(decisionKinds),
  allowed: z.boolean(),
  because: z.string().optional(),
  reason: z.string().optional(),
  at: z.iso.datetime().optional(),
  until: z.iso.datetime().optional(),
});
export type DecisionView = z.infer<typeof DecisionView>;
export const ActionView = z.strictObject({
  action: Action,
  journal: JournalView,
  claim: ClaimView.optional(),
  decisions: z.array(DecisionView),
  /** Its contract declares a look-up: the system can be asked to look. */
  canLook: z.boolean(),
  /** Those that recover it, oldest first: one per round. */
  recoveries: z.array(ExecutionView),
});
export const ActionResult = z.strictObject({
  actionId: ActionId,
  status: z.enum(['success', 'error']),
  contentType: z.string(),
  /** Size of the whole in bytes. */
  bytes: z.int().nonnegative(),
  text: z.string(),
  /** Give it back as `offset` for the rest; left out at the end. */
  next: z.int().positive().optional(),
});

const text = (most: number) => z.string().trim().min(1).max(most);
const seen = {
  seenHead: z.int().positive().describe('The action’s `head` that the decision is based on.'),
  claimFence: z.int().positive().describe('The `fence` of your claim.'),
};
const reason = text(4_000);
export const DecisionBody = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('attach'), evidence: PersonsEvidence, ...seen }),
  z.strictObject({ kind: z.literal('not_performed'), evidence: PersonsEvidence, ...seen }),
  z.strictObject({
    kind: z.literal('repeat'),
    affirmed: z
      .boolean()
      .default(false)
      .describe('Recipient, content and permission still stand; needed late after the first try.'),
    ...seen,
  }),
  z.strictObject({ kind: z.literal('wait'), until: z.iso.datetime(), reason, ...seen }),
  z.strictObject({ kind: z.literal('suspend'), reason, ...seen }),
  z.strictObject({ kind: z.literal('abandon'), reason, ...seen }),
  z.strictObject({ kind: z.literal('reissue'), reason, riskAccepted: text(4_000), ...seen }),
]);
export const DecisionTaken = z.strictObject({
  decisionId: DecisionId,
  actionId: ActionId,
  effect: z.string(),
  disposition: z.string(),
  head: z.int().positive(),
  reissuedAs: ActionId.optional(),
});

/** First event of a stream that names no position: where things stand at event `number`. */
export const Snapshot = z.strictObject({
  number: z.int().nonnegative(),
  conversation: ConversationView,
  run: RunView.optional(),
  /** Texts of the active run so far; the last may still be growing. */
  steps: z.array(
    z.strictObject({
      step: z.int().positive(),
      attempt: z.string(),
      text: z.string(),
      stored: z.boolean(),
    }),
  ),
  requests: z.array(PersonRequest),
});
export type Snapshot = z.infer<typeof Snapshot>;
export const EventPage = z.strictObject({
  events: z.array(StoredEvent),
  /** Give it back as `after`. */
  next: z.int().nonnegative(),
});

/** Schemas that have a name in the document, by that name. */
export const named: { readonly [name: string]: z.ZodType } = {
  Json,
  JsonObject,
  Author,
  Problem: ProblemBody,
  FieldError,
  AgentConfiguration,
  AgentRevision,
  AgentMade,
  ToolRegistration,
  ToolVersion,
  ToolRegistered,
  Contract,
  Conversation: ConversationView,
  ConversationSummary,
  Message,
  MessagePosted,
  Run: RunView,
  Execution: ExecutionView,
  RunState,
  RunStopped,
  Step,
  Action,
  ActionView,
  ActionResult,
  Claim: ClaimView,
  DecisionView,
  Journal: JournalView,
  Attempt,
  AttemptEnd,
  Observation,
  PersonsEvidence,
  Authorisation: AuthorisationEntry,
  Decision,
  DecisionBody,
  DecisionTaken,
  Request: PersonRequest,
  RequestView,
  RequestDecision,
  AnswerBody,
  Answered,
  InboxItem,
  InboxSummary,
  SkillVersion,
  SkillContent,
  SkillRegistered,
  Grant: GrantView,
  AuditEntry,
  FaultMark: FaultMarkView,
  FaultMarkHistory,
  Routine: RoutineView,
  Occurrence: OccurrenceView,
  SchedulePreview: Preview,
  Event: StoredEvent,
  EventBody,
  EventPage,
  Snapshot,
};
