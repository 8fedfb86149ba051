// Many people at once: one run per conversation, no message lost, event numbers without gap (L11, L17, S43, S25, S35).
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ConversationId } from '../../../../functions/core/base/ids.ts';
import { openRig, type Rig } from '../rig.ts';
import { askApproval, type Begun, begin, converse, endRun, say, startRun } from '../story.ts';

let rig: Rig;
let begun: Begun;
beforeEach(async () => {
  rig = await openRig();
  begun = await begin(rig);
});
afterEach(() => rig.close());

const log = (conversationId: ConversationId) =>
  rig.world.store.eventsAfter(conversationId, 0, 1_000);

test('two messages of each of twenty clients at once start one run; the rest steer it, none is lost', async () => {
  for (let round = 0; round < 50; round += 1) {
    const conversationId = await converse(rig, begun.agentId);
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, client) => [
        say(rig, conversationId, `First of ${client}`),
        say(rig, conversationId, `Second of ${client}`),
      ]).flat(),
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([202]));
    expect(replies.filter(({ body }) => body.fate === 'started')).toHaveLength(1);
    expect(replies.filter(({ body }) => body.fate === 'steering')).toHaveLength(39);
    expect(new Set(replies.map(({ body }) => body.runId)).size).toBe(1);
    const events = await log(conversationId);
    expect(events.map(({ number }) => number)).toEqual(events.map((_, index) => index + 1));
    expect(events.filter(({ body }) => body.type === 'run.started')).toHaveLength(1);
    const messages = await rig.world.store.messagesOf(conversationId);
    expect(messages.map(({ number }) => number).toSorted((a, b) => a - b)).toEqual(
      messages.map((_, index) => index + 1),
    );
    expect(new Set(messages.map(({ messageId }) => messageId))).toEqual(
      new Set(replies.map(({ body }) => body.messageId)),
    );
  }
});

test('three posts half a second apart make one run and two steering messages (S43)', async () => {
  const fates: unknown[] = [];
  for (let post = 0; post < 3; post += 1) {
    fates.push((await say(rig, begun.conversationId)).body.fate);
    rig.turnClock(500);
  }
  expect(fates).toEqual(['started', 'steering', 'steering']);
  const { body } = await rig.call({ path: `/v1/conversations/${begun.conversationId}/runs` });
  expect(body.items).toHaveLength(1);
});

test('a message one moment after the end becomes a new run (S39)', async () => {
  const runId = await startRun(rig, begun.conversationId);
  await endRun(rig, runId);
  const { body } = await say(rig, begun.conversationId);
  expect(body.fate).toBe('started');
  expect(body.runId).not.toBe(runId);
});

test('of ten approvers at once one decides; the others are told who', async () => {
  const { requestId } = await askApproval(rig, await startRun(rig, begun.conversationId));
  const path = `/v1/requests/${requestId}/answer`;
  const body = { kind: 'refuse', reason: 'No.' };
  const replies = await Promise.all(
    Array.from({ length: 10 }, () => rig.call({ method: 'POST', path, body, as: 'rob' })),
  );
  const won = replies.filter(({ status }) => status === 200);
  expect(won).toHaveLength(1);
  for (const lost of replies.filter(({ status }) => status !== 200)) {
    expect(lost.status).toBe(409);
    expect(lost.body).toMatchObject({ decision: 'refused', decidedBy: { name: 'Rob' } });
  }
  const events = await log(begun.conversationId);
  expect(events.filter(({ body: { type } }) => type === 'request.closed')).toHaveLength(1);
});

test('stopping voids open requests for every reader at once (S35)', async () => {
  const runId = await startRun(rig, begun.conversationId);
  const { requestId } = await askApproval(rig, runId);
  const inbox = async () => (await rig.call({ path: '/v1/requests' })).body.items;
  expect(await inbox()).toHaveLength(1);
  const marks = async () =>
    (await rig.call({ path: `/v1/conversations/${begun.conversationId}` })).body.marks;
  expect(await marks()).toMatchObject({ needsYou: 1, finished: false });
  await rig.call({ method: 'POST', path: `/v1/runs/${runId}/stop`, body: {}, as: 'ben' });
  expect(await inbox()).toHaveLength(0);
  expect(await marks()).toMatchObject({ needsYou: 0, finished: false });
  const late = await rig.call({
    method: 'POST',
    path: `/v1/requests/${requestId}/answer`,
    body: { kind: 'refuse', reason: 'No.' },
    as: 'rob',
  });
  expect(late.status).toBe(409);
  expect(late.body).toMatchObject({ decision: 'voided', decidedBy: { name: 'Ben' } });
});

test('a message and a stop at once leave one run, and the message where it can be found', async () => {
  for (let round = 0; round < 10; round += 1) {
    const conversationId = await converse(rig, begun.agentId);
    const runId = await startRun(rig, conversationId);
    const path = `/v1/runs/${runId}/stop`;
    const [stopped, said] = await Promise.all([
      rig.call({ method: 'POST', path, body: {} }),
      say(rig, conversationId, 'One more thing'),
    ]);
    expect([stopped.status, said.status]).toEqual([202, 202]);
    expect(said.body).toMatchObject({ fate: 'steering', runId });
    const { conversation } = await rig.world.store.read({ conversation: conversationId });
    expect(conversation?.item.pending).toContain(said.body.messageId);
    expect(conversation?.item.runs).toBe(1);
  }
});
