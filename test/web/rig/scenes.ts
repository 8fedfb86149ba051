// Every screen of the page with something on it, for the accessibility tests and the screenshots. Owns: what is made for them
// to show, and how each is reached.
import type { Page } from 'playwright-core';
import type { Script } from '../../../functions/adapters/model/script.ts';
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

const say = async (world: World, text: string, agentId = world.agentId): Promise<Made> => {
  const body = { agentId, title: text };
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

/** A model that asks people: a question with every kind of field, and a skill. */
export const sceneScripts: { readonly [name: string]: Script } = {
  asking: {
    scenes: [
      {
        when: { says: ['skill'] },
        turns: [
          {
            say: 'For this I need a skill.',
            call: [
              {
                name: 'request_skill',
                arguments: { skill: 'refunding', reason: 'The customer wants the money back.' },
              },
            ],
          },
          { say: 'Thank you for the answer.' },
        ],
      },
      {
        when: {},
        turns: [
          {
            say: 'I have to ask first.',
            call: [
              {
                name: 'ask_user',
                arguments: {
                  message: 'Which **offer** shall I send?',
                  form: {
                    type: 'object',
                    properties: {
                      offer: { type: 'string', title: 'Offer', enum: ['small', 'large'] },
                      extras: {
                        type: 'array',
                        title: 'Extras',
                        items: { type: 'string', enum: ['training', 'support'] },
                      },
                      seats: { type: 'integer', title: 'Seats', minimum: 1, default: 12 },
                      urgent: { type: 'boolean', title: 'Urgent' },
                      note: { type: 'string', title: 'Note' },
                    },
                    required: ['offer'],
                  },
                },
              },
            ],
          },
          { say: 'I was told: {{result.last}}' },
        ],
      },
    ],
  },
};

/** An agent that asks; its id. */
export const askingAgent = async (world: World): Promise<string> => {
  await world.api('ana', 'POST', '/v1/skills', {
    name: 'refunding',
    description: 'How to refund a payment.',
    instructions: 'Find the payment first. Refund no more than was paid.',
    tools: [{ name: 'crm_refund' }],
  });
  const made = await world.api('ana', 'POST', '/v1/agents', {
    name: 'Asking assistant',
    prompt: 'Ask before you act.',
    model: { provider: 'scripted', script: 'asking' },
    tools: [],
    skills: [{ name: 'refunding', grant: 'on_request' }],
  });
  return textOf(made, 'agentId');
};

const routineOf = async (world: World): Promise<string> => {
  const made = await world.api('ana', 'POST', '/v1/routines', {
    name: 'Morning round',
    agentId: world.agentId,
    message: 'Who is Acme?',
    schedule: 'cron(30 2 * * ? *)',
    zone: 'Europe/Paris',
  });
  const routineId = textOf(made, 'routineId');
  await world.api('ana', 'POST', `/v1/routines/${routineId}/run`, {});
  return routineId;
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

/** The page's own place of the trace of a run's first execution. */
const traceOf = async (world: World, runId: string): Promise<string> => {
  const run = await world.api('ana', 'GET', `/v1/runs/${runId}`);
  const executions: unknown =
    typeof run === 'object' && run !== null ? Reflect.get(run, 'executions') : [];
  return textOf(Array.isArray(executions) ? executions[0] : {}, 'trace').replace(/^.*#/, '');
};

/** The list beside the graph, and the data of one state and one event. */
const openTrace = async (page: Page): Promise<void> => {
  await page.locator('.trace-graph').waitFor();
  await page.locator('figcaption summary').click();
  for (const table of ['.trace-states', '.trace-history'])
    await page.locator(`${table} button`).first().click();
  await page.locator('.trace-history td.trace-data').waitFor();
};

/** A tool whose next version carries the trials that verified it, and another that was barred, let again and barred. */
const toolActs = async (world: World): Promise<void> => {
  const tool = await world.api('ana', 'GET', '/v1/tools/crm_create_opportunity');
  const registration: unknown = Reflect.get(Object(tool), 'registration');
  const contract: unknown = Reflect.get(Object(registration), 'contract');
  const part = {
    title: 'Reply lost',
    verdict: 'pass',
    expected: 'One object, found by its reference; nothing is sent twice.',
    observed: ['One object was found.', 'One call was made.'],
    exhibit: { reference: 'act_1', objects: 1, countedWith: 'crm_find', sent: 1, arrived: 1 },
  };
  const verification = {
    by: 'reprise trials',
    at: '2026-01-01T00:00:00.000Z',
    how: 'Seven interruption trials in the environment "demo": 7 passed.',
    report: 'https://reports.example/crm.html',
    trials: [{ title: 'Reply lost', verdict: 'pass', parts: [part] }],
  };
  await world.api('ana', 'POST', '/v1/tools/crm_create_opportunity/versions', {
    ...Object(registration),
    contract: { ...Object(contract), verification },
  });
  for (const act of ['bar', 'unbar', 'bar'])
    await world.api('ana', 'POST', `/v1/tools/crm_refund/${act}`, { reason: 'A rehearsal.' });
};

const openTrials = async (page: Page): Promise<void> => {
  await page.locator('.trial summary').first().click();
  await page.locator('.trial .card').first().waitFor();
};
const openConfirm = async (page: Page): Promise<void> => {
  await page.locator('main button:has(+ dialog.confirm)').first().click();
  await page.locator('dialog[open]').waitFor();
};

/** Makes what the screens show, and lists them. */
export const prepareScenes = async (world: World): Promise<readonly Scene[]> => {
  const done = await say(world, 'Create an opportunity for Acme: 12 seats');
  await reaches(world, done.runId, 'finished');
  await world.api('ana', 'POST', `/v1/runs/${done.runId}/fault-marks`, {
    step: 1,
    call: 0,
    kind: 'too_early',
    note: 'It should have asked which Acme is meant: there are two.',
  });
  const asked = await say(world, 'Refund pay_1003 by 4900');
  await reaches(world, asked.runId, 'waiting');
  const stopped = await say(world, 'Refund pay_1004 by 100');
  await reaches(world, stopped.runId, 'waiting');
  await world.api('ana', 'POST', `/v1/runs/${stopped.runId}/stop`, {});
  await reaches(world, stopped.runId, 'finished');
  const { made: lost, actionId } = await undetermined(world);
  const trace = await traceOf(world, asked.runId);
  const agentId = await askingAgent(world);
  const question = await say(world, 'Send an offer to Acme', agentId);
  await reaches(world, question.runId, 'waiting');
  const skill = await say(world, 'This needs a skill', agentId);
  await reaches(world, skill.runId, 'waiting');
  const routineId = await routineOf(world);
  await toolActs(world);
  const request = textOf(await openRequest(world, asked.conversationId), 'requestId');
  return [
    { name: 'new', place: '/new', ready: 'select:visible' },
    { name: 'thread-question', place: `/c/${question.conversationId}`, ready: '.request form' },
    { name: 'thread-skill', place: `/c/${skill.conversationId}`, ready: '.request .main' },
    { name: 'routines', place: '/routines', ready: 'td' },
    { name: 'routine-new', place: '/routines/new', ready: '.preview ol' },
    { name: 'routine', place: `/routines/${routineId}`, ready: '.occurrences' },
    { name: 'thread-done', place: `/c/${done.conversationId}`, ready: ':has(.fault) .run-end' },
    { name: 'thread-approval', place: `/c/${asked.conversationId}`, ready: '.request .main' },
    { name: 'thread-stopped', place: `/c/${stopped.conversationId}`, ready: '.run-end' },
    { name: 'thread-recovery', place: `/c/${lost.conversationId}`, ready: '.decisions' },
    { name: 'inbox', place: '/inbox', ready: '.decisions' },
    { name: 'desk', place: '/desk', ready: 'td' },
    { name: 'action', place: `/action/${actionId}`, ready: '.sheet-field' },
    { name: 'trace', place: trace, ready: '.trace-history', afterwards: openTrace },
    { name: 'run', place: `/run/${done.runId}`, ready: ':has(.fault) .bar' },
    { name: 'agents', place: '/agents', ready: '.card' },
    { name: 'agent', place: `/agents/${world.agentId}`, ready: ':has(.fault) .block' },
    { name: 'tools', place: '/tools', ready: 'td' },
    { name: 'tool', place: '/tools/crm_refund/1', ready: '.contract' },
    {
      name: 'tool-verified',
      place: '/tools/crm_create_opportunity/2',
      ready: '.trial',
      afterwards: openTrials,
    },
    { name: 'confirm', place: '/tools/crm_refund', ready: '.contract', afterwards: openConfirm },
    { name: 'skill', place: '/skills/refunding/1', ready: '.block' },
    { name: 'request', place: `/request/${request}`, ready: '.request ul' },
    { name: 'audit', place: '/audit', ready: '.audit li' },
    { name: 'skills', place: '/skills', ready: '.card' },
    { name: 'overview', place: '/overview', ready: '.bar-table' },
    { name: 'settings', place: '/settings', ready: 'input' },
    { name: 'keys', place: '/settings', ready: 'input', afterwards: openKeys },
    { name: 'nowhere', place: '/nowhere', ready: 'h1' },
    { name: 'nothing', place: '/run/run_00000000000000000000000000', ready: '.problem' },
  ];
};

/** Goes to a scene and waits until it is whole. */
export const show = async (page: Page, url: string, scene: Scene): Promise<void> => {
  await page.goto(`${url}/#${scene.place}`);
  await page.locator(`main ${scene.ready}`).first().waitFor();
  await page.locator('main [aria-busy="true"]').waitFor({ state: 'detached' });
  // Parts that read something by themselves say so until they have it.
  const reading = page.locator('main p.note[role="status"]');
  await until('all was read', async () => (await reading.count()) === 0);
  await scene.afterwards?.(page);
};
