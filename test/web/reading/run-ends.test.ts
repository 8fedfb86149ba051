// Whatever a run ends with or waits for is said in the thread, with what to do as a button; every reason that core knows. And
// what people say meanwhile: queued, withdrawn, held and sent again. The reader's place is kept. Laws: L11, L14.
import type { Context } from 'aws-lambda';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import type { Script, Turn } from '../../../functions/adapters/model/script.ts';
import { RunView } from '../../../functions/api/schemas/schemas.ts';
import { Message } from '../../../functions/core/records/conversation.ts';
import {
  type RunEnd,
  runEnds,
  type WaitingOn,
  waitingOn,
} from '../../../functions/core/records/run.ts';
import { handlerFor as admitHandlerFor } from '../../../functions/run/admit.ts';
import type { Substrate } from '../../../functions/wiring/run.ts';
import { openBrowser } from '../rig/browser.ts';
import { arrive, hasFocus, say, scriptedAgent } from '../rig/person.ts';
import { askingAgent, sceneScripts } from '../rig/scenes.ts';
import { until } from '../rig/until.ts';
import { openWorld, type World } from '../rig/world.ts';

const played = (...turns: readonly Turn[]): Script => ({ scenes: [{ when: {}, turns }] });
const find: Turn = {
  say: 'I look once more.',
  call: [{ name: 'crm_find_customer', arguments: { query: 'Acme' } }],
  times: 50,
};
const create: Turn = {
  call: [
    {
      name: 'crm_create_opportunity',
      arguments: { customer_id: 'cus_acme', title: '{{message}}', amount_cents: 100 },
    },
  ],
};
const refund: Turn = {
  call: [
    {
      name: 'crm_refund',
      arguments: { payment_id: 'pay_1001', amount_cents: 100, reason: '{{message}}' },
    },
  ],
};
const scripts = {
  ...sceneScripts,
  endless: played(find),
  broken: played({ say: 'I try.', fail: 'final' }),
  cut: played({ say: 'Half an ans', end: 'cut_off' }),
  withheld: played({ say: 'I', end: 'withheld' }),
  silent: played({ say: '' }),
  writes: played(create, refund, { say: 'Both are done.', onError: { say: 'Noted: {{error}}' } }),
};
const tools = [
  { name: 'crm_find_customer' },
  { name: 'crm_create_opportunity' },
  { name: 'crm_refund' },
];

/** Executions wait here before they begin. */
let held: Promise<void> | undefined;
const heldAdmit = (substrate: Substrate) => {
  const real = admitHandlerFor(substrate);
  return async (input: unknown, context: Context) => {
    await held;
    return real(input, context);
  };
};

let world: World;
let browser: Browser;
let page: Page;
let agents: { readonly [script: string]: string };
beforeAll(async () => {
  [world, browser] = await Promise.all([
    openWorld({ scripts, handlers: { admit: heldAdmit } }),
    openBrowser(),
  ]);
  agents = {
    asking: await askingAgent(world),
    endless: await scriptedAgent(world, 'endless', { tools, stepLimit: 2 }),
    broken: await scriptedAgent(world, 'broken'),
    cut: await scriptedAgent(world, 'cut'),
    withheld: await scriptedAgent(world, 'withheld'),
    silent: await scriptedAgent(world, 'silent'),
    writes: await scriptedAgent(world, 'writes', { tools }),
    demo: world.agentId,
  };
  ({ page } = await arrive(browser, world));
});
afterAll(async () => {
  await browser?.close();
  await world?.close();
});

/** Begins a conversation and goes to its thread, by a link as a person would share it. */
const open = async (script: string, text: string): Promise<string> => {
  const { conversationId } = await say(world, text, agents[script]);
  await page.goto(`${world.url}/#/c/${conversationId}`);
  await page.getByRole('heading', { name: text, level: 2 }).waitFor();
  return conversationId;
};
const log = () => page.getByRole('log', { name: 'Thread' });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const opportunities = async (): Promise<number> =>
  (await world.effects()).filter(({ operation }) => operation === 'create_opportunity').length;

/** What the API says of why the conversation's first run ended stands at the run's end, word for word. */
const saysWhy = async (conversationId: string): Promise<void> => {
  const read = await world.api('ana', 'GET', `/v1/conversations/${conversationId}/runs`);
  const { items } = z.object({ items: z.array(RunView) }).parse(read);
  const { state } = items[0] ?? {};
  if (state?.status !== 'finished') throw new Error('The run has not ended.');
  expect(state.detail).not.toBe('');
  const end = log().getByRole('listitem').filter({ hasText: 'Run view' });
  await end.last().getByText(state.detail, { exact: true }).last().waitFor();
};

const ends: { readonly [End in RunEnd]: () => Promise<void> } = {
  done: async () => {
    await open('demo', 'Who is Acme?');
    await log().getByText('done', { exact: true }).waitFor();
    await log()
      .getByText(/2 steps, /)
      .waitFor();
    const call = log().getByRole('article').filter({ hasText: 'crm_find_customer' });
    expect(await call.locator('details').getAttribute('open')).toBeNull();
    await log().getByRole('link', { name: 'Run view' }).click();
    await page.getByRole('heading', { name: 'Run 1' }).waitFor();
  },
  step_limit: async () => {
    await open('endless', 'Look for ever');
    await log().getByText('step limit reached', { exact: true }).waitFor();
    await log()
      .getByText(/Step limit: 2 of 2 model calls/)
      .waitFor();
    await button('Ask it to continue').click();
    await log().getByText('step limit reached', { exact: true }).nth(1).waitFor();
    expect(await button('Ask it to continue').count()).toBe(1);
  },
  stopped: async () => {
    const before = await opportunities();
    const id = await open('writes', 'Stopped half way');
    await button('Review').waitFor();
    await button('Stop').click();
    await log().getByText('What happened before it stopped:').waitFor();
    const effect = log()
      .getByRole('listitem')
      .filter({ hasText: /^\s*confirmed/ });
    await effect.getByRole('link', { name: 'crm_create_opportunity' }).first().waitFor();
    const refused = log().getByRole('article').filter({ hasText: 'crm_refund' });
    expect(await refused.locator('details').getAttribute('open')).not.toBeNull();
    expect((await opportunities()) - before).toBe(1);
    await saysWhy(id);
  },
  cut_off: async () => {
    const id = await open('cut', 'Tell me all');
    await log().getByText('cut off', { exact: true }).waitFor();
    await log().getByText('Half an ans').waitFor();
    await saysWhy(id);
    await button('Ask it to continue').click();
    await log().getByText('cut off', { exact: true }).nth(1).waitFor();
  },
  withheld: async () => {
    const id = await open('withheld', 'Tell me what you may not');
    await log().getByText('withheld', { exact: true }).waitFor();
    await saysWhy(id);
    expect(await button('Ask it to continue').count()).toBe(0);
  },
  no_answer: async () => {
    const id = await open('silent', 'Say something');
    await log().getByText('no answer', { exact: true }).waitFor();
    await saysWhy(id);
    expect(await button('Ask it to continue').count()).toBe(1);
  },
  withdrawn: async () => {
    const gate = Promise.withResolvers<void>();
    held = gate.promise;
    const id = await open('demo', 'Not this after all');
    const path = `/v1/conversations/${id}/messages`;
    const read = await world.api('ana', 'GET', path);
    const { items } = z.object({ items: z.array(Message) }).parse(read);
    await world.api('ana', 'DELETE', `${path}/${items[0]?.messageId}`);
    gate.resolve();
    held = undefined;
    await log().locator('.run-end').getByText('withdrawn', { exact: true }).waitFor();
    await saysWhy(id);
  },
  failed: async () => {
    const id = await open('broken', 'This breaks');
    await log().getByText('failed', { exact: true }).waitFor();
    await saysWhy(id);
    await log().getByRole('link', { name: 'See what blocked it' }).click();
    await page.getByRole('heading', { name: 'Run 1' }).waitFor();
  },
};
for (const end of runEnds) test(`a run that ends as ${end} says so, with what to do`, ends[end]);

const waits: { readonly [On in WaitingOn]: () => Promise<readonly [string, string]> } = {
  approval: async () => {
    await open('demo', 'Refund pay_1002 by 100');
    return ['Review', 'This needs your approval'];
  },
  question: async () => {
    await open('asking', 'Send an offer');
    return ['Answer', 'A question for you'];
  },
  skill: async () => {
    await open('asking', 'This needs a skill');
    return ['Grant or refuse', 'The agent asks for a skill'];
  },
  recovery: async () => {
    await world.fault({ service: 'mail', mode: 'drop_reply_after_write' });
    await open('demo', 'Mail marta@acme.example: hello');
    await button('Approve').click();
    return ['Decide', 'The outcome is not known'];
  },
};
for (const on of waitingOn)
  test(`a run that waits for ${on} leads to it with a button`, async () => {
    const [name, title] = await waits[on]();
    const line = page.locator('.status-line');
    await line.getByText('waiting', { exact: true }).waitFor();
    await line.getByRole('button', { name, exact: true }).click();
    const region = page.getByRole('region', { name: title });
    await expect
      .poll(() => region.evaluate((one) => one.contains(document.activeElement)))
      .toBe(true);
    await button('Stop').click();
    await log().getByText('stopped', { exact: true }).waitFor();
  });

test('stopping during a write awaits it, and then says that it happened', async () => {
  await world.fault({ service: 'crm', operation: 'create_opportunity', mode: 'hold' });
  const before = await opportunities();
  await open('writes', 'Stopped in a write');
  await log().getByText('attempt engaged', { exact: true }).waitFor();
  await button('Stop').click();
  await page.getByText(/Stopping: nothing new is sent; what was sent is awaited/).waitFor();
  expect(await button('Stopping…').isDisabled()).toBe(true);
  await world.release();
  await log().getByText('What happened before it stopped:').waitFor();
  expect((await opportunities()) - before).toBe(1);
});

test('a queued message is withdrawn; one that the run never read is held and sent again', async () => {
  await open('demo', 'Refund pay_1003 by 100');
  await button('Approve').waitFor();
  const field = page.getByRole('textbox', { name: 'Message' });
  const send = async (text: string): Promise<void> => {
    await field.fill(text);
    await field.press('Control+Enter');
    await expect.poll(() => field.inputValue()).toBe('');
  };
  const said = (text: string) => log().getByRole('listitem').filter({ hasText: text }).last();
  await send('Never mind');
  await said('Never mind').getByRole('button', { name: 'Withdraw' }).click();
  await expect.poll(() => log().getByText('Never mind').count()).toBe(0);
  await send('Who is Acme?');
  await said('Who is Acme?').getByText('queued: read at the next step').waitFor();
  await button('Stop').click();
  await said('Who is Acme?').getByText(/^held/).waitFor();
  await said('Who is Acme?').getByRole('button', { name: 'Send it now' }).click();
  await log()
    .getByText(/^The CRM says/)
    .waitFor();
});

test('who reads further up stays there and is told how much is new', async () => {
  const long = Array.from({ length: 80 }, (_, line) => `Line ${line} of a long message`).join('\n');
  const conversationId = await open('demo', 'Refund pay_1004 by 100');
  await button('Stop').click();
  await log().getByText('stopped', { exact: true }).waitFor();
  const path = `/v1/conversations/${conversationId}/messages`;
  await world.api('ana', 'POST', path, { text: long });
  await log()
    .getByText(/^I am a scripted model/)
    .waitFor();
  // Its step counts as one more once it is stored.
  await log().getByText('done', { exact: true }).waitFor();
  await until(
    'the end was shown',
    async () => (await page.getByText('To the latest').count()) === 0,
  );
  await log().hover();
  await page.mouse.wheel(0, -600);
  await button('To the latest').waitFor();
  const top = () => page.locator('.thread-scroll').evaluate((pane) => pane.scrollTop);
  const before = await top();
  await world.api('ana', 'POST', path, { text: 'Who is Acme?' });
  await button('3 new').waitFor();
  expect(await top()).toBe(before);
  await page.keyboard.press('Escape');
  await page.keyboard.press('e');
  await log()
    .getByText(/^The CRM says/)
    .waitFor();
  await expect.poll(() => button('3 new').count()).toBe(0);
  expect(await hasFocus(page.locator('.thread-scroll'))).toBe(true);
});
