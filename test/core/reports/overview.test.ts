// The overview's sums: days of a zone, spreads of waiting times, bands of age, money by day, agent and currency.
import { expect, test } from 'vitest';
import { calendarOf, dayPlus, daysBetween } from '../../../functions/core/base/days.ts';
import { excerptOf, holdsAll, wordsOf } from '../../../functions/core/base/search.ts';
import type { PersonRequest } from '../../../functions/core/records/request.ts';
import type { Price } from '../../../functions/core/registry/agent.ts';
import {
  type RunFact,
  spentOf,
  spreadOf,
  standingsOf,
  unknownOf,
  waitOf,
  waitsOf,
} from '../../../functions/core/reports/overview.ts';
import { agentId, approvalWith, isoAt, nowIso, nowMs, undetermined } from '../samples.ts';

test.each([
  ['Europe/Paris', '2027-01-31T22:59:59.999Z', '2027-01-31'],
  ['Europe/Paris', '2027-01-31T23:00:00.000Z', '2027-02-01'],
  ['Asia/Kathmandu', '2027-01-31T18:14:59.999Z', '2027-01-31'],
  ['Asia/Kathmandu', '2027-01-31T18:15:00.000Z', '2027-02-01'],
  ['Pacific/Kiritimati', '2027-01-31T10:00:00.000Z', '2027-02-01'],
])('in %s, %s is on %s', (zone, at, day) => {
  const calendar = calendarOf(zone);
  expect(calendar.dayAt(Date.parse(at))).toBe(day);
  // Asked again, from what it remembers.
  expect(calendar.dayAt(Date.parse(at))).toBe(day);
});

test('a day begins at its midnight, or at the first time that exists after it', () => {
  const beginOf = (zone: string, day: string) =>
    new Date(calendarOf(zone).beginOf(day)).toISOString();
  expect(beginOf('Europe/Paris', '2027-03-28')).toBe('2027-03-27T23:00:00.000Z');
  expect(beginOf('Europe/Paris', '2027-03-29')).toBe('2027-03-28T22:00:00.000Z');
  // Midnight of that day is skipped there.
  expect(beginOf('Africa/Cairo', '2025-04-25')).toBe('2025-04-24T22:00:00.000Z');
});

test('days are counted over months and years', () => {
  expect(dayPlus('2026-12-31', 1)).toBe('2027-01-01');
  expect(daysBetween('2027-02-27', '2027-03-01')).toEqual([
    '2027-02-27',
    '2027-02-28',
    '2027-03-01',
  ]);
});

const usage = { inputTokens: 1_000_000, outputTokens: 100_000, cachedInputTokens: 0 };
const fact = (changes: Partial<RunFact> = {}): RunFact => ({
  day: '2027-01-01',
  agentId,
  revision: 1,
  standing: 'done',
  usage,
  ...changes,
});
const euro: Price = { currency: 'EUR', inputPerMillion: '3', outputPerMillion: '15' };
const dollar: Price = { currency: 'USD', inputPerMillion: '0.1', outputPerMillion: '0.2' };

test('money is summed by day, agent and currency, exactly; without a price table there are tokens alone', () => {
  const prices = new Map([
    [1, euro],
    [2, { ...euro, inputPerMillion: '0.1' }],
    [3, dollar],
  ]);
  const spent = spentOf(
    [
      fact(),
      fact({ revision: 2 }),
      fact({ revision: 3 }),
      fact({ revision: 4 }),
      fact({ day: '2027-01-02' }),
      fact({ day: '2027-01-03', usage: { ...usage, inputTokens: 0, outputTokens: 0 } }),
    ],
    (_agent, revision) => prices.get(revision),
  );
  expect(spent.map(({ day, currency, amount, runs }) => [day, currency, amount, runs])).toEqual([
    ['2027-01-02', 'EUR', '4.5', 1],
    ['2027-01-01', 'EUR', '6.1', 2],
    ['2027-01-01', 'USD', '0.12', 1],
    ['2027-01-01', undefined, undefined, 1],
  ]);
});

test('runs are counted under the words they say themselves', () => {
  const runs = [fact(), fact({ standing: 'waiting' }), fact({ standing: 'step_limit' })];
  expect(standingsOf(runs)).toEqual({
    running: 0,
    waiting: 1,
    stopping: 0,
    done: 1,
    step_limit: 1,
    stopped: 0,
    failed: 0,
    cut_off: 0,
    withheld: 0,
    no_answer: 0,
    withdrawn: 0,
  });
});

test('a spread has the middle, what nine of ten stay under, and the longest', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);
  expect(spreadOf(hundred)).toEqual({ count: 100, medianMs: 50, p90Ms: 90, longestMs: 100 });
  expect(spreadOf([7])).toEqual({ count: 1, medianMs: 7, p90Ms: 7, longestMs: 7 });
  expect(spreadOf([])).toBeUndefined();
});

test('what was answered, what ran out and what still waits are told apart; what no person was asked is left out', () => {
  const closed = (decision: PersonRequest['decision'], afterMs: number) =>
    approvalWith({ decision, decidedAt: isoAt(nowMs + afterMs) } as Partial<PersonRequest>);
  const recovery = approvalWith({ on: 'recovery', needsPerson: false } as Partial<PersonRequest>);
  expect(waitOf(recovery, nowMs)).toBeUndefined();
  const facts = [
    closed({ kind: 'approved' }, 4_000),
    closed({ kind: 'refused', reason: 'No.' }, 2_000),
    closed({ kind: 'expired' }, 9_000),
    closed({ kind: 'voided', because: 'The run ended.' }, 9_000),
    approvalWith(),
  ].flatMap((request) => waitOf(request, nowMs + 60_000) ?? []);
  expect(waitsOf(facts).find(({ on }) => on === 'approval')).toEqual({
    on: 'approval',
    open: { count: 1, medianMs: 60_000, p90Ms: 60_000, longestMs: 60_000 },
    answered: { count: 2, medianMs: 2_000, p90Ms: 4_000, longestMs: 4_000 },
    expired: 1,
    voided: 1,
  });
  expect(waitsOf(facts).find(({ on }) => on === 'skill')).toEqual({
    on: 'skill',
    expired: 0,
    voided: 0,
  });
});

test('undetermined actions are counted by tool and age, known ones not', () => {
  const hourMs = 3_600_000;
  const aged = (ms: number) => undetermined({ firstEngagedAt: isoAt(nowMs - ms) });
  const lines = unknownOf(
    [
      aged(0),
      aged(hourMs - 1),
      aged(hourMs),
      aged(24 * hourMs),
      aged(7 * 24 * hourMs),
      undetermined({ effect: 'confirmed' }),
      undetermined({ tool: { name: 'mail', version: 1 } }),
    ],
    nowMs,
  );
  expect(lines).toEqual([
    {
      tool: 'write',
      count: 5,
      byAge: { underHour: 2, underDay: 1, underWeek: 1, older: 1 },
      oldestSince: isoAt(nowMs - 7 * 24 * hourMs),
    },
    {
      tool: 'mail',
      count: 1,
      byAge: { underHour: 1, underDay: 0, underWeek: 0, older: 0 },
      oldestSince: nowIso,
    },
  ]);
});

test('words are found wherever they stand, case and accents aside, and all of them', () => {
  const text = 'Où en est la RÉUNION de Zürich ?';
  expect(holdsAll(text, wordsOf('zurich réunion'))).toBe(true);
  expect(holdsAll(text, wordsOf('zurich mardi'))).toBe(false);
  expect(wordsOf('  ')).toEqual([]);
});

test('an excerpt is one line around the first word found, and says where it was cut', () => {
  expect(excerptOf('short\n text', ['text'])).toBe('short text');
  const long = `${'é '.repeat(200)}Zürich${' x'.repeat(200)}`;
  const excerpt = excerptOf(long, wordsOf('zurich'));
  expect(excerpt).toMatch(/^….*Zürich.*…$/u);
  expect([...excerpt].length).toBe(162);
});
