// What frees a run of sixteen questions takes more than one transaction. The process dies between two of them: what is in the store
// then is whole, and whoever goes on (the machine, or the person who asks again) ends it. Laws: L11, L12, L13, L16, L17, L21.
import { expect, test } from 'vitest';
import { TryAgain } from '../../../functions/core/base/errors.ts';
import { MessageId, RunId } from '../../../functions/core/base/ids.ts';
import { stopRun } from '../../../functions/core/pausing/stop.ts';
import { postMessage } from '../../../functions/core/turn/post-message.ts';
import { supersede } from '../../../functions/core/turn/supersede.ts';
import type { ToolReport } from '../../../functions/ports/tool.ts';
import { finish } from '../../../functions/run/finish.ts';
import { openRequestsOf } from '../../../functions/run/open-requests.ts';
import { agentOf } from '../../fakes/items.ts';
import { openPerformRig, type PerformRig, workspace } from './perform-rig.ts';

const by = { kind: 'person', subject: 'ana', name: 'Ana' } as const;
const calls = 16;
const asks: ToolReport = {
  kind: 'input_required',
  inputRequests: {
    sure: {
      method: 'elicitation/create',
      params: {
        message: 'Sure?',
        requestedSchema: { type: 'object', properties: { sure: { type: 'boolean' } } },
      },
    },
  },
  requestState: 'sealed',
};

const standOf = async ({ world, input }: PerformRig) => {
  const { store } = world;
  const { run, conversation } = await store.read({
    run: input.runId,
    conversation: input.conversationId,
  });
  if (!run || !conversation) throw new Error('The run is gone.');
  const { steps } = await store.read({ steps: [{ runId: input.runId, step: 1 }] });
  const ids = (steps[0]?.calls ?? []).flatMap((call) =>
    call.kind === 'action' ? [call.actionId] : [],
  );
  const actions = (await store.read({ actions: ids })).actions.map(({ item }) => item);
  const opened = (await store.eventsAfter(input.conversationId, 0, 1_000)).flatMap(({ body }) =>
    body.type === 'request.opened' ? [body.requestId] : [],
  );
  const requests = (await store.read({ requests: opened })).requests.map(({ item }) => item);
  return { run, conversation, ids, actions, requests };
};

/** A run whose sixteen calls all ask something. */
const asking = async (): Promise<PerformRig> => {
  const rig = await openPerformRig('http', calls);
  rig.seen.after = () => asks;
  const { ids } = await standOf(rig);
  for (const actionId of ids) await rig.perform({ ...rig.input, actionId });
  const { run, requests } = await standOf(rig);
  expect(run.item.state).toMatchObject({ status: 'waiting' });
  expect(requests).toHaveLength(calls);
  return rig;
};

/** A request is void exactly when its call has its result, the run waits for the others alone, and no event number is missing. */
const expectWhole = async (rig: PerformRig, left: 'some' | 'none') => {
  const { run, conversation, actions, requests } = await standOf(rig);
  const open = requests.filter(({ decision }) => decision === undefined);
  expect(open.length > 0).toBe(left === 'some');
  expect(open.length).toBeLessThan(calls);
  for (const action of actions) {
    const isOpen = open.some(({ requestId }) => requestId === action.requestId);
    expect(action.told === undefined).toBe(isOpen);
    expect(action.effect).toBe(isOpen ? 'in_progress' : 'undetermined');
    expect(action.recovering).toBe(isOpen ? undefined : true);
    const { observations } = await rig.world.store.journal(action.actionId);
    expect(observations.map(({ says }) => says)).toEqual(isOpen ? ['asked'] : ['asked', 'nothing']);
  }
  const { state } = run.item;
  if (state.status === 'waiting')
    expect(state.blocking.map(({ requestId }) => requestId).toSorted()).toEqual(
      open.map(({ requestId }) => requestId).toSorted(),
    );
  const events = await rig.world.store.eventsAfter(rig.input.conversationId, 0, 1_000);
  expect(events.map(({ number }) => number)).toEqual(events.map((_, index) => index + 1));
  expect(conversation.item.eventNumber).toBe(events.length);
  const closed = events.filter(({ body }) => body.type === 'request.closed');
  expect(closed).toHaveLength(calls - open.length);
  return { run, conversation, state };
};

const stopOnce = async (rig: PerformRig) => {
  const { run, conversation } = await standOf(rig);
  const open = await openRequestsOf(rig.world.store, run.item);
  const nowIso = new Date(rig.world.clock.now()).toISOString();
  const stopped = stopRun({ run, conversation, ...open, by, nowIso });
  if (stopped.kind === 'unchanged') return stopped;
  expect((await rig.world.store.commit(stopped.change)).kind).toBe('done');
  return stopped;
};

test('a stop dies after its first transaction: every call is woken, and Perform frees what is left', async () => {
  const rig = await asking();
  const { ids, requests } = await standOf(rig);
  const stopped = await stopOnce(rig);
  if (stopped.kind === 'unchanged') throw new Error('It was not stopped.');
  expect(stopped.more).toBe(true);
  const woken = (stopped.change.wakes ?? []).toSorted();
  expect(woken).toEqual(requests.map(({ requestId }) => requestId).toSorted());
  await expectWhole(rig, 'some');
  for (const actionId of ids)
    expect(await rig.perform({ ...rig.input, actionId })).toMatchObject({ outcome: 'settled' });
  expect((await expectWhole(rig, 'none')).state).toMatchObject({ status: 'stopping' });
  expect(rig.effects).toHaveLength(calls);
});

test('a stop dies after its first transaction, and the person stops it again: that frees what is left', async () => {
  const rig = await asking();
  await stopOnce(rig);
  await expectWhole(rig, 'some');
  expect(await stopOnce(rig)).toMatchObject({ kind: 'change', more: false });
  await expectWhole(rig, 'none');
  expect(await stopOnce(rig)).toMatchObject({ kind: 'unchanged' });
});

test('Finish dies after its first transaction: the run has not ended, and the next Finish ends it', async () => {
  const rig = await asking();
  const { runId, conversationId } = rig.input;
  const input = {
    schema: 1,
    runId,
    conversationId,
    segment: 1,
    reason: 'failed',
    detail: 'The model is down.',
  } as const;
  let decisions = 0;
  const dying: PerformRig['world'] = {
    ...rig.world,
    decide: (deciding) => {
      decisions += 1;
      if (decisions > 1) return Promise.reject(new TryAgain('It died.'));
      return rig.world.decide(deciding);
    },
  };
  await expect(finish(dying, input)).rejects.toThrow('It died.');
  const between = await expectWhole(rig, 'some');
  expect(between.conversation.item.activeRun).toBe(runId);
  expect(between.state.status).not.toBe('finished');
  expect(await finish(rig.world, input)).toEqual({ next: 'end' });
  const after = await expectWhole(rig, 'none');
  expect(after.state).toMatchObject({ status: 'finished', reason: 'failed' });
  expect(after.conversation.item.activeRun).toBeUndefined();
});

const supersedeOnce = async (rig: PerformRig) => {
  const { store, clock } = rig.world;
  const { run, conversation } = await standOf(rig);
  const nowIso = new Date(clock.now()).toISOString();
  const messageId = MessageId.parse(`msg_${'9'.repeat(26)}`);
  const posted = postMessage({
    conversation,
    agent: agentOf(workspace, run.item.agentId, ['write']),
    message: { messageId, text: 'Leave it.', author: by },
    runId: RunId.parse(`run_${'9'.repeat(26)}`),
    nowIso,
  });
  if (posted.kind !== 'change') throw new Error('The message was refused.');
  const open = await openRequestsOf(store, run.item, 'asked');
  const superseded = supersede({ ...open, run, posted, by, nowIso });
  expect((await store.commit(superseded.change)).kind).toBe('done');
  return { ...superseded, messageId };
};

test('a message that supersedes dies before it is there: the run waits for the rest, and asking again ends it', async () => {
  const rig = await asking();
  const { first, messageId } = await supersedeOnce(rig);
  expect(first).toBe(true);
  const between = await expectWhole(rig, 'some');
  expect(between.state).toMatchObject({ status: 'waiting' });
  expect(between.conversation.item.pending).not.toContain(messageId);
  expect((await supersedeOnce(rig)).first).toBe(false);
  const after = await expectWhole(rig, 'none');
  expect(after.state).toMatchObject({ status: 'running' });
  expect(after.conversation.item.pending).toContain(messageId);
});

test('what frees a parked run orders its next segment, also when it is only a part', async () => {
  const rig = await asking();
  const { run, conversation } = await standOf(rig);
  await rig.world.store.commit({
    conversation,
    events: [],
    writes: [{ do: 'replace', kind: 'run', item: { ...run.item, parked: true }, rev: run.rev }],
  });
  const { change } = await supersedeOnce(rig);
  expect(change.starts).toEqual([{ runId: rig.input.runId, segment: 2 }]);
  expect((await standOf(rig)).run.item).toMatchObject({ parked: false, segment: 2 });
  expect((await supersedeOnce(rig)).change.starts).toEqual([]);
});
