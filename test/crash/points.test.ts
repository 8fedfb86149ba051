// Every crash point that the product names is tried by a test of its group.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { crashPoints } from '../../functions/core/crash-points.ts';
import { cases, groupOf } from './cases.ts';

test('every named crash point has a case, and its group has a test file', () => {
  expect(Object.keys(cases).toSorted()).toEqual([...crashPoints].toSorted());
  for (const point of crashPoints) {
    expect(cases[point].length, point).toBeGreaterThan(0);
    const file = join(import.meta.dirname, `${groupOf(point)}.test.ts`);
    expect(existsSync(file), file).toBe(true);
  }
});
