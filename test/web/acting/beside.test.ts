// What stands beside a call: that its tool is barred, before somebody approves it; and that it was sent anew, as a call of its own
// which waits for an approval.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { ActionId } from '../../../functions/core/base/ids.ts';
import { Action } from '../../../functions/core/records/action.ts';
import { laterWords } from '../../../web/words/later.ts';
import { openBrowser } from '../rig/browser.ts';
import { arrive, say } from '../rig/person.ts';
import { until } from '../rig/until.ts';
import { openWorld, type World } from '../rig/world.ts';

const words = laterWords.en;

let world: World;
let browser: Browser;
beforeAll(async () => {
  [world, browser] = await Promise.all([openWorld(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await world?.close();
});

const listed = z.object({ items: z.array(Action) });
/** The refund of a new conversation, which waits for an approval. */
const waitingRefund = async () => {
  const { conversationId, runId } = await say(world, 'Refund pay_1001 by 100');
  const read = async () =>
    listed
      .parse(await world.api('ana', 'GET', `/v1/runs/${runId}/actions?afterStep=0`))
      .items.find(({ tool, requestId }) => tool.name === 'crm_refund' && requestId !== undefined);
  await until('the refund waits', async () => (await read()) !== undefined);
  return { conversationId, action: Action.parse(await read()) };
};

test('an approval of a tool that is barred says by whom and why and cannot be given until the tool is let again', async () => {
  const { conversationId } = await waitingRefund();
  await world.api('ana', 'POST', '/v1/tools/crm_refund/bar', { reason: 'It pays twice.' });
  const { page, context, trouble } = await arrive(browser, world, {
    place: `/c/${conversationId}`,
  });
  const request = page.getByRole('region', { name: words.approval.title });
  await request.getByText('Barred by Ana').waitFor();
  await request.getByText('It pays twice.').waitFor();
  const approve = request.getByRole('button', { name: words.approval.approve });
  expect(await approve.isDisabled()).toBe(true);
  expect(await request.getByRole('button', { name: words.approval.refuse }).isEnabled()).toBe(true);
  await world.api('ana', 'POST', '/v1/tools/crm_refund/unbar', { reason: 'Mended.' });
  await request.getByText('Barred by Ana').waitFor({ state: 'detached' });
  await approve.click();
  await page.getByText(/Approval: approved by Ana/).waitFor();
  expect(trouble).toEqual([]);
  await context.close();
});

test('what was sent anew is shown at its original, with the approval it waits for', async () => {
  const { conversationId, action } = await waitingRefund();
  const original = ActionId.parse(`act_${'0'.repeat(26)}`);
  world.putMany('action', [
    { ...action, reissueOf: original },
    {
      ...action,
      actionId: original,
      requestId: undefined,
      mandate: { kind: 'standing' },
      disposition: {
        kind: 'reissued',
        as: action.actionId,
        because: 'It is needed today.',
        by: 'person',
        at: action.plannedAt,
      },
    },
  ]);
  const { page, context, trouble } = await arrive(browser, world, {
    place: `/action/${original}`,
  });
  const anew = page.getByRole('region', { name: words.again.reissued.label });
  await anew.getByText(/waits for an approval; nothing of it was sent/).waitFor();
  await anew.getByRole('button', { name: words.approval.approve }).waitFor();
  await anew.getByRole('link', { name: /^act_/ }).click();
  await page.waitForURL(new RegExp(action.actionId));
  expect(conversationId).toBe(action.conversationId);
  expect(trouble).toEqual([]);
  await context.close();
});
