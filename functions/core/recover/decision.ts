// Carries a person's decision about an action into the store, and says what each of the seven makes of the action. What may be
// decided is desk.ts's to say. Owns: the change, with its entry, the recovery closed and the claim ended.
// Laws: L4, L10 (the claim's fence and the head that was seen), L16, L17, L20, L21.
// Tested in test/functions/api/desk/desk.test.ts.

import type { Author } from '../base/author.ts';
import type { ActionId, DecisionId, ObservationId, RequestId } from '../base/ids.ts';
import { openQuestionOf, voidedQuestion } from '../pausing/asked.ts';
import { endClaim } from '../pausing/claiming.ts';
import {
  type Closed,
  type Closing,
  closeRequests,
  nothingClosed,
} from '../pausing/close-request.ts';
import { authorise, type EffectStand } from '../pausing/recovery.ts';
import { type Action, isSettled, recovered, type Told } from '../records/action.ts';
import type { Change, Decision, Versioned, Write } from '../records/change.ts';
import { duplicationOf } from '../records/duplicate.ts';
import { effectEvents, release, releaseOf } from '../records/effect-events.ts';
import type { EventBody } from '../records/event.ts';
import type { Observation, PersonsEvidence } from '../records/evidence.ts';
import { remembered } from '../records/facts.ts';
import { type FoldedAction, foldAction } from '../records/folded.ts';
import { toldEffect, toldReissued } from '../records/told.ts';
import { type DeskCase, type Forbidden, needsAffirmation, permissionFor } from './desk.ts';
import { likeHeldUntilMs } from './disproved-twin.ts';
import { becauseOf } from './observe.ts';
import { reissueOf } from './reissue.ts';

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

const refusalOf = (deciding: Deciding, head: number): DecisionRefusal | undefined => {
  const { answer, desk, nowMs } = deciding;
  const permission = permissionFor(desk, answer.kind);
  if (!permission.allowed) return { because: 'forbidden', forbidden: permission };
  if (deciding.claim && deciding.claimFence !== deciding.claim.item.fence)
    return { because: 'fence_moved', fence: deciding.claim.item.fence };
  if (deciding.seenHead !== head) return { because: 'head_moved', head };
  if (answer.kind === 'repeat' && !answer.affirmed && needsAffirmation(desk))
    return { because: 'not_affirmed' };
  if (answer.kind === 'wait' && (answer.untilMs <= nowMs || answer.untilMs > nowMs + waitMsMax))
    return { because: 'until_not_later' };
  return undefined;
};

const decisionItem = (deciding: Deciding, entry: number): Decision => {
  const { answer } = deciding;
  return {
    schema: 1,
    decisionId: deciding.decisionId,
    workspace: deciding.action.item.workspace,
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
  const { recovery, run, by, nowIso, answer } = deciding;
  const question = answer.kind === 'wait' ? undefined : openQuestionOf(deciding.request);
  const closings: Closing[] = [
    ...(over && recovery ? [{ request: recovery, decision: { kind: 'settled' } as const }] : []),
    ...(question ? [voidedQuestion(question, `${by.name} decided about the action itself.`)] : []),
  ];
  return closings.length > 0 ? closeRequests(run, closings, by, nowIso) : nothingClosed;
};

/** Ends the claim with the recovery; else it must still be this person's when the decision is written. */
const claimOf = (deciding: Deciding, over: boolean): ReturnType<typeof endClaim> => {
  const { claim, nowMs, nowIso, action, by } = deciding;
  if (over || !claim) return endClaim(claim, action.item, nowIso);
  const { actionId } = action.item;
  const { fence } = claim.item;
  const { subject } = by;
  return {
    writes: [{ do: 'guard', guard: 'claim-held', actionId, subject, fence, nowMs }],
    events: [],
  };
};

/** Evidence that was stored alone is folded first: the decision is about what is known with it, and comes after it. */
const foldedFirst = (given: Giving): Deciding => {
  const { known, nowIso } = given;
  const item = foldAction(given.action.item, known, nowIso);
  return { ...given, action: { item, rev: given.action.rev } };
};

export const decideAction = (given: Giving): DecisionOutcome => {
  const deciding = foldedFirst(given);
  const refusal = refusalOf(deciding, given.action.item.head);
  if (refusal) return { kind: 'refused', ...refusal };
  const { answer, by } = deciding;
  const before = given.action;
  const outcome = outcomeOf(deciding);
  const closed = closedOf(deciding, outcome.over);
  const claim = claimOf(deciding, outcome.over);
  const round = outcome.action.round + (outcome.anotherRound ? 1 : 0);
  // A repeat's own authorisation must stay the head; every other decision is the head itself.
  const entry = answer.kind === 'repeat' ? outcome.action.head : outcome.action.head + 1;
  const kept = outcome.over ? recovered(outcome.action) : outcome.action;
  const decided: Action = { ...kept, head: entry, round };
  const duplicated = duplicationOf(before.item, decided, deciding.twins);
  const { action } = duplicated;
  const { runId, actionId } = action;
  return {
    kind: 'change',
    action,
    change: {
      conversation: deciding.conversation,
      conversationNext: remembered(deciding.conversation.item, before.item, action),
      events: [
        { type: 'action.decided', runId, actionId, decision: answer.kind, by: by.name },
        ...effectEvents(before.item, action, `${by.name} decided.`),
        ...duplicated.events,
        ...outcome.events,
        ...closed.events,
        ...claim.events,
      ],
      writes: [
        { do: 'put', kind: 'decision', item: decisionItem(deciding, entry) },
        { do: 'replace', kind: 'action', item: action, rev: before.rev },
        ...outcome.writes,
        ...duplicated.writes,
        ...closed.writes,
        ...claim.writes,
      ],
      wakes: closed.wakes,
      starts: closed.starts,
      recoveries: outcome.anotherRound ? [{ actionId, round }] : [],
    },
  };
};

// What each of the seven decisions makes of an action. Owns: that, as parts of the decision's change. Laws: L4, L16, L20, L21.

/** What a decision makes of the action; the decision's own entry comes last. */
interface Outcome {
  readonly action: Action;
  readonly writes: readonly Write[];
  /** Beside those of the decision itself. */
  readonly events: readonly EventBody[];
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
    because: becauseOf(evidence),
    account: item.destination.account,
    environment: item.destination.environment,
    coverage: evidence.coverage,
    ...(evidence.reference === undefined ? {} : { reference: evidence.reference }),
  };
};

/**
 * A person's look can be too early: an equal call asks until what is under way has landed or never will (L20). What was proven
 * before they said so needs no such time.
 */
const heldOf = ({ action: before, answer, desk, nowMs }: Deciding, action: FoldedAction) =>
  answer.kind === 'not_performed' &&
  action.effect === 'not_performed' &&
  before.item.effect !== 'not_performed'
    ? { ...action, likeHeldUntilMs: likeHeldUntilMs(desk.pinned, desk.attempts, nowMs) }
    : action;

const withEvidence = (deciding: Deciding, evidence: PersonsEvidence): Outcome => {
  const before = deciding.action.item;
  const observation = observationOf(deciding, evidence);
  const { known, by } = deciding;
  const observations = [...known.observations, observation];
  const whole = foldAction(before, { ...known, observations }, deciding.nowIso);
  // Whatever is settled by a person's word, its attempt is waited for no more.
  const { engaged, ...rest } = whole;
  const keeps = engaged !== undefined && !isSettled(whole.effect);
  const bare: FoldedAction = keeps ? whole : rest;
  const after = heldOf(deciding, bare);
  const told = toldEffect(bare, `${by.name} states, with evidence: ${evidence.what}`);
  return {
    action: { ...after, told: before.told ?? told },
    writes: [{ do: 'put', kind: 'observation', item: observation }, ...releaseOf(after)],
    events: [],
    over: true,
    anotherRound: false,
  };
};

/** What a person set aside is not looked at again by itself. */
const withoutCheck = ({ nextCheckAtMs: _planned, ...action }: Action): Action => action;

/** A suspended action that is waited for or repeated is taken up again. */
const takenUp = (action: Action): Action =>
  action.disposition.kind === 'suspended' ? { ...action, disposition: { kind: 'open' } } : action;

const disposedOf = (
  deciding: Deciding,
  kind: 'suspended' | 'abandoned',
  reason: string,
): Outcome => {
  const before = deciding.action.item;
  const { by, nowIso } = deciding;
  const word = kind === 'suspended' ? 'suspended it' : 'gave it up';
  const told: Told = toldEffect(before, `${by.name} ${word}: ${reason}`);
  return {
    action: {
      ...withoutCheck(before),
      disposition: { kind, because: reason, by: by.subject, author: by, at: nowIso },
      told: before.told ?? told,
    },
    writes: kind === 'abandoned' ? [release(before)] : [],
    events: [],
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
  const { runId, step, tool } = before;
  const { newActionId: actionId, newRequestId: requestId } = deciding;
  return {
    action: {
      ...withoutCheck(before),
      disposition: {
        kind: 'reissued',
        as: deciding.newActionId,
        because: reason,
        by: deciding.by.subject,
        author: deciding.by,
        at: deciding.nowIso,
      },
      told: before.told ?? toldReissued(before, deciding.newActionId, reason),
    },
    writes: made.writes,
    events: [
      { type: 'action.planned', runId, actionId, step, tool: tool.name, gate: 'approval' },
      { type: 'request.opened', runId, requestId, on: 'approval', actionId },
    ],
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
        action: { ...takenUp(action.item), nextCheckAtMs: answer.untilMs },
        writes: [],
        events: [],
        over: false,
        anotherRound: true,
      };
    case 'repeat': {
      // The decision is the authorisation: its entry is written below as the head that engage requires.
      const { decisionId, claimFence } = deciding;
      const authorisation = { by: 'decision', decisionId, claimFence } as const;
      const made = authorise(deciding, authorisation, by, nowIso);
      const writes = made.writes.filter((write) => write.do === 'put');
      return {
        action: takenUp(made.action),
        writes,
        events: [],
        over: false,
        anotherRound: true,
      };
    }
  }
};

export type DecisionAnswer =
  | { readonly kind: 'attach'; readonly evidence: PersonsEvidence }
  | { readonly kind: 'not_performed'; readonly evidence: PersonsEvidence }
  | { readonly kind: 'repeat'; readonly affirmed: boolean }
  | { readonly kind: 'wait'; readonly untilMs: number; readonly reason: string }
  | { readonly kind: 'suspend'; readonly reason: string }
  | { readonly kind: 'abandon'; readonly reason: string }
  | { readonly kind: 'reissue'; readonly reason: string; readonly riskAccepted: string };

/** What a decision is about, as it was stored. */
export interface Giving extends EffectStand {
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

/** The same with the action folded. */
export interface Deciding extends Giving {
  readonly action: Versioned<FoldedAction>;
}
