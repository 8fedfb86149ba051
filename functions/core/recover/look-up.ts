// Looking an effect up: what is asked, and what the answer shows. Owns: reading a look-up's answer.
// Laws: L8 (a miss proves absence only by reference, with complete coverage, after the settle time; a hit proves the effect only
// if account, environment and the compared arguments match).

import { referenceOf } from '../base/ids.ts';
import { at, canonicalJson, type Json, type JsonObject } from '../base/json.ts';
import { skewMs } from '../base/limits.ts';
import { matches } from '../perform/reply.ts';
import type { Action } from '../records/action.ts';
import type { Attempt } from '../records/evidence.ts';
import type { Contract, LookUp } from '../registry/contract.ts';
import { ownReference } from '../registry/contract.ts';

export type LookUpResult = 'hit' | 'natural_hit' | 'partial' | 'miss' | 'failed';

export interface LookUpReading {
  readonly result: LookUpResult;
  readonly because: string;
  readonly reference?: string;
}

/** What a look-up reads of an action. */
export type LookedUp = Pick<Action, 'actionId' | 'arguments' | 'destination'>;

const fill = (template: Json, action: LookedUp): Json => {
  if (template === ownReference) return referenceOf(action.actionId);
  if (typeof template === 'string' && template.startsWith('$args.'))
    return at(action.arguments, template.slice('$args.'.length)) ?? null;
  if (Array.isArray(template)) return template.map((entry: Json) => fill(entry, action));
  if (template === null || typeof template !== 'object') return template;
  return Object.fromEntries(
    Object.entries(template).map(([name, value]) => [name, fill(value, action)]),
  );
};

/** The arguments of the read tool: `$reference` and `$args.path` are replaced. */
export const lookUpArguments = (templates: LookUp['arguments'], action: LookedUp): JsonObject =>
  Object.fromEntries(Object.entries(templates).map(([name, value]) => [name, fill(value, action)]));

const differs = (lookUp: LookUp, action: LookedUp, hit: Json): string | undefined =>
  Object.entries(lookUp.compare).find(([mine, theirs]) => {
    const expected =
      mine === ownReference ? referenceOf(action.actionId) : at(action.arguments, mine);
    const found = at(hit, theirs);
    if (expected === undefined && found === undefined) return false;
    if (expected === undefined || found === undefined) return true;
    return canonicalJson(expected) !== canonicalJson(found);
  })?.[0];

const elsewhere = (lookUp: LookUp, action: LookedUp): boolean =>
  lookUp.coverage.account !== action.destination.account ||
  lookUp.coverage.environment !== action.destination.environment;

const readHits = (lookUp: LookUp, action: LookedUp, hits: readonly Json[]): LookUpReading => {
  if (elsewhere(lookUp, action))
    return { result: 'partial', because: 'The look-up covers another account or environment.' };
  const matching = hits.filter((hit) => differs(lookUp, action, hit) === undefined);
  const [same] = matching;
  if (same === undefined) {
    const names = hits.map((hit) => differs(lookUp, action, hit)).join(', ');
    return { result: 'partial', because: `An object was found, but it differs in: ${names}.` };
  }
  const value = lookUp.reference === undefined ? undefined : at(same, lookUp.reference);
  const reference =
    typeof value === 'string' || typeof value === 'number' ? { reference: String(value) } : {};
  const found = 'Found by the action’s own reference, and it matches.';
  const several = 'More than one object matches: the destination may have acted more than once.';
  return lookUp.by === 'reference'
    ? {
        result: 'hit',
        because: matching.length > 1 ? `${found} ${several}` : found,
        ...reference,
      }
    : {
        result: 'natural_hit',
        because: 'An object that looks right was found by its name; a name proves nothing.',
        ...reference,
      };
};

/** Reads the read tool's answer. Anything but the declared found and absent forms is a failed look-up. */
export const readLookUp = (
  lookUp: LookUp,
  action: LookedUp,
  reply: { readonly status: number; readonly body: Json | undefined } | undefined,
): LookUpReading => {
  if (reply === undefined) return { result: 'failed', because: 'The look-up did not answer.' };
  if (matches(lookUp.absent, reply))
    return { result: 'miss', because: `Searched (${lookUp.coverage.period}), not found.` };
  if (!matches(lookUp.found, reply))
    return {
      result: 'failed',
      because: `The look-up answered ${reply.status} in a form its contract does not know.`,
    };
  const hits = at(reply.body, lookUp.hits);
  const list = Array.isArray(hits) ? (hits as readonly Json[]) : hits === undefined ? [] : [hits];
  return list.length === 0
    ? { result: 'failed', because: 'The look-up says "found" and shows no object.' }
    : readHits(lookUp, action, list);
};

/**
 * Until when an attempt may still be carried out: its deadline; where the contract says that the destination may work on it for
 * longer, until that limit, also when the answer that would have said so was lost. Epoch milliseconds; the latest of all attempts.
 */
export const mayHappenUntilMs = (
  { progress }: Contract,
  attempts: readonly Pick<Attempt, 'engagedAt' | 'deadlineAtMs'>[],
): number =>
  Math.max(
    0,
    ...attempts.map(({ engagedAt, deadlineAtMs }) =>
      Math.max(deadlineAtMs, progress ? Date.parse(engagedAt) + progress.untilMs : 0),
    ),
  );

/** From when on a miss counts: no attempt may happen any more, and skew and the contract's settle time have passed. */
export const missCountsFromMs = (lookUp: LookUp, untilMs: number): number =>
  untilMs + skewMs + lookUp.settleMs;

/**
 * L8: whether this miss, at this time, proves that nothing is there. A contract that nobody verified only says that its look-up
 * finds what is there: a reference that never travelled is not found either.
 */
export const missProves = (
  lookUp: LookUp,
  verification: Contract['verification'],
  untilMs: number,
  nowMs: number,
): boolean =>
  verification !== undefined &&
  lookUp.by === 'reference' &&
  lookUp.coverage.complete &&
  nowMs >= missCountsFromMs(lookUp, untilMs);

/** Of a miss that came late enough. */
export const whyMissProvesNothing = ({ verification }: Contract): string =>
  verification
    ? 'Searched and not found, but by contract that proves nothing.'
    : 'Searched and not found, but nobody has verified that the look-up finds what is there.';

/** L9: the key still covers the first attempt. Undefined retention never occurs: a key declares one. */
export const keyCovers = (contract: Contract, firstEngagedAtMs: number, nowMs: number): boolean =>
  contract.key.kind === 'key' &&
  contract.key.onRepeat !== 'error' &&
  nowMs < firstEngagedAtMs + contract.key.retentionMs - contract.key.marginMs;
