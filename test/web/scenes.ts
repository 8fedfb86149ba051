// Every screen of the page with something on it, for the accessibility tests and the screenshots. Owns: what is made for them
// to show, and how each is reached.
import type { Page } from 'playwright-core';
import { until } from './until.ts';
import type { World } from './world.ts';

interface Made {
  readonly conversationId: string;
  readonly runId: string;
}
const textOf = (value: unknown, name: string): string => {
  const found: unknown =
    typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
  if (typeof found !== 'string') throw new Error(`The answer has no ${name}.`);
  return found;
};
const itemsOf = (value: unknown): readonly unknown[] => {
  const items: unknown =
    typeof value === 'object' && value !== null ? Reflect.get(value, 'items') : undefined;
  return Array.isArray(items) ? items : [];
};

const say = async (world: World, text: string): Promise<Made> => {
  const body = { agentId: world.agentId, title: text };
  const conversationId = textOf(
    await world.api('ana', 'POST', '/v1/conversations', body),
    'conversationId',
  );
  const path = `/v1/conversations/${conversationId}/messages`;
  return { conversationId, runId: textOf(await world.api('ana', 'POST', path, { text }), 'runId') };
};

const statusOf = async (world: World, runId: string): Promise<string> => {
  const run = await world.api('ana', 'GET', `/v1/runs/${runId}`);
  const state: unknown = typeof run === 'object' && run !== null ? Reflect.get(run, 'state') : {};
  return textOf(state, 'status');
};

const reaches = (world: World, runId: string, status: string): Promise<void> =>
  until(`${runId} was ${status}`, async () => (await statusOf(world, runId)) === status);

const openRequest = async (world: World, conversationId: string): Promise<unknown> => {
  const inbox = await world.api('ana', 'GET', '/v1/requests');
  return itemsOf(inbox).find((item) => textOf(item, 'conversationId') === conversationId);
};

/** Approves what waits in a conversation, by the digest shown. */
const approve = async (world: World, conversationId: string): Promise<void> => {
  const request = await openRequest(world, conversationId);
  await world.api('ana', 'POST', `/v1/requests/${textOf(request, 'requestId')}/answer`, {
    kind: 'approve',
    digest: textOf(request, 'digest'),
  });
};

export interface Scene {
  readonly name: string;
  readonly place: string;
  /** Text or control that is there once the screen is whole, by a selector that no language changes. */
  readonly ready: string;
  readonly afterwards?: (page: Page) => Promise<void>;
}

const undetermined = async (world: World): Promise<{ made: Made; actionId: string }> => {
  await world.fault({ service: 'mail', mode: 'drop_reply_after_write' });
  const made = await say(world, 'Mail marta@acme.example: your offer is ready');
  await reaches(world, made.runId, 'waiting');
  await approve(world, made.conversationId);
  let actionId = '';
  await until('the recovery was open', async () => {
    const request = await openRequest(world, made.conversationId);
    if (request === undefined || textOf(request, 'on') !== 'recovery') return false;
    actionId = textOf(request, 'actionId');
    return true;
  });
  await world.api('ana', 'POST', `/v1/actions/${actionId}/claim`, {});
  return { made, actionId };
};

const openKeys = async (page: Page): Promise<void> => {
  await page.keyboard.press('?');
  await page.locator('dialog[open]').waitFor();
};

/** Makes what the screens show, and lists them. */
export const prepareScenes = async (world: World): Promise<readonly Scene[]> => {
  const done = await say(world, 'Create an opportunity for Acme: 12 seats');
  await reaches(world, done.runId, 'finished');
  const asked = await say(world, 'Refund pay_1003 by 4900');
  await reaches(world, asked.runId, 'waiting');
  const stopped = await say(world, 'Refund pay_1004 by 100');
  await reaches(world, stopped.runId, 'waiting');
  await world.api('ana', 'POST', `/v1/runs/${stopped.runId}/stop`, {});
  await reaches(world, stopped.runId, 'finished');
  const { made: lost, actionId } = await undetermined(world);
  return [
    { name: 'new', place: '/new', ready: 'select' },
    { name: 'thread-done', place: `/c/${done.conversationId}`, ready: '.run-end' },
    { name: 'thread-approval', place: `/c/${asked.conversationId}`, ready: '.request .main' },
    { name: 'thread-stopped', place: `/c/${stopped.conversationId}`, ready: '.run-end' },
    { name: 'thread-recovery', place: `/c/${lost.conversationId}`, ready: '.decisions' },
    { name: 'inbox', place: '/inbox', ready: '.decisions' },
    { name: 'desk', place: '/desk', ready: 'td' },
    { name: 'action', place: `/action/${actionId}`, ready: '.sheet-field' },
    { name: 'run', place: `/run/${done.runId}`, ready: '.bar' },
    { name: 'agents', place: '/agents', ready: '.card' },
    { name: 'agent', place: `/agents/${world.agentId}`, ready: '.block' },
    { name: 'tools', place: '/tools', ready: 'td' },
    { name: 'tool', place: '/tools/crm_refund/1', ready: '.contract' },
    { name: 'skills', place: '/skills', ready: '.note, .card' },
    { name: 'overview', place: '/overview', ready: '.bar-table' },
    { name: 'settings', place: '/settings', ready: 'input' },
    { name: 'keys', place: '/settings', ready: 'input', afterwards: openKeys },
    { name: 'nothing', place: '/run/run_00000000000000000000000000', ready: '.problem' },
  ];
};

/** Goes to a scene and waits until it is whole. */
export const show = async (page: Page, url: string, scene: Scene): Promise<void> => {
  await page.goto(`${url}/#${scene.place}`);
  await page.locator(`main ${scene.ready}`).first().waitFor();
  await page.locator('main [aria-busy="true"]').waitFor({ state: 'detached' });
  await scene.afterwards?.(page);
};
