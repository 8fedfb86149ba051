// Adds what was learnt to an action: the end of an attempt, an observation, the folded effect, and what follows for the run.
// Owns: that change. Evidence is added, never replaced. What is not settled starts a recovery round, which looks before it asks.
// Laws: L1, L4, L16, L17, L20 (the marker is released in the same transaction), L21.

import { openQuestionOf, voidedQuestion } from '../pausing/asked.ts';
import { endClaim } from '../pausing/claiming.ts';
import {
  type Closed,
  type Closing,
  closeRequests,
  nothingClosed,
  system,
} from '../pausing/close-request.ts';
import { openRecovery } from '../pausing/recovery.ts';
import { type Action, recovered, type Told } from '../records/action.ts';
import type { Change } from '../records/change.ts';
import { duplicationOf } from '../records/duplicate.ts';
import { effectEvents, releaseOf } from '../records/effect-events.ts';
import type { AttemptEnd, Observation } from '../records/evidence.ts';
import { remembered } from '../records/facts.ts';
import { type FoldedAction, foldAction } from '../records/folded.ts';
import { isEnded, stopRequested } from '../records/run.ts';
import { toldDeclined, toldEffect } from '../records/told.ts';
import { type Finding, learn, type Settling } from './learnt.ts';
import { openToolQuestion } from './tool-question.ts';

export interface Settled {
  readonly change: Change;
  readonly action: Action;
  readonly end: AttemptEnd | undefined;
  readonly observation: Observation;
}

const withResult = (told: Told, result: Finding['result']): Told =>
  result === undefined
    ? told
    : {
        ...told,
        text: `${told.text}\nResult: ${result.text}`,
        ...(result.blob === undefined ? {} : { blob: result.blob }),
      };

/** Whether the effect needs nothing more: no look-up, no further attempt, no person. */
const isOver = (settling: Settling, after: Action): boolean => {
  const { contract, finding } = settling;
  // Evidence that has just begun to disagree is a person's to judge.
  if (after.contradicted && !settling.action.item.contradicted) return false;
  switch (after.effect) {
    case 'confirmed':
      return true;
    case 'accepted':
      return contract.lookUp === undefined;
    case 'not_performed':
      // An answer that disproves is told, what somebody states, and what our own settings refuse; what did not leave this
      // time, or may be tried later, goes to a verdict.
      return (
        finding.source === 'person' ||
        finding.source === 'webhook' ||
        (finding.end !== undefined && finding.lasting === true) ||
        // It asked, nobody can be asked, and its contract says that it had done nothing.
        finding.says === 'asked' ||
        (finding.end?.how === 'replied' && finding.notBeforeMs === undefined)
      );
    default:
      return false;
  }
};

/** A person declined what the tool asked: the agent hears that before what became of the call. */
const withRefusal = ({ request }: Settling, action: Action, told: Told): Told => {
  const { decision, decidedBy } = request?.item ?? {};
  if (request?.item.on !== 'question' || decision?.kind !== 'declined' || !decidedBy) return told;
  const refused = toldDeclined(action, decidedBy.name, decision.reason);
  return { ...told, text: `${refused.text} ${told.text}` };
};

/** What the agent is told now, or undefined while a look-up or a person must say more. */
const toldNow = (settling: Settling, action: FoldedAction): Told | undefined => {
  const before = settling.action.item.told;
  if (before) return before;
  const { finding, contract, run } = settling;
  const goesOn =
    // Its tool's question is put to a person now: that is no unknown outcome.
    (contract.whenUndetermined === 'tell' &&
      action.engaged === undefined &&
      finding.asked === undefined) ||
    stopRequested(run.item) ||
    isEnded(run.item);
  return isOver(settling, action) || goesOn
    ? withRefusal(settling, action, withResult(toldEffect(action, finding.because), finding.result))
    : undefined;
};

interface Followed {
  readonly action: Action;
  readonly closed: Closed;
  readonly recoveries: NonNullable<Change['recoveries']>;
}

/** Closes the recovery of what is over; starts one for what is not and has none. */
const followUp = (settling: Settling, action: Action): Followed => {
  const { recovery, run, nowIso } = settling;
  // What a person set aside stays open to evidence, and asks nobody again.
  const given = action.disposition.kind !== 'open';
  const open = recovery !== undefined && recovery.item.decision === undefined;
  const question = openQuestionOf(settling.request);
  if (isOver(settling, action)) {
    const closings: Closing[] = [
      ...(open ? [{ request: recovery, decision: { kind: 'settled' } as const }] : []),
      ...(question ? [voidedQuestion(question, 'What became of the call is known.')] : []),
    ];
    const closed =
      closings.length > 0 ? closeRequests(run, closings, system, nowIso) : nothingClosed;
    return { action: recovered(action), closed, recoveries: [] };
  }
  // While its tool waits for an answer, the answer says how it goes on.
  if (open || given || question || action.engaged !== undefined)
    return { action, closed: nothingClosed, recoveries: [] };
  const { asked } = settling.finding;
  if (asked !== undefined) {
    const { contract, requestId } = settling;
    const opened = openToolQuestion(run, action, asked, contract, requestId, nowIso);
    return { ...opened, recoveries: [] };
  }
  const opened = openRecovery(settling.contract, action, {
    requestId: settling.requestId,
    because: settling.finding.because,
    nowIso,
  });
  return { action: opened.action, closed: opened.closed, recoveries: opened.recoveries };
};

/** While the machine still looks, nobody is told that an outcome is not known: the verdict that asks for a person says so. */
const inwardOf = (
  { recovery }: Settling,
  action: Action,
  opens: boolean,
): NonNullable<Change['inward']> =>
  action.effect === 'undetermined' &&
  (opens || (recovery?.item.on === 'recovery' && !recovery.item.needsPerson))
    ? ['action.undetermined']
    : [];

export const settle = (given: Settling): Settled => {
  const { settling, end, observations, puts, known } = learn(given);
  const before = settling.action.item;
  const folded = foldAction(before, known, settling.nowIso);
  const told = toldNow(settling, folded);
  const followed = followUp(settling, { ...folded, ...(told === undefined ? {} : { told }) });
  const { closed, recoveries } = followed;
  const duplicated = duplicationOf(before, followed.action, settling.twins);
  const { action } = duplicated;
  const claim = isOver(settling, action) ? settling.claim : undefined;
  const ended = endClaim(claim, action, settling.nowIso);
  return {
    action,
    end,
    observation: observations[0],
    change: {
      conversation: settling.conversation,
      conversationNext: remembered(
        settling.conversation.item,
        before,
        action,
        isEnded(settling.run.item),
      ),
      events: [
        ...effectEvents(before, action, settling.finding.because),
        ...duplicated.events,
        ...closed.events,
        ...ended.events,
      ],
      inward: inwardOf(settling, action, recoveries.length > 0),
      writes: [
        ...(end ? [{ do: 'put' as const, kind: 'end' as const, item: end }] : []),
        ...puts.map((item) => ({ do: 'put' as const, kind: 'observation' as const, item })),
        { do: 'replace', kind: 'action', item: action, rev: settling.action.rev },
        ...releaseOf(action),
        ...closed.writes,
        ...duplicated.writes,
        ...ended.writes,
      ],
      wakes: closed.wakes,
      starts: closed.starts,
      recoveries,
    },
  };
};
