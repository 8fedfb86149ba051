// Parts that are loaded when they are first shown: one that does not come takes nothing else with it.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../rig/browser.ts';
import { arrive } from '../rig/person.ts';
import { openWorld, type World } from '../rig/world.ts';

let world: World;
let browser: Browser;
beforeAll(async () => {
  [world, browser] = await Promise.all([openWorld(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await world?.close();
});

test('a screen that cannot be loaded says so and offers to load the page again; the others are there', async () => {
  const { page, context } = await arrive(browser, world);
  await page.route(/\/assets\/tools-screen-/, (route) => route.abort());
  const nav = page.getByRole('navigation', { name: 'Main' });
  await nav.getByRole('link', { name: 'Tools' }).click();
  const note = page.getByRole('alert').filter({ hasText: 'could not be loaded' });
  await note.waitFor();
  await nav.getByRole('link', { name: 'Agents' }).click();
  await page.getByRole('heading', { name: 'Sales assistant' }).waitFor();
  await nav.getByRole('link', { name: 'Tools' }).click();
  await page.unroute(/\/assets\/tools-screen-/);
  await note.getByRole('button', { name: 'Load the page again' }).click();
  await page.getByRole('link', { name: 'crm_refund' }).waitFor();
  expect(await note.count()).toBe(0);
  await context.close();
});
