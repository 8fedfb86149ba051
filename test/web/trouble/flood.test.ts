// A thread under load: a thousand steps to begin with, then five hundred events a second for a minute. All is shown in the
// end, nothing is lost, and whoever writes meanwhile notices nothing.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser, openPage } from '../rig/browser.ts';
import { conversationId, type Flood, openFlood, textOf } from '../rig/flood.ts';
import { builtPage } from '../rig/world.ts';

const eventsPerSecond = 500;
const seconds = 60;
const delayMsMax = 200;
const token = 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJhbmEiLCJuYW1lIjoiQW5hIn0.x';

let flood: Flood;
let browser: Browser;
beforeAll(async () => {
  await builtPage();
  [flood, browser] = await Promise.all([openFlood(1_000), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  flood?.close();
});

/** The 95th of a hundred. */
const p95 = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? 0;

test('a thousand steps, then 500 events a second for a minute: all shown, input stays quick', async () => {
  const { page, trouble, context } = await openPage(browser);
  await page.addInitScript(() => {
    const delays: number[] = [];
    Reflect.set(globalThis, 'inputDelays', delays);
    const wanted: PerformanceObserverInit & { readonly durationThreshold: number } = {
      type: 'event',
      durationThreshold: 16,
      buffered: true,
    };
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        if (entry.name === 'keydown') delays.push(entry.duration);
    }).observe(wanted);
  });
  await page.goto(`${flood.url}/#token=${token}`);
  await page.goto(`${flood.url}/#/c/${conversationId}`);
  const steps = page.locator('.item.step:not(.live)');
  await expect.poll(() => steps.count(), { timeout: 60_000 }).toBe(flood.stepsBefore);
  const field = page.getByRole('textbox', { name: 'Message' });
  await field.focus();
  let pouring = true;
  const poured = flood.pour(eventsPerSecond * seconds, eventsPerSecond);
  const last = poured.finally(() => {
    pouring = false;
  });
  let typed = 0;
  while (pouring) {
    await page.keyboard.type('a');
    typed += 1;
    await page.waitForTimeout(100);
  }
  const stored = await last;
  await expect.poll(() => steps.count(), { timeout: 60_000 }).toBe(stored);
  expect(await field.inputValue()).toBe('a'.repeat(typed));
  for (const step of [
    flood.stepsBefore + 1,
    Math.floor((flood.stepsBefore + stored) / 2),
    stored,
  ]) {
    const text = await steps
      .nth(step - 1)
      .locator('.prose')
      .textContent();
    expect(text?.trim()).toBe(textOf(step).trim());
  }
  const references = page.locator('.call .reference');
  await expect.poll(() => references.count(), { timeout: 60_000 }).toBe(stored);
  const slow = await page.evaluate((): number[] => Reflect.get(globalThis, 'inputDelays'));
  const delays = [...slow, ...new Array<number>(Math.max(0, typed - slow.length)).fill(16)];
  expect(typed).toBeGreaterThan(100);
  expect(p95(delays)).toBeLessThan(delayMsMax);
  expect(trouble).toEqual([]);
  await context.close();
}, 150_000);
