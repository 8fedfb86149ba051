// What stands beside a decision and is easily left out: a look-up made before the newest attempt, the newest contract's own limits,
// a disposition that a person gave, the counts of a segment that begins. Laws: L8, L9, L10, L12, L14, L21.
import { describe, expect, test } from 'vitest';
import { orderSegment } from '../../functions/core/pausing/waiting.ts';
import { type Case, verdictFor } from '../../functions/core/recover/verdict.ts';
import type { Contract } from '../../functions/core/registry/contract.ts';
import { contractOf } from '../sim/contracts.ts';
import { attemptOf, endOf, isoAt, nowIso, nowMs, runWith, seen, undetermined } from './samples.ts';

const minuteMs = 60_000;
const laterMs = nowMs + 2 * minuteMs;

const caseWith = (contract: Contract, changes: Partial<Case> = {}): Case => ({
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
  nowMs: laterMs,
  ...changes,
});

test.each(['partial', 'natural_hit'] as const)(
  'a look-up made before the newest attempt (%s) says nothing of now: the destination is asked again',
  (lookUp) => {
    const contract = contractOf('write', 'look-up complete');
    const at = isoAt(nowMs + minuteMs);
    const looked = seen(5, 'nothing', { source: 'look_up', about: 'all', lookUp, at });
    const twice: Partial<Case> = {
      action: undetermined({ attempts: 2 }, contract),
      attempts: [attemptOf(1, 2), attemptOf(2, 7, nowMs + minuteMs)],
      ends: [endOf(1, 3), endOf(2, 8)],
      observations: [seen(4, 'nothing'), looked, seen(9, 'nothing', { about: 2 })],
    };
    expect(verdictFor(caseWith(contract, twice)).verdict).toBe('look');
    expect(verdictFor(caseWith(contract, { observations: [looked] })).verdict).not.toBe('look');
  },
);

describe('a repeat needs leave of the newest contract too, when', () => {
  const pinned = contractOf('write', 'key');
  const { key } = pinned;
  const reasonUnder = (more: object): string => {
    const current = contractOf('write', 'key', more);
    const verdict = verdictFor(caseWith(pinned, { current }));
    expect(verdict.verdict).toBe('person');
    return verdict.because;
  };

  test('both allow it, it is authorised', () => {
    expect(verdictFor(caseWith(pinned)).verdict).toBe('authorise');
  });
  test('it keeps keys for less long', () =>
    expect(reasonUnder({ key: { ...key, retentionMs: 2 * minuteMs } })).toMatch(
      /no longer covers/,
    ));
  test('it gives less time for repeats', () =>
    expect(reasonUnder({ repeatWindowMs: minuteMs })).toMatch(/time for automatic repeats/));
  test('nobody has verified it', () =>
    expect(reasonUnder({ verification: undefined })).toMatch(/Nobody has verified/));
});

test('"not now" of a contract that nobody verified is told, and not tried again', () => {
  const says = seen(4, 'disproves', { notBeforeMs: laterMs - 1 });
  const verdictOf = (kind: 'key' | 'key unverified'): string => {
    const contract = contractOf('write', kind);
    const action = undetermined({ effect: 'not_performed' }, contract);
    return verdictFor(caseWith(contract, { action, observations: [says] })).verdict;
  };
  expect(verdictOf('key')).toBe('authorise');
  expect(verdictOf('key unverified')).toBe('tell');
});

test('evidence that disagrees about what a person has put aside asks nobody again', () => {
  const contract = contractOf('write', 'key');
  const disposition = {
    kind: 'abandoned' as const,
    because: 'Enough.',
    by: 'ana',
    at: nowIso,
  };
  const action = undetermined({ effect: 'confirmed', contradicted: true, disposition }, contract);
  expect(verdictFor(caseWith(contract, { action })).verdict).toBe('done');
});

test('a parked run that is freed goes on once, in a segment that has made no history yet', () => {
  const { run, starts } = orderSegment(runWith({ parked: true, segment: 3, segmentEvents: 2_900 }));
  expect(run).toMatchObject({ parked: false, segment: 4, segmentEvents: 0 });
  expect(starts).toEqual([{ runId: run.runId, segment: 4 }]);
  expect(orderSegment(run).starts).toEqual([]);
});
