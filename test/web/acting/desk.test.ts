// The recovery desk with a browser: the list, a claim seen by another person, the sheet on paper, evidence without a decision.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser, openPage } from '../rig/browser.ts';
import { arrive, cleo } from '../rig/person.ts';
import { prepareScenes, type Scene, sceneScripts } from '../rig/scenes.ts';
import { openWorld, type World } from '../rig/world.ts';

let world: World;
let browser: Browser;
let scenes: readonly Scene[];
beforeAll(async () => {
  [world, browser] = await Promise.all([openWorld({ scripts: sceneScripts }), openBrowser()]);
  scenes = await prepareScenes(world);
});
afterAll(async () => {
  await browser?.close();
  await world?.close();
});

const actionPlace = (): string => scenes.find(({ name }) => name === 'action')?.place ?? '';

const at = async (person: 'ana' | 'ben', place: string) => {
  const watched = await openPage(browser);
  await watched.page.goto(await world.address(person));
  await watched.page.getByRole('navigation').waitFor();
  await watched.page.goto(`${world.url}/#${place}`);
  return watched;
};

test('the desk lists what is not known, who holds it, and leads to its sheet', async () => {
  const { page, trouble, context } = await at('ana', '/desk');
  const row = page.getByRole('row').filter({ hasText: 'mail_send' });
  await row.getByText('undetermined').waitFor();
  await row.getByText(/held by Ana/).waitFor();
  await row.getByRole('link', { name: 'mail_send' }).click();
  const sheet = page.getByRole('region', { name: 'Recovery sheet' });
  for (const title of [
    'Approved intent',
    'Stable identity',
    'Destination',
    'Last known fact',
    'Evidence of effect',
    'Repetition contract',
    'Current mandate',
    'Decision and owner',
  ])
    await sheet.getByRole('heading', { name: title }).waitFor();
  expect(trouble).toEqual([]);
  await context.close();
});

test('while one person holds it, the other sees who and until when, and no decision is open to them', async () => {
  const ben = await at('ben', actionPlace());
  await ben.page.getByText(/Ana holds it until/).waitFor();
  // Whose page it is stands on it; his role takes nothing in hand, and nothing to do so is shown.
  await ben.page.getByRole('link', { name: 'Settings Ben' }).waitFor();
  await ben.page.getByText(/^You do not have the role recoverer/).waitFor();
  await ben.context.close();
  const { page, context } = await arrive(browser, world, { person: cleo, place: actionPlace() });
  await page.getByText(/Ana holds it until/).waitFor();
  const attach = page.getByRole('button', { name: 'It happened: attach a result' });
  await expect.poll(() => attach.isDisabled()).toBe(true);
  const held = page.getByText(/^Ana holds the claim until [^.]* UTC\.$/);
  await held.waitFor();
  expect(await held.count()).toBe(1);
  const why = page.locator(`[id="${await attach.getAttribute('aria-describedby')}"]`);
  expect(await why.textContent()).toMatch(/^Ana holds the claim until/);
  await context.close();
});

test('a decision that is not allowed says why on the page', async () => {
  const { page, context } = await at('ana', actionPlace());
  const repeat = page.getByRole('button', { name: 'Repeat with the same key' });
  await repeat.waitFor();
  expect(await repeat.isDisabled()).toBe(true);
  const why = page.locator(`[id="${await repeat.getAttribute('aria-describedby')}"]`);
  expect(await why.textContent()).toContain('promises nothing about repeats');
  await context.close();
});

test('where the contract declares no look-up, none is offered', async () => {
  const { page, context } = await at('ana', actionPlace());
  await page.getByText('declares no look-up: nobody but a person can look').waitFor();
  expect(await page.getByRole('button', { name: 'Look it up now' }).count()).toBe(0);
  await context.close();
});

test('evidence that tells nothing is refused by the name of its field and the reason', async () => {
  const { page, context } = await at('ana', actionPlace());
  await page.getByRole('button', { name: 'Add what you found, without deciding' }).click();
  await page.getByLabel(/What did you see/).fill('The outbox was not readable.');
  await page.getByLabel(/Where\?/).fill('Demo mail, account demo-account');
  await page.getByLabel(/How far did the search go/).fill('all');
  await page.getByRole('button', { name: 'Add the evidence' }).click();
  const wrong = page.getByRole('alert').getByRole('listitem');
  await expect
    .poll(() => wrong.allTextContents())
    .toEqual([
      expect.stringMatching(/^How far did the search go\? This tells nothing by itself\./),
    ]);
  await context.close();
});

test('evidence is added without deciding, and stands in the journal with its coverage', async () => {
  const { page, context } = await at('ana', actionPlace());
  await page.getByRole('button', { name: 'Add what you found, without deciding' }).click();
  await page.getByLabel('It proves neither').check();
  await page.getByLabel(/What did you see/).fill('The outbox was not readable.');
  await page.getByLabel(/Where\?/).fill('Demo mail, account demo-account');
  await page.getByLabel(/How far did the search go/).fill('Sent mails, no archive');
  await page.getByRole('button', { name: 'Add the evidence' }).click();
  await page.getByText(/A person’s word: proves neither way/).waitFor();
  await page.getByText('Sent mails, no archive').first().waitFor();
  const entry = (text: string) => page.locator('.journal li', { hasText: text }).first();
  expect(await entry('A person’s word').textContent()).toContain('by Ana');
  expect(await entry('authorised by an approval').textContent()).toContain('by Ana');
  await context.close();
});

test('the sheet prints on one page of A4, without the page around it', async () => {
  const { page, context } = await at('ana', actionPlace());
  await page.getByRole('heading', { name: 'Decision and owner' }).waitFor();
  await page.emulateMedia({ media: 'print' });
  expect(await page.getByRole('navigation').isVisible()).toBe(false);
  expect(await page.getByRole('button', { name: 'Print' }).isVisible()).toBe(false);
  const pdf = await page.pdf({ format: 'A4', preferCSSPageSize: true });
  const pages = pdf.toString('latin1').match(/\/Type\s*\/Page\b/g) ?? [];
  expect(pages.length).toBe(1);
  await context.close();
});

test('the sheet leaves as Markdown with its front matter', async () => {
  const { page, context } = await at('ana', actionPlace());
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Markdown' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^act_.*\.md$/);
  const stream = await download.createReadStream();
  let text = '';
  for await (const chunk of stream) text += String(chunk);
  expect(text).toMatch(/^---\n/);
  expect(text).toContain('## 1');
  await context.close();
});
