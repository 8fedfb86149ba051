// Approvals: each for exactly one action, each call with one honest result. Judged by the destination's own list.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PersonRequest } from '../../../functions/core/records/request.ts';
import { approve, awsCall, finished, openRig, type Rig, talk, waitingOn } from '../../rig/rig.ts';
import { callCreate, callMail, callRefund } from '../../rig/tools.ts';
import { until } from '../../rig/until.ts';

const payments = ['pay_1001', 'pay_1002', 'pay_1004'] as const;
let rig: Rig;

beforeAll(async () => {
  rig = await openRig({
    scripts: {
      three: {
        scenes: [
          {
            when: {},
            turns: [{ call: payments.map((id) => callRefund(id, 100)) }, { say: 'All three.' }],
          },
        ],
      },
      five: {
        scenes: [
          {
            when: {},
            turns: [
              {
                call: [
                  callCreate('S26 first'),
                  callCreate('S26 second'),
                  callRefund('pay_1003', 201),
                  callRefund('pay_1003', 202),
                  callRefund('pay_1003', 203),
                ],
              },
              { say: 'Five results.' },
            ],
          },
        ],
      },
      one: {
        scenes: [
          { when: {}, turns: [{ call: [callRefund('pay_1001', 4_000)] }, { say: 'Over.' }] },
        ],
      },
      tenfold: {
        scenes: [
          {
            when: {},
            turns: [
              { call: [callRefund('pay_1001', 82_000)] },
              { call: [callRefund('pay_1001', 820_000)] },
              { call: [callMail('Refund of 820 000')] },
              { say: 'Over.' },
            ],
          },
        ],
      },
    },
  });
});
afterAll(() => rig.close());

const refundsOf = async (amountCents: number): Promise<number> =>
  (await rig.destination.effects()).filter(
    ({ operation, arguments: args }) => operation === 'refund' && args.amount_cents === amountCents,
  ).length;

const requestOf = async (runId: string, requests: readonly PersonRequest[], call: number) => {
  const action = (await rig.client.actions(runId)).find((one) => one.call === call);
  const request = requests.find(({ actionId }) => actionId === action?.actionId);
  if (request === undefined) throw new Error(`Call ${call} waits for nothing.`);
  return { request, actionId: request.actionId };
};

test('L13 S05 three refunds are approved one after the other: each runs as soon as it is approved, and once', async () => {
  const { client, destination } = rig;
  const { runId } = await talk(client, await rig.agent('three'), 'Refund them.');
  const requests = await waitingOn(client, runId, 'approval', 3);
  for (const call of [1, 0, 2]) {
    const { request, actionId } = await requestOf(runId, requests, call);
    await approve(client, request.requestId);
    await until(`refund ${call} is made before the next approval`, async () => {
      const { action } = await client.action(actionId);
      return action.effect === 'confirmed' ? true : undefined;
    });
    expect(await destination.effectsOf(actionId)).toHaveLength(1);
  }
  await finished(client, runId);
  for (const { actionId } of await client.actions(runId))
    expect(await destination.effectsOf(actionId)).toHaveLength(1);
});

test('L13 S23 an approval is spent on nothing but its action: other amount and other tool are asked anew', async () => {
  const { client, destination } = rig;
  const { runId } = await talk(client, await rig.agent('tenfold'), 'Refund 82 000.');
  const [first] = await waitingOn(client, runId, 'approval');
  await approve(client, first?.requestId ?? '');
  const nextRequest = (after: readonly string[]) =>
    until('the next approval is asked', async () => {
      const { state } = await client.run(runId);
      const open = state.status === 'waiting' ? state.blocking : [];
      return open.find(({ requestId }) => !after.includes(requestId));
    });
  const second = await nextRequest([first?.requestId ?? '']);
  const spent = await client.send('POST', `/v1/requests/${second.requestId}/answer`, {
    kind: 'approve',
    digest: first?.on === 'approval' ? first.digest : '',
  });
  expect(spent).toMatchObject({
    status: 409,
    body: { type: expect.stringMatching(/digest-changed$/) },
  });
  const again = await client.send('POST', `/v1/requests/${first?.requestId}/answer`, {
    kind: 'refuse',
    reason: 'Changed my mind.',
  });
  expect(again).toMatchObject({
    status: 409,
    body: { type: expect.stringMatching(/already-answered$/), decidedBy: { name: 'Ana' } },
  });
  await client.answer(second.requestId, { kind: 'refuse', reason: 'Ten times too much.' });
  const third = await nextRequest([first?.requestId ?? '', second.requestId]);
  await client.answer(third.requestId, { kind: 'refuse', reason: 'No mail either.' });
  await finished(client, runId);
  expect([await refundsOf(82_000), await refundsOf(820_000)]).toEqual([1, 0]);
  expect((await destination.effects()).filter(({ service }) => service === 'mail')).toEqual([]);
  const dispositions = (await client.actions(runId)).map(({ disposition, attempts }) => [
    disposition.kind,
    attempts,
  ]);
  expect(dispositions).toEqual([
    ['open', 1],
    ['refused', 0],
    ['refused', 0],
  ]);
});

test('L16 S26 of five calls two run, one is approved, one refused, and the last stays pending with nothing made up', async () => {
  const { client, destination } = rig;
  const { runId } = await talk(client, await rig.agent('five'), 'Five.');
  const requests = await waitingOn(client, runId, 'approval', 3);
  await approve(client, (await requestOf(runId, requests, 2)).request.requestId);
  const refused = await requestOf(runId, requests, 3);
  await client.answer(refused.request.requestId, { kind: 'refuse', reason: 'Not this one.' });
  const settled = await until('four of the five have their result', async () => {
    const actions = await client.actions(runId);
    return actions.filter(({ told }) => told !== undefined).length === 4 ? actions : undefined;
  });
  expect(settled.map(({ effect, disposition }) => [effect, disposition.kind])).toEqual([
    ['confirmed', 'open'],
    ['confirmed', 'open'],
    ['confirmed', 'open'],
    ['not_sent', 'refused'],
    ['not_sent', 'open'],
  ]);
  expect(settled[3]?.told?.text).toContain('Not this one.');
  expect(settled[4]?.told).toBeUndefined();
  const [last] = await waitingOn(client, runId, 'approval', 1);
  expect(last?.actionId).toBe(settled[4]?.actionId);
  const counts = await Promise.all(
    settled.map(async ({ actionId }) => (await destination.effectsOf(actionId)).length),
  );
  expect(counts).toEqual([1, 1, 1, 0, 0]);
  await approve(client, last?.requestId ?? '');
  await finished(client, runId);
  const results = (await client.steps(runId))[1]?.results.map(({ callId }) => callId);
  expect(results).toEqual(settled.map(({ actionId }) => actionId));
});

test('L6 S23 the content changes in the store behind the approval: it says so where one approves, and nothing is sent', async () => {
  const { client, destination, twin } = rig;
  const { runId } = await talk(client, await rig.agent('one'), 'Refund 4 000.');
  const [request] = await waitingOn(client, runId, 'approval');
  const actionId = request?.actionId ?? '';
  const dynamo = awsCall(twin, 'dynamodb');
  const key = { TableName: 'Ledger', Key: { pk: { S: `ACT#${actionId}` }, sk: { S: 'ACT' } } };
  const approved = JSON.stringify((await dynamo('GetItem', key)).Item);
  const changed = approved.replaceAll(/(amount_cents\W+)4000\b/g, '$140000');
  expect(changed).not.toBe(approved);
  await dynamo('PutItem', { TableName: 'Ledger', Item: JSON.parse(changed) });
  // Nothing is given, and the request stays open.
  await expect(approve(client, request?.requestId ?? '')).rejects.toThrow('content_changed');
  expect(await waitingOn(client, runId, 'approval')).toHaveLength(1);
  expect((await client.action(actionId)).action).toMatchObject({ effect: 'not_sent', attempts: 0 });
  expect(await destination.effectsOf(actionId)).toEqual([]);
});
