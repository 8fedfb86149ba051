// Clients of other protocols that mean no good: answers to what was not asked of them, the same twice, thousands of them, texts
// too large, readers that never read. Laws: L6, L11, L13.
import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunId } from '../../functions/core/base/ids.ts';
import { simulatedClock } from '../../local/base/clock.ts';
import { answerTo, askOne, colourForm } from '../functions/api/answers/ask.ts';
import {
  agUiTo,
  aiSdkTo,
  chatUser,
  listen,
  refusalOf,
  routed,
  servingOf,
  user,
} from '../functions/api/clients/listen.ts';
import { openRig, type PersonName, type Request, type Rig } from '../functions/api/rig.ts';
import {
  askApproval,
  type Begun,
  begin,
  converse,
  endRun,
  startRun,
} from '../functions/api/story.ts';
import { holds } from '../rig/until.ts';
import { idOf } from './parts.ts';

let rig: Rig;
let begun: Begun;
beforeAll(async () => {
  rig = await openRig();
  begun = await begin(rig);
});
afterAll(() => rig.close());

const agUi = (body: object, as?: PersonName) => agUiTo(begun.agentId, body, as);
const aiSdk = (body: object, as?: PersonName) => aiSdkTo(begun.agentId, body, as);
const problemOf = (request: Request, over = rig) => refusalOf(servingOf(over), request);
const decisionOf = async (requestId: string) => {
  const { body } = await rig.call({ path: `/v1/requests/${requestId}` });
  return (body.request as { decision?: { kind: string } }).decision?.kind;
};
const asked = async (conversationId?: string) => {
  const id = conversationId ?? (await converse(rig, begun.agentId));
  const runId: RunId = await startRun(rig, id as Begun['conversationId']);
  const { requestId } = await askApproval(rig, runId);
  return { conversationId: id, runId, requestId };
};
const refuse = { kind: 'refuse', reason: 'No.' };
const resolved = (interruptId: string, payload: object = refuse) => ({
  interruptId,
  status: 'resolved',
  payload,
});
const answered = (approvalId: string, approved: boolean, more: object = {}) => ({
  type: 'dynamic-tool',
  toolCallId: 'x',
  state: 'approval-responded',
  approval: { id: approvalId, approved },
  ...more,
});
const assistant = (parts: readonly object[], id = 'a1') => ({ id, role: 'assistant', parts });

describe('an answer', () => {
  test('in one conversation to what another one asks is an answer to nothing; so is another workspace’s', async () => {
    const { requestId } = await asked();
    const here = await converse(rig, begun.agentId);
    const cases = [
      agUi({ threadId: here, resume: [resolved(requestId)] }),
      agUi({ threadId: here, resume: [{ interruptId: requestId, status: 'cancelled' }] }),
      aiSdk({ id: here, messages: [assistant([answered(requestId, false)])] }),
    ];
    const nobodys = idOf('req', 99_999);
    for (const one of cases) {
      expect(await problemOf(one)).toEqual([404, 'not-found']);
      const nowhere = JSON.parse(JSON.stringify(one).replaceAll(requestId, nobodys));
      expect(await problemOf(nowhere)).toEqual([404, 'not-found']);
    }
    // Shown in what was said before, it is only a client's display.
    const said = aiSdk({
      id: here,
      messages: [assistant([answered(requestId, true)]), chatUser('Go on')],
    });
    const heard = listen(servingOf(rig), said);
    await holds('it begins', () => heard.said().length > 0);
    heard.leave();
    await heard.ended;
    expect(await decisionOf(requestId)).toBeUndefined();
  });

  test('by another workspace to its own thread, of what is not its own', async () => {
    const { requestId, conversationId } = await asked();
    for (const threadId of [conversationId, 'a thread of mine']) {
      const resume = agUi({ threadId, resume: [resolved(requestId)] }, 'stranger');
      expect(await problemOf(resume)).toEqual([404, 'not-found']);
      const chat = aiSdk(
        { id: threadId, messages: [assistant([answered(requestId, true)])] },
        'stranger',
      );
      expect(await problemOf(chat)).toEqual([404, 'not-found']);
    }
    expect(await decisionOf(requestId)).toBeUndefined();
  });

  test('given twice in one request, in two ways, is none', async () => {
    const { requestId, conversationId } = await asked();
    const other = { kind: 'request_changes', text: 'Less.' };
    const resume = [resolved(requestId), resolved(requestId, other)];
    expect(await problemOf(agUi({ threadId: conversationId, resume }))).toEqual([
      422,
      'invalid-body',
    ]);
    const parts = [answered(requestId, true), answered(requestId, false)];
    expect(await problemOf(aiSdk({ id: conversationId, messages: [assistant(parts)] }))).toEqual([
      422,
      'invalid-body',
    ]);
    expect(await decisionOf(requestId)).toBeUndefined();
  });

  test('beside one that does not fit, or that its giver may not give, leaves both open', async () => {
    const conversationId = await converse(rig, begun.agentId);
    const runId = await startRun(rig, conversationId);
    const { requestId: approval } = await askOne(rig, runId, {
      approve: 'refund',
      arguments: { payment: 'pay_1', cents: 1 },
    });
    const { requestId: question } = await askOne(rig, runId, { question: colourForm });
    const misfit = [resolved(approval), resolved(question, { colour: 'none of them' })];
    const [status] = await problemOf(agUi({ threadId: conversationId, resume: misfit }));
    expect(status).toBe(422);
    expect([await decisionOf(approval), await decisionOf(question)]).toEqual([
      undefined,
      undefined,
    ]);
    // Ben may answer questions; approvals are not his.
    const both = [resolved(question, { colour: 'red' }), resolved(approval)];
    expect(await problemOf(agUi({ threadId: conversationId, resume: both }, 'ben'))).toEqual([
      403,
      'forbidden',
    ]);
    expect([await decisionOf(approval), await decisionOf(question)]).toEqual([
      undefined,
      undefined,
    ]);
  });

  test('of the same person that says otherwise than their first is told what they said', async () => {
    const { requestId, conversationId, runId } = await asked();
    await answerTo(rig, requestId, refuse, 'ana');
    const approve = aiSdk({
      id: conversationId,
      messages: [assistant([answered(requestId, true)])],
    });
    expect(await problemOf(approve)).toEqual([409, 'already-answered']);
    const { body } = await rig.call({ path: `/v1/requests/${requestId}` });
    const { digest } = body.request as { digest: string };
    const resume = [resolved(requestId, { kind: 'approve', digest })];
    expect(await problemOf(agUi({ threadId: conversationId, resume }))).toEqual([
      409,
      'already-answered',
    ]);
    expect(await decisionOf(requestId)).toBe('refused');
    // The same again is a request whose stream was lost.
    const again = listen(
      servingOf(rig),
      agUi({ threadId: conversationId, resume: [resolved(requestId)] }),
    );
    await holds('it begins', () => again.said().length > 0);
    again.leave();
    await again.ended;
    await endRun(rig, runId);
  });
});

/** Counts what the store is asked. */
const counting = () => {
  let reads = 0;
  const store: Rig['world']['store'] = {
    ...rig.world.store,
    read: (wanted) => {
      reads += 1;
      return rig.world.store.read(wanted);
    },
  };
  const over: Rig = { ...rig, world: { ...rig.world, store } };
  return { over, reads: () => reads };
};

test('twenty thousand answers ask the store no more than a few times', async () => {
  const { conversationId } = await asked();
  const ids = Array.from({ length: 20_000 }, (_, n) => idOf('req', 100_000 + n));
  const calls = Array.from({ length: 20_000 }, (_, n) => ({
    type: 'dynamic-tool',
    toolCallId: idOf('act', n),
    state: 'output-available',
  }));
  const requests = [
    agUi({ threadId: conversationId, resume: ids.map((id) => resolved(id)) }),
    aiSdk({ id: conversationId, messages: [assistant(ids.map((id) => answered(id, true)))] }),
    aiSdk({ id: conversationId, messages: [assistant(calls.slice(0, 15_000))] }),
    aiSdk({
      id: conversationId,
      messages: [assistant(ids.map((id) => answered(id, true))), chatUser('Hello', 'm9')],
    }),
  ];
  for (const request of requests) {
    const { over, reads } = counting();
    const heard = listen(servingOf(over), request);
    await holds('it is answered', () => heard.head.status > 0);
    heard.leave();
    await heard.ended;
    expect(reads()).toBeLessThan(30);
  }
});

test('a text that is too long is refused before anything is begun for it', async () => {
  const count = async () =>
    ((await rig.call({ path: '/v1/conversations' })).body.items as object[]).length;
  const before = await count();
  for (const text of ['x'.repeat(100_001), '\u0000'.repeat(90_000)]) {
    const thread = `too long ${text.length}`;
    const said = [
      agUi({ threadId: thread, messages: [user(text)] }),
      aiSdk({ id: thread, messages: [chatUser(text)] }),
    ];
    for (const one of said) expect(await problemOf(one)).toEqual([413, 'body-too-large']);
  }
  expect(await count()).toBe(before);
});

test('two clients that say the same under one id at once say it once; two that say different things are told', async () => {
  const threadId = 'at once';
  const serving = servingOf(rig);
  const same = Array.from({ length: 6 }, (_, n) =>
    listen(
      serving,
      n % 2 === 0
        ? agUi({ threadId, messages: [user('Hi')] })
        : aiSdk({ id: threadId, messages: [chatUser('Hi')] }),
    ),
  );
  await holds('all begin', () => same.every((heard) => heard.said().length > 0));
  const { body } = await rig.call({ path: '/v1/search', query: { q: 'hi' } });
  expect((body.items as object[]).length).toBe(1);
  for (const heard of same) heard.leave();
  await Promise.all(same.map(({ ended }) => ended));
  const different = ['One', 'Two', 'Three'].map((text) =>
    listen(serving, agUi({ threadId: 'at odds', messages: [user(text)] })),
  );
  await holds('all are answered', () => different.every(({ head }) => head.status > 0));
  expect(different.map(({ head }) => head.status).toSorted()).toEqual([200, 422, 422]);
  for (const heard of different) heard.leave();
  await Promise.all(different.map(({ ended }) => ended));
});

test('a reader that never reads is left at the end of the stream’s time', async () => {
  const clock = simulatedClock(rig.now());
  const pause = (ms: number) => new Promise<void>((done) => void clock.at(clock.now() + ms, done));
  let status = 0;
  // Takes the first piece and never says that it did.
  const out = new Writable({ highWaterMark: 1, write: () => undefined });
  const ended = servingOf(rig, { clock: { now: clock.now, pause } })({
    event: routed(agUi({ threadId: 'never read', messages: [user('Hi')] })),
    out,
    begin: (head) => {
      status = head.status;
      return out;
    },
    remainingMs: 70_000,
  });
  let over = false;
  void ended.then(() => {
    over = true;
  });
  await holds('it begins', () => status === 200);
  for (let turn = 0; turn < 200 && !over; turn += 1) await clock.advance(1_000);
  expect(over).toBe(true);
});
