// A fault mark is a reader's opinion: kept, changed and listed, and nothing is decided from it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { itemSchemas } from '../../../functions/core/records/change.ts';
import {
  changeFault,
  type FaultMark,
  faultNoteCharactersMax,
  markFault,
  standingFault,
  takeBackFault,
} from '../../../functions/core/records/fault-mark.ts';
import { noUsage } from '../../../functions/core/records/run.ts';
import type { Step } from '../../../functions/core/records/step.ts';
import { nowIso, runId, runWith } from '../samples.ts';

const by = { kind: 'person', subject: 'ana', name: 'Ana' } as const;
const changing = { by, nowIso };
const step: Step = {
  schema: 1,
  runId,
  step: 1,
  attempt: 'm1',
  text: '',
  calls: [
    {
      kind: 'fixed',
      callId: 'fix_1',
      name: 'x'.repeat(10_000),
      arguments: {},
      told: { status: 'error', text: 'There is no such tool.' },
    },
  ],
  took: [],
  results: [],
  usage: { ...noUsage, callId: 'c', model: 'm' },
  at: nowIso,
};
const marked = (note: string, before?: FaultMark): FaultMark => {
  const [of] = step.calls;
  if (of === undefined) throw new Error('The step has no call.');
  return markFault(before, { run: runWith(), step, call: 0, of }, { note }, changing);
};

test('with the longest notes it still fits into an item of the store', () => {
  // A control character takes six bytes as JSON: no text of this length takes more.
  const note = `a${'\u0001'.repeat(faultNoteCharactersMax - 2)}a`;
  let mark = marked(note);
  for (let n = 0; n < 100; n += 1) mark = changeFault(mark, { note }, changing) ?? mark;
  itemSchemas['fault-mark'].parse(mark);
  expect(Buffer.byteLength(JSON.stringify(JSON.stringify(mark)))).toBeLessThan(400 * 1024);
});

test('taken back it stands no more, and taking it back again changes nothing', () => {
  const mark = marked('Ask first.');
  const back = takeBackFault(mark, false, changing);
  if (back === undefined) throw new Error('It was not taken back.');
  expect(standingFault(back)).toBeUndefined();
  expect(takeBackFault(back, false, changing)).toBeUndefined();
  expect(changeFault(back, { note: 'No.' }, changing)).toBeUndefined();
  const erased = takeBackFault(back, true, changing);
  if (erased === undefined) throw new Error('It was not erased.');
  expect(JSON.stringify(erased)).not.toContain('Ask first.');
  expect(takeBackFault(erased, true, changing)).toBeUndefined();
  expect(standingFault(marked('After all.', erased))).toMatchObject({ what: 'marked' });
});

test('nothing decides from it: of the functions only the API and the store know of it', () => {
  const functions = join(import.meta.dirname, '..', '..', '..', 'functions');
  const knowing = readdirSync(functions, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !/^(api|adapters)[/\\]/.test(path))
    .filter((path) =>
      /from '[^']*fault-marks?\.ts'/.test(readFileSync(join(functions, path), 'utf8')),
    )
    .map((path) => path.replaceAll('\\', '/'));
  // The list of stored kinds, the port that hands it over, and the API's own wiring.
  expect(knowing.toSorted()).toEqual([
    'core/records/change.ts',
    'ports/fault-marks.ts',
    'wiring/api.ts',
  ]);
});
