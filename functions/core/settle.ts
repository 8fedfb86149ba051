// Adds what was learnt to an action: the end of an attempt, an observation, the folded effect, and what follows for the run.
// Owns: that change. Evidence is added, never replaced. What is not settled starts a recovery round, which looks before it asks.
// Laws: L1, L4, L16, L17, L20 (the marker is released in the same transaction), L21.
import { type Action, recovered, type Told } from './action.ts';
import { type Asked, openQuestionOf, voidedQuestion } from './asked.ts';
import type { Change, Versioned } from './change.ts';
import { type Claim, endClaim } from './claim.ts';
import {
  type Closed,
  type Closing,
  closeRequests,
  nothingClosed,
  system,
} from './close-request.ts';
import type { Contract } from './contract.ts';
import type { Author, Conversation } from './conversation.ts';
import { duplicationOf } from './duplicate.ts';
import { effectEvents, releaseOf } from './effect-events.ts';
import {
  type AttemptEnd,
  fold,
  type Known,
  lastEntry,
  type Observation,
  type ObservationSays,
  storedEnd,
} from './evidence.ts';
import { remembered } from './facts.ts';
import type { ObservationId, RequestId } from './ids.ts';
import type { Json } from './json.ts';
import { openRecovery } from './recovery.ts';
import { isSettled } from './reply.ts';
import type { PersonRequest } from './request.ts';
import { isEnded, type Run, stopRequested } from './run.ts';
import { toldEffect } from './told.ts';
import { openToolQuestion } from './tool-question.ts';

/** What was learnt. */
export interface Finding {
  /** Attempt n, or all attempts so far. */
  readonly about: number | 'all';
  /** Given when it ends attempt n. */
  readonly end?: {
    readonly attempt: number;
    readonly how: AttemptEnd['how'];
    readonly milestone: AttemptEnd['milestone'];
    readonly milestoneIs: AttemptEnd['milestoneIs'];
  };
  readonly says: ObservationSays;
  readonly source: Observation['source'];
  readonly because: string;
  readonly reference?: string;
  readonly status?: number;
  readonly excerpt?: Json;
  readonly lookUp?: NonNullable<Observation['lookUp']>;
  readonly notBeforeMs?: number;
  readonly coverage?: string;
  /** Whose word it is, when a person or another program said it. */
  readonly author?: Author;
  /** A tool asked something in mid-call, in the form language of questions. */
  readonly asked?: Asked;
  /** The result for the agent when the effect is settled; its text is added to the fixed words. */
  readonly result?: { readonly text: string; readonly blob?: NonNullable<Told['blob']> };
}

export interface Settling {
  readonly conversation: Versioned<Conversation>;
  readonly action: Versioned<Action>;
  readonly run: Versioned<Run>;
  /** The recovery that is open for this action, if one is. */
  readonly recovery: Versioned<PersonRequest> | undefined;
  /** The action's newest request, of whatever kind: a question of its tool may be open. */
  readonly request?: Versioned<PersonRequest> | undefined;
  /** Ends with the recovery. */
  readonly claim: Versioned<Claim> | undefined;
  /** The reissue of this action, and the original that this one reissues. */
  readonly twins: readonly Versioned<Action>[];
  readonly known: Known;
  readonly contract: Contract;
  readonly finding: Finding;
  readonly observationId: ObservationId;
  /** Used if a recovery has to be opened. */
  readonly requestId: RequestId;
  readonly by: string;
  readonly nowIso: string;
}

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

/** Evidence that was stored alone before: what it says is known, and not that the owner never reported. */
const reported = (given: Settling): Settling => {
  const { finding, known } = given;
  const stored = finding.end?.how === 'lost' ? storedEnd(known, finding.end.attempt) : undefined;
  if (stored === undefined || finding.end === undefined) return given;
  const { how, ...said } = stored;
  return { ...given, finding: { ...finding, ...said, end: { ...finding.end, how } } };
};

const endOf = (settling: Settling): AttemptEnd | undefined => {
  const { item } = settling.action;
  const { finding } = settling;
  const { end } = finding;
  if (!end || settling.known.ends.some(({ attempt }) => attempt === end.attempt)) return undefined;
  return {
    schema: 1,
    actionId: item.actionId,
    ...end,
    entry: lastEntry(item.head, settling.known) + 1,
    at: settling.nowIso,
    because: finding.because,
  };
};

const observationOf = (settling: Settling, entry: number): Observation => {
  const { item } = settling.action;
  const { finding } = settling;
  return {
    schema: 1,
    observationId: settling.observationId,
    actionId: item.actionId,
    entry,
    at: settling.nowIso,
    source: finding.source,
    by: settling.by,
    says: finding.says,
    about: finding.about,
    because: finding.because,
    account: item.destination.account,
    environment: item.destination.environment,
    ...(finding.reference === undefined ? {} : { reference: finding.reference }),
    ...(finding.status === undefined ? {} : { status: finding.status }),
    ...(finding.excerpt === undefined ? {} : { excerpt: finding.excerpt }),
    ...(finding.lookUp === undefined ? {} : { lookUp: finding.lookUp }),
    ...(finding.notBeforeMs === undefined ? {} : { notBeforeMs: finding.notBeforeMs }),
    ...(finding.coverage === undefined ? {} : { coverage: finding.coverage }),
    ...(finding.author === undefined ? {} : { author: finding.author }),
  };
};

const foldedAction = (settling: Settling, entry: number, known: Known): Action => {
  const { item } = settling.action;
  const folded = fold(known);
  const { engaged, ...rest } = item;
  const ended = known.ends.some((end) => end.attempt === engaged?.attempt);
  return {
    ...rest,
    ...(engaged !== undefined && !ended ? { engaged } : {}),
    head: entry,
    effect: folded.effect,
    contradicted: item.contradicted || folded.contradicted,
    ...(folded.reference === undefined ? {} : { reference: folded.reference }),
    ...(isSettled(folded.effect) ? { settledAt: item.settledAt ?? settling.nowIso } : {}),
  };
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
      // An answer that disproves is told, and what somebody states; what never left, or may be tried later, goes to a verdict.
      return (
        finding.source === 'person' ||
        finding.source === 'webhook' ||
        (finding.end?.how === 'replied' && finding.notBeforeMs === undefined)
      );
    default:
      return false;
  }
};

/** What the agent is told now, or undefined while a look-up or a person must say more. */
const toldNow = (settling: Settling, action: Action): Told | undefined => {
  const before = settling.action.item.told;
  if (before) return before;
  const { finding, contract, run } = settling;
  const goesOn =
    (contract.whenUndetermined === 'tell' && action.engaged === undefined) ||
    stopRequested(run.item) ||
    isEnded(run.item);
  return isOver(settling, action) || goesOn
    ? withResult(toldEffect(action, finding.because), finding.result)
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
  if (settling.finding.asked && action.told === undefined)
    return {
      ...openToolQuestion(run, action, settling.finding.asked, settling.requestId, nowIso),
      recoveries: [],
    };
  const opened = openRecovery(settling.contract, action, {
    requestId: settling.requestId,
    because: settling.finding.because,
    nowIso,
  });
  return { action: opened.action, closed: opened.closed, recoveries: opened.recoveries };
};

export const settle = (given: Settling): Settled => {
  const settling = reported(given);
  const end = endOf(settling);
  const before = settling.action.item;
  const last = lastEntry(before.head, settling.known);
  const observation = observationOf(settling, last + (end ? 2 : 1));
  const known: Known = {
    attempts: settling.known.attempts,
    ends: end ? [...settling.known.ends, end] : settling.known.ends,
    observations: [...settling.known.observations, observation],
  };
  const folded = foldedAction(settling, observation.entry, known);
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
    observation,
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
      writes: [
        ...(end ? [{ do: 'put' as const, kind: 'end' as const, item: end }] : []),
        { do: 'put', kind: 'observation', item: observation },
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
