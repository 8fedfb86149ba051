// Time at the recovery desk: a person says "wait until", or asks for a look. Simulated clock; judged by the destination's list.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { simulatedClock } from '../../../local/base/clock.ts';
import { type Client, clientOf } from '../../rig/client.ts';
import { openRig, type Rig, talk } from '../../rig/rig.ts';
import { until } from '../../rig/until.ts';

const dayMs = 86_400_000;
const startMs = Date.parse('2026-12-01T09:00:00Z');

let rig: Rig;
let client: Client;
let clock: ReturnType<typeof simulatedClock>;

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
  clock = simulatedClock(startMs, quiet);
  rig = await openRig({
    twin: { clock, schedules: false },
    scripts: {
      create: {
        scenes: [
          {
            when: {},
            turns: [
              {
                call: [
                  {
                    name: 'crm_create_opportunity',
                    arguments: {
                      customer_id: 'cus_acme',
                      title: '{{message}}',
                      amount_cents: 4_800,
                    },
                  },
                ],
              },
              { say: 'So: {{result.last}}', onError: { say: 'So: {{error}}' } },
            ],
          },
        ],
      },
    },
  });
  client = clientOf(rig.twin.url, await rig.twin.token('ana'));
});
afterEach(() => rig.close());

/** A call that is at the destination, whose reply and whose look-ups are lost; a person is asked. */
const lose = async (title: string) => {
  await rig.destination.fault({
    service: 'crm',
    operation: 'create_opportunity',
    match: { title },
    mode: 'drop_reply_after_write',
  });
  await rig.destination.fault({
    service: 'crm',
    operation: 'find_opportunities',
    mode: 'refuse',
    times: 5,
  });
  const talked = await talk(
    client,
    await rig.agent('create', { tools: ['crm_create_opportunity'] }),
    title,
  );
  const [action] = await until('it was called', async () => {
    await clock.advance(1_000);
    const actions = await client.actions(talked.runId);
    return actions.length > 0 ? actions : undefined;
  });
  await until('a person is asked', async () => {
    await clock.advance(20_000);
    const { state } = await client.run(talked.runId);
    return state.status === 'waiting' && state.blocking[0]?.on === 'recovery' ? true : undefined;
  });
  return { ...talked, actionId: action?.actionId ?? '' };
};

test('L12 "wait until" waits without anybody, then looks, and the run goes on with what was found', async () => {
  const { runId, actionId } = await lose('Tomorrow');
  const at = new Date(clock.now() + dayMs).toISOString();
  await client.decide(actionId, { kind: 'wait', until: at, reason: 'The CRM is down until then.' });
  await clock.advance(dayMs / 2);
  const { body } = await client.send('GET', '/v1/desk');
  expect(body).toMatchObject({ items: [{ actionId, nextCheckAt: at }] });
  expect((await client.run(runId)).state.status).toBe('waiting');
  await until('the run is done', async () => {
    await clock.advance(dayMs / 4);
    const { state } = await client.run(runId);
    return state.status === 'finished' ? true : undefined;
  });
  expect((await client.action(actionId)).action).toMatchObject({
    effect: 'confirmed',
    attempts: 1,
  });
  expect((await client.steps(runId)).at(-1)?.text).toContain('So: ');
  expect(await rig.destination.effectsOf(actionId)).toHaveLength(1);
});

test('L4 a look that somebody asks for is made at once, and settles what it finds', async () => {
  const { runId, actionId } = await lose('Now');
  const looked = await client.send('POST', `/v1/actions/${actionId}/look`, {});
  expect(looked.status).toBe(202);
  await until('the run is done', async () => {
    await clock.advance(1_000);
    const { state } = await client.run(runId);
    return state.status === 'finished' ? true : undefined;
  });
  const { action, journal } = await client.action(actionId);
  expect(action).toMatchObject({ effect: 'confirmed', attempts: 1 });
  expect(journal.observations.filter(({ lookUp }) => lookUp === 'failed')).toHaveLength(5);
  expect(journal.observations.at(-1)).toMatchObject({ lookUp: 'hit', says: 'confirms' });
});
