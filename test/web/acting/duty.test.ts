// The person on duty: a claim that lapsed is taken over after reading what changed, with a look of one's own before deciding;
// and a run is read on its line of time, with what it waited for and what was tried again. Laws: L10.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { handlerFor as apiFor } from '../../../functions/api/handler.ts';
import { openBrowser } from '../rig/browser.ts';
import { arrive, cleo, hasFocus, quicker, say, scriptedAgent } from '../rig/person.ts';
import { until } from '../rig/until.ts';
import { openWorld, type World } from '../rig/world.ts';

let world: World;
let browser: Browser;
/** How far the API is ahead of the clock, so that a claim lapses without anybody waiting. */
let aheadMs = 0;
beforeAll(async () => {
  const scripts = {
    again: {
      scenes: [
        {
          when: {},
          turns: [
            {
              call: [
                {
                  name: 'crm_create_opportunity',
                  arguments: { customer_id: 'cus_acme', title: '{{message}}', amount_cents: 100 },
                },
              ],
            },
            {
              call: [
                {
                  name: 'crm_refund',
                  arguments: { payment_id: 'pay_1001', amount_cents: 100, reason: '{{message}}' },
                },
              ],
            },
            { say: 'Both are done.' },
          ],
        },
      ],
    },
  };
  [world, browser] = await Promise.all([
    openWorld({
      scripts,
      handlers: {
        api: (substrate) => {
          const { clock } = substrate;
          return apiFor({
            ...substrate,
            clock: { now: () => clock.now() + aheadMs, pause: clock.pause },
          });
        },
      },
    }),
    openBrowser(),
  ]);
});
afterAll(async () => {
  await browser?.close();
  await world?.close();
});

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

test('who takes over a lapsed claim reads what changed, and decides only after a look of their own', async () => {
  await world.fault({ service: 'mail', mode: 'drop_reply_after_write' });
  const { conversationId } = await say(world, 'Mail marta@acme.example: hello');
  const ana = await arrive(browser, world, { place: `/c/${conversationId}` });
  await button(ana.page, 'Approve').click();
  await button(ana.page, 'Claim it').click();
  await ana.page.getByText('You hold it until').waitFor();
  await button(ana.page, 'Add what you found, without deciding').click();
  await expect.poll(() => hasFocus(ana.page.getByLabel('It proves neither'))).toBe(true);
  await ana.page.getByLabel(/What did you see/).fill('The log was rotated.');
  await ana.page.getByLabel(/Where\?/).fill('Demo mail, account demo-account');
  await ana.page.getByLabel(/How far did the search go/).fill('Sent mails, no archive');
  await button(ana.page, 'Add the evidence').click();
  await expect
    .poll(() => hasFocus(button(ana.page, 'Add what you found, without deciding')))
    .toBe(true);

  aheadMs = 31 * 60_000;
  const { page, context, trouble } = await arrive(browser, world, {
    person: cleo,
    clockAheadMs: aheadMs,
  });
  await page.goto(`${world.url}/#/desk`);
  await page.getByRole('row').filter({ hasText: 'mail_send' }).getByRole('link').first().click();
  await page.getByText(/Ana let it lapse at/).waitFor();
  expect(await button(page, 'Claim it').count()).toBe(0);
  await button(page, 'Take over…').click();
  const changed = page.getByText('Written since Ana took it:');
  await changed.waitFor();
  const since = page.getByRole('list').filter({ hasText: 'A person’s word: proves neither way' });
  await since.first().waitFor();
  await button(page, 'I have read this: take over').click();
  await page.getByText('You hold it until').waitFor();
  const suspend = button(page, 'Suspend: the run goes on');
  await expect.poll(() => suspend.isDisabled()).toBe(true);
  const why = page.locator(`[id="${await suspend.getAttribute('aria-describedby')}"]`);
  expect(await why.textContent()).toContain('Add your own observation first.');
  await button(page, 'Add what you found, without deciding').click();
  await page.getByLabel(/What did you see/).fill('I asked Marta.');
  await page.getByLabel(/Where\?/).fill('By telephone');
  await page.getByLabel(/How far did the search go/).fill('Her inbox');
  await button(page, 'Add the evidence').click();
  await expect.poll(() => suspend.isEnabled()).toBe(true);
  expect(trouble).toEqual([]);
  await context.close();
  await ana.context.close();
  aheadMs = 0;
});

test('a run is read on its line of time: what it waited for, what was tried again, and the same as a list', async () => {
  await world.fault({ service: 'crm', operation: 'create_opportunity', mode: 'drop_before_write' });
  const agentId = await scriptedAgent(world, 'again', {
    tools: [await quicker(world, 'crm_create_opportunity', 500), { name: 'crm_refund' }],
  });
  const { conversationId, runId } = await say(world, 'Tried twice', agentId);
  const { page, context, trouble } = await arrive(browser, world, {
    place: `/c/${conversationId}`,
  });
  await button(page, 'Approve').click();
  await page.getByText('Both are done.').waitFor();
  await page.getByRole('link', { name: 'Run view' }).click();
  await page.getByRole('heading', { name: 'Run 1' }).waitFor();
  const bars = page.getByRole('main').getByRole('listitem');
  const bar = (name: string) => bars.filter({ hasText: `${name}: begins at` });
  for (const name of [
    'Model',
    'crm_create_opportunity',
    'Attempt 1',
    'Attempt 2',
    'Waiting for a recovery decision',
    'Waiting for an approval',
    'crm_refund',
  ])
    await bar(name).first().waitFor();
  const names = await bars.filter({ hasText: ': begins at' }).count();
  await button(page, 'List').click();
  const rows = page.getByRole('row');
  await expect.poll(() => rows.count()).toBe(names + 1);
  await rows.filter({ hasText: 'Step 1: Attempt 2' }).waitFor();
  const created = (await world.effects()).filter(
    ({ operation }) => operation === 'create_opportunity',
  );
  expect(created.length).toBe(1);
  await until('the run had ended', async () => (await page.getByText('done').count()) > 0);
  expect(runId).toMatch(/^run_/);
  expect(trouble).toEqual([]);
  await context.close();
});
