// S55: runs and results that are larger than what one execution or one model call can hold.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { environmentNames } from '../../functions/manifest.ts';
import { demoDestination, demoHeaders, object } from '../../local/demo/registration-parts.ts';
import { awsCall, finished, openRig, type Rig, talk } from '../rig/rig.ts';
import { callCreate } from '../rig/tools.ts';

const steps = 300;
const bytes = 2 * 1024 * 1024;
const eventBudget = 3_000;
/** Step Functions ends an execution at this many events. */
const historyEventsMax = 25_000;

let rig: Rig;
beforeAll(async () => {
  rig = await openRig({
    twin: { environment: { [environmentNames.eventBudget]: String(eventBudget) } },
    tools: (url) => [
      {
        name: 'export',
        description: 'Exports.',
        arguments: object({ bytes: { type: 'integer', minimum: 0 } }),
        transport: {
          kind: 'http',
          method: 'GET',
          url: `${url}/crm/export`,
          query: { bytes: '{{args.bytes}}' },
          headers: demoHeaders,
        },
        contract: { effect: 'read', destination: demoDestination('demo-crm'), preset: 'http' },
      },
    ],
    scripts: {
      loop: {
        scenes: [
          {
            when: {},
            turns: [
              { times: steps - 1, call: [callCreate('{{message}} {{step}}')] },
              { say: 'The loop is over.' },
            ],
          },
        ],
      },
      export: {
        scenes: [
          {
            when: {},
            turns: [
              { call: [{ name: 'export', arguments: { bytes } }] },
              { say: '{{result.last}}' },
            ],
          },
        ],
      },
    },
  });
});
afterAll(() => rig.close());

const description = z.object({ status: z.string() });
const history = z.object({ events: z.array(z.object({ id: z.number() })) });

test(`S55 a run of ${steps} steps goes through several executions and stays one run, with every effect once`, async () => {
  const { client, destination, twin } = rig;
  const agentId = await rig.agent('loop', { stepLimit: steps });
  const { conversationId, runId } = await talk(client, agentId, 'S55');
  const run = await finished(client, runId, 100_000);
  expect(run.state.reason).toBe('done');
  expect(run.steps).toEqual({ taken: steps, limit: steps });
  expect(await client.runs(conversationId)).toHaveLength(1);
  expect(run.executions.length).toBeGreaterThan(3);
  const sfn = awsCall(twin, 'states');
  for (const { name } of run.executions) {
    const executionArn = `${twin.machineArns.run.replace(':stateMachine:', ':execution:').replace(/:live$/, '')}:${name}`;
    expect(description.parse(await sfn('DescribeExecution', { executionArn })).status).toBe(
      'SUCCEEDED',
    );
    const newest = { executionArn, reverseOrder: true, maxResults: 1 };
    const [last] = history.parse(await sfn('GetExecutionHistory', newest)).events;
    // The store's count is conservative: the real history stays below the budget, far from the service's limit.
    expect(last?.id).toBeLessThan(Math.min(eventBudget, historyEventsMax));
  }
  const effects = await destination.effects();
  expect(new Set(effects.map(({ reference }) => reference)).size).toBe(steps - 1);
  expect(effects).toHaveLength(steps - 1);
  const events = await client.events(conversationId);
  expect(events.map(({ number }) => number)).toEqual(events.map((_, index) => index + 1));
  const continued = events.filter(({ body }) => body.type === 'run.continued');
  expect(continued).toHaveLength(run.executions.length - 1);
}, 120_000);

test('S55 a result of 2 MB is cut for the model, which is told so, and whole for people', async () => {
  const { client } = rig;
  const { runId } = await talk(client, await rig.agent('export', { tools: ['export'] }), 'Export.');
  await finished(client, runId);
  const [action] = await client.actions(runId);
  const told = action?.told;
  expect(told?.status).toBe('success');
  expect(told?.text.length).toBeLessThan(40_000);
  expect(told?.text).toContain('[Cut here:');
  expect((await client.steps(runId)).at(-1)?.text).toContain('[Cut here:');
  expect(told?.blob?.bytes).toBeGreaterThan(bytes);
  let whole = '';
  for (let next: number | undefined = 0; next !== undefined; ) {
    const slice: Awaited<ReturnType<typeof client.result>> = await client.result(
      action?.actionId ?? '',
      next,
    );
    expect(slice.bytes).toBe(told?.blob?.bytes);
    whole += slice.text;
    next = slice.next;
  }
  const { text } = z.object({ text: z.string() }).parse(JSON.parse(whole));
  expect(text.length).toBe(bytes);
  expect(text.startsWith('customer;city\n')).toBe(true);
});
