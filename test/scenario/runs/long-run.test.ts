// S55: a run that is longer than what one execution can hold.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { environmentNames } from '../../../functions/manifest.ts';
import { awsCall, finished, openRig, type Rig, talk } from '../../rig/rig.ts';
import { callCreate } from '../../rig/tools.ts';

const steps = 2_000;
const eventBudget = 3_000;
/** Step Functions ends an execution at this many events. */
const historyEventsMax = 25_000;
/** Half a minute of one core; a busy machine takes several times that. */
const waitMs = 500_000;

let rig: Rig;
beforeAll(async () => {
  rig = await openRig({
    twin: { environment: { [environmentNames.eventBudget]: String(eventBudget) } },
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
    },
  });
});
afterAll(() => rig.close());

const description = z.object({ status: z.string() });
const history = z.object({ events: z.array(z.object({ id: z.number() })) });

test(`L11 S55 a run of ${steps} steps goes through several executions and stays one run, with every effect once`, async () => {
  const { client, destination, twin } = rig;
  const agentId = await rig.agent('loop', { stepLimit: steps });
  const { conversationId, runId } = await talk(client, agentId, 'S55');
  const run = await finished(client, runId, waitMs);
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
}, 520_000);
