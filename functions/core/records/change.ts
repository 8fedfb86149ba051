// A change: everything one transaction writes, as data. Core decides changes, the store commits each whole or not at all.
// Owns: the list of stored items and of guards. Laws: L2, L7 (guards are checked all at once), L17 (state, events, outbox together).
// Tested in test/core/changes.test.ts.
import { z } from 'zod';
import { Author } from '../base/author.ts';
import { ActionId, ConversationId, DecisionId, RequestId, RunId } from '../base/ids.ts';
import type { AgentRevision } from '../registry/agent.ts';
import { Action, Authorisation } from './action.ts';
import { Claim } from './claim.ts';
import { Conversation, Message } from './conversation.ts';
import { EventBody, isOutward, StoredEvent } from './event.ts';
import { Attempt, AttemptEnd, Observation, StoredEvidence } from './evidence.ts';
import { FaultMark } from './fault-mark.ts';
import { Grant } from './grant.ts';
import { MandateRecord, StandingMandate, ToolBar } from './mandate.ts';
import { PersonRequest } from './request.ts';
import { Occurrence, Routine, RoutineClock } from './routine.ts';
import { Run } from './run.ts';
import { Step } from './step.ts';

/** A run's place in its conversation, for listing: runs are numbered from 1. */
export const RunReference = z.strictObject({
  schema: z.literal(1),
  conversationId: ConversationId,
  number: z.int().positive(),
  runId: RunId,
});
export type RunReference = z.infer<typeof RunReference>;

export const AuthorisationEntry = z.strictObject({
  schema: z.literal(1),
  actionId: ActionId,
  entry: z.int().positive(),
  attempt: z.int().positive(),
  authorisation: Authorisation,
  at: z.iso.datetime(),
  by: z.string(),
  /** Who it was, where a person authorised it. */
  author: Author.optional(),
});
export type AuthorisationEntry = z.infer<typeof AuthorisationEntry>;

export const Decision = z.strictObject({
  schema: z.literal(1),
  decisionId: DecisionId,
  workspace: z.string().optional(),
  actionId: ActionId,
  entry: z.int().positive(),
  at: z.iso.datetime(),
  by: Author,
  kind: z.enum(['attach', 'not_performed', 'repeat', 'wait', 'suspend', 'abandon', 'reissue']),
  seenHead: z.int().positive(),
  fence: z.int().nonnegative().optional(),
  evidence: StoredEvidence.optional(),
  reason: z.string().optional(),
  riskAccepted: z.string().optional(),
  untilMs: z.int().optional(),
  affirmed: z.boolean().optional(),
});
export type Decision = z.infer<typeof Decision>;

/** What an approval gives: leave to run exactly this action until it expires or is revoked. */
export const ApprovalMandate = z.strictObject({
  schema: z.literal(1),
  requestId: RequestId,
  actionId: ActionId,
  digest: z.string(),
  /** Put in with the revocation, which the workspace's audit lists. */
  workspace: z.string().optional(),
  grantedAt: z.iso.datetime(),
  grantedBy: Author,
  expiresAtMs: z.int(),
  revokedAt: z.iso.datetime().optional(),
  revokedBy: Author.optional(),
  revokedBecause: z.string().optional(),
});
export type ApprovalMandate = z.infer<typeof ApprovalMandate>;

/** What the publisher must do after a transaction; deleted when done. */
export const Outbox = z.strictObject({
  schema: z.literal(1),
  outboxId: z.string(),
  workspace: z.string(),
  conversationId: ConversationId,
  at: z.iso.datetime(),
  starts: z.array(z.strictObject({ runId: RunId, segment: z.int().positive() })),
  wakes: z.array(RequestId),
  /** Recover executions to start, one per action and round. */
  recoveries: z
    .array(z.strictObject({ actionId: ActionId, round: z.int().positive() }))
    .default([]),
  events: z.array(z.strictObject({ number: z.int().positive(), body: EventBody })),
});
export type Outbox = z.infer<typeof Outbox>;

/** Items that are put once and never changed. */
export const onceItems = {
  event: StoredEvent,
  step: Step,
  'run-reference': RunReference,
  attempt: Attempt,
  end: AttemptEnd,
  observation: Observation,
  authorisation: AuthorisationEntry,
  decision: Decision,
  outbox: Outbox,
  occurrence: Occurrence,
  'mandate-record': MandateRecord,
} as const;
/** Items that change; each carries a revision, and a change names the one it was made from. */
export const mutableItems = {
  conversation: Conversation,
  message: Message,
  run: Run,
  action: Action,
  request: PersonRequest,
  mandate: ApprovalMandate,
  claim: Claim,
  grant: Grant,
  standing: StandingMandate,
  bar: ToolBar,
  routine: Routine,
  'routine-clock': RoutineClock,
  'fault-mark': FaultMark,
} as const;

export const itemSchemas = { ...onceItems, ...mutableItems } as const;
export type ItemKind = keyof typeof itemSchemas;
export type MutableKind = keyof typeof mutableItems;
export type ItemOf<Kind extends ItemKind> = z.infer<(typeof itemSchemas)[Kind]>;

/** A stored mutable item as it was read. */
export interface Versioned<Item> {
  readonly item: Item;
  /** 1 when first put; each replacement adds one. */
  readonly rev: number;
}

export type PutWrite = {
  [Kind in ItemKind]: { readonly do: 'put'; readonly kind: Kind; readonly item: ItemOf<Kind> };
}[ItemKind];
export type ReplaceWrite = {
  [Kind in MutableKind]: {
    readonly do: 'replace';
    readonly kind: Kind;
    readonly item: ItemOf<Kind>;
    readonly rev: number;
  };
}[MutableKind];

/** What must hold at the instant of the transaction, beside the revisions. The name is what a refusal says. */
export type Guard =
  /** The run's fence is this segment's, no stop is requested, the run has not ended. */
  | { readonly guard: 'run-may-act'; readonly runId: RunId; readonly fence: number }
  | { readonly guard: 'run-fence'; readonly runId: RunId; readonly fence: number }
  | {
      readonly guard: 'mandate-stands';
      readonly workspace: string;
      readonly agentId: string;
      readonly tool: string;
    }
  | {
      readonly guard: 'approval-stands';
      readonly requestId: RequestId;
      readonly digest: string;
      readonly nowMs: number;
    }
  | {
      readonly guard: 'grant-stands';
      readonly workspace: string;
      readonly agentId: string;
      readonly requestId: RequestId;
      readonly nowMs: number;
    }
  | { readonly guard: 'not-barred'; readonly workspace: string; readonly tool: string }
  | { readonly guard: 'no-claim'; readonly actionId: ActionId; readonly nowMs: number }
  /** The claim is this person's, with this fence, and has not lapsed. */
  | {
      readonly guard: 'claim-held';
      readonly actionId: ActionId;
      readonly subject: string;
      readonly fence: number;
      readonly nowMs: number;
    }
  /** Nobody has claimed the action since the decision that carries this fence. */
  | { readonly guard: 'no-newer-claim'; readonly actionId: ActionId; readonly fence: number }
  /** No action of the conversation's last run (which failed or was stopped) looks like this one. */
  | { readonly guard: 'unlike-last-run'; readonly runId: RunId; readonly likeDigest: string };

export type MarkerWrite =
  /** Takes the workspace's look-alike marker: needs it empty, or at the revision an approval showed. */
  | {
      readonly do: 'hold-likeness';
      readonly workspace: string;
      readonly likeDigest: string;
      readonly actionId: ActionId;
      readonly approvedRev: string | undefined;
      /** A reissue takes its original's place among the holders that the approval showed. */
      readonly instead?: { readonly holders: readonly string[] };
    }
  | {
      readonly do: 'release-likeness';
      readonly workspace: string;
      readonly likeDigest: string;
      readonly actionId: ActionId;
    }
  /** Remembers in the run that such an action was engaged. */
  | {
      readonly do: 'mark-run-likeness';
      readonly runId: RunId;
      readonly likeDigest: string;
      readonly actionId: ActionId;
    };

/** Makes the revision that follows the agent's newest one. */
export interface ReviseWrite {
  readonly do: 'revise-agent';
  readonly item: AgentRevision;
}

export type Write =
  | PutWrite
  | ReplaceWrite
  | MarkerWrite
  | ReviseWrite
  | ({ readonly do: 'guard' } & Guard);

export interface Change {
  /** The conversation as read; the store raises its event number with the events below. */
  readonly conversation: Versioned<Conversation>;
  /** The conversation's other fields after the change; default unchanged. */
  readonly conversationNext?: Conversation;
  readonly events: readonly EventBody[];
  /** Types of these events that stay with the conversation's readers and do not leave for the bus. */
  readonly inward?: readonly EventBody['type'][];
  readonly writes: readonly Write[];
  readonly starts?: readonly { readonly runId: RunId; readonly segment: number }[];
  readonly wakes?: readonly RequestId[];
  readonly recoveries?: readonly { readonly actionId: ActionId; readonly round: number }[];
}

/** The events and the outbox entry that a change stores beside its writes. */
export const recordsOf = (
  change: Change,
  at: string,
  outboxId: string,
): {
  readonly conversation: Conversation;
  readonly events: StoredEvent[];
  readonly outbox: Outbox | undefined;
} => {
  const before = change.conversationNext ?? change.conversation.item;
  const first = change.conversation.item.eventNumber;
  const numberOf = (type: EventBody['type']): number | undefined => {
    const index = change.events.findLastIndex((event) => event.type === type);
    return index < 0 ? undefined : first + index + 1;
  };
  const lastAsked = numberOf('request.opened') ?? before.lastAsked;
  const lastFinished = numberOf('run.finished') ?? before.lastFinished;
  const conversation: Conversation = {
    ...before,
    eventNumber: first + change.events.length,
    ...(change.events.length === 0 ? {} : { activeAt: at }),
    ...(lastAsked === undefined ? {} : { lastAsked }),
    ...(lastFinished === undefined ? {} : { lastFinished }),
  };
  const events = change.events.map((body, index) => ({
    schema: 1 as const,
    conversationId: conversation.conversationId,
    number: first + index + 1,
    at,
    body,
  }));
  const outward = events.filter(
    ({ body }) => isOutward(body) && change.inward?.includes(body.type) !== true,
  );
  const starts = [...(change.starts ?? [])];
  const wakes = [...(change.wakes ?? [])];
  const recoveries = [...(change.recoveries ?? [])];
  const silent = [outward, starts, wakes, recoveries].every((list) => list.length === 0);
  const outbox: Outbox | undefined = silent
    ? undefined
    : {
        schema: 1,
        outboxId,
        workspace: conversation.workspace,
        conversationId: conversation.conversationId,
        at,
        starts,
        wakes,
        recoveries,
        events: outward.map(({ number, body }) => ({ number, body })),
      };
  return { conversation, events, outbox };
};
