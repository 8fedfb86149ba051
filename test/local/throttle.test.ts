// The twin's limit on how fast one caller may ask.
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { simulatedClock } from '../../local/base/clock.ts';
import { throttleWith } from '../../local/gateway/throttle.ts';
import { startTwin, type Twin } from '../../local/twin.ts';

let twin: Twin;
let folder: string;
const clock = simulatedClock(Date.parse('2026-12-01T09:00:00Z'));
beforeEach(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'reprise-throttle-'));
  twin = await startTwin({
    dataDir: folder,
    port: 0,
    clock,
    schedules: false,
    synchronous: 'NORMAL',
    processEnvironment: {},
    throttle: { perSecond: 2, burst: 3 },
  });
});
afterEach(async () => {
  await twin.close();
  rmSync(folder, { recursive: true, force: true });
});

const ask = (token: string) =>
  fetch(`${twin.url}/v1/agents`, { headers: { authorization: `Bearer ${token}` } });
const statuses = async (token: string, count: number) => {
  const seen: number[] = [];
  for (let n = 0; n < count; n += 1) seen.push((await ask(token)).status);
  return seen;
};

test('a caller who asks too fast is told to wait, takes nothing from another, and is let in again', async () => {
  const ana = await twin.token('ana');
  expect(await statuses(ana, 5)).toEqual([200, 200, 200, 429, 429]);
  const refused = await ask(ana);
  expect(refused.headers.get('retry-after')).toBe('1');
  expect(refused.headers.get('content-type')).toBe('application/problem+json');
  expect(await statuses(await twin.token('ben'), 1)).toEqual([200]);
  await clock.advance(1_000);
  expect(await statuses(ana, 3)).toEqual([200, 200, 429]);
});

test('ten thousand callers that have gone quiet are forgotten', () => {
  let nowMs = 0;
  const throttle = throttleWith({ perSecond: 1, burst: 1 }, { now: () => nowMs });
  for (let caller = 0; caller < 10_001; caller += 1) throttle.admits(`token ${caller}`);
  expect(throttle.admits('token 0')).toBe(false);
  nowMs = 60_000;
  expect(throttle.admits('another')).toBe(true);
  expect(throttle.admits('token 0')).toBe(true);
});

test('a clock that is put back locks nobody out', () => {
  let nowMs = 3_600_000;
  const throttle = throttleWith({ perSecond: 1, burst: 2 }, { now: () => nowMs });
  expect(throttle.admits('ana')).toBe(true);
  nowMs = 0;
  expect(throttle.admits('ana')).toBe(true);
  expect(throttle.admits('ana')).toBe(false);
  nowMs = 1_000;
  expect(throttle.admits('ana')).toBe(true);
  nowMs = 0;
  expect(throttle.admits('ana')).toBe(false);
  nowMs = 1_000;
  expect(throttle.admits('ana')).toBe(true);
});
