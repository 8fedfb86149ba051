// Signing in as a person does it, in a real browser: choose who one is, land where one wanted to go, stay signed in while the
// tokens pass, switch, sign out. Tokens live for seconds here, so that renewals happen while one looks.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser, openPage } from '../rig/browser.ts';
import { until } from '../rig/until.ts';
import { openWorld, type World } from '../rig/world.ts';

let world: World;
let browser: Browser;
beforeAll(async () => {
  [world, browser] = await Promise.all([openWorld({ signInTokenMs: 4_000 }), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await world?.close();
});

const choose = async (page: Page, name: RegExp): Promise<void> => {
  await page.getByRole('heading', { name: 'Who are you?' }).waitFor();
  await page.getByRole('link', { name }).click();
};

const signInAt = async (page: Page, place: string, name: RegExp): Promise<void> => {
  await page.goto(`${world.url}/#${place}`);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await choose(page, name);
};

/** Every address that the page asks for, and how often it asked for a token. */
const watch = (page: Page) => {
  const addresses: string[] = [];
  page.on('request', (request) => addresses.push(request.url()));
  return {
    addresses,
    renewals: () => addresses.filter((address) => address.endsWith('/auth/token')).length,
  };
};

const isBegun = (value: unknown): value is { readonly conversationId: string } =>
  typeof value === 'object' && value !== null && 'conversationId' in value;

const converse = async (title: string): Promise<string> => {
  const made = await world.api('ana', 'POST', '/v1/conversations', {
    agentId: world.agentId,
    title,
  });
  if (!isBegun(made)) throw new Error('No conversation was begun.');
  return made.conversationId;
};

test('a person lands where they wanted to go, and is signed in after a reload and in another tab, until they sign out', async () => {
  const { page, context, trouble } = await openPage(browser);
  const { addresses } = watch(page);
  await signInAt(page, `/agents/${world.agentId}?revision=1`, /^Ben/);
  await page.getByRole('heading', { name: 'Revision 1' }).waitFor();
  expect(new URL(page.url()).hash).toBe(`#/agents/${world.agentId}?revision=1`);
  await page.reload();
  await page.getByRole('heading', { name: 'Revision 1' }).waitFor();
  const second = await context.newPage();
  await second.goto(`${world.url}/#/settings`);
  await second.getByText('Ben, workspace local').waitFor();
  await second.getByText('Roles: member').waitFor();
  const stored = await second.evaluate(() =>
    JSON.stringify([{ ...sessionStorage }, document.cookie]),
  );
  expect(stored).not.toContain('eyJ');
  expect(addresses.join(' ')).not.toContain('eyJ');
  await second.getByRole('button', { name: 'Sign out' }).click();
  await second.getByRole('heading', { name: 'With a token' }).waitFor();
  await page.getByText('Your session has ended.').waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  expect(trouble).toEqual([]);
  await context.close();
});

test('a conversation stays live while tokens pass', async () => {
  const id = await converse('Long watch');
  const { page, context, trouble } = await openPage(browser);
  const { renewals } = watch(page);
  await signInAt(page, `/c/${id}`, /^Cleo/);
  await page.getByRole('heading', { name: 'Long watch' }).waitFor();
  // Asked at the start, after signing in, and twice since: the first token's end is past, and the stream's with it.
  await until('the token was renewed twice', async () => renewals() >= 4);
  await world.api('ana', 'POST', `/v1/conversations/${id}/messages`, { text: 'Who is Acme?' });
  await page.getByText(/^The CRM says/).waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
  expect(trouble).toEqual([]);
  await context.close();
});

test('a request that is refused once is repeated with a renewed token, and nobody notices', async () => {
  const { page, context } = await openPage(browser);
  const { addresses } = watch(page);
  let refused = 0;
  await page.route('**/v1/desk*', async (route) => {
    refused += 1;
    if (refused === 1) await route.fulfill({ status: 401, body: '{}' });
    else await route.continue();
  });
  await signInAt(page, '/desk', /^Cleo/);
  await page.getByRole('heading', { name: 'Recovery desk' }).waitFor();
  await until('the request was repeated', async () => refused >= 2);
  const asked = addresses.filter((address) => /\/(auth\/token|v1\/desk.*)$/.test(address));
  const first = asked.findIndex((address) => address.includes('/v1/desk'));
  expect(asked[first + 1]).toMatch(/\/auth\/token$/);
  expect(await page.getByRole('button', { name: 'Sign in' }).count()).toBe(0);
  await context.close();
});

test('a session that has ended says so, and one returns to the same place', async () => {
  const { page, context } = await openPage(browser);
  await signInAt(page, '/desk', /^Ana/);
  await page.getByRole('heading', { name: 'Recovery desk' }).waitFor();
  // What an administrator, or the issuer's own limit, does.
  await context.addCookies([
    {
      name: 'reprise-session',
      value: 'no-more',
      domain: '127.0.0.1',
      path: '/auth',
      httpOnly: true,
    },
  ]);
  await page.getByText('Your session has ended.').waitFor();
  await page.getByRole('button', { name: 'Sign in' }).click();
  await choose(page, /^Ana/);
  await page.getByRole('heading', { name: 'Recovery desk' }).waitFor();
  await context.close();
});

test('another person can take over; no other tab keeps showing the one before', async () => {
  const { page, context } = await openPage(browser);
  await page.goto(await world.address('ana'));
  await page.getByRole('heading', { name: 'Conversations' }).waitFor();
  await page.goto(`${world.url}/#/settings`);
  await page.getByRole('button', { name: 'Sign in as somebody else' }).click();
  await choose(page, /^Ben/);
  await page.getByText('Ben, workspace local').waitFor();
  const second = await context.newPage();
  await second.goto(`${world.url}/#/settings`);
  await second.getByText('Ben, workspace local').waitFor();
  await page.getByRole('button', { name: 'Sign in as somebody else' }).click();
  await choose(page, /^Dan/);
  await page.getByText('Dan, workspace local').waitFor();
  await second.getByText('Dan, workspace local').waitFor();
  await context.close();
});

test('a sign-in that fails says why and keeps the place', async () => {
  const { page, context } = await openPage(browser);
  await page.goto(`${world.url}/auth/callback?code=x&state=y`);
  await page.getByText(/took too long, or was already used/).waitFor();
  await page.goto(`${world.url}/#/sign-in/no-workspace?return=%2Fdesk`);
  await page.reload();
  await page.getByText(/belongs to no workspace/).waitFor();
  expect(new URL(page.url()).hash).toBe('#/desk');
  await context.close();
});

test('signing out while another tab renews ends it in both', async () => {
  const { page, context } = await openPage(browser);
  await signInAt(page, '/settings', /^Ana/);
  await page.getByText('Ana, workspace local').waitFor();
  const second = await context.newPage();
  await second.goto(`${world.url}/#/settings`);
  await second.getByText('Ana, workspace local').waitFor();
  // The answer to a renewal, which may set the cookie anew, is on its way when the other tab signs out.
  const renewing = Promise.withResolvers<Page>();
  const arrive = Promise.withResolvers<void>();
  await context.route('**/auth/token', async (route) => {
    const response = await route.fetch();
    renewing.resolve(route.request().frame().page());
    await arrive.promise;
    await route.fulfill({ response });
  });
  const one = await renewing.promise;
  const other = one === page ? second : page;
  await other.getByRole('button', { name: 'Sign out' }).click();
  arrive.resolve();
  await other.getByRole('heading', { name: 'With a token' }).waitFor();
  await one.getByText('Your session has ended.').waitFor();
  await other.reload();
  await other.getByRole('button', { name: 'Sign in' }).waitFor();
  await context.close();
});
