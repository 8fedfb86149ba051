// Every screen, in both languages and both themes: axe finds nothing against WCAG 2.2 A and AA, the structure is the same in
// both languages, and it fits a width of 320 px. And the keyboard reaches everything.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser, openPage } from '../rig/browser.ts';
import { prepareScenes, type Scene, sceneScripts, show } from '../rig/scenes.ts';
import { openWorld, type World } from '../rig/world.ts';

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

interface Rules {
  readonly type: 'tag' | 'rule';
  readonly values: readonly string[];
}
const allRules: Rules = { type: 'tag', values: standards };
/** What a theme alone can break. */
const colourRules: Rules = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };
/** What little width alone can break. */
const narrowRules: Rules = { type: 'rule', values: ['target-size', 'scrollable-region-focusable'] };

/** What axe finds, one line each. */
const findings = async (page: Page, runOnly = allRules): Promise<string[]> => {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeSource);
  const violations = await page.evaluate(async (rules): Promise<readonly Finding[]> => {
    const axe: { run(context: Document, options: object): Promise<{ violations: Finding[] }> } =
      Reflect.get(globalThis, 'axe');
    const run = await axe.run(document, { runOnly: rules, resultTypes: ['violations'] });
    return run.violations;
  }, runOnly);
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

/** Roles and their nesting, without names and texts, which a language changes. */
const structureOf = async (page: Page): Promise<string> =>
  (await page.locator('body').ariaSnapshot())
    .split('\n')
    .map((line) => line.replace(/^(\s*- ['"]?[a-z]+).*$/, '$1').replaceAll(/["']/g, ''))
    .filter((line) => !/^\s*- (text|\/)/.test(line))
    .join('\n');

/** By how much the document is longer than the window, in CSS pixels: what scrolls is in the screen, and ends where it ends. */
const beyondWindow = (page: Page): Promise<number> =>
  page.evaluate(() => Math.max(0, document.documentElement.scrollHeight - innerHeight));

/** Nothing is found in either theme, and nothing is wider than a small telephone. One navigation serves all. */
const examine = async (page: Page, name: string): Promise<void> => {
  expect(await findings(page), name).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await findings(page, colourRules), `${name}, dark`).toEqual([]);
  await page.emulateMedia({ colorScheme: 'light' });
  expect(await beyondWindow(page), `${name}, below the window`).toBe(0);
  await page.setViewportSize({ width: 320, height: 860 });
  const width = await page.evaluate(() =>
    Math.max(
      document.documentElement.scrollWidth,
      ...[...document.querySelectorAll('main, .thread-scroll')].map((one) => one.scrollWidth),
    ),
  );
  expect(width, `${name}, narrow`).toBeLessThanOrEqual(320);
  expect(await beyondWindow(page), `${name}, narrow, below the window`).toBe(0);
  expect(await findings(page, narrowRules), `${name}, narrow`).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 860 });
};

test('signing in: axe finds nothing, in both languages and themes', async () => {
  for (const locale of ['en-GB', 'fr-FR'] as const) {
    const { page, context } = await openPage(browser, { locale });
    await page.goto(`${world.url}/`);
    await page.locator('.sign-in').waitFor();
    await examine(page, `sign-in ${locale}`);
    await context.close();
  }
});

/** The structure that was agreed on, as soon as the page has it; what it has after a while otherwise. */
const settled = async (page: Page, name: string): Promise<string> => {
  const path = join(import.meta.dirname, '..', 'golden', `${name}.txt`);
  const agreed = existsSync(path) ? readFileSync(path, 'utf8').trimEnd() : '';
  let structure = await structureOf(page);
  // The last of a screen's questions to the API may still be under way.
  for (let looks = 0; looks < 30 && structure !== agreed; looks += 1) {
    await page.waitForTimeout(100);
    structure = await structureOf(page);
  }
  return structure;
};

test('on every screen axe finds nothing, in both languages and themes; the structure is the one that was agreed on', async () => {
  const english = await openPage(browser, { locale: 'en-GB' });
  const french = await openPage(browser, { locale: 'fr-FR' });
  const both = [english, french] as const;
  for (const { page } of both) await signIn(page);
  for (const scene of scenes) {
    for (const { page } of both) await show(page, world.url, scene);
    const structure = await settled(english.page, scene.name);
    await expect.poll(() => structureOf(french.page), { message: scene.name }).toBe(structure);
    await expect(`${structure}\n`).toMatchFileSnapshot(`../golden/${scene.name}.txt`);
    for (const { page } of both) {
      await examine(page, scene.name);
      if (scene.afterwards !== undefined) await page.keyboard.press('Escape');
    }
  }
  for (const { context, trouble } of both) {
    expect(trouble).toEqual([]);
    await context.close();
  }
}, 240_000);

test('French is spoken: html lang, texts, dates', async () => {
  const { page, context } = await openPage(browser, { locale: 'fr-FR' });
  await signIn(page);
  expect(await page.locator('html').getAttribute('lang')).toBe('fr');
  await page.getByRole('link', { name: 'Réception' }).click();
  await page.getByRole('heading', { name: 'Boîte de réception' }).waitFor();
  await page.getByRole('button', { name: 'Approuver' }).waitFor();
  await context.close();
});

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
