// While the server does not answer the page says so, wherever one is, and how old what it shows is; it heals by itself. What is
// sent meanwhile is never said to be sent, and pressing again counts once.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fr } from '../../../web/words/fr/first.ts';
import { laterWords } from '../../../web/words/later.ts';
import { openBrowser } from '../rig/browser.ts';
import { arrive, say } from '../rig/person.ts';
import { openWorld, type World } from '../rig/world.ts';

const words = { ...fr, ...laterWords.fr };

let world: World;
let browser: Browser;
beforeAll(async () => {
  [world, browser] = await Promise.all([openWorld(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await world?.close();
});

test('a screen opened while no answer comes says so, with how old the page is, and comes by itself afterwards', async () => {
  const { page, context, trouble } = await arrive(browser, world, {
    locale: 'fr-FR',
    place: '/inbox',
  });
  await page.getByText(words.inbox.empty).waitFor();
  await page.route(/.*/, (route) => route.abort('connectionrefused'));
  const notice = page.getByRole('status').filter({ hasText: words.problem.lost });
  await notice.getByText(/date de \d\d:\d\d:\d\d\./).waitFor();

  const nav = page.getByRole('navigation');
  await nav.getByRole('link', { name: words.nav.tools }).click();
  await page.getByText(words.problem.comesLater).waitFor();
  await page.evaluate(() => Reflect.set(globalThis, 'stayed', true));
  await page.unroute(/.*/);
  await page.getByRole('link', { name: 'crm_refund' }).waitFor();
  await notice.waitFor({ state: 'detached' });
  // The page was not loaded anew: what was being written elsewhere in it is still there.
  expect(await page.evaluate(() => Reflect.get(globalThis, 'stayed'))).toBe(true);
  expect(trouble).toEqual([]);
  await context.close();
});

test('an answer that got none is not said to be given, and the same button again gives it once, under the same key', async () => {
  const { conversationId } = await say(world, 'Refund pay_1001 by 100');
  const { page, context, trouble } = await arrive(browser, world, {
    locale: 'fr-FR',
    place: `/c/${conversationId}`,
  });
  const approve = page.getByRole('button', { name: words.approval.approve });
  await approve.waitFor();
  const keys: (string | undefined)[] = [];
  await page.route(/\/v1\//, async (route) => {
    if (!route.request().url().endsWith('/answer')) return route.abort('connectionreset');
    keys.push(route.request().headers()['idempotency-key']);
    // The answer is lost, not what was sent.
    await route.fetch().catch(() => undefined);
    await route.abort('connectionreset');
  });
  await approve.click();
  await page.getByRole('button', { name: words.sending }).waitFor();
  await page.getByText(words.problem.onceHint).waitFor();
  await page.unroute(/\/v1\//);
  const sent = page.waitForRequest('**/answer');
  await approve.click();
  keys.push((await sent).headers()['idempotency-key']);
  await page
    .getByText(/Approbation.*Ana/)
    .first()
    .waitFor();
  expect(new Set(keys).size).toBe(1);
  expect(keys.length).toBeGreaterThan(1);
  const refunds = (await world.effects()).filter(({ operation }) => operation === 'refund');
  expect(refunds.length).toBe(1);
  expect(trouble).toEqual([]);
  await context.close();
});
