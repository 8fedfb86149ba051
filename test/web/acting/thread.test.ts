// A person with a browser: from a message to an answer, an approval, steering, stopping. Driven by roles and names.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser, openPage } from '../rig/browser.ts';
import { until } from '../rig/until.ts';
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

const signedIn = async (person: 'ana' | 'ben' = 'ana') => {
  const watched = await openPage(browser);
  await watched.page.goto(await world.address(person));
  await watched.page.getByRole('heading', { name: 'Conversations' }).waitFor();
  return watched;
};

const begin = async (page: Page, text: string): Promise<void> => {
  await page.getByRole('link', { name: 'New conversation' }).first().click();
  await page.getByLabel('What is to be done?').fill(text);
  await page.getByRole('button', { name: 'Begin' }).click();
  await page.getByRole('log', { name: 'Thread' }).waitFor();
};

const effectsOf = async (operation: string) =>
  (await world.effects()).filter((effect) => effect.operation === operation);

test('a message is answered, and each tool call is shown with its state and reference', async () => {
  const { page, trouble, context } = await signedIn();
  expect(page.url()).not.toContain('token');
  await begin(page, 'Create an opportunity for Acme: 12 seats');
  const log = page.getByRole('log', { name: 'Thread' });
  await log.getByText(/^Done\. The CRM answered/).waitFor();
  const call = log.getByRole('article').filter({ hasText: 'crm_create_opportunity' });
  await call.getByText('confirmed').first().waitFor();
  await call.getByText('crm_create_opportunity').click();
  await call.getByText('demo-account').first().waitFor();
  await call.getByText(/Attempt 1: the destination replied/).waitFor();
  await call.getByText(/sha256:/).waitFor();
  expect(await call.getByRole('heading', { name: 'Result', exact: true }).count()).toBe(1);
  await log.getByText(/3 steps.*The agent’s assertion; the evidence is in the calls/).waitFor();
  expect(trouble).toEqual([]);
  await context.close();
});

test('an approval shows the exact action; approving it in the thread runs it once', async () => {
  const before = (await effectsOf('refund')).length;
  const { page, trouble, context } = await signedIn();
  await begin(page, 'Refund pay_1001 by 700');
  const request = page.getByRole('region', { name: 'This needs your approval' });
  await request.getByText(/sha256:/).waitFor();
  const call = page.getByRole('article').filter({ hasText: 'crm_refund' });
  await call.getByText('planned, waiting for a person').waitFor();
  await call.getByText('pay_1001', { exact: true }).waitFor();
  await expect.poll(() => page.title()).toMatch(/^\(\d+\) Conversations/);
  await request.getByRole('button', { name: 'Approve' }).click();
  await page.getByText(/^The refund is made/).waitFor();
  await page.getByText(/Approval: approved by Ana/).waitFor();
  expect(await request.count()).toBe(0);
  expect((await effectsOf('refund')).length - before).toBe(1);
  expect(trouble).toEqual([]);
  await context.close();
});

test('asking for changes sends nothing and tells the agent what the person said', async () => {
  const before = (await effectsOf('refund')).length;
  const { page, context } = await signedIn();
  await begin(page, 'Refund pay_1002 by 300');
  await page.getByRole('button', { name: 'Request changes…' }).click();
  await page.getByLabel(/What must change/).fill('Only 200, please');
  await page.getByRole('button', { name: 'Send the request' }).click();
  await page
    .getByText(/They say: Only 200, please/)
    .first()
    .waitFor();
  await page.getByText(/changes requested by Ana/).waitFor();
  expect((await effectsOf('refund')).length).toBe(before);
  await context.close();
});

test('a message during a wait is queued, can be taken back for editing, and is shown once', async () => {
  const { page, context } = await signedIn();
  await begin(page, 'Refund pay_1003 by 100');
  await page.getByRole('button', { name: 'Approve' }).waitFor();
  const field = page.getByRole('textbox', { name: 'Message' });
  await field.fill('Rather 90');
  await field.press('Control+Enter');
  const said = page.getByRole('listitem').filter({ hasText: 'queued: read at the next step' });
  await said.getByText('Rather 90').waitFor();
  await said.getByRole('button', { name: 'Edit' }).click();
  await expect.poll(() => field.inputValue()).toBe('Rather 90');
  await said.waitFor({ state: 'detached' });
  await field.fill('Rather 80');
  await page.getByRole('button', { name: 'Send to the run' }).click();
  await said.getByText('Rather 80').waitFor();
  await page.getByRole('button', { name: 'Refuse…' }).click();
  await page.getByLabel(/Reason/).fill('Too much');
  await page.getByRole('button', { name: 'Refuse', exact: true }).click();
  await page.getByText(/read at step \d/).waitFor();
  expect(await page.getByRole('log').getByText('Rather 80', { exact: true }).count()).toBe(1);
  await context.close();
});

test('stopping a waiting run says that nothing was sent and voids the approval', async () => {
  const { page, context } = await signedIn();
  await begin(page, 'Refund pay_1004 by 100');
  await page.getByRole('button', { name: 'Approve' }).waitFor();
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByText('Nothing had been sent.').waitFor();
  await expect.poll(() => page.getByRole('button', { name: 'Approve' }).count()).toBe(0);
  await context.close();
});

test('a lost reply shows undetermined, and evidence under a claim settles it without sending again', async () => {
  await world.fault({ service: 'mail', mode: 'drop_reply_after_write' });
  const { page, trouble, context } = await signedIn();
  await begin(page, 'Mail marta@acme.example: hello');
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByRole('button', { name: 'Claim it' }).click();
  const article = page.getByRole('article').filter({ hasText: 'mail_send' });
  await article.getByText('undetermined').first().waitFor();
  await page.getByRole('button', { name: 'It happened: attach a result' }).click();
  await page.getByLabel(/What did you see/).fill('The mail is in the outbox.');
  await page.getByLabel(/Where\?/).fill('Demo mail, account demo-account, test');
  await page.getByLabel(/How far did the search go/).fill('All mails of the account');
  await page.getByRole('button', { name: 'Record: it happened' }).click();
  await article.getByText('confirmed', { exact: true }).first().waitFor();
  await until('the mail was sent once', async () => (await effectsOf('send')).length === 1);
  expect(trouble).toEqual([]);
  await context.close();
});
