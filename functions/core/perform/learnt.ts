// What was learnt of an action, and the journal entries it makes: the end of an attempt and what was observed, numbered and bounded.
// Owns: those entries. What came from a destination is cut to what an item holds, and says so.
// Laws: L1, L4 (evidence is added, never replaced), L21 (a question that nobody will be asked is closed at once).

import type { Author } from '../base/author.ts';
import { beginningOf, cutTo } from '../base/cut.ts';
import type { ObservationId, RequestId } from '../base/ids.ts';
import type { Json } from '../base/json.ts';
import { becauseBytesMax, excerptCharactersMax, referenceBytesMax } from '../base/limits.ts';
import { type Asked, openQuestionOf, questionClosed } from '../pausing/asked.ts';
import type { EffectStand } from '../pausing/recovery.ts';
import type { Told } from '../records/action.ts';
import {
  type AttemptEnd,
  type Known,
  lastEntry,
  type Observation,
  type ObservationSays,
  storedEnd,
} from '../records/evidence.ts';
import { isEnded, stopRequested } from '../records/run.ts';
import type { Contract } from '../registry/contract.ts';

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
