// A pause may outlast every execution: the run parks, uses nothing, and goes on where it was. Laws: L11, L12, L13.
import type { Context } from 'aws-lambda';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { handlerFor as parkHandlerFor } from '../../../functions/run/park.ts';
import { simulatedClock } from '../../../local/base/clock.ts';
import {
  demoDestination,
  demoHeaders,
  object,
  text,
} from '../../../local/demo/registration-parts.ts';
import { type Client, clientOf } from '../../rig/client.ts';
import { approve, awsCall, openRig, type Rig, talk } from '../../rig/rig.ts';
import { until } from '../../rig/until.ts';

const dayMs = 86_400_000;
const parkAfterMs = 30 * dayMs;
const startMs = Date.parse('2026-12-01T09:00:00Z');

let rig: Rig;
let clock: ReturnType<typeof simulatedClock>;
/** What happens when Park has been called and has not looked yet. */
let beforePark: () => Promise<void> = async () => undefined;

/** Quiet: no execution has a call out and no stream record waits. Only then may time go on. */
const quiet = async (): Promise<void> => {
  if (rig === undefined) return;
  for (let turns = 0; turns < 3; turns += 1) {
    await new Promise<void>((done) => setImmediate(done));
    await rig.twin.settled();
    while (rig.twin.stepFunctions.residents() > 0)
      await new Promise<void>((done) => setImmediate(done));
  }
};

beforeEach(async () => {
  beforePark = async () => undefined;
  clock = simulatedClock(startMs, quiet);
  rig = await openRig({
    twin: {
      clock,
      schedules: false,
      handlers: {
        park: (substrate) => {
          const park = parkHandlerFor(substrate);
          return async (input: unknown, context: Context) => {
            await beforePark();
            return park(input, context);
          };
        },
      },
    },
    tools: (url) => [
      {
        name: 'patient_refund',
        description: 'Refunds, once somebody has approved it within a year.',
        arguments: object({ payment_id: text('Payment') }),
        transport: {
          kind: 'http',
          method: 'POST',
          url: `${url}/crm/refunds`,
          headers: demoHeaders,
          body: {
            as: 'json',
            template: {
              payment_id: '{{args.payment_id}}',
              amount_cents: 100,
              reason: 'Asked for',
              reference: '{{reference}}',
            },
          },
        },
        contract: {
          effect: 'irreversible',
          destination: demoDestination('demo-crm'),
          preset: 'http',
          policy: { approval: { when: 'always' }, expiryMs: 300 * dayMs },
        },
      },
    ],
    scripts: {
      patient: {
        scenes: [
          {
            when: {},
            turns: [
              { call: [{ name: 'patient_refund', arguments: { payment_id: '{{message}}' } }] },
              { say: 'Refunded.' },
            ],
          },
        ],
      },
    },
  });
});
afterEach(() => rig.close());

/** Tokens end by the twin's clock. */
const clientNow = async (): Promise<Client> => clientOf(rig.twin.url, await rig.twin.token('ana'));

const waitingRun = async (payment: string) => {
  const { client } = rig;
  const agentId = await rig.agent('patient', { tools: ['patient_refund'] });
  const talking = await talk(client, agentId, payment);
  const requestId = await until('the approval is asked', async () => {
    const { state } = await client.run(talking.runId);
    return state.status === 'waiting' ? state.blocking[0]?.requestId : undefined;
  });
  await quiet();
  return { ...talking, requestId };
};

const execution = z.object({ name: z.string(), status: z.string(), startDate: z.number() });
const executions = async () => {
  const list = await awsCall(rig.twin, 'states')('ListExecutions', {
    stateMachineArn: rig.twin.machineArns.run.replace(/:live$/, ''),
  });
  return z.object({ executions: z.array(execution) }).parse(list).executions;
};

const endOf = async (runId: string) => {
  const client = await clientNow();
  return until(`run ${runId} ends`, async () => {
    // Waits of the machine are in simulated time: let them pass.
    await clock.advance(1_000);
    const run = await client.run(runId);
    return run.state.status === 'finished' ? { ...run, state: run.state } : undefined;
  });
};

const expectOneRefund = async (runId: string): Promise<void> => {
  const client = await clientNow();
  const [action] = await client.actions(runId);
  expect(action).toMatchObject({ effect: 'confirmed', attempts: 1 });
  expect(await rig.destination.effectsOf(action?.actionId ?? '')).toHaveLength(1);
};

test('L12 an approval answered after 40 days: the run was parked with no execution, and goes on in the next segment', async () => {
  const { runId, requestId } = await waitingRun('pay_1001');
  await clock.advance(parkAfterMs + dayMs);
  expect((await executions()).map(({ status }) => status)).toEqual(['SUCCEEDED']);
  const client = await clientNow();
  expect((await client.run(runId)).state).toMatchObject({
    status: 'waiting',
    blocking: [{ on: 'approval', requestId }],
  });
  await clock.advance(9 * dayMs);
  await approve(await clientNow(), requestId);
  const run = await endOf(runId);
  expect(run.state.reason).toBe('done');
  expect(run.executions).toHaveLength(2);
  expect((await executions()).map(({ status }) => status)).toEqual(['SUCCEEDED', 'SUCCEEDED']);
  await expectOneRefund(runId);
});

test.each([
  ['one second before', -1_000],
  ['at the very millisecond of', 0],
  ['one second after', 1_000],
])(
  'L12 an approval answered %s the parking time is neither lost nor carried out twice',
  async (_when, offsetMs) => {
    const { runId, requestId } = await waitingRun('pay_1001');
    const [first] = await executions();
    const admittedMs = Math.round((first?.startDate ?? 0) * 1_000);
    const parkAtMs = admittedMs + parkAfterMs;
    await clock.advance(parkAtMs + Math.min(offsetMs, 0) - clock.now());
    const client = await clientNow();
    // The answer and the end of the wait are under way together.
    await Promise.all([approve(client, requestId), clock.advance(Math.max(offsetMs, 1))]);
    const run = await endOf(runId);
    expect(run.state.reason).toBe('done');
    expect(run.executions.length).toBeLessThan(3);
    await expectOneRefund(runId);
  },
);

test('L12 an approval answered between the end of the wait and the parking is seen: the run goes on instead', async () => {
  const { runId, requestId } = await waitingRun('pay_1001');
  let answered = 0;
  beforePark = async () => {
    if (answered > 0) return;
    answered += 1;
    await approve(await clientNow(), requestId);
    // The wake-up finds no wait any more, and no parked run yet.
    await rig.twin.settled();
  };
  await clock.advance(parkAfterMs + 1_000);
  const run = await endOf(runId);
  expect(answered).toBe(1);
  expect(run.state.reason).toBe('done');
  expect(run.executions).toHaveLength(2);
  await expectOneRefund(runId);
});
