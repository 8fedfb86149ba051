// The store port: consistent reads of items by key, a few ordered lists, and whole changes.
// Laws: L2, L7, L17 (a change is committed whole or not at all; a refused guard is named).

import type { SkillVersion } from '../core/answers/skill.ts';
import type {
  ActionId,
  AgentId,
  ConversationId,
  MessageId,
  RequestId,
  RunId,
} from '../core/base/ids.ts';
import type { Action } from '../core/records/action.ts';
import type {
  ApprovalMandate,
  AuthorisationEntry,
  Change,
  Decision,
  Guard,
  ItemOf,
  Outbox,
  RunReference,
  Versioned,
} from '../core/records/change.ts';
import type { Claim } from '../core/records/claim.ts';
import type { Conversation, Message } from '../core/records/conversation.ts';
import type { StoredEvent } from '../core/records/event.ts';
import type { Attempt, AttemptEnd, Observation } from '../core/records/evidence.ts';
import type { Grant } from '../core/records/grant.ts';
import type { MandateChange } from '../core/records/mandate.ts';
import type { PersonRequest } from '../core/records/request.ts';
import type { Run } from '../core/records/run.ts';
import type { Step } from '../core/records/step.ts';
import type { AgentRevision } from '../core/registry/agent.ts';
import type { ToolVersion } from '../core/registry/tool.ts';

/** Which items to read together, in one consistent call (more than a hundred are split). */
export interface Wanted {
  readonly conversation?: ConversationId | undefined;
  readonly run?: RunId | undefined;
  readonly steps?: readonly { readonly runId: RunId; readonly step: number }[];
  readonly messages?: readonly {
    readonly conversationId: ConversationId;
    readonly messageId: MessageId;
  }[];
  readonly actions?: readonly ActionId[];
  readonly requests?: readonly RequestId[];
  readonly mandates?: readonly RequestId[];
  readonly claims?: readonly ActionId[];
}

export interface Found {
  readonly conversation: Versioned<Conversation> | undefined;
  readonly run: Versioned<Run> | undefined;
  readonly steps: readonly Step[];
  readonly messages: readonly Versioned<Message>[];
  readonly actions: readonly Versioned<Action>[];
  readonly requests: readonly Versioned<PersonRequest>[];
  readonly mandates: readonly Versioned<ApprovalMandate>[];
  readonly claims: readonly Versioned<Claim>[];
}

export type Committed =
  | { readonly kind: 'done'; readonly conversation: Versioned<Conversation> }
  /** Somebody else changed an item, or a put-once item exists: read again and decide again. */
  | { readonly kind: 'conflict'; readonly on: string }
  /** A guard did not hold. */
  | { readonly kind: 'refused'; readonly guard: Guard['guard'] | 'likeness' };

/** The whole journal of one action, in order of entries. */
export interface Journal {
  readonly attempts: readonly Attempt[];
  readonly ends: readonly AttemptEnd[];
  readonly observations: readonly Observation[];
  readonly authorisations: readonly AuthorisationEntry[];
  readonly decisions: readonly Decision[];
}

/** The mandate an action acts under, the tool's bar, and the claim on it, as they are stored. */
export interface Leave {
  readonly approval: ApprovalMandate | undefined;
  /** What was remembered with an earlier approval, where it acts under that. */
  readonly grant: Grant | undefined;
  readonly mandateRevokedAt: string | undefined;
  readonly barredAt: string | undefined;
  /** Who revoked, restored, barred or let again what this action needs, and why; oldest first. */
  readonly changes: readonly MandateChange[];
  readonly claim: Versioned<Claim> | undefined;
}

export interface LikenessMarker {
  readonly rev: string;
  readonly holders: readonly ActionId[];
}

export interface Page<Item> {
  readonly items: readonly Item[];
  /** Opaque; undefined on the last page. */
  readonly next: string | undefined;
}

export interface Store {
  read(wanted: Wanted): Promise<Found>;
  commit(change: Change): Promise<Committed>;
  /**
   * Puts evidence without its conversation: for when a settle cannot get the event number. With the action it is one transaction:
   * the evidence has its number in the journal, the action says that it is not folded yet, and `conflict` says that the action is
   * another one by now. Without, as a last resort, the evidence goes in alone. Existing ones are left.
   */
  putEvidence(
    end: AttemptEnd | undefined,
    observation: Observation,
    action?: Versioned<Action>,
  ): Promise<'done' | 'conflict'>;
  createConversation(conversation: Conversation): Promise<Versioned<Conversation>>;
  journal(actionId: ActionId): Promise<Journal>;
  likeness(workspace: string, likeDigest: string): Promise<LikenessMarker | undefined>;
  /** Grants given for an agent or one of its runs, revoked ones included. */
  grantsOf(workspace: string, agentId: string): Promise<readonly Grant[]>;
  /** What allows or forbids the action's next attempt now. */
  leave(action: Action): Promise<Leave>;
  /** The action of that run which looks alike, for showing both. */
  runLikeness(runId: RunId, likeDigest: string): Promise<ActionId | undefined>;
  stepsOf(runId: RunId, afterStep: number): Promise<readonly Step[]>;
  /** Newest first. */
  runsOf(conversationId: ConversationId, limit: number): Promise<readonly RunReference[]>;
  eventsAfter(
    conversationId: ConversationId,
    number: number,
    limit: number,
  ): Promise<readonly StoredEvent[]>;
  /** By number. All of them: their keys are their ids, which are not in the order of their numbers. */
  messagesOf(conversationId: ConversationId): Promise<readonly Message[]>;
  conversationsOf(workspace: string, limit: number, cursor?: string): Promise<Page<Conversation>>;
  requestsOpenIn(workspace: string, limit: number, cursor?: string): Promise<Page<PersonRequest>>;
  actionsIn(workspace: string, limit: number, cursor?: string): Promise<Page<Action>>;
}

/** Kinds of items that the sweep finds by their due time. */
export type DueKind = 'outbox' | 'run' | 'request' | 'action' | 'routine-clock';

/** Token bookkeeping and the outbox: for publish and sweep alone. */
export interface Deliveries {
  /** The token bound to a request, if any. */
  tokenOf(requestId: RequestId): Promise<{ readonly token: string } | undefined>;
  /** Forgets the token if it is still this one. */
  clearToken(requestId: RequestId, token: string): Promise<void>;
  done(outbox: Outbox): Promise<void>;
  /** Items of a kind that are due, some from each shard, oldest first in each. */
  due<Kind extends DueKind>(
    kind: Kind,
    beforeMs: number,
    limit: number,
  ): Promise<readonly ItemOf<Kind>[]>;
  /** Looks at a run, a request or an action again then; nothing else about it changes. */
  postpone(kind: 'run' | 'request' | 'action', id: string, untilMs: number): Promise<void>;
}

/** Agents and tools: immutable versions, so they may be kept in memory. */
export interface Registry {
  agent(workspace: string, agentId: AgentId, revision: number): Promise<AgentRevision | undefined>;
  newestAgent(workspace: string, agentId: AgentId): Promise<AgentRevision | undefined>;
  agentsOf(workspace: string): Promise<readonly AgentRevision[]>;
  putAgent(revision: AgentRevision): Promise<'put' | 'exists'>;
  tool(workspace: string, name: string, version: number): Promise<ToolVersion | undefined>;
  newestTool(workspace: string, name: string): Promise<ToolVersion | undefined>;
  toolsOf(workspace: string): Promise<readonly ToolVersion[]>;
  putTool(version: ToolVersion): Promise<'put' | 'exists'>;
  skill(workspace: string, name: string, version: number): Promise<SkillVersion | undefined>;
  newestSkill(workspace: string, name: string): Promise<SkillVersion | undefined>;
  skillsOf(workspace: string): Promise<readonly SkillVersion[]>;
  putSkill(version: SkillVersion): Promise<'put' | 'exists'>;
}
