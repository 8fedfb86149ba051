// Carries a person's decision about an action into the store. What may be decided is desk.ts's to say, what each of the seven
// makes of the action is decision-outcome.ts's. Owns: the change, with its entry, the recovery closed and the claim ended.
// Laws: L4, L10 (the claim's fence and the head that was seen), L16, L17, L21.

import { openQuestionOf, voidedQuestion } from '../pausing/asked.ts';
import { endClaim } from '../pausing/claiming.ts';
import {
  type Closed,
  type Closing,
  closeRequests,
  nothingClosed,
} from '../pausing/close-request.ts';
import { type Action, recovered } from '../records/action.ts';
import type { Change, Decision } from '../records/change.ts';
import { duplicationOf } from '../records/duplicate.ts';
import { effectEvents } from '../records/effect-events.ts';
import { remembered } from '../records/facts.ts';
import { foldAction } from '../records/folded.ts';
import type { Deciding, Giving } from './decision-outcome.ts';
import { outcomeOf } from './decision-outcome.ts';
import { type Forbidden, needsAffirmation, permissionFor } from './desk.ts';

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
  return {
    ...given,
    action: { item, rev: given.action.rev },
    desk: { ...given.desk, action: item },
  };
};

export const decideAction = (given: Giving): DecisionOutcome => {
  const deciding = foldedFirst(given);
  const refusal = refusalOf(deciding, given.action.item.head);
  if (refusal) return { kind: 'refused', ...refusal };
  const { action: before, answer, by } = { ...deciding, action: given.action };
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
