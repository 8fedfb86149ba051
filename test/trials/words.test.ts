// How a report sums up: what was not decidable is never among what passed.
import { expect, test } from 'vitest';
import { sayIn } from '../../cli/kit/speech.ts';
import { type Part, type Trial, trialIds, type Verdict } from '../../cli/trials/report.ts';
import { tally } from '../../cli/trials/report-words.ts';

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

test('an undecidable trial is counted and named, in both languages', () => {
  const judged = { checks: [], trials: trialsWith({ retention_exceeded: 'undecidable' }) };
  expect(tally(judged, en)).toBe(
    'six passed, one not decidable with this contract: retention_exceeded',
  );
  expect(tally(judged, sayIn('fr'))).toContain('six réussies, une indécidable');
});

test('so are failures, and claims of the contract that nothing could decide', () => {
  const trials = trialsWith({ reply_lost: 'fail' });
  expect(tally({ checks: [part('look-up', 'undecidable')], trials }, en)).toBe(
    'six passed, one failed: reply_lost; claims and parts not decidable: look-up',
  );
});
