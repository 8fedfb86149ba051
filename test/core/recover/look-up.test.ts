// What a look-up proves (L8), and how long a key is trusted (L9).
import { describe, expect, test } from 'vitest';
import { skewMs } from '../../../functions/core/base/limits.ts';
import { inForm } from '../../../functions/core/base/reference-form.ts';
import {
  keyCovers,
  lookUpArguments,
  mayHappenUntilMs,
  missProves,
  readLookUp,
} from '../../../functions/core/recover/look-up.ts';
import { LookUp } from '../../../functions/core/registry/contract.ts';
import { contractOf, progressUntilMs, settleMs } from '../../sim/contracts.ts';
import { actionId, actionWith, attemptOf, nowMs, timeoutMs } from '../samples.ts';

const contract = contractOf('write', 'look-up complete');
const { verification: verified } = contract;
const lookUp = LookUp.parse(contract.lookUp);
const action = actionWith({}, contract);
const found = (...items: object[]) => ({ status: 200, body: { items } as never });

describe('An answer of the read tool', () => {
  test.each([
    ['one that matches is a hit', lookUp, found({ id: 'o', name: 'Marta' }), 'hit'],
    ['one that differs is partial', lookUp, found({ id: 'o', name: 'Nils' }), 'partial'],
    ['none is a miss', lookUp, found(), 'miss'],
    ['an error is a failed look-up', lookUp, { status: 500, body: undefined }, 'failed'],
    ['no answer is a failed look-up', lookUp, undefined, 'failed'],
    [
      'one found by name is natural, and proves nothing',
      { ...lookUp, by: 'natural' as const },
      found({ id: 'o', name: 'Marta' }),
      'natural_hit',
    ],
    [
      'one in another account is partial',
      { ...lookUp, coverage: { ...lookUp.coverage, account: 'b' } },
      found({ id: 'o', name: 'Marta' }),
      'partial',
    ],
    [
      'one in another environment is partial',
      { ...lookUp, coverage: { ...lookUp.coverage, environment: 'live' } },
      found({ id: 'o', name: 'Marta' }),
      'partial',
    ],
  ])('%s', (_, how, reply, result) => {
    expect(readLookUp(how, action, reply).result).toBe(result);
  });

  test('one that does not carry the action’s own reference is somebody else’s, however alike', () => {
    const how = { ...lookUp, compare: { ...lookUp.compare, $reference: 'ours' } };
    const alike = { id: 'o', name: 'Marta' };
    expect(readLookUp(how, action, found(alike)).result).toBe('partial');
    expect(readLookUp(how, action, found({ ...alike, ours: 'act_other' })).result).toBe('partial');
    const both = found({ ...alike, ours: 'act_other' }, { ...alike, ours: actionId });
    const reading = readLookUp(how, action, both);
    expect(reading.result).toBe('hit');
    expect(reading.because).not.toContain('More than one');
  });

  test.each([
    ['a gateway’s page', { status: 404, body: '<html>Not found</html>' }],
    ['a failure with an empty list', { status: 500, body: { items: [] } }],
    [
      'one that reports its own failure',
      { status: 200, body: { items: [] }, reportsFailure: true },
    ],
  ])('is a failed look-up, and no miss: %s', (_, reply) => {
    const how = LookUp.parse({ ...lookUp, absent: { status: [200, 404, 500] } });
    expect(readLookUp(how, action, reply).result).toBe('failed');
  });

  test('a comparison of what is missing on both sides compares nothing', () => {
    const how = { ...lookUp, compare: { unused: 'unused' } };
    expect(readLookUp(how, action, found({ id: 'o' })).result).toBe('partial');
  });

  test('the reference may travel in another form, and be a part of a text', () => {
    const uuid = inForm(actionId, 'uuid');
    const how = LookUp.parse({
      ...lookUp,
      compare: { '$reference:uuid': { path: 'note', match: 'contains' } },
    });
    expect(readLookUp(how, action, found({ note: `Ref ${uuid}, paid` })).result).toBe('hit');
    expect(readLookUp(how, action, found({ note: `Ref ${actionId}` })).result).toBe('partial');
    expect(lookUpArguments({ q: 'ref:"$reference:uuid"' }, action)).toEqual({ q: `ref:"${uuid}"` });
  });

  test('two that match are a hit, and are said to be two', () => {
    const reading = readLookUp(
      lookUp,
      action,
      found({ id: 'o', name: 'Marta' }, { id: 'p', name: 'Marta' }),
    );
    expect(reading.result).toBe('hit');
    expect(reading.because).toContain('More than one object matches');
  });

  test('the tool is asked with the action’s own reference and arguments', () => {
    expect(lookUpArguments({ a: '$reference', b: ['$args.name'], c: 1 }, action)).toEqual({
      a: actionId,
      b: ['Marta'],
      c: 1,
    });
  });
});

describe('A miss proves absence', () => {
  const untilMs = nowMs + timeoutMs;
  const fromMs = untilMs + skewMs + settleMs;

  test('only after deadline, skew and settle time', () => {
    expect(missProves(lookUp, verified, untilMs, fromMs - 1)).toBe(false);
    expect(missProves(lookUp, verified, untilMs, fromMs)).toBe(true);
  });

  test('never by a name, and never without complete coverage', () => {
    const incomplete = { ...lookUp, coverage: { ...lookUp.coverage, complete: false } };
    expect(missProves({ ...lookUp, by: 'natural' }, verified, untilMs, fromMs + 1e9)).toBe(false);
    expect(missProves(incomplete, verified, untilMs, fromMs + 1e9)).toBe(false);
  });

  test('never by a look-up of which nobody has verified that it finds what is there', () => {
    expect(missProves(lookUp, undefined, untilMs, fromMs + 1e9)).toBe(false);
  });

  test('not while the contract lets the destination work', () => {
    expect(mayHappenUntilMs(contract, [attemptOf(1, 2)])).toBe(nowMs + progressUntilMs);
    expect(mayHappenUntilMs(contractOf('write', 'none'), [attemptOf(1, 2)])).toBe(untilMs);
  });
});

describe('A key is trusted', () => {
  const keyed = contractOf('write', 'key');
  const dayMs = 86_400_000;
  const marginMs = 60_000;

  test('within its retention less the margin, counted from the first attempt', () => {
    expect(keyCovers(keyed, nowMs, nowMs + dayMs - marginMs - 1)).toBe(true);
    expect(keyCovers(keyed, nowMs, nowMs + dayMs - marginMs)).toBe(false);
  });

  test('never where none is promised, or a repeat is an error', () => {
    expect(keyCovers(contractOf('write', 'http'), nowMs, nowMs)).toBe(false);
    const failing = { ...keyed, key: { ...keyed.key, onRepeat: 'error' } } as typeof keyed;
    expect(keyCovers(failing, nowMs, nowMs)).toBe(false);
  });
});
