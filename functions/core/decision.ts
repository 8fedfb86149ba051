// Carries a person's decision about an action into the store. What may be decided is desk.ts's to say.
// Owns: what each of the seven decisions writes. Laws: L4, L10 (the claim's fence and the head that was seen), L16, L17, L21.
import type { Action, Told } from './action.ts';
import type { Change, Decision, Versioned, Write } from './change.ts';
import { type Claim, endClaim } from './claim.ts';
import { type Closed, closeRequests, nothingClosed } from './close-request.ts';
import type { Author, Conversation } from './conversation.ts';
import { type DeskCase, type Forbidden, needsAffirmation, permissionFor } from './desk.ts';
import type { EventBody } from './event.ts';
import { fold, type Known, type Observation, type PersonsEvidence } from './evidence.ts';
import { remembered } from './facts.ts';
import type { ActionId, DecisionId, ObservationId, RequestId } from './ids.ts';
import { authorise } from './recovery.ts';
import { reissueOf } from './reissue.ts';
import { isSettled } from './reply.ts';
import type { PersonRequest } from './request.ts';
import type { Run } from './run.ts';
import { duplicationOf } from './duplicate.ts';
import { effectEvents, releaseOf } from './effect-events.ts';
import { toldEffect, toldReissued } from './told.ts';

export type DecisionAnswer =
  | { readonly kind: 'attach'; readonly evidence: PersonsEvidence }
  | { readonly kind: 'not_performed'; readonly evidence: PersonsEvidence }
  | { readonly kind: 'repeat'; readonly affirmed: boolean }
  | { readonly kind: 'wait'; readonly untilMs: number; readonly reason: string }
  | { readonly kind: 'suspend'; readonly reason: string }
  | { readonly kind: 'abandon'; readonly reason: string }
  | { readonly kind: 'reissue'; readonly reason: string; readonly riskAccepted: string };

export interface Deciding {
  readonly conversation: Versioned<Conversation>;
  readonly run: Versioned<Run>;
  readonly action: Versioned<Action>;
  readonly recovery: Versioned<PersonRequest> | undefined;
  readonly claim: Versioned<Claim> | undefined;
  /** The reissue of this action, or the original that this one reissues. */
  readonly twin: Versioned<Action> | undefined;
  readonly known: Known;
  readonly desk: DeskCase;
  readonly answer: DecisionAnswer;
  /** The journal head and the claim's fence the person saw. */
  readonly seenHead: number;
  readonly claimFence: number;
  readonly by: Author;
  readonly decisionId: DecisionId;
  readonly observationId: ObservationId;
  /** For a reissue. */
  readonly newActionId: ActionId;
  readonly newRequestId: RequestId;
  /** The look-alike marker as it stands, for a reissue. */
  readonly marker: { readonly rev: string; readonly holders: readonly string[] } | undefined;
  readonly nowMs: number;
  readonly nowIso: string;
}

export type DecisionRefusal =
  | { readonly because: 'head_moved'; readonly head: number }
  | { readonly because: 'fence_moved'; readonly fence: number }
  | { readonly because: 'not_affirmed' }
  | { readonly because: 'until_not_later' }
  | { readonly because: 'forbidden'; readonly forbidden: Forbidden };

export type DecisionOutcome =
  | { readonly kind: 'change'; readonly change: Change; readonly action: Action }
  | ({ readonly kind: 'refused' } & DecisionRefusal);

/** A person may say "wait" for at most this long at a time. */
const waitMsMax = 366 * 86_400_000;

const refusalOf = (deciding: Deciding): DecisionRefusal | undefined => {
  const { action, answer, desk, nowMs } = deciding;
  const permission = permissionFor(desk, answer.kind);
  if (!permission.allowed) return { because: 'forbidden', forbidden: permission };
  if (deciding.claim && deciding.claimFence !== deciding.claim.item.fence)
    return { because: 'fence_moved', fence: deciding.claim.item.fence };
  if (deciding.seenHead !== action.item.head)
    return { because: 'head_moved', head: action.item.head };
  if (answer.kind === 'repeat' && !answer.affirmed && needsAffirmation(desk))
    return { because: 'not_affirmed' };
  if (answer.kind === 'wait' && (answer.untilMs <= nowMs || answer.untilMs > nowMs + waitMsMax))
    return { because: 'until_not_later' };
  return undefined;
};

/** What a decision makes of the action; the decision's own entry comes last. */
interface Outcome {
  readonly action: Action;
  readonly writes: readonly Write[];
  /** Beside those of the decision itself. */
  readonly events?: readonly EventBody[];
  /** The recovery is over for the run, and the claim ends. */
  readonly over: boolean;
  /** Another round of the machine begins. */
  readonly anotherRound: boolean;
}

const observationOf = (deciding: Deciding, evidence: PersonsEvidence): Observation => {
  const { item } = deciding.action;
  return {
    schema: 1,
    observationId: deciding.observationId,
    actionId: item.actionId,
    entry: item.head + 1,
    at: deciding.nowIso,
    source: 'person',
    by: deciding.by.subject,
    author: deciding.by,
    says: deciding.answer.kind === 'attach' ? 'confirms' : 'disproves',
    about: 'all',
    because: `${evidence.what} Seen at ${evidence.where}, ${evidence.when}.`,
    account: item.destination.account,
    environment: item.destination.environment,
    coverage: evidence.coverage,
    ...(evidence.reference === undefined ? {} : { reference: evidence.reference }),
  };
};

const withEvidence = (deciding: Deciding, evidence: PersonsEvidence): Outcome => {
  const before = deciding.action.item;
  const observation = observationOf(deciding, evidence);
  const { known, by } = deciding;
  const folded = fold({ ...known, observations: [...known.observations, observation] });
  const { engaged, ...rest } = before;
  const keeps = engaged !== undefined && !isSettled(folded.effect);
  const bare: Action = {
    ...rest,
    ...(keeps ? { engaged } : {}),
    head: before.head + 1,
    effect: folded.effect,
    contradicted: before.contradicted || folded.contradicted,
    ...(folded.reference === undefined ? {} : { reference: folded.reference }),
    ...(isSettled(folded.effect) ? { settledAt: before.settledAt ?? deciding.nowIso } : {}),
  };
  const told = toldEffect(bare, `${by.name} states, with evidence: ${evidence.what}`);
  return {
    action: { ...bare, told: before.told ?? told },
    writes: [{ do: 'put', kind: 'observation', item: observation }, ...releaseOf(bare)],
    over: true,
    anotherRound: false,
  };
};

const disposedOf = (
  deciding: Deciding,
  kind: 'suspended' | 'abandoned',
  reason: string,
): Outcome => {
  const before = deciding.action.item;
  const { by, nowIso } = deciding;
  const word = kind === 'suspended' ? 'suspended it' : 'gave it up';
  const told: Told = toldEffect(before, `${by.name} ${word}: ${reason}`);
  const release: Write[] =
    kind === 'abandoned'
      ? [
          {
            do: 'release-likeness',
            workspace: before.workspace,
            likeDigest: before.likeDigest,
            actionId: before.actionId,
          },
        ]
      : [];
  return {
    action: {
      ...before,
      disposition: { kind, because: reason, by: by.subject, at: nowIso },
      told: before.told ?? told,
    },
    writes: release,
    over: true,
    anotherRound: false,
  };
};

const reissued = (deciding: Deciding, reason: string): Outcome => {
  const before = deciding.action.item;
  const made = reissueOf(before, {
    actionId: deciding.newActionId,
    requestId: deciding.newRequestId,
    policy: deciding.desk.current.policy,
    marker: deciding.marker,
    nowIso: deciding.nowIso,
  });
  return {
    action: {
      ...before,
      disposition: {
        kind: 'reissued',
        as: deciding.newActionId,
        because: reason,
        by: deciding.by.subject,
        at: deciding.nowIso,
      },
      told: before.told ?? toldReissued(before, deciding.newActionId, reason),
    },
    writes: made.writes,
    over: true,
    anotherRound: false,
  };
};

const outcomeOf = (deciding: Deciding): Outcome => {
  const { answer, action, by, nowIso } = deciding;
  switch (answer.kind) {
    case 'attach':
    case 'not_performed':
      return withEvidence(deciding, answer.evidence);
    case 'suspend':
      return disposedOf(deciding, 'suspended', answer.reason);
    case 'abandon':
      return disposedOf(deciding, 'abandoned', answer.reason);
    case 'reissue':
      return reissued(deciding, answer.reason);
    case 'wait':
      return {
        action: { ...action.item, nextCheckAtMs: answer.untilMs },
        writes: [],
        over: false,
        anotherRound: true,
      };
    case 'repeat': {
      // The decision is the authorisation: its entry is written below as the head that engage requires.
      const { decisionId, claimFence } = deciding;
      const authorisation = { by: 'decision', decisionId, claimFence } as const;
      const made = authorise(deciding, authorisation, by.subject, nowIso);
      const writes = made.writes.filter((write) => write.do === 'put');
      return { action: made.action, writes, over: false, anotherRound: true };
    }
  }
};

const decisionItem = (deciding: Deciding, entry: number): Decision => {
  const { answer } = deciding;
  return {
    schema: 1,
    decisionId: deciding.decisionId,
    actionId: deciding.action.item.actionId,
    entry,
    at: deciding.nowIso,
    by: deciding.by,
    kind: answer.kind,
    seenHead: deciding.seenHead,
    fence: deciding.claimFence,
    ...('evidence' in answer ? { evidence: answer.evidence } : {}),
    ...('reason' in answer ? { reason: answer.reason } : {}),
    ...('riskAccepted' in answer ? { riskAccepted: answer.riskAccepted } : {}),
    ...('untilMs' in answer ? { untilMs: answer.untilMs } : {}),
    ...('affirmed' in answer ? { affirmed: answer.affirmed } : {}),
  };
};

const closedOf = (deciding: Deciding, over: boolean): Closed => {
  const { recovery, run, by, nowIso } = deciding;
  return over && recovery
    ? closeRequests(run, [{ request: recovery, decision: { kind: 'settled' } }], by, nowIso)
    : nothingClosed;
};

const claimWrites = ({ claim, nowMs, action, by }: Deciding, over: boolean): Write[] => {
  if (!claim) return [];
  if (over)
    return [{ do: 'replace', kind: 'claim', item: endedClaim(claim.item, nowMs), rev: claim.rev }];
  const { actionId } = action.item;
  const { fence } = claim.item;
  return [{ do: 'guard', guard: 'claim-held', actionId, subject: by.subject, fence, nowMs }];
};

const eventsOf = (
  deciding: Deciding,
  action: Action,
  closed: Closed,
  over: boolean,
): EventBody[] => {
  const { action: before, answer, by, claim } = deciding;
  const { runId, actionId } = action;
  return [
    { type: 'action.decided', runId, actionId, decision: answer.kind, by: by.name },
    ...effectEvents(before.item, action, `${by.name} decided.`),
    ...closed.events,
    ...(over && claim ? [{ type: 'claim.ended' as const, runId, actionId, by: by.name }] : []),
  ];
};

export const decideAction = (deciding: Deciding): DecisionOutcome => {
  const refusal = refusalOf(deciding);
  if (refusal) return { kind: 'refused', ...refusal };
  const outcome = outcomeOf(deciding);
  const closed = closedOf(deciding, outcome.over);
  const round = outcome.action.round + (outcome.anotherRound ? 1 : 0);
  // A repeat's own authorisation must stay the head; every other decision is the head itself.
  const isRepeat = deciding.answer.kind === 'repeat';
  const entry = isRepeat ? outcome.action.head : outcome.action.head + 1;
  const action: Action = { ...outcome.action, head: entry, round };
  const { actionId } = action;
  return {
    kind: 'change',
    action,
    change: {
      conversation: deciding.conversation,
      conversationNext: remembered(deciding.conversation.item, deciding.action.item, action),
      events: eventsOf(deciding, action, closed, outcome.over),
      writes: [
        { do: 'put', kind: 'decision', item: decisionItem(deciding, entry) },
        { do: 'replace', kind: 'action', item: action, rev: deciding.action.rev },
        ...outcome.writes,
        ...closed.writes,
        ...claimWrites(deciding, outcome.over),
      ],
      wakes: closed.wakes,
      starts: closed.starts,
      recoveries: outcome.anotherRound ? [{ actionId, round }] : [],
    },
  };
};
