// Questions, skills and routines with a browser: a form by its schema, a grant, a schedule in plain words.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser, openPage } from '../rig/browser.ts';
import { askingAgent, sceneScripts } from '../rig/scenes.ts';
import { openWorld, type World } from '../rig/world.ts';

let world: World;
let browser: Browser;
let agentId: string;
beforeAll(async () => {
  [world, browser] = await Promise.all([openWorld({ scripts: sceneScripts }), openBrowser()]);
  agentId = await askingAgent(world);
});
afterAll(async () => {
  await browser?.close();
  await world?.close();
});

const begin = async (text: string) => {
  const watched = await openPage(browser);
  const { page } = watched;
  await page.goto(await world.address('ana'));
  await page.getByRole('navigation').waitFor();
  await page.goto(`${world.url}/#/new?agent=${agentId}`);
  await page.getByLabel('What is to be done?').fill(text);
  const form = page.getByRole('region', { name: 'New conversation' });
  await form.getByRole('combobox', { name: 'Agent' }).selectOption({ label: 'Asking assistant' });
  await page.getByRole('button', { name: 'Begin' }).click();
  return watched;
};

test('a first message that is too long is said to be, and what was refused can be corrected and begun', async () => {
  const { page, trouble, context } = await openPage(browser);
  await page.goto(await world.address('ana'));
  await page.getByRole('navigation').waitFor();
  await page.goto(`${world.url}/#/new?agent=${agentId}`);
  const text = page.getByLabel('What is to be done?');
  const button = page.getByRole('button', { name: 'Begin' });
  await text.fill('x'.repeat(100_001));
  await page.getByText('At most 100,000 characters.').waitFor();
  expect(await button.isDisabled()).toBe(true);
  // The conversation is made, its first message is refused.
  const refusal = { type: 'about:blank', title: 'Not this text.', status: 422 };
  await page.route(
    '**/messages',
    (route) =>
      route.fulfill({ json: refusal, status: 422, contentType: 'application/problem+json' }),
    { times: 1 },
  );
  await text.fill('Send an offer, long');
  await button.click();
  await page.getByText('Not this text.').waitFor();
  await text.fill('Send an offer');
  await button.click();
  await page.getByText('Which offer shall I send?').waitFor();
  expect(trouble).toEqual([]);
  await context.close();
});

test('a question is answered in its own form, with its defaults, once', async () => {
  const { page, trouble, context } = await begin('Send an offer');
  const question = page.getByRole('region', { name: 'A question for you' });
  await question.getByText('Which offer shall I send?').waitFor();
  expect(await question.getByLabel(/Seats/).inputValue()).toBe('12');
  await question.getByRole('radio', { name: 'large' }).check();
  await question.getByRole('checkbox', { name: 'support' }).check();
  await question.getByRole('button', { name: 'Answer' }).click();
  await page.getByText(/^I was told:/).waitFor();
  const told = await page.getByText(/^I was told:/).textContent();
  expect(told).toContain('large');
  expect(told).toContain('support');
  await page.getByText(/Question: answered by Ana/).waitFor();
  expect(await question.count()).toBe(0);
  await page.getByRole('article').getByText('ask_user').click();
  await page.getByRole('link', { name: 'Action page' }).click();
  await page.getByRole('heading', { name: 'ask_user' }).waitFor();
  expect(trouble).toEqual([]);
  await context.close();
});

test('a question can be declined with a reason', async () => {
  const { page, context } = await begin('Send another offer');
  await page.getByRole('button', { name: 'Decline…' }).click();
  await page.getByLabel(/Reason/).fill('Not today');
  await page.getByRole('button', { name: 'Decline', exact: true }).click();
  await page.getByText(/Question: declined by Ana/).waitFor();
  // The line below says what the run waits for, until the run has been told.
  await page.getByRole('button', { name: 'Answer', exact: true }).waitFor({ state: 'detached' });
  await context.close();
});

test('once a request is known as decided, the line of the run offers nothing more to do about it', async () => {
  const { page, trouble, context } = await begin('Send a third offer');
  const line = page.locator('.status-line');
  const offered = line.getByRole('button', { name: 'Answer' });
  await offered.waitFor();
  // The page does not hear that the run goes on.
  const told = Promise.withResolvers<void>();
  await page.route(/\/v1\/(runs\/run_\w+|conversations\/cnv_\w+\/runs)(\?.*)?$/, async (route) => {
    await told.promise;
    await route.continue();
  });
  const question = page.getByRole('region', { name: 'A question for you' });
  await question.getByRole('radio', { name: 'small' }).check();
  await question.getByRole('button', { name: 'Answer' }).click();
  await line.getByText('Decided: the run goes on.').waitFor();
  expect(await offered.count()).toBe(0);
  told.resolve();
  await line.waitFor({ state: 'detached' });
  expect(trouble).toEqual([]);
  await context.close();
});

test('a skill is granted for the run, and the thread says by whom', async () => {
  const { page, trouble, context } = await begin('This needs a skill');
  const request = page.getByRole('region', { name: 'The agent asks for a skill' });
  await request.getByText(/crm_refund/).waitFor();
  await request.getByRole('button', { name: 'Grant for this run' }).click();
  await page.getByText(/Skill: granted by Ana/).waitFor();
  expect(await request.count()).toBe(0);
  await page.getByText('Thank you for the answer.').waitFor();
  expect(trouble).toEqual([]);
  await context.close();
});

test('a routine is built in plain words, shows its next five times and the change of the clocks, and runs now', async () => {
  const { page, trouble, context } = await openPage(browser);
  await page.goto(await world.address('ana'));
  await page.getByRole('link', { name: 'Routines' }).click();
  await page.getByRole('link', { name: 'New routine' }).click();
  await page.getByLabel('Name').fill('Night round');
  await page.getByLabel('What is said').fill('Who is Acme?');
  await page.getByLabel('Agent').selectOption({ label: 'Sales assistant' });
  await page.getByLabel('At', { exact: true }).fill('02:30');
  await page.getByLabel('Zone').fill('Europe/Paris');
  await page.getByText('cron(30 2 * * ? *)').waitFor();
  const preview = page.getByRole('heading', { name: 'The next five' }).locator('..');
  await preview.getByText('Change of the clocks').first().waitFor();
  expect(await preview.locator('ol li').count()).toBe(5);
  await page.getByRole('button', { name: 'Save the routine' }).click();
  await page.getByRole('heading', { name: 'Night round' }).waitFor();
  await page.getByRole('button', { name: 'Run now' }).click();
  await page.getByText('started a run').waitFor();
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('button', { name: 'Resume' }).waitFor();
  expect(trouble).toEqual([]);
  await context.close();
});
