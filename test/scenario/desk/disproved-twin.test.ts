// A person looked, saw nothing and said so; it lands all the same, or had landed. An equal call asks with both on view while that
// may be, and what turns up late is said of both. Simulated clock; judged by the destination's list. Laws: L20, L21.
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ToolRegistrationInput } from '../../../functions/core/registry/tool.ts';
import { simulatedClock } from '../../../local/base/clock.ts';
import { type Client, clientOf } from '../../rig/client.ts';
import { approve, openRig, type Rig, talk } from '../../rig/rig.ts';
import { toolsAt } from '../../rig/tools.ts';
import { until } from '../../rig/until.ts';

/** Its destination may take ten minutes to show what it did. */
const made = (url: string): ToolRegistrationInput[] =>
  toolsAt(url).flatMap((one) =>
    one.name === 'crm_create_opportunity' && one.contract.lookUp
      ? [
          {
            ...one,
            name: 'made',
            contract: { ...one.contract, lookUp: { ...one.contract.lookUp, settleMs: 600_000 } },
          },
        ]
      : [],
  );

const startMs = Date.parse('2026-12-01T09:00:00Z');
const tool = 'made';

let rig: Rig;
let client: Client;
let clock: ReturnType<typeof simulatedClock>;
let agent: string;

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
    tools: made,
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
                    name: tool,
                    arguments: { customer_id: 'cus_acme', title: '{{message}}', amount_cents: 100 },
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
  agent = await rig.agent('create', { tools: [tool] });
});
afterEach(() => rig.close());

const waitsFor = (runId: string, on: 'recovery' | 'approval') =>
  until(`${on} is waited for`, async () => {
    await clock.advance(2_000);
    const { state } = await client.run(runId);
    return state.status === 'waiting' && state.blocking[0]?.on === on
      ? state.blocking[0].requestId
      : undefined;
  });
const isDone = (runId: string) =>
  until('the run is done', async () => {
    await clock.advance(2_000);
    const { state } = await client.run(runId);
    return state.status === 'finished' ? true : undefined;
  });
const onlyOf = async (runId: string): Promise<string> =>
  (await client.actions(runId))[0]?.actionId ?? '';
const landed = async (title: string): Promise<number> =>
  (await rig.destination.effects()).filter((one) => one.arguments.title === title).length;

/** It is at the destination, and a person who could not see it says that it is not. */
const disprovedInError = async (title: string): Promise<string> => {
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
  const { runId } = await talk(client, agent, title);
  await waitsFor(runId, 'recovery');
  const actionId = await onlyOf(runId);
  await client.decide(actionId, {
    kind: 'not_performed',
    evidence: {
      what: 'Looked for the opportunity by its title.',
      where: 'The CRM, list of opportunities',
      when: '2026-12-01T09:00:20Z',
      coverage: 'All opportunities of the account, closed ones included.',
    },
  });
  await isDone(runId);
  return actionId;
};

/** The look that finds the first after all: both say so, on their sheets too. */
const bothAreMarked = async (first: string, second: string): Promise<void> => {
  await client.send('POST', `/v1/actions/${first}/look`, {});
  await until('the first is found', async () => {
    await clock.advance(2_000);
    return (await client.action(first)).action.effect === 'confirmed' ? true : undefined;
  });
  expect((await client.action(first)).action.duplicateOf).toBe(second);
  expect((await client.action(second)).action.duplicateOf).toBe(first);
  for (const [one, other] of [
    [first, second],
    [second, first],
  ])
    expect(JSON.stringify((await client.send('GET', `/v1/actions/${one}/sheet`)).body)).toContain(
      other,
    );
};

test('L20 soon after a person disproved it, an equal call asks with both on view, and a late truth marks both', async () => {
  const first = await disprovedInError('Soon');
  const { runId } = await talk(client, agent, 'Soon');
  const requestId = await waitsFor(runId, 'approval');
  expect(await landed('Soon')).toBe(1);
  const view = await client.request(requestId);
  expect(view.lookAlikes.map(({ actionId }) => actionId)).toEqual([first]);
  await approve(client, requestId);
  await isDone(runId);
  expect(await landed('Soon')).toBe(2);
  await bothAreMarked(first, await onlyOf(runId));
});

test('L20 later nobody is asked, and a late truth marks both all the same', async () => {
  const first = await disprovedInError('Later');
  await clock.advance(3_600_000);
  const { runId } = await talk(client, agent, 'Later');
  await isDone(runId);
  expect(await landed('Later')).toBe(2);
  const second = await onlyOf(runId);
  expect((await client.action(second)).action).toMatchObject({ attempts: 1, effect: 'confirmed' });
  await bothAreMarked(first, second);
});
