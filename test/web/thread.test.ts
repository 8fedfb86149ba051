// A person with a browser: from a message to an answer, an approval, a reload, a second person. Driven by roles and names.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser, openPage } from './browser.ts';
import { openWorld, type World } from './world.ts';

let world: World;
let browser: Browser;
beforeAll(async () => {
  [world, browser] = await Promise.all([openWorld(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await world?.close();
});

const signedIn = async (person: 'ana' | 'ben' = 'ana') => {
  const watched = await openPage(browser);
  await watched.page.goto(await world.address(person));
  await watched.page.getByRole('heading', { name: 'Conversations' }).waitFor();
  return watched;
};

test('a message is answered, and its tool calls are shown as confirmed', async () => {
  const { page, trouble, context } = await signedIn();
  expect(page.url()).not.toContain('token');
  await page.getByRole('link', { name: 'New conversation' }).first().click();
  await page.getByLabel('What is to be done?').fill('Create an opportunity for Acme: 12 seats');
  await page.getByRole('button', { name: 'Begin' }).click();
  const log = page.getByRole('log', { name: 'Thread' });
  await log.getByText(/^Done\. The CRM answered/).waitFor();
  await log.getByText('crm_create_opportunity').waitFor();
  expect(await log.getByText('confirmed').count()).toBe(1);
  await page.screenshot({ path: '/tmp/shot-thread.png' });
  expect(trouble).toEqual([]);
  await context.close();
});
