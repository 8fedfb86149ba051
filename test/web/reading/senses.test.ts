// Beyond what axe sees: where the focus is after a change of screen or a dialog, what is said aloud and what is not, motion,
// the system's own colours, twice and four times the size, the language of a text. And work from end to end by keys alone.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../rig/browser.ts';
import { arrive, hasFocus, say, tabTo } from '../rig/person.ts';
import { prepareScenes, type Scene, sceneScripts, show } from '../rig/scenes.ts';
import { openWorld, type World } from '../rig/world.ts';

let world: World;
let browser: Browser;
let scenes: readonly Scene[];
let page: Page;
beforeAll(async () => {
  [world, browser] = await Promise.all([openWorld({ scripts: sceneScripts }), openBrowser()]);
  scenes = await prepareScenes(world);
  ({ page } = await arrive(browser, world));
});
afterAll(async () => {
  await browser?.close();
  await world?.close();
});

const scene = async (name: string, on = page): Promise<void> => {
  const found = scenes.find((one) => one.name === name);
  if (found === undefined) throw new Error(`There is no scene "${name}".`);
  await show(on, world.url, found);
};
const main = () => page.getByRole('main');

test('the focus goes along to another screen, and into what a screen offers to write in', async () => {
  await scene('inbox');
  await page.getByRole('link', { name: 'Recovery desk' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('row').filter({ hasText: 'mail_send' }).waitFor();
  await expect.poll(() => hasFocus(main())).toBe(true);
  await tabTo(page, page.getByRole('link', { name: 'mail_send' }));
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'mail_send', level: 1 }).waitFor();
  await expect.poll(() => hasFocus(main())).toBe(true);
  await page.keyboard.press('n');
  const field = page.getByLabel('What is to be done?');
  await expect.poll(() => hasFocus(field)).toBe(true);
});

test('a dialog takes the focus and gives it back', async () => {
  await scene('settings');
  const keys = page.getByRole('button', { name: 'Shortcuts' });
  await keys.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Keyboard' });
  await dialog.waitFor();
  expect(await dialog.evaluate((one) => one.contains(document.activeElement))).toBe(true);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => hasFocus(keys)).toBe(true);
});

test('what needs somebody is said at once, and no clock is read aloud', async () => {
  await scene('settings');
  expect(await page.getByRole('alert').count()).toBe(0);
  const { conversationId } = await say(world, 'Refund pay_1001 by 5');
  await page
    .getByRole('alert')
    .filter({ hasText: /open requests/ })
    .waitFor();
  await page.goto(`${world.url}/#/c/${conversationId}`);
  await page.getByRole('alert').filter({ hasText: 'Waiting for an approval' }).waitFor();
  expect(await page.getByRole('log').getAttribute('aria-live')).not.toBe('assertive');
  const clocks = page.locator(':is([role=log], [role=status], [role=alert]) time');
  await expect.poll(() => clocks.count()).toBeGreaterThan(1);
  for (const live of await clocks.evaluateAll((all) =>
    all.map((one) => one.getAttribute('aria-live')),
  ))
    expect(live).toBe('off');
});

test('motion is reduced where it is asked for, and only there', async () => {
  await scene('thread-done');
  const motion = (): Promise<string> =>
    page.evaluate(() => {
      const mark = document.createElement('p');
      mark.className = 'writing';
      document.body.append(mark);
      const { animationName } = getComputedStyle(mark, '::before');
      mark.remove();
      return animationName;
    });
  expect(await motion()).toBe('none');
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  expect(await motion()).toBe('breathe');
  await page.emulateMedia({ reducedMotion: 'reduce' });
});

test('with the system’s own colours bars, marks and what is chosen are still told apart', async () => {
  await page.emulateMedia({ forcedColors: 'active' });
  await scene('run');
  const ground = (selector: string): Promise<string> =>
    page
      .locator(selector)
      .first()
      .evaluate((one) => getComputedStyle(one).backgroundColor);
  expect(await ground('.bar')).not.toBe(await ground('.bar-lane'));
  const edge = (pressed: boolean): Promise<string> =>
    page
      .locator(`button[aria-pressed=${pressed}]`)
      .first()
      .evaluate((one) => getComputedStyle(one).borderTopWidth);
  expect(await edge(true)).not.toBe(await edge(false));
  const badge = await page
    .locator('.badge')
    .first()
    .evaluate((one) => getComputedStyle(one).borderTopStyle);
  expect(badge).toBe('solid');
  await page.emulateMedia({ forcedColors: 'none' });
});

test('at 200 and 400 % a thread is read, answered and written in without scrolling sideways', async () => {
  for (const [width, height] of [
    [640, 430],
    [320, 256],
  ] as const) {
    await page.setViewportSize({ width, height });
    await scene('thread-recovery');
    const sizes = await page.evaluate(() => ({
      wide: Math.max(
        ...['html', 'main', '.thread-pane', '.thread-scroll'].map(
          (one) => document.querySelector(one)?.scrollWidth ?? 0,
        ),
      ),
      log: document.querySelector('.thread-scroll')?.clientHeight ?? 0,
    }));
    expect(sizes.wide).toBeLessThanOrEqual(width);
    expect(sizes.log).toBeGreaterThan(140);
    await page.getByRole('button', { name: 'It happened: attach a result' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('textbox', { name: 'Message' }).fill('Seen');
    await page.getByRole('button', { name: 'Send to the run' }).click({ trial: true });
    await page.getByRole('textbox', { name: 'Message' }).fill('');
  }
  await page.setViewportSize({ width: 1280, height: 860 });
});

test('a text carries its own language, and a change of language changes the server’s words too', async () => {
  const french = await arrive(browser, world, { locale: 'fr-FR' });
  await scene('thread-approval', french.page);
  const text = french.page.getByText(/^A refund cannot be taken back/);
  expect(await text.evaluate((one) => one.closest('[lang]')?.getAttribute('lang'))).toBe('en');
  await scene('action', french.page);
  await french.page.getByRole('heading', { name: /Intention approuvée/ }).waitFor();
  await french.page.keyboard.press('g');
  await french.page.keyboard.press('s');
  await french.page.getByRole('radio', { name: 'English' }).check();
  await french.page.goBack();
  await french.page.getByRole('heading', { name: /Approved intent/ }).waitFor();
  await french.page
    .getByText('The destination promises nothing about repeats: a second call could act twice.')
    .waitFor();
  await french.context.close();
});

test('by keys alone: every control of the desk’s sheet is reached, and a decision is recorded', async () => {
  await scene('action');
  await page.getByRole('heading', { name: 'Decision and owner' }).waitFor();
  await main().focus();
  const controls = main().locator('button:enabled, a[href], summary, input, select');
  const wanted = await controls.evaluateAll(
    (all) => all.filter((one) => one.checkVisibility()).length,
  );
  const reached = new Set<string>();
  for (let presses = 0; presses < wanted + 5; presses += 1) {
    await page.keyboard.press('Tab');
    const place = await controls.evaluateAll((all) =>
      all
        .filter((one) => one.checkVisibility())
        .map((one) => one === document.activeElement)
        .indexOf(true),
    );
    if (place >= 0) reached.add(String(place));
  }
  expect(reached.size).toBe(wanted);
  await main().focus();
  await tabTo(page, page.getByRole('button', { name: 'Suspend: the run goes on' }));
  await page.keyboard.press('Enter');
  const reason = page.getByLabel('Reason');
  await expect.poll(() => hasFocus(reason)).toBe(true);
  await page.keyboard.type('Marta is asked tomorrow.');
  await page.keyboard.press('Enter');
  await page.getByText('undetermined, suspended').first().waitFor();
  await page.getByText('Marta is asked tomorrow.').first().waitFor();
});
