// The API's shapes, by the names of its document. Types only: the schemas themselves stay on the server.
import type { z } from 'zod';
import type * as desk from '../../functions/api/schemas/desk.ts';
import type * as faults from '../../functions/api/schemas/faults.ts';
import type * as lists from '../../functions/api/schemas/lists.ts';
import type * as overview from '../../functions/api/schemas/overview.ts';
import type * as people from '../../functions/api/schemas/people.ts';
import type * as requests from '../../functions/api/schemas/requests.ts';
import type * as routines from '../../functions/api/schemas/routines.ts';
import type * as schemas from '../../functions/api/schemas/schemas.ts';

export type {
  ConversationSummary,
  RunView,
  Snapshot,
} from '../../functions/api/schemas/schemas.ts';
export type { SkillVersion } from '../../functions/core/answers/skill.ts';
export type { Author } from '../../functions/core/base/author.ts';
export type { Field, Form } from '../../functions/core/base/form.ts';
export type { Json, JsonObject } from '../../functions/core/base/json.ts';
export type { Action, Disposition, Effect } from '../../functions/core/records/action.ts';
export type { Decision } from '../../functions/core/records/change.ts';
export type { Message } from '../../functions/core/records/conversation.ts';
export type { EventBody, StoredEvent } from '../../functions/core/records/event.ts';
export type {
  Attempt,
  AttemptEnd,
  Observation,
  PersonsEvidence,
} from '../../functions/core/records/evidence.ts';
export type { PersonRequest, RequestDecision } from '../../functions/core/records/request.ts';
export type { RunEnd, RunState, WaitingOn } from '../../functions/core/records/run.ts';
export type { Step } from '../../functions/core/records/step.ts';
export type { AgentRevision } from '../../functions/core/registry/agent.ts';
export type {
  Contract,
  TrialPart,
  Verification,
} from '../../functions/core/registry/contract.ts';
export type { AnswerPatterns, ReplyPattern } from '../../functions/core/registry/reply-pattern.ts';
export type { ToolVersion } from '../../functions/core/registry/tool.ts';
export type { Sheet } from '../../functions/core/sheet/sheet.ts';
export type ExecutionView = z.infer<typeof schemas.ExecutionView>;
export type ConversationView = z.infer<typeof schemas.ConversationView>;
export type ClaimView = z.infer<typeof schemas.ClaimView>;
export type DecisionView = z.infer<typeof schemas.DecisionView>;
export type ActionView = z.infer<typeof schemas.ActionView>;
export type JournalView = z.infer<typeof schemas.JournalView>;
export type FaultMarkView = z.infer<typeof faults.FaultMarkView>;
export type ActionResult = z.infer<typeof schemas.ActionResult>;
export type RequestView = z.infer<typeof requests.RequestView>;
export type AnswerBody = z.infer<typeof requests.AnswerBody>;
export type Answered = z.infer<typeof requests.Answered>;
export type DecisionBody = z.input<typeof schemas.DecisionBody>;
export type MessagePosted = z.infer<typeof schemas.MessagePosted>;
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly next?: string | undefined;
}

export type DeskEntry = z.infer<typeof desk.DeskEntry>;
export type DeskSummary = z.infer<typeof desk.DeskSummary>;
export type ObservationBody = z.input<typeof desk.ObservationBody>;
export type InboxItem = z.infer<typeof people.InboxItem>;
export type InboxSummary = z.infer<typeof people.InboxSummary>;
export type AuditEntry = z.infer<typeof people.AuditEntry>;
export type BarView = z.infer<typeof desk.BarView>;
export type StandingView = z.infer<typeof desk.StandingView>;
export type ApprovalRevoked = z.infer<typeof desk.ApprovalRevoked>;
export type GrantView = z.infer<typeof people.GrantView>;
export type RoutineView = z.infer<typeof routines.RoutineView>;
export type RoutineBody = z.input<typeof routines.RoutineBody>;
export type OccurrenceView = z.infer<typeof routines.OccurrenceView>;
export type PreviewBody = z.input<typeof routines.PreviewBody>;
export type Preview = z.infer<typeof routines.Preview>;
export type OverviewView = z.infer<typeof overview.OverviewView>;
export type SearchHit = z.infer<typeof lists.SearchHit>;
export type SearchPage = z.infer<typeof lists.SearchPage>;
