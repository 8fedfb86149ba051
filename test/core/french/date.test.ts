// The first of a month in French.
import { expect, test } from 'vitest';
import { scheduleWords } from '../../../functions/api/registry/schedule-words.ts';
import { frenchDate } from '../../../functions/core/french/date.ts';

test('the first of a month is counted apart, and no other number is touched', () => {
  expect(frenchDate('1 décembre 2026 à 09:00')).toBe('1er décembre 2026 à 09:00');
  expect(frenchDate('mardi 1 août 2026')).toBe('mardi 1er août 2026');
  for (const other of ['11 décembre 2026', '21 mai 2026 à 01:01', 'il y a 1 h'])
    expect(frenchDate(other)).toBe(other);
});

test('a schedule says it so', () => {
  expect(scheduleWords('at(2026-12-01T09:00:00)').fr).toContain('mardi 1er décembre 2026');
  expect(scheduleWords('at(2026-12-01T09:00:00)').en).toContain('1 December 2026');
});
