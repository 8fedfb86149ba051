// Two people before the same thing: they see the same, one decides, the other is told who. And what one finds when back.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser, openPage } from '../rig/browser.ts';
import { arrive, cleo } from '../rig/person.ts';
import { askingAgent, sceneScripts } from '../rig/scenes.ts';
import { openWorld, type World } from '../rig/world.ts';

let world: World;
let browser: Browser;
let asking: string;
beforeAll(async () => {
  [world, browser] = await Promise.all([openWorld({ scripts: sceneScripts }), openBrowser()]);
  asking = await askingAgent(world);
});
afterAll(async () => {
  await browser?.close();
  await world?.close();
});

interface Begun {
  readonly conversationId: string;
}
const isBegun = (value: unknown): value is Begun =>
  typeof value === 'object' && value !== null && 'conversationId' in value;

const say = async (text: string, agentId = world.agentId): Promise<string> => {
  const begun = await world.api('ana', 'POST', '/v1/conversations', {
    agentId,
    title: text,
  });
  if (!isBegun(begun)) throw new Error('No conversation was begun.');
  const { conversationId } = begun;
  await world.api('ana', 'POST', `/v1/conversations/${conversationId}/messages`, { text });
  return conversationId;
};

const at = async (person: 'ana' | 'ben', place: string) => {
  const watched = await openPage(browser);
  await watched.page.goto(await world.address(person));
  await watched.page.getByRole('heading', { name: 'Conversations' }).waitFor();
  await watched.page.goto(`${world.url}/#${place}`);
  return watched;
};

test('two browsers on one approval: one decides, the other shows it within a second', async () => {
  const id = await say('Refund pay_1001 by 100');
  const thread = await at('ana', `/c/${id}`);
  const inbox = await at('ana', '/inbox');
  await thread.page.getByRole('button', { name: 'Approve' }).waitFor();
  await inbox.page.getByRole('button', { name: 'Approve' }).waitFor();
  await thread.page.getByRole('button', { name: 'Approve' }).click();
  await inbox.page.getByText('Nothing needs you.').waitFor({ timeout: 3_000 });
  await thread.page.getByText(/Approval: approved by Ana/).waitFor();
  expect(await thread.page.getByRole('button', { name: 'Approve' }).count()).toBe(0);
  await inbox.context.close();
  await thread.context.close();
});

/** What this browser asks about is answered only once it is let go: it then acts on what it saw last. */
const stale = async (page: Page, path: RegExp): Promise<() => void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(
    ({ pathname }) => path.test(pathname),
    async (route) => {
      if (route.request().method() === 'GET') await promise;
      await route.continue().catch(() => undefined);
    },
  );
  return resolve;
};

test('one question answered by two at the same time: the second is told who answered what and when', async () => {
  const place = `/c/${await say('Send an offer', asking)}`;
  const first = await arrive(browser, world, { place });
  const second = await arrive(browser, world, { place, person: 'ben' });
  const form = ({ page }: { page: Page }) =>
    page.getByRole('region', { name: 'A question for you' });
  await form(first).getByRole('radio', { name: 'large' }).check();
  await form(second).getByRole('radio', { name: 'small' }).check();
  const letGo = await stale(second.page, /^\/v1\/requests\/req_/);
  await form(first).getByRole('button', { name: 'Answer' }).click();
  await first.page.getByText(/Question: answered by Ana/).waitFor();
  await form(second).getByRole('button', { name: 'Answer' }).click();
  letGo();
  const told = second.page.getByRole('alert').filter({ hasText: 'Ana was faster.' });
  await told.getByText(/answered by Ana .*20\d\d/).waitFor();
  await told.getByText(/offer: large/).waitFor();
  await second.page.getByText(/^I was told:.*large/).waitFor();
  expect(await second.page.getByText(/small/).count()).toBe(0);
  await first.context.close();
  await second.context.close();
});

test('two take up one recovery: one holds it, the other is told who and until when, and may decide nothing', async () => {
  await world.fault({ service: 'mail', mode: 'drop_reply_after_write' });
  const place = `/c/${await say('Mail marta@acme.example: hello')}`;
  const first = await arrive(browser, world, { place });
  await first.page.getByRole('button', { name: 'Approve' }).click();
  const second = await arrive(browser, world, { place, person: cleo });
  const claim = ({ page }: { page: Page }) => page.getByRole('button', { name: 'Claim it' });
  await claim(second).waitFor();
  const letGo = await stale(second.page, /^\/v1\/actions\/act_/);
  await claim(first).click();
  await first.page.getByText('You hold it until').waitFor();
  await claim(second).click();
  letGo();
  await second.page.getByRole('alert').filter({ hasText: /Ana/ }).waitFor();
  await second.page.getByText('Ana holds it until', { exact: true }).waitFor();
  const decisions = second.page.getByRole('region', { name: 'The outcome is not known' });
  const attach = decisions.getByRole('button', { name: 'It happened: attach a result' });
  await expect.poll(() => attach.isDisabled()).toBe(true);
  await first.page.getByRole('button', { name: 'Give it back' }).click();
  await claim(second).click();
  await second.page.getByText('You hold it until').waitFor();
  await first.page.getByText(/Cleo holds it until/).waitFor();
  await first.context.close();
  await second.context.close();
});

test('who may not approve sees the exact action and which role it needs', async () => {
  const id = await say('Refund pay_1002 by 100');
  const { page, context } = await at('ben', `/c/${id}`);
  await page.getByText(/You do not have the role approver/).waitFor();
  expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0);
  await context.close();
});

test('a run that ends while one is elsewhere is marked, and reading it clears the mark', async () => {
  const { page, context } = await at('ana', '/settings');
  await page.getByRole('heading', { name: 'Settings' }).waitFor();
  await say('Who is Acme?');
  await page.getByRole('navigation').getByRole('link', { name: 'Conversations' }).click();
  const row = page.getByRole('link', { name: /Who is Acme\?/ });
  await row.getByText('finished while you were away').waitFor();
  await row.click();
  await page.getByText(/^The CRM says/).waitFor();
  await row.getByText('finished while you were away').waitFor({ state: 'detached' });
  await context.close();
});

test('a link opened in another tab of a signed-in person needs no new token', async () => {
  const first = await at('ana', '/inbox');
  const second = await first.context.newPage();
  await second.goto(`${world.url}/#/settings`);
  await second.getByRole('heading', { name: 'Settings' }).waitFor();
  await first.context.close();
});

test('without a token nothing of the workspace is shown, and a pasted address signs in', async () => {
  const { page, context } = await openPage(browser);
  await page.goto(`${world.url}/#/inbox`);
  await page.getByLabel('Address or token').fill('nonsense');
  await page.getByRole('button', { name: 'Use this token' }).click();
  await page.getByText(/That is no token/).waitFor();
  await page.getByLabel('Address or token').fill(await world.address('ana'));
  await page.getByRole('button', { name: 'Use this token' }).click();
  await page.getByRole('heading', { name: 'Inbox' }).waitFor();
  await context.close();
});

test('a place with a query is one link: it survives a reload', async () => {
  const { page, context } = await at('ana', `/agents/${world.agentId}?revision=1`);
  await page.getByRole('heading', { name: 'Revision 1' }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'Revision 1' }).waitFor();
  expect(new URL(page.url()).hash).toBe(`#/agents/${world.agentId}?revision=1`);
  await context.close();
});
