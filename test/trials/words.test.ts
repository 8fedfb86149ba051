// How a report sums up: what was not run is never among what passed.
import { expect, test } from 'vitest';
import { sayIn } from '../../cli/kit/speech.ts';
import {
  overall,
  type Part,
  type Trial,
  trialIds,
  type Verdict,
} from '../../cli/trials/report/report.ts';
import { tally } from '../../cli/trials/report/report-words.ts';

const part = (title: string, verdict: Verdict): Part => ({
  id: title,
  title,
  expected: '',
  observed: [],
  verdict,
  because: [],
  tookMs: 0,
});

const trialsWith = (verdicts: Partial<Record<string, Verdict>>): Trial[] =>
  trialIds.map((id) => {
    const verdict = verdicts[id] ?? 'pass';
    return { id, title: id, verdict, parts: [part(id, verdict)] };
  });

const en = sayIn('en');

test('all seven passed', () => {
  expect(tally({ checks: [], trials: trialsWith({}) }, en)).toBe('all passed');
});

test('a trial that was not run is counted and named, in both languages, and so is one that does not apply', () => {
  const trials = trialsWith({ reply_lost: 'not_run', retention_exceeded: 'does_not_apply' });
  const judged = { checks: [], trials };
  expect(tally(judged, en)).toBe(
    'five passed, one not run: reply_lost, one not applicable: retention_exceeded',
  );
  expect(tally(judged, sayIn('fr'))).toContain('cinq réussies, une non faite(s) : reply_lost');
});

test('so are failures, and claims of the contract that failed or that nothing could see', () => {
  const trials = trialsWith({ reply_lost: 'fail' });
  const checks = [part('look-up', 'not_run'), part('success', 'fail')];
  expect(tally({ checks, trials }, en)).toBe(
    'six passed, one failed: reply_lost; claims and parts that failed: success; claims and parts not run: look-up',
  );
});

test('what was not run stands in the way, what does not apply is no gap, and a limit is named and stands in nobody’s way', () => {
  const passed = { verdict: 'pass' as const };
  expect(overall([passed, { verdict: 'not_run' }])).toBe('not_run');
  expect(overall([passed, { verdict: 'does_not_apply' }])).toBe('pass');
  expect(overall([passed, { verdict: 'not_run', limit: true }])).toBe('pass');
  expect(overall([{ verdict: 'not_run' }, { verdict: 'fail' }])).toBe('fail');
});
