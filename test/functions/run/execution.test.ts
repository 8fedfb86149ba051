// The execution around a Perform in flight is stopped, and taken up again by a redrive: one effect, and the truth in the store.
// Judged by the destination's own list. Laws: L3, L11 (the fence), L14.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { approve, awsCall, finished, openRig, type Rig, talk, waitingOn } from '../../rig/rig.ts';
import { callCreate, callRefund } from '../../rig/tools.ts';
import { until } from '../../rig/until.ts';

const end = { say: 'So: {{result.last}}' };
const scripts = {
  create: { scenes: [{ when: {}, turns: [{ call: [callCreate('{{message}}')] }, end] }] },
  refund: { scenes: [{ when: {}, turns: [{ call: [callRefund('pay_1001', 100)] }, end] }] },
};

let rig: Rig;
beforeAll(async () => {
  rig = await openRig({ scripts, toolMs: 10_000 });
});
afterAll(() => rig.close());

const states = (operation: string, input: Readonly<Record<string, unknown>>) =>
  awsCall(rig.twin, 'states')(operation, input);

/** The run's first execution. */
const executionOf = (runId: string): string => {
  const arn = rig.twin.machineArns.run.replace(':stateMachine:', ':execution:');
  return `${arn.split(':').slice(0, 7).join(':')}:${runId}`;
};

const actionOf = async (runId: string) => {
  const [action] = await rig.client.actions(runId);
  if (!action) throw new Error(`Run ${runId} has no action.`);
  return action;
};

test('stopped while its write is under way, then redriven: the write is settled by its own Perform, and sent once', async () => {
  const title = 'Stopped in flight';
  const { client, destination } = rig;
  const fault = await destination.fault({
    service: 'crm',
    operation: 'create_opportunity',
    match: { title },
    mode: 'hold',
    when: 'after_write',
  });
  const { runId } = await talk(client, await rig.agent('create'), title);
  await destination.untilHeld('create_opportunity');
  const executionArn = executionOf(runId);
  await states('StopExecution', { executionArn });
  const run = await finished(client, runId);
  expect(run.state.reason).toBe('stopped');
  await states('RedriveExecution', { executionArn });
  await destination.release(fault);
  const { actionId } = await actionOf(runId);
  const action = await until('the write is settled', async () => {
    const { action: now } = await client.action(actionId);
    return now.effect === 'confirmed' ? now : undefined;
  });
  expect(action.attempts).toBe(1);
  await until('the redriven execution is over', async () => {
    const { status } = await states('DescribeExecution', { executionArn });
    return status === 'RUNNING' ? undefined : status;
  });
  expect(await destination.effectsOf(actionId)).toHaveLength(1);
  expect((await client.run(runId)).state).toMatchObject({ status: 'finished', reason: 'stopped' });
});

test('stopped while it waits for an approval, then redriven: the approval is void, and nothing is sent', async () => {
  const { client, destination } = rig;
  const { runId } = await talk(client, await rig.agent('refund'), 'Refund it.');
  const [request] = await waitingOn(client, runId, 'approval');
  const executionArn = executionOf(runId);
  await states('StopExecution', { executionArn });
  await finished(client, runId);
  await states('RedriveExecution', { executionArn });
  await expect(approve(client, request?.requestId ?? '')).rejects.toThrow('409');
  const { actionId, disposition } = await actionOf(runId);
  expect(disposition.kind).toBe('stopped');
  expect(await destination.effectsOf(actionId)).toEqual([]);
});
