// Narrow in both senses: a screen of 320 px, and a list that its filters leave nothing of.
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

test('on a narrow screen the place where one is stays in view, and a stacked table’s columns stay columns for ears', async () => {
  const { page, context } = await arrive(browser, world, { width: 320, place: '/settings' });
  const current = page.locator('.main-nav [aria-current="page"]');
  for (const place of ['settings', 'audit', '']) {
    await page.goto(`${world.url}/#/${place}`);
    await current.and(page.locator(`[href$="#/${place}"]`)).waitFor();
    const box = await current.boundingBox();
    expect(box?.x, place).toBeGreaterThanOrEqual(0);
    expect((box?.x ?? 0) + (box?.width ?? 0), place).toBeLessThanOrEqual(320);
  }
  await page.goto(`${world.url}/#/tools`);
  const row = page.getByRole('row', { name: /crm_refund/ });
  await row.getByRole('cell', { name: 'irreversible', exact: true }).waitFor();
  await page.getByRole('columnheader', { name: 'Effect' }).waitFor({ state: 'attached' });
  const table = page.locator('.stacks').first();
  expect(await table.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
  await context.close();
});

test('a list that was narrowed to nothing leads back to the whole; a part of the desk that is empty says which', async () => {
  const { page, context } = await arrive(browser, world, {
    place: '/desk?part=aside&tool=mail_send',
  });
  await page.getByText('Nothing fits.').waitFor();
  await page.getByRole('link', { name: 'Show all' }).click();
  await page.getByText('Nothing is set aside.').waitFor();
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await page.getByText('Nothing has to be recovered.').waitFor();
  await page.goto(`${world.url}/#/inbox?tool=mail_send`);
  await page.getByRole('link', { name: 'Show all' }).click();
  await page.getByText('Nothing needs you.').waitFor();
  await context.close();
});
