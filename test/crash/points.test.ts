// Every crash point that the product names is tried by a test of its group.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { crashPoints } from '../../functions/core/base/crash-points.ts';
import { cases, groupOf } from './cases.ts';
import { fireCases } from './fire-cases.ts';

test('every named crash point has a case, and its group has a test file', () => {
  const all = { ...cases, ...fireCases };
  expect(Object.keys(all).toSorted()).toEqual([...crashPoints].toSorted());
  for (const point of crashPoints) {
    expect(all[point].length, point).toBeGreaterThan(0);
    const file = join(import.meta.dirname, `${groupOf(point)}.test.ts`);
    expect(existsSync(file), file).toBe(true);
  }
});
