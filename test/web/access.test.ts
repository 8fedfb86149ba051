// Every screen, in both languages and both themes: axe finds nothing against WCAG 2.2 A and AA, the structure is the same in
// both languages, and it fits a width of 320 px. And the keyboard reaches everything.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser, openPage } from './browser.ts';
import { prepareScenes, type Scene, sceneScripts, show } from './scenes.ts';
import { openWorld, type World } from './world.ts';

const axeSource = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
);
const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

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

interface Finding {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** What axe finds, one line each. */
const findings = async (page: Page): Promise<string[]> => {
  await page.evaluate(axeSource);
  const violations = await page.evaluate(async (tags): Promise<readonly Finding[]> => {
    const axe: { run(context: Document, options: object): Promise<{ violations: Finding[] }> } =
      Reflect.get(globalThis, 'axe');
    const run = await axe.run(document, { runOnly: { type: 'tag', values: tags } });
    return run.violations;
  }, standards);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary ?? ''}`),
  );
};

const signIn = async (page: Page): Promise<void> => {
  await page.goto(await world.address('ana'));
  await page.locator('nav').waitFor();
};

test('axe does find what is wrong', async () => {
  const { page, context } = await openPage(browser);
  await page.goto(`${world.url}/`);
  await page.locator('.sign-in').waitFor();
  await page.evaluate(() => document.querySelector('.sign-in')?.append(new Image()));
  expect((await findings(page)).join()).toMatch(/^image-alt/);
  await context.close();
});

for (const locale of ['en-GB', 'fr-FR'] as const)
  for (const colorScheme of ['light', 'dark'] as const)
    test(`axe finds nothing on any screen (${locale}, ${colorScheme})`, async () => {
      const { page, trouble, context } = await openPage(browser, { locale, colorScheme });
      await page.goto(`${world.url}/`);
      await page.locator('.sign-in').waitFor();
      expect(await findings(page), 'sign-in').toEqual([]);
      await signIn(page);
      for (const scene of scenes) {
        await show(page, world.url, scene);
        expect(await findings(page), scene.name).toEqual([]);
        if (scene.afterwards !== undefined) await page.keyboard.press('Escape');
      }
      expect(trouble).toEqual([]);
      await context.close();
    }, 120_000);

/** Roles and their nesting, without names and texts, which a language changes. */
const structureOf = async (page: Page): Promise<string> =>
  (await page.locator('body').ariaSnapshot())
    .split('\n')
    .map((line) => line.replace(/^(\s*- ['"]?[a-z]+).*$/, '$1').replaceAll(/["']/g, ''))
    .filter((line) => !/^\s*- (text|\/)/.test(line))
    .join('\n');

test('every screen has the same structure in both languages, the one that was agreed on', async () => {
  const english = await openPage(browser, { locale: 'en-GB' });
  const french = await openPage(browser, { locale: 'fr-FR' });
  await signIn(english.page);
  await signIn(french.page);
  for (const scene of scenes) {
    await show(english.page, world.url, scene);
    await show(french.page, world.url, scene);
    const structure = await structureOf(english.page);
    await expect.poll(() => structureOf(french.page), { message: scene.name }).toBe(structure);
    await expect(`${structure}\n`).toMatchFileSnapshot(`golden/${scene.name}.txt`);
    if (scene.afterwards !== undefined)
      for (const { page } of [english, french]) await page.keyboard.press('Escape');
  }
  await english.context.close();
  await french.context.close();
}, 120_000);

test('French is spoken: html lang, texts, dates', async () => {
  const { page, context } = await openPage(browser, { locale: 'fr-FR' });
  await signIn(page);
  expect(await page.locator('html').getAttribute('lang')).toBe('fr');
  await page.getByRole('link', { name: 'Réception' }).click();
  await page.getByRole('heading', { name: 'Boîte de réception' }).waitFor();
  await page.getByRole('button', { name: 'Approuver' }).waitFor();
  await context.close();
});

test('no screen is wider than 320 px', async () => {
  const { page, context } = await openPage(browser, { width: 320 });
  await signIn(page);
  for (const scene of scenes) {
    await show(page, world.url, scene);
    const width = await page.evaluate(() =>
      Math.max(
        document.documentElement.scrollWidth,
        ...[...document.querySelectorAll('main, .thread-scroll')].map((one) => one.scrollWidth),
      ),
    );
    expect(width, scene.name).toBeLessThanOrEqual(320);
    if (scene.afterwards !== undefined) await page.keyboard.press('Escape');
  }
  await context.close();
}, 120_000);

test('the keyboard alone: list of keys, to the inbox, to an approval', async () => {
  const { page, context } = await openPage(browser);
  await signIn(page);
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press('g');
  await page.keyboard.press('i');
  await page.getByRole('heading', { name: 'Inbox' }).waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('c');
  await page.getByRole('heading', { name: 'Conversations' }).waitFor();
  const row = page.getByRole('link', { name: /Refund pay_1003/ });
  await row.waitFor();
  for (let tries = 0; tries < 10; tries += 1) {
    await page.keyboard.press('j');
    if (await row.evaluate((element) => element === document.activeElement)) break;
  }
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Review' }).waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('x');
  const approve = page.getByRole('button', { name: 'Approve' });
  await expect
    .poll(() => approve.evaluate((element) => element === document.activeElement))
    .toBe(true);
  await context.close();
});
