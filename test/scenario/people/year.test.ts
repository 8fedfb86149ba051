// A year passes: runs park, people answer in every order before and after, and each run goes on where it was. What nobody answers
// expires also where no execution waits for it. Laws: L11, L12, L13, L15, L16.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { approve, talk } from '../../rig/rig.ts';
import { callRefund } from '../../rig/tools.ts';
import { until } from '../../rig/until.ts';
import { dayMs, openTurnedRig, startMs, type TurnedRig } from './clock.ts';
import { blocked, callAsk, requestOfCall } from './parts.ts';

const yearMs = 365 * dayMs;
const parkAfterMs = 30 * dayMs;
let turned: TurnedRig;

const asks = (more = {}) => ({ expiresInMs: yearMs, ...more });
beforeEach(async () => {
  turned = await openTurnedRig({
    three: {
      scenes: [
        {
          when: {},
          turns: [
            { call: ['A', 'B', 'C'].map((name) => callAsk(name, asks())) },
            { say: '{{result.0}} {{result.1}} {{result.2}}' },
          ],
        },
      ],
    },
    ...Object.fromEntries(
      (['default', 'continue', 'stop'] as const).map((onExpiry) => [
        onExpiry,
        {
          scenes: [
            {
              when: {},
              turns: [
                { call: [callAsk('Well?', { expiresInMs: 60 * dayMs, onExpiry })] },
                { say: 'Went on.' },
              ],
            },
          ],
        },
      ]),
    ),
    stopping: {
      scenes: [
        {
          when: {},
          turns: [
            {
              call: [
                callAsk('Well?', { expiresInMs: 3_600_000, onExpiry: 'stop' }),
                callRefund('pay_1001', 300),
              ],
            },
            { say: 'Went on.' },
          ],
        },
      ],
    },
  });
});
afterEach(() => turned.rig.close());

const orders = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
] as const;
interface Case {
  readonly order: readonly number[];
  /** How many are answered before the first parking. */
  readonly before: number;
}
const cases: readonly Case[] = orders.flatMap((order) =>
  [0, 1, 2, 3].map((before) => ({ order, before })),
);

test('L12 three questions of one step are answered in every order, any of them before and the others after parking, months apart', async () => {
  const { rig, clock, quiet, clientNow } = turned;
  const agentId = await rig.agent('three', { tools: [] });
  const talks: (Case & { readonly runId: string; answered: number })[] = [];
  for (const one of cases) {
    const { runId } = await talk(rig.client, agentId, 'Ask.');
    await blocked(rig.client, runId, 3);
    talks.push({ ...one, runId, answered: 0 });
  }
  await quiet();
  const answerNext = async (one: (typeof talks)[number]): Promise<void> => {
    const client = await clientNow();
    const call = one.order[one.answered] ?? 0;
    const { requestId } = await requestOfCall(client, one.runId, call);
    await client.answer(requestId, { kind: 'answer', answer: { text: `answer ${call}` } });
    one.answered += 1;
  };
  for (const one of talks) while (one.answered < one.before) await answerNext(one);
  // Every parking is waited for, so that each later answer finds a run without an execution.
  for (let parkings = 1; parkings <= 3; parkings += 1) {
    await clock.advance(parkAfterMs + dayMs);
    const client = await clientNow();
    for (const one of talks) {
      if (one.answered === 3) continue;
      expect((await client.run(one.runId)).state.status).toBe('waiting');
      await answerNext(one);
    }
    await quiet();
  }
  const client = await clientNow();
  for (const { runId, before, order } of talks) {
    const run = await turned.endOf(runId);
    expect(run.state).toMatchObject({ status: 'finished', reason: 'done' });
    // Each answer after a parking started one segment, and nothing else did.
    expect(run.executions, `${order} after ${before}`).toHaveLength(1 + (3 - before));
    expect(run.steps.taken).toBe(2);
    expect((await client.steps(runId))[1]?.text).toBe(
      [0, 1, 2].map((call) => `{"text":"answer ${call}"}`).join(' '),
    );
  }
}, 240_000);

test('L12 a year without an answer: the run parks, continues nothing, and is answered on the last day', async () => {
  const { rig, clock, clientNow } = turned;
  const { runId } = await talk(rig.client, await rig.agent('three', { tools: [] }), 'Ask.');
  await blocked(rig.client, runId, 3);
  await turned.quiet();
  const waiting = clock.nextAtMs();
  await clock.advance(yearMs - dayMs);
  expect(waiting).toBeLessThan(startMs + yearMs);
  const client = await clientNow();
  expect((await client.run(runId)).executions).toHaveLength(1);
  for (const call of [2, 1, 0]) {
    const { requestId } = await requestOfCall(client, runId, call);
    await client.answer(requestId, { kind: 'answer', answer: {} });
  }
  const run = await turned.endOf(runId);
  expect(run.state).toMatchObject({ reason: 'done' });
  expect((await client.steps(runId))[1]?.text).toContain('the default');
});

test.each([
  ['default', 'done', 'Nobody answered in time; these are the defaults: {"text":"the default"}'],
  ['continue', 'done', 'Go on without an answer.'],
  ['stop', 'stopped', 'The run stops.'],
] as const)(
  'L12 a question with the consequence "%s" that expires while the run is parked is closed by the sweep, and the run ends as %s',
  async (script, reason, told) => {
    const { rig, clock, clientNow } = turned;
    const { runId, conversationId } = await talk(
      rig.client,
      await rig.agent(script, { tools: [] }),
      'Ask.',
    );
    await blocked(rig.client, runId, 1);
    await turned.quiet();
    await clock.advance(60 * dayMs - 1_000);
    await turned.sweep();
    const client = await clientNow();
    expect((await client.run(runId)).state.status).toBe('waiting');
    await clock.advance(2_000);
    // Nothing waits for it in any execution: without the sweep it would stay for ever.
    expect((await client.run(runId)).state.status).toBe('waiting');
    await turned.sweep();
    const run = await turned.endOf(runId);
    expect(run.state).toMatchObject({ status: 'finished', reason });
    expect(run.executions).toHaveLength(2);
    expect((await client.actions(runId))[0]?.told?.text).toContain(told);
    const events = (await client.events(conversationId)).map(({ body }) => body.type);
    expect(events.filter((type) => type === 'request.expiring')).toHaveLength(1);
    expect(events.filter((type) => type === 'request.closed')).toHaveLength(1);
  },
);

test('L12 S51 no wait is without an end: a question that expires stops its run, and voids the rest with it', async () => {
  const { rig, clock, clientNow } = turned;
  const { runId } = await talk(rig.client, await rig.agent('stopping'), 'Ask.');
  await blocked(rig.client, runId, 2);
  await turned.quiet();
  const refund = await requestOfCall(rig.client, runId, 1);
  await clock.advance(3_600_000 + 1_000);
  const run = await turned.endOf(runId);
  expect(run.state).toMatchObject({ status: 'finished', reason: 'stopped' });
  const client = await clientNow();
  const actions = await client.actions(runId);
  expect(actions.map(({ told }) => told?.status)).toEqual(['error', 'error']);
  const late = await client.send('POST', `/v1/requests/${refund.requestId}/answer`, {
    kind: 'refuse',
    reason: 'Late.',
  });
  expect(late).toMatchObject({ status: 409, body: { decision: 'voided' } });
  expect(await rig.destination.effectsOf(actions[1]?.actionId ?? '')).toEqual([]);
});

test('L12 a reminder is said once, before the end, and names whom it asks', async () => {
  const { rig, clock, clientNow } = turned;
  const { runId, conversationId } = await talk(
    rig.client,
    await rig.agent('default', { tools: [] }),
    'Ask.',
  );
  await blocked(rig.client, runId, 1);
  await turned.quiet();
  const reminders = async () =>
    (await (await clientNow()).events(conversationId)).flatMap(({ body }) =>
      body.type === 'request.expiring' ? [body] : [],
    );
  await clock.advance(58 * dayMs);
  await turned.sweep();
  expect(await reminders()).toEqual([]);
  await clock.advance(dayMs + 1_000);
  for (let sweeps = 0; sweeps < 3; sweeps += 1) await turned.sweep();
  const expiresAt = new Date((await requestOfCall(await clientNow(), runId, 0)).expiresAtMs ?? 0);
  expect(await reminders()).toMatchObject([
    { runId, on: 'question', expiresAt: expiresAt.toISOString() },
  ]);
});

test('L15 S32 an approval asked long before answers for the revision it was asked under, whatever was deployed since', async () => {
  const { rig, clock, clientNow } = turned;
  const agentId = await rig.agent('stopping');
  const { runId } = await talk(rig.client, agentId, 'Ask.');
  await blocked(rig.client, runId, 2);
  await turned.quiet();
  for (let version = 0; version < 25; version += 1)
    await rig.client.send('POST', `/v1/agents/${agentId}/revisions`, {
      name: 'Other',
      prompt: `Version ${version}.`,
      model: { provider: 'scripted', script: 'gone' },
      tools: [],
    });
  await clock.advance(1_800_000);
  const client = await clientNow();
  await approve(client, (await requestOfCall(client, runId, 1)).requestId);
  const question = await requestOfCall(client, runId, 0);
  await client.answer(question.requestId, { kind: 'answer', answer: { text: 'Yes.' } });
  const run = await turned.endOf(runId);
  expect(run).toMatchObject({ revision: 1, state: { reason: 'done' } });
  const refund = (await client.actions(runId))[1];
  expect(await rig.destination.effectsOf(refund?.actionId ?? '')).toHaveLength(1);
  await until('the inbox is empty', async () =>
    (await client.openRequests()).length === 0 ? true : undefined,
  );
});
