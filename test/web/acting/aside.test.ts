// What was set aside is no dead end on the page: it is claimed, decided and proved without an open request; a form outlives its
// claim; and who may not is offered nothing. Laws: L3, L10.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../rig/browser.ts';
import { arrive, cleo, say } from '../rig/person.ts';
import { openWorld, type World } from '../rig/world.ts';

let world: World;
let browser: Browser;
beforeAll(async () => {
  [world, browser] = await Promise.all([openWorld({}), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await world?.close();
});

const dan = {
  subject: 'dan',
  name: 'Dan',
  email: 'dan@example.test',
  roles: ['viewer'],
} as const;
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** A mail whose outcome is not known, approved and on its own page. */
const lostMail = async (): Promise<{ page: Page; place: string; close: () => Promise<void> }> => {
  await world.fault({ service: 'mail', mode: 'drop_reply_after_write' });
  const { conversationId } = await say(world, 'Mail marta@acme.example: hello');
  const { page, context } = await arrive(browser, world, { place: `/c/${conversationId}` });
  await button(page, 'Approve').click();
  await button(page, 'Claim it').waitFor();
  await page.goto(`${world.url}/#/desk`);
  const row = page.getByRole('row').filter({ hasText: 'mail_send' });
  await row.getByRole('link').last().click();
  await page.getByRole('region', { name: 'Recovery sheet' }).waitFor();
  return { page, place: new URL(page.url()).hash.slice(1), close: () => context.close() };
};

test('a suspended action is claimed, decided and proved on its page, and its banner says what was decided', async () => {
  const { page, place, close } = await lostMail();
  const before = await arrive(browser, world, { person: dan, place });
  await before.page.getByText(/^You do not have the role recoverer/).waitFor();
  for (const name of ['Claim it', 'Add what you found, without deciding'])
    expect(await button(before.page, name).count()).toBe(0);
  expect(await before.page.getByRole('button', { name: /approval back|attempt…/ }).count()).toBe(0);
  await before.context.close();

  await button(page, 'Claim it').click();
  await button(page, 'Wait until…').click();
  await page.getByLabel('Reason').fill('They call back.');
  await button(page, 'Wait until then').click();
  await page.getByText(/^Waits until/).waitFor();
  await page.getByText(', decided by Ana').first().waitFor();
  const sheet = page.getByRole('region', { name: 'Recovery sheet' });
  await sheet.getByText(/^until .* UTC, decided by Ana/).waitFor();
  await button(page, 'Suspend: the run goes on').click();
  await page.getByLabel('Reason').fill('They are on holiday.');
  await button(page, 'Suspend it').click();
  await page.getByText(/decided \(suspend\) by Ana/).waitFor();
  expect(await page.getByText(/^Waits until/).count()).toBe(0);

  await page.goto(`${world.url}/#/desk`);
  const row = page.getByRole('row').filter({ hasText: 'mail_send' });
  await row.getByText('suspended').waitFor();
  expect(await row.getByText('the system looks').count()).toBe(0);
  await page.goto(`${world.url}/#${place}`);

  const other = await arrive(browser, world, { person: cleo, place });
  await button(other.page, 'Claim it').click();
  await page.getByText(/Cleo holds it until/).waitFor();
  await button(other.page, 'Abandon, with a reason').click();
  const reason = other.page.getByLabel('Reason');
  await reason.fill('Marta left the company.');
  await button(other.page, 'Give it back').click();
  await other.page.getByText(/^Nobody holds it any more/).waitFor();
  await expect.poll(() => button(other.page, 'Abandon it').isDisabled()).toBe(true);

  await button(page, 'Claim it').click();
  await other.page
    .getByRole('alert')
    .getByText(/Ana holds it until/)
    .waitFor();
  await button(page, 'Give it back').click();
  await button(other.page, 'Claim it').click();
  await expect.poll(() => button(other.page, 'Abandon it').isEnabled()).toBe(true);
  expect(await reason.inputValue()).toBe('Marta left the company.');
  await button(other.page, 'Abandon it').click();
  await other.page.getByText('Nobody pursues it.').waitFor();

  await button(other.page, 'Claim it').click();
  await button(other.page, 'It happened: attach a result').click();
  await other.page.getByLabel(/What did you see/).fill('The mail is in the outbox.');
  await other.page.getByLabel(/Where\?/).fill('Demo mail, account demo-account, test');
  await other.page.getByLabel(/How far did the search go/).fill('All mails of the account');
  await button(other.page, 'Record: it happened').click();
  await other.page.getByText('confirmed, abandoned').first().waitFor();
  expect(other.trouble).toEqual([]);
  await other.context.close();
  await close();
});
