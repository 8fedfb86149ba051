// The verdict is total, and never lets a machine send again what it must not (L1, L3, L4, L8, L9, L10).
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { attemptsMax, skewMs } from '../../../functions/core/base/limits.ts';
import { isAuthorised } from '../../../functions/core/records/action.ts';
import type { Attempt, AttemptEnd, Observation } from '../../../functions/core/records/evidence.ts';
import { fold } from '../../../functions/core/records/evidence.ts';
import { keyCovers } from '../../../functions/core/recover/look-up.ts';
import { type Case, verdictFor } from '../../../functions/core/recover/verdict.ts';
import { Contract } from '../../../functions/core/registry/contract.ts';
import { type ContractKind, contractKinds, contractOf, hasKey } from '../../sim/contracts.ts';
import { histories } from '../histories.ts';
import {
  attemptOf,
  endOf,
  isoAt,
  nowIso,
  nowMs,
  runWith,
  seen,
  timeoutMs,
  undetermined,
} from '../samples.ts';

const caseWith = (changes: Partial<Case> = {}, kind: ContractKind = 'key'): Case => {
  const contract = contractOf('write', kind);
  return {
    action: undetermined({}, contract),
    pinned: contract,
    current: contract,
    attempts: [attemptOf(1, 2)],
    ends: [endOf(1, 3)],
    observations: [seen(4, 'nothing')],
    mandateStands: true,
    claimed: false,
    claimFence: 0,
    run: runWith(),
    nowMs: nowMs + timeoutMs + skewMs,
    ...changes,
  };
};

/** The contract of the case, whose trials saw its key held for so long. */
const heldFor = (keyHeldMs: number) => {
  const contract = contractOf('write', 'key');
  const verification = { by: 'test', at: nowIso, how: 'trials', keyHeldMs };
  return { ...contract, verification };
};

const minuteMs = 60_000;
const inTime = nowMs + timeoutMs + skewMs;

describe('A repeat under the key', () => {
  test('is authorised when destination, verification, time, mandate and run allow it', () => {
    expect(verdictFor(caseWith()).verdict).toBe('authorise');
  });

  test.each([
    ['the contract was never verified', caseWith({}, 'key unverified')],
    ['no key is promised', caseWith({}, 'http')],
    ['the newest contract has no key any more', caseWith({ current: contractOf('write', 'http') })],
    ['a person is in charge', caseWith({ claimed: true })],
    ['the mandate is gone', caseWith({ mandateStands: false })],
    [
      'the run is stopping',
      caseWith({
        run: runWith({ state: { status: 'stopping', by: 'Ana', since: nowIso, blocking: [] } }),
      }),
    ],
    [
      'the run is over',
      caseWith({
        run: runWith({ state: { status: 'finished', reason: 'done', detail: '', at: nowIso } }),
      }),
    ],
    [
      'a repeat would overwrite',
      caseWith({
        pinned: Contract.parse({
          ...contractOf('write', 'key'),
          key: { ...contractOf('write', 'key').key, onRepeat: 'overwrites' },
        }),
      }),
    ],
    [
      'the trials saw the key held for a shorter time',
      caseWith({ pinned: heldFor(minuteMs), nowMs: nowMs + minuteMs + 1 }),
    ],
    [
      'those of the newest contract did',
      caseWith({ current: heldFor(minuteMs), nowMs: nowMs + minuteMs + 1 }),
    ],
    ['three attempts were made', caseWith({ action: undetermined({ attempts: attemptsMax }) })],
    ['the time for repeats is over', caseWith({ nowMs: nowMs + 10 * minuteMs + 1 })],
    [
      'the key no longer covers the first attempt',
      caseWith({ nowMs: nowMs + 86_400_000 - minuteMs }),
    ],
  ])('goes to a person when %s', (_, at) => {
    expect(verdictFor(at).verdict).toBe('person');
  });
});

describe('A destination that is still working on the same key', () => {
  const met = (attempts: number, atMs: number, more: Partial<Case> = {}) =>
    verdictFor(
      caseWith({
        action: undetermined({ effect: 'in_progress', attempts }),
        attempts: Array.from({ length: attempts }, (_, index) => attemptOf(index + 1, index + 2)),
        observations: [seen(9, 'in_progress', { about: attempts })],
        nowMs: atMs,
        ...more,
      }),
    );

  test('is waited for and asked again, each time twice as long after', () => {
    for (const attempts of [1, 2]) {
      const untilMs = nowMs + timeoutMs * 2 ** (attempts - 1);
      expect(met(attempts, untilMs - 1)).toMatchObject({ verdict: 'wait', untilMs });
      expect(met(attempts, untilMs).verdict).toBe('authorise');
    }
  });

  test('is looked up when no further repeat is allowed, and a person’s where nothing can be looked up', () => {
    const lateMs = nowMs + 10 * minuteMs + 1;
    expect(met(attemptsMax, lateMs).verdict).toBe('person');
    expect(met(2, lateMs).verdict).toBe('person');
    const { lookUp } = contractOf('write', 'look-up complete');
    const { progress: _polled, ...pinned } = caseWith().pinned;
    const both = lookUp === undefined ? pinned : { ...pinned, lookUp };
    expect(met(attemptsMax, lateMs, { pinned: both }).verdict).toBe('look');
    expect(met(1, nowMs + timeoutMs, { pinned: both }).verdict).toBe('authorise');
  });
});

test('Within the time for which the trials saw the key held, it is repeated', () => {
  const nowIsMs = nowMs + minuteMs;
  expect(verdictFor(caseWith({ pinned: heldFor(minuteMs), nowMs: nowIsMs })).verdict).toBe(
    'authorise',
  );
});

describe('Before anything else', () => {
  test('an attempt whose deadline and skew have not passed is waited for (L3)', () => {
    const engaged = {
      attempt: 1,
      owner: 'owner-1',
      deadlineAtMs: nowMs + timeoutMs,
      engagedAt: nowIso,
    };
    const action = undetermined({ effect: 'engaged', engaged });
    const open = { action, ends: [], observations: [] };
    expect(verdictFor(caseWith({ ...open, nowMs: inTime - 1 }))).toMatchObject({
      verdict: 'wait',
      untilMs: inTime,
    });
    expect(verdictFor(caseWith({ ...open, nowMs: inTime })).verdict).toBe('close');
  });

  test('evidence that disagrees goes to a person', () => {
    const action = undetermined({ effect: 'confirmed', contradicted: true });
    expect(verdictFor(caseWith({ action })).verdict).toBe('person');
  });

  test('a person’s "wait until" is waited for', () => {
    const untilMs = inTime + minuteMs;
    const action = undetermined({ nextCheckAtMs: untilMs });
    expect(verdictFor(caseWith({ action }))).toMatchObject({ verdict: 'wait', untilMs });
  });
});

describe('By look-up', () => {
  const look = (kind: ContractKind, looks: readonly Observation[], atMs: number): string =>
    verdictFor(caseWith({ observations: [seen(4, 'nothing'), ...looks], nowMs: atMs }, kind))
      .verdict;
  const result = (lookUp: NonNullable<Observation['lookUp']>, atMs: number): Observation =>
    seen(5, 'nothing', { source: 'look_up', about: 'all', lookUp, at: isoAt(atMs) });

  test('the destination is asked before anything is repeated', () => {
    expect(look('look-up complete', [], inTime)).toBe('look');
    expect(look('key and look-up', [], inTime)).toBe('look');
  });

  test('a miss that came too early is waited out, and asked again', () => {
    expect(look('look-up complete', [result('miss', inTime)], inTime)).toBe('wait');
    expect(look('look-up complete', [result('miss', inTime)], inTime + 5 * minuteMs)).toBe('look');
  });

  test.each(['natural_hit', 'partial'] as const)('%s goes to a person', (lookUp) => {
    expect(look('look-up complete', [result(lookUp, inTime)], inTime)).toBe('person');
  });

  test('a look-up that fails backs off, and after five times a person is asked', () => {
    const failed = (count: number): Observation[] =>
      Array.from({ length: count }, () => result('failed', inTime));
    expect(look('look-up complete', failed(1), inTime)).toBe('wait');
    expect(look('look-up complete', failed(1), inTime + minuteMs)).toBe('look');
    expect(look('look-up complete', failed(5), inTime + minuteMs)).toBe('person');
  });
});

describe('What never left', () => {
  const disproved = undetermined({ effect: 'not_performed' });
  const refused = (lasting: boolean): Partial<Case> => ({
    ends: [endOf(1, 3, 'not_transmitted')],
    observations: [
      seen(4, 'disproves', { source: 'transport', ...(lasting ? { lasting: true } : {}) }),
    ],
  });

  test('is tried again when the connection failed', () => {
    const at = { ...refused(false), action: disproved };
    expect(verdictFor(caseWith(at)).verdict).toBe('authorise');
  });

  test('does not use up the three attempts: the window alone bounds it', () => {
    const numbers = [1, 2, 3, 4, 5];
    const at: Partial<Case> = {
      action: undetermined({ effect: 'not_performed', attempts: 5 }),
      attempts: numbers.map((number) => attemptOf(number, number * 4)),
      ends: numbers.map((number) => endOf(number, number * 4 + 1, 'not_transmitted')),
      observations: [seen(22, 'disproves', { source: 'transport', about: 5 })],
    };
    const inWindow = inTime + 2 * minuteMs;
    expect(verdictFor(caseWith({ ...at, nowMs: inWindow })).verdict).toBe('authorise');
    expect(verdictFor(caseWith({ ...at, nowMs: inTime + 11 * minuteMs })).verdict).toBe('tell');
  });

  test.each(contractKinds)('is told at once when our own settings refuse it: %s', (kind) => {
    const at = { ...refused(true), action: disproved, nowMs: nowMs + 1 };
    expect(verdictFor(caseWith(at, kind))).toMatchObject({
      verdict: 'tell',
      because: 'It was so.',
    });
  });

  test('is no reason to try again under the key while an earlier attempt is not known', () => {
    const at: Partial<Case> = {
      action: undetermined({ attempts: 2 }),
      attempts: [attemptOf(1, 2), attemptOf(2, 6)],
      ends: [endOf(1, 3), endOf(2, 7, 'not_transmitted')],
    };
    const second = { source: 'transport', about: 2, because: 'No host.' } as const;
    const verdict = (lasting: boolean) =>
      verdictFor(
        caseWith({
          ...at,
          observations: [
            seen(4, 'nothing'),
            seen(8, 'disproves', { ...second, ...(lasting ? { lasting } : {}) }),
          ],
        }),
      );
    expect(verdict(false).verdict).toBe('authorise');
    expect(verdict(true)).toMatchObject({ verdict: 'person', because: 'No host.' });
  });

  test('is followed by a pause under the key too, and by nothing before its end', () => {
    const at = (laterMs: number): Case =>
      caseWith({
        action: undetermined({ attempts: 2 }),
        attempts: [attemptOf(1, 2), attemptOf(2, 6)],
        ends: [endOf(1, 3), endOf(2, 7, 'not_transmitted')],
        observations: [
          seen(4, 'nothing'),
          seen(8, 'disproves', { source: 'transport', about: 2, at: isoAt(inTime) }),
        ],
        nowMs: inTime + laterMs,
      });
    expect(verdictFor(at(0))).toMatchObject({ verdict: 'wait', untilMs: inTime + 4_000 });
    expect(verdictFor(at(3_999)).verdict).toBe('wait');
    expect(verdictFor(at(4_000)).verdict).toBe('authorise');
  });

  test('a look-up that cannot even be made is a person’s case at once', () => {
    const look = { source: 'look_up', about: 'all', lookUp: 'failed', at: isoAt(inTime) } as const;
    const observations = [seen(4, 'nothing'), seen(5, 'nothing', { ...look, lasting: true })];
    expect(verdictFor(caseWith({ observations }, 'look-up complete'))).toEqual({
      verdict: 'person',
      because: 'The look-up cannot be made: It was so.',
    });
  });
});

interface Chance {
  readonly kind: ContractKind;
  readonly newest: ContractKind;
  readonly laterMs: number;
  readonly mandateStands: boolean;
  readonly claimed: boolean;
  readonly runState: 'running' | 'stopping' | 'finished';
  readonly authorised: boolean;
}

/** True nine times in ten: each thing that forbids a repeat would otherwise hide the others. */
const mostly: fc.Arbitrary<boolean> = fc.nat(9).map((chance) => chance > 0);

const chances: fc.Arbitrary<Chance> = fc.record({
  kind: fc.constantFrom<ContractKind>('key', 'key', 'key', ...contractKinds),
  newest: fc.constantFrom<ContractKind>('key', 'key', 'key', ...contractKinds),
  laterMs: fc.integer({ min: 0, max: 12 * minuteMs }),
  mandateStands: mostly,
  claimed: mostly.map((not) => !not),
  runState: fc.constantFrom<Chance['runState']>(
    ...(['running', 'running', 'running', 'running', 'stopping', 'finished'] as const),
  ),
  authorised: mostly.map((not) => !not),
});

const stateOf = (status: Chance['runState']) => {
  switch (status) {
    case 'running':
      return { status };
    case 'stopping':
      return { status, by: 'Ana', since: nowIso, blocking: [] };
    case 'finished':
      return { status, reason: 'done' as const, detail: '', at: nowIso };
  }
};

const cases: fc.Arbitrary<Case> = fc.tuple(histories, chances).map(([history, chance]): Case => {
  const attempts: Attempt[] = history.attempts.map(({ attempt, entry }) =>
    attemptOf(attempt, entry),
  );
  const ends: AttemptEnd[] = history.ends.map(({ attempt, how }, index) =>
    endOf(attempt, index + 3, how),
  );
  const observations = history.observations.map(({ says, about, entry }) =>
    seen(entry, says, { about }),
  );
  const { effect, contradicted } = fold(history);
  const count = attempts.length;
  const open = ends.every(({ attempt }) => attempt !== count) && count > 0;
  const head = 30;
  return {
    action: undetermined({
      head,
      effect,
      contradicted,
      attempts: count,
      authorised: chance.authorised
        ? { head, attempt: count + 1, authorisation: { by: 'verdict', because: 'It may.' } }
        : { head: 1, attempt: Math.max(1, count), authorisation: { by: 'plan' } },
      ...(open
        ? {
            engaged: {
              attempt: count,
              owner: 'owner',
              deadlineAtMs: nowMs + timeoutMs,
              engagedAt: nowIso,
            },
          }
        : {}),
    }),
    pinned: contractOf('write', chance.kind),
    current: contractOf('write', chance.newest),
    attempts,
    ends,
    observations,
    mandateStands: chance.mandateStands,
    claimed: chance.claimed,
    claimFence: 0,
    run: runWith({ state: stateOf(chance.runState) }),
    nowMs: nowMs + chance.laterMs,
  };
});

/** A seed of its own, so that the same cases are met every time. */
const runs = { numRuns: 3_000, seed: 2_027 };
const sends = (at: Case): boolean => ['authorise', 'perform'].includes(verdictFor(at).verdict);

/** Holds in every case of a kind, of which chance has made some. */
const always = (isOfKind: (at: Case) => boolean, expectation: (at: Case) => void): void => {
  let met = 0;
  fc.assert(
    fc.property(cases, (at) => {
      if (!isOfKind(at)) return;
      met += 1;
      expectation(at);
    }),
    runs,
  );
  expect(met).toBeGreaterThan(5);
};

describe('For every case', () => {
  test('there is a verdict, and a reason for it', () => {
    always(
      () => true,
      (at) => expect(verdictFor(at).because.length).toBeGreaterThan(5),
    );
  });

  test('nothing is sent while an attempt may still be running (L3)', () => {
    always(
      ({ action }) => action.engaged !== undefined,
      (at) => expect(sends(at)).toBe(false),
    );
  });

  test('nothing is sent against mandate, claim, run, count or time', () => {
    always(sends, (at) => {
      expect(at.mandateStands).toBe(true);
      expect(at.claimed).toBe(false);
      expect(at.run.state.status).toBe('running');
      expect(at.action.attempts).toBeLessThan(attemptsMax);
      expect(at.nowMs).toBeLessThanOrEqual(nowMs + at.pinned.repeatWindowMs);
      expect(at.nowMs).toBeLessThanOrEqual(nowMs + at.current.repeatWindowMs);
    });
  });

  test('what is not disproved is authorised again only under a verified key that covers it (L9)', () => {
    always(
      (at) => verdictFor(at).verdict === 'authorise' && at.action.effect !== 'not_performed',
      (at) => {
        for (const contract of [at.pinned, at.current]) {
          expect(contract.verification).toBeDefined();
          expect(keyCovers(contract, nowMs, at.nowMs)).toBe(true);
        }
        // Where the destination can be asked, it is asked first.
        expect(at.pinned.lookUp).toBeUndefined();
      },
    );
  });

  test('confirmed and accepted are never sent again, unless somebody authorised it before', () => {
    always(
      ({ action }) => ['confirmed', 'accepted'].includes(action.effect) && !isAuthorised(action),
      (at) => expect(sends(at)).toBe(false),
    );
  });
});

test('a kind with a key is one that promises it', () => {
  for (const kind of contractKinds)
    expect(contractOf('write', kind).key.kind === 'key').toBe(hasKey(kind));
});
