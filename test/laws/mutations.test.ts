// Each law has one mutation that still fits the product, so that `npm run test:laws` can make it.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { laws, mutations, timesIn } from './mutations.ts';

const root = join(import.meta.dirname, '../..');

test('every law has exactly one', () => {
  expect(mutations.map(({ law }) => law)).toEqual(laws);
});

test.each(mutations)('$law: its place is found exactly once, and is changed', (mutation) => {
  const text = readFileSync(join(root, mutation.file), 'utf8');
  expect(timesIn(text, mutation.find)).toBe(1);
  expect(mutation.replace).not.toBe(mutation.find);
});

test.each(mutations)('$law: its tests exist', ({ tests }) => {
  expect(tests).not.toEqual([]);
  for (const { file, name } of tests) {
    expect(existsSync(join(root, file)), file).toBe(true);
    expect(readFileSync(join(root, file), 'utf8')).toContain(name ?? 'test');
  }
});
