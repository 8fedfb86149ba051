// A person reads a run and marks the call where the agent went wrong; another sees it, whoever edits the agent finds it, and it
// can be reworded and taken back. Driven by roles and names.
import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser, openPage } from '../rig/browser.ts';
import { until } from '../rig/until.ts';
import { openWorld, type World } from '../rig/world.ts';

let world: World;
let browser: Browser;
let conversationId: string;
let runId: string;

const part = (value: unknown, name: string): unknown => Reflect.get(Object(value), name);
const textOf = (value: unknown, name: string): string => String(part(value, name));

beforeAll(async () => {
  [world, browser] = await Promise.all([openWorld(), openBrowser()]);
  const text = 'Create an opportunity for Acme: 12 seats';
  const body = { agentId: world.agentId, title: text };
  conversationId = textOf(
    await world.api('ana', 'POST', '/v1/conversations', body),
    'conversationId',
  );
  const messages = `/v1/conversations/${conversationId}/messages`;
  runId = textOf(await world.api('ana', 'POST', messages, { text }), 'runId');
  await until('the run was over', async () => {
    const run = await world.api('ana', 'GET', `/v1/runs/${runId}`);
    return textOf(part(run, 'state'), 'status') === 'finished';
  });
});
afterAll(async () => {
  await browser?.close();
  await world?.close();
});

const openAs = async (person: 'ana' | 'ben', place: string) => {
  const watched = await openPage(browser);
  await watched.page.goto(await world.address(person));
  await watched.page.getByRole('heading', { name: 'Conversations' }).waitFor();
  await watched.page.goto(`${world.url}/#${place}`);
  return watched;
};

const callIn = (page: Page) =>
  page
    .getByRole('log', { name: 'Thread' })
    .getByRole('article')
    .filter({ hasText: 'crm_create_opportunity' });

const markIn = (page: Page, note: string) => page.getByRole('listitem').filter({ hasText: note });

test('a marked call shows who marked it and why, to others too; each changes their own', async () => {
  const ben = await openAs('ben', `/c/${conversationId}`);
  const ana = await openAs('ana', `/c/${conversationId}`);
  const call = callIn(ben.page);
  await call.getByText('crm_create_opportunity').first().click();
  await call.getByRole('button', { name: 'Mark as faulty…' }).click();
  const form = call.getByRole('form', { name: 'Mark crm_create_opportunity as faulty' });
  expect(await form.getByRole('button', { name: 'Mark as faulty' }).isDisabled()).toBe(true);
  await form.getByLabel('What should the agent have done?').fill('Ask for <b>whom</b> first.');
  await form.getByLabel('What was wrong?').selectOption({ label: 'Wrong arguments' });
  await form.getByRole('button', { name: 'Mark as faulty' }).click();
  await call.getByText('Marked as faulty').waitFor();
  await call.getByText('Ask for <b>whom</b> first.').waitFor();
  await call.getByText('Wrong arguments').waitFor();
  await call.locator(':focus').getByText('Marked as faulty').waitFor();
  expect(await call.getByRole('button', { name: 'Mark as faulty…' }).count()).toBe(0);

  const seen = callIn(ana.page);
  await seen.getByText('Ask for <b>whom</b> first.').waitFor();
  await seen.getByText('by Ben').waitFor();
  await seen.getByText('crm_create_opportunity').first().click();
  await seen.getByRole('button', { name: 'Mark as faulty…' }).click();
  await seen.getByLabel('What should the agent have done?').fill('Nothing at all.');
  await seen.getByRole('button', { name: 'Mark as faulty', exact: true }).click();
  await markIn(ana.page, 'Nothing at all.').last().waitFor();

  await call.getByRole('button', { name: 'Reword' }).click();
  await call.getByLabel('What should the agent have done?').fill('Ask for whom.');
  await call.getByRole('button', { name: 'Save' }).click();
  await call.getByText('Ask for whom.').waitFor();
  await call.getByText('reworded').waitFor();
  await markIn(ben.page, 'Nothing at all.').last().waitFor();
  expect(await call.getByRole('button', { name: 'Reword' }).count()).toBe(1);
  expect([...ben.trouble, ...ana.trouble]).toEqual([]);
  await ben.context.close();
  await ana.context.close();
});

test('the run view lists the marks first, marks from its list, and carries them in its files', async () => {
  const { page, trouble, context } = await openAs('ana', `/run/${runId}`);
  const section = page.getByRole('region', { name: 'Calls marked as faulty' });
  await section.getByText('Ask for whom.').waitFor();
  await page.getByRole('button', { name: 'List', exact: true }).click();
  const row = page.getByRole('row').filter({ hasText: 'crm_find_customer' });
  await row.getByRole('button', { name: 'Mark as faulty…' }).click();
  await row.getByLabel('What should the agent have done?').fill('Search by number.');
  await row.getByRole('button', { name: 'Mark as faulty', exact: true }).click();
  await row.getByRole('link', { name: '1 fault mark' }).waitFor();
  await section.getByText('Search by number.').waitFor();
  for (const [button, expected] of [
    ['Download JSON', '"faultMarks"'],
    ['Download Markdown', '**Marked as faulty** by Ana'],
  ] as const) {
    const coming = page.waitForEvent('download');
    await page.getByRole('button', { name: button }).click();
    const file = readFileSync(await (await coming).path(), 'utf8');
    expect(file).toContain(expected);
    expect(file).toContain('Search by number.');
    expect(file).not.toContain('mayChange');
  }
  expect(trouble).toEqual([]);
  await context.close();
});

test('whoever edits the agent sees them with their revision, and comes to the call from there', async () => {
  const { page, trouble, context } = await openAs('ana', `/agents/${world.agentId}`);
  const section = page.getByRole('region', { name: 'Calls marked as faulty' });
  const notes = section.getByRole('listitem');
  await section.getByText('Search by number.').waitFor();
  expect(await notes.count()).toBe(3);
  await notes.first().getByText('Search by number.').waitFor();
  await notes.first().getByRole('link', { name: 'Revision 1' }).waitFor();
  await page.getByRole('button', { name: 'Make a new revision' }).click();
  await section.getByText('Ask for whom.').waitFor();
  await section
    .getByRole('listitem')
    .filter({ hasText: 'Ask for whom.' })
    .getByRole('link', { name: /^Step \d+, call 1: crm_create_opportunity/ })
    .click();
  await callIn(page).getByText('Ask for whom.').waitFor();
  await page.locator('[aria-current="location"]').getByText('Ask for whom.').waitFor();

  await callIn(page).getByRole('listitem').filter({ hasText: 'Nothing at all.' }).waitFor();
  const own = callIn(page).getByRole('listitem').filter({ hasText: 'Nothing at all.' });
  await own.getByRole('button', { name: 'Take back…' }).click();
  await own.getByRole('button', { name: 'Take back and erase the note' }).click();
  await own.waitFor({ state: 'detached' });
  expect(trouble).toEqual([]);
  await context.close();
});
