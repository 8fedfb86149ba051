// Looking an effect up: what is asked, and what the answer shows. Owns: reading a look-up's answer.
// Laws: L8 (a miss proves absence only by reference, with complete coverage, after the settle time; a hit proves the effect only
// if account, environment and the compared arguments match).

import { referenceOf } from '../base/ids.ts';
import { at, canonicalJson, type Json, type JsonObject } from '../base/json.ts';
import { skewMs } from '../base/limits.ts';
import { formAsked, inForm } from '../base/reference-form.ts';
import type { Action } from '../records/action.ts';
import type { Attempt } from '../records/evidence.ts';
import type { Contract, LookUp } from '../registry/contract.ts';
import { matches, proves, type Reply } from '../registry/reply-pattern.ts';

export type LookUpResult = 'hit' | 'natural_hit' | 'partial' | 'miss' | 'failed';

export interface LookUpReading {
  readonly result: LookUpResult;
  readonly because: string;
  readonly reference?: string;
}

/** What a look-up reads of an action. */
export type LookedUp = Pick<Action, 'actionId' | 'arguments' | 'destination'>;

const mention = /\$reference(?::([a-z0-9]+))?(?!\w)/g;

/** The reference wherever a text asks for it, also inside a longer one. A form that is none stays as it is written. */
const withReference = (text: string, action: LookedUp): string =>
  text.replace(mention, (all) => {
    const form = formAsked(all);
    return form === undefined ? all : inForm(referenceOf(action.actionId), form);
  });

const fill = (template: Json, action: LookedUp): Json => {
  if (typeof template === 'string' && template.startsWith('$args.'))
    return at(action.arguments, template.slice('$args.'.length)) ?? null;
  if (typeof template === 'string') return withReference(template, action);
  if (Array.isArray(template)) return template.map((entry: Json) => fill(entry, action));
  if (template === null || typeof template !== 'object') return template;
  return Object.fromEntries(
    Object.entries(template).map(([name, value]) => [name, fill(value, action)]),
  );
};

/** The arguments of the read tool: `$reference` and `$args.path` are replaced. */
export const lookUpArguments = (templates: LookUp['arguments'], action: LookedUp): JsonObject =>
  Object.fromEntries(Object.entries(templates).map(([name, value]) => [name, fill(value, action)]));

/** What one pair of the comparison comes to; a pair that is missing on both sides compares nothing. */
type Compared = 'same' | 'other' | 'nothing';

const isMissing = (value: Json | undefined): boolean => value === undefined || value === null;

type Theirs = LookUp['compare'][string];

export const pathOf = (theirs: Theirs): string =>
  typeof theirs === 'string' ? theirs : theirs.path;

const comparedBy = (action: LookedUp, hit: Json, mine: string, theirs: Theirs): Compared => {
  const form = formAsked(mine);
  const expected =
    form === undefined ? at(action.arguments, mine) : inForm(referenceOf(action.actionId), form);
  const found = at(hit, pathOf(theirs));
  if (isMissing(expected) && isMissing(found)) return 'nothing';
  if (expected === undefined || found === undefined) return 'other';
  if (typeof theirs !== 'string' && theirs.match === 'contains' && form !== undefined)
    return typeof found === 'string' && found.includes(String(expected)) ? 'same' : 'other';
  return canonicalJson(expected) === canonicalJson(found) ? 'same' : 'other';
};

/** Where a hit differs, or why it was not compared at all; undefined when it is like the action. */
const differs = (lookUp: LookUp, action: LookedUp, hit: Json): string | undefined => {
  const pairs = Object.entries(lookUp.compare).map(
    ([mine, theirs]) => [mine, comparedBy(action, hit, mine, theirs)] as const,
  );
  const other = pairs.find(([, compared]) => compared === 'other')?.[0];
  if (other !== undefined) return other;
  return pairs.some(([, compared]) => compared === 'same')
    ? undefined
    : Object.keys(lookUp.compare).join(', ');
};

/** A hit that is like the action in all that is compared. */
export const isLike = (lookUp: LookUp, action: LookedUp, hit: Json): boolean =>
  differs(lookUp, action, hit) === undefined;

/** A hit that shows the action’s own reference, wherever the look-up compares it. */
export const showsReference = (lookUp: LookUp, action: LookedUp, hit: Json): boolean =>
  Object.entries(lookUp.compare).every(
    ([mine, theirs]) =>
      formAsked(mine) === undefined || comparedBy(action, hit, mine, theirs) === 'same',
  );

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
  reply: Reply | undefined,
): LookUpReading => {
  if (reply === undefined) return { result: 'failed', because: 'The look-up did not answer.' };
  const told = reply.status < 500 && !lookUp.nothing?.some((one) => matches(one.reply, reply));
  if (told && proves(lookUp.absent, reply))
    return { result: 'miss', because: `Searched (${lookUp.coverage.period}), not found.` };
  if (!told || !proves(lookUp.found, reply))
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
  // A repeat would write over what somebody has changed since.
  contract.key.onRepeat !== 'overwrites' &&
  nowMs < firstEngagedAtMs + contract.key.retentionMs - contract.key.marginMs;

/** A repeat without a person goes no further than the trials saw the key held; a verification that says nothing of it bounds nothing. */
export const keyWasSeenHeld = (
  { verification }: Contract,
  firstEngagedAtMs: number,
  nowMs: number,
): boolean =>
  verification?.keyHeldMs === undefined || nowMs <= firstEngagedAtMs + verification.keyHeldMs;
