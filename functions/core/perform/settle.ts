// Adds what was learnt to an action: the end of an attempt, an observation, the folded effect, and what follows for the run.
// Owns: that change. Evidence is added, never replaced. What is not settled starts a recovery round, which looks before it asks.
// Laws: L1, L4, L16, L17, L20 (the marker is released in the same transaction), L21.
// Tested in test/adversary/settle.test.ts.

import type { Author } from '../base/author.ts';
import { beginningOf, cutTo } from '../base/cut.ts';
import type { ObservationId, RequestId } from '../base/ids.ts';
import type { Json } from '../base/json.ts';
import { becauseBytesMax, excerptCharactersMax, referenceBytesMax } from '../base/limits.ts';
import { type Asked, openQuestionOf, questionClosed, voidedQuestion } from '../pausing/asked.ts';
import { endClaim } from '../pausing/claiming.ts';
import {
  type Closed,
  type Closing,
  closeRequests,
  nothingClosed,
  system,
} from '../pausing/close-request.ts';
import { type EffectStand, openRecovery } from '../pausing/recovery.ts';
import { type Action, recovered, type Told } from '../records/action.ts';
import type { Change } from '../records/change.ts';
import { duplicationOf } from '../records/duplicate.ts';
import { effectEvents, releaseOf } from '../records/effect-events.ts';
import {
  type AttemptEnd,
  type Known,
  lastEntry,
  type Observation,
  type ObservationSays,
  storedEnd,
} from '../records/evidence.ts';
import { remembered } from '../records/facts.ts';
import { type FoldedAction, foldAction } from '../records/folded.ts';
import { isEnded, stopRequested } from '../records/run.ts';
import { toldDeclined, toldEffect } from '../records/told.ts';
import type { Contract } from '../registry/contract.ts';
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

// What was learnt of an action, and the journal entries it makes: the end of an attempt and what was observed, numbered and bounded.
// Owns: those entries. What came from a destination is cut to what an item holds, and says so.
// Laws: L1, L4 (evidence is added, never replaced), L21 (a question that nobody will be asked is closed at once).

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
  /** Refused on this side, by settings or registration: another try would meet the same. */
  readonly lasting?: true;
  /** What was in progress is over, and it is not known what it did. */
  readonly ended?: true;
  readonly coverage?: string;
  /** Whose word it is, when a person or another program said it. */
  readonly author?: Author;
  /** A person's word without a decision: shown, and not counted. */
  readonly uncounted?: true;
  /** A tool asked something in mid-call, in the form language of questions. */
  readonly asked?: Asked;
  /** The result for the agent when the effect is settled; its text is added to the fixed words. */
  readonly result?: { readonly text: string; readonly blob?: NonNullable<Told['blob']> };
}

export interface Settling extends EffectStand {
  readonly contract: Contract;
  readonly finding: Finding;
  /** Given when the finding is in the journal already, put there alone: it is folded, and nothing is put again. */
  readonly stored?: Observation;
  readonly observationId: ObservationId;
  /** Used if a recovery has to be opened. */
  readonly requestId: RequestId;
  readonly by: string;
  readonly nowIso: string;
}

/** Evidence that was stored alone before: what it says is known, and not that the owner never reported. */
const reported = (given: Settling): Settling => {
  const { finding, known } = given;
  const stored = finding.end?.how === 'lost' ? storedEnd(known, finding.end.attempt) : undefined;
  if (stored === undefined || finding.end === undefined) return given;
  const { how, ...said } = stored;
  return { ...given, finding: { ...finding, ...said, end: { ...finding.end, how } } };
};

/** A reference that was longer than this is none any more: it says so, and is no address to follow. */
const cutReference = (reference: string): string => {
  const shown = beginningOf(reference, referenceBytesMax);
  return shown.length === reference.length ? reference : `${shown}… (cut)`;
};

const whyCut = 'The destination said more than is kept.';

/** What a destination says is as long as it likes; what a person or a program of ours says was bounded at the border. */
const bounded = (given: Settling): Settling => {
  const { reference, excerpt, coverage, ...finding } = given.finding;
  if (finding.author !== undefined) return given;
  const keeps =
    excerpt !== undefined && JSON.stringify(excerpt).length <= excerptCharactersMax
      ? { excerpt }
      : {};
  return {
    ...given,
    finding: {
      ...finding,
      because: cutTo(finding.because, becauseBytesMax, whyCut),
      ...(reference === undefined ? {} : { reference: cutReference(reference) }),
      ...(coverage === undefined ? {} : { coverage: cutTo(coverage, becauseBytesMax, whyCut) }),
      ...keeps,
    },
  };
};

/**
 * A tool asked, and nobody will be asked: it is no form, a person has declined before, the run is stopping or over, the agent has been told already, or the action
 * is a recovery's or put aside.
 */
const isUnheard = ({ finding, action, run, recovery, request }: Settling): boolean =>
  finding.says === 'asked' &&
  (finding.asked === undefined ||
    action.item.told !== undefined ||
    action.item.disposition.kind !== 'open' ||
    (recovery !== undefined && recovery.item.decision === undefined) ||
    openQuestionOf(request) !== undefined ||
    stopRequested(run.item) ||
    isEnded(run.item));

const unheardBecause = 'The tool asked something, and nobody is asked.';

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
    ...(finding.lasting === undefined ? {} : { lasting: finding.lasting }),
    ...(finding.ended === undefined ? {} : { ended: finding.ended }),
    ...(finding.coverage === undefined ? {} : { coverage: finding.coverage }),
    ...(finding.author === undefined ? {} : { author: finding.author }),
    ...(finding.uncounted === undefined ? {} : { uncounted: finding.uncounted }),
  };
};

/** What one settling adds to the journal, and the settling with its finding as it counts. */
export interface Learnt {
  readonly settling: Settling;
  readonly end: AttemptEnd | undefined;
  /** Oldest first; the last one is the journal's last entry. */
  readonly observations: readonly [Observation, ...Observation[]];
  /** To be put; none when the finding was in the journal already. */
  readonly puts: readonly Observation[];
  /** The journal with all of it. */
  readonly known: Known;
  /** The journal's last number. */
  readonly entry: number;
}

export const learn = (given: Settling): Learnt => {
  const settling = bounded(reported(given));
  const { item } = settling.action;
  const { stored, known } = settling;
  const last = lastEntry(item.head, known);
  if (stored !== undefined)
    return { settling, end: undefined, observations: [stored], puts: [], known, entry: last };
  const end = endOf(settling);
  const observation = observationOf(settling, last + (end ? 2 : 1));
  const { contract, by, nowIso } = settling;
  const unheard = isUnheard(settling)
    ? [
        questionClosed(item, observation.entry + 1, {
          contract,
          because: unheardBecause,
          by,
          nowIso,
        }),
      ]
    : [];
  const observations = [observation, ...unheard] as const;
  const { asked: _unheard, ...finding } = settling.finding;
  return {
    settling: unheard[0]
      ? { ...settling, finding: { ...finding, because: unheard[0].because } }
      : settling,
    end,
    observations,
    puts: observations,
    known: {
      attempts: known.attempts,
      ends: end ? [...known.ends, end] : known.ends,
      observations: [...known.observations, ...observations],
    },
    entry: observation.entry + unheard.length,
  };
};
