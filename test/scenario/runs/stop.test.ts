// Stopping: while a person is waited for, while the destination works, and after the end. Laws: L7, L13, L14, L16.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { finished, openRig, type Rig, talk, waitingOn } from '../../rig/rig.ts';
import { callCreate, callRefund } from '../../rig/tools.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await openRig({
    scripts: {
      refund: {
        scenes: [
          {
            when: {},
            turns: [{ call: [callRefund('pay_1001', 100)] }, { say: 'It is over.' }],
          },
        ],
      },
      write: {
        scenes: [
          { when: {}, turns: [{ call: [callCreate('{{message}}')] }, { say: 'It is written.' }] },
        ],
      },
    },
  });
});
afterAll(() => rig.close());

test('L7 stop while an approval is waited for: nothing is sent, the request is void, and a later approval changes nothing', async () => {
  const { client, destination } = rig;
  const { runId } = await talk(client, await rig.agent('refund'), 'Refund it.');
  const [request] = await waitingOn(client, runId, 'approval');
  await client.stop(runId);
  const run = await finished(client, runId);
  expect(run.state).toMatchObject({ reason: 'stopped', detail: 'Ana stopped the run.' });
  const late = await client.send('POST', `/v1/requests/${request?.requestId}/answer`, {
    kind: 'approve',
    digest: request?.on === 'approval' ? request.digest : '',
  });
  expect(late).toMatchObject({ status: 409, body: { decision: 'voided' } });
  const [action] = await client.actions(runId);
  expect(action).toMatchObject({
    effect: 'not_sent',
    attempts: 0,
    disposition: { kind: 'stopped' },
    told: { text: expect.stringContaining('the run was stopped') },
  });
  expect(await destination.effectsOf(action?.actionId ?? '')).toEqual([]);
  expect(await client.openRequests()).toEqual([]);
});

test('L3 stop during a write that never answers: stopping until its time is over, then stopped with the outcome listed as open', async () => {
  const { client, destination } = rig;
  const title = 'Never answered';
  const faultId = await destination.fault({
    service: 'crm',
    operation: 'create_opportunity',
    match: { title },
    mode: 'hold',
    when: 'after_write',
  });
  const { runId } = await talk(client, await rig.agent('write'), title);
  await destination.untilHeld('create_opportunity');
  expect((await client.stop(runId)).state.status).toBe('stopping');
  expect((await client.run(runId)).state.status).toBe('stopping');
  const run = await finished(client, runId);
  expect(run.state.reason).toBe('stopped');
  const [action] = await client.actions(runId);
  expect(action).toMatchObject({ effect: 'undetermined', attempts: 1 });
  expect(await destination.effectsOf(action?.actionId ?? '')).toHaveLength(1);
  await destination.release(faultId);
  const open = (await client.openRequests()).map(({ actionId }) => actionId);
  expect(open).toEqual([action?.actionId]);
});

test('L14 stop after the end is told that the run is over, and stop twice is no error', async () => {
  const { client } = rig;
  const done = await talk(client, await rig.agent('write'), 'Quick');
  await finished(client, done.runId);
  expect(await client.send('POST', `/v1/runs/${done.runId}/stop`)).toMatchObject({
    status: 409,
    body: { type: expect.stringMatching(/run-finished$/) },
  });
  expect((await client.run(done.runId)).state).toMatchObject({ reason: 'done' });
  const stopped = await talk(client, await rig.agent('refund'), 'Refund it.');
  await waitingOn(client, stopped.runId, 'approval');
  await client.stop(stopped.runId);
  expect((await client.stop(stopped.runId)).state.status).toMatch(/stopping|finished/);
  await finished(client, stopped.runId);
  expect((await client.stop(stopped.runId)).state).toMatchObject({ reason: 'stopped' });
});
