// When to come back, as those who refuse for now say it.
import { expect, test } from 'vitest';
import { retryAtMs } from '../../../functions/core/base/retry-after.ts';

const nowMs = Date.parse('2026-12-01T09:00:00Z');

test.each([
  [{ after: '20' }, nowMs + 20_000],
  [{ after: ' 1.5 ' }, nowMs + 1_500],
  [{ after: '0' }, nowMs],
  [{ ms: '250', after: '20' }, nowMs + 250],
  [{ ms: 'soon', after: '20' }, nowMs + 20_000],
  [{ after: 'Tue, 01 Dec 2026 09:00:30 GMT' }, nowMs + 30_000],
  [{ after: 'Mon, 30 Nov 2026 09:00:30 GMT' }, nowMs - 86_400_000 + 30_000],
  [{ after: '2026-12-01' }, undefined],
  [{ after: '-5' }, undefined],
  [{ after: 'Tue, 99 Dec 2026 09:00:30 GMT' }, undefined],
  [{ after: '' }, undefined],
  [{}, undefined],
] as const)('%j', (said, atMs) => {
  expect(retryAtMs(said, nowMs)).toBe(atMs);
});
