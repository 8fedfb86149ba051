// Every POST twice with the same key: the same ids and the same answer, also after the remembered answers were lost.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { apiRoutes } from '../../../../functions/api/app.ts';
import { claimIt, evidence } from '../problems/desk-cases.ts';
import { faultPosts } from '../problems/fault-cases.ts';
import { peoplePosts } from '../problems/people-cases.ts';
import { routinePosts } from '../problems/routine-cases.ts';
import { openRig, people, type Request, type Rig } from '../rig.ts';
import {
  agentConfiguration,
  askApproval,
  type Begun,
  begin,
  endRun,
  loseReply,
  noteTool,
  startRun,
} from '../story.ts';
import { recoveryPosts } from './recovery-posts.ts';

let rig: Rig;
let begun: Begun;
beforeEach(async () => {
  rig = await openRig();
  begun = await begin(rig);
});
afterEach(() => rig.close());

/** Makes one valid POST of each operation. */
const posts: { readonly [operationId: string]: () => Promise<Request> } = {
  ...faultPosts(() => ({ rig, begun })),
  ...routinePosts(() => ({ rig, begun })),
  ...peoplePosts(() => ({ rig, begun })),
  ...recoveryPosts(() => ({ rig, begun })),
  createAgent: async () => ({ path: '/v1/agents', body: agentConfiguration }),
  reviseAgent: async () => ({
    path: `/v1/agents/${begun.agentId}/revisions`,
    body: agentConfiguration,
  }),
  registerTool: async () => ({ path: '/v1/tools', body: { ...noteTool, name: 'another' } }),
  registerToolVersion: async () => ({ path: '/v1/tools/note/versions', body: noteTool }),
  createConversation: async () => ({
    path: '/v1/conversations',
    body: { agentId: begun.agentId, title: 'Twice' },
  }),
  postMessage: async () => ({
    path: `/v1/conversations/${begun.conversationId}/messages`,
    body: { text: 'Hello' },
  }),
  stopRun: async () => ({
    path: `/v1/runs/${await startRun(rig, begun.conversationId)}/stop`,
    body: {},
  }),
  continueRun: async () => {
    const runId = await startRun(rig, begun.conversationId);
    await endRun(rig, runId, 'step_limit');
    return { path: `/v1/runs/${runId}/continue`, body: {} };
  },
  answerRequest: async () => {
    const { requestId } = await askApproval(rig, await startRun(rig, begun.conversationId));
    return {
      path: `/v1/requests/${requestId}/answer`,
      body: { kind: 'refuse', reason: 'Not now.' },
    };
  },
  decideAction: async () => {
    const actionId = await loseReply(rig, await startRun(rig, begun.conversationId));
    await claimIt(rig, actionId, 'ana');
    const { body } = await rig.call({ path: `/v1/actions/${actionId}` });
    const seenHead = (body.action as { head: number }).head;
    return {
      path: `/v1/actions/${actionId}/decisions`,
      body: { kind: 'attach', evidence, seenHead, claimFence: 1 },
    };
  },
  takeClaim: async () => {
    const actionId = await loseReply(rig, await startRun(rig, begun.conversationId));
    return { path: `/v1/actions/${actionId}/claim`, body: { forMs: 60_000 } };
  },
};

const operations = apiRoutes
  .filter(({ described }) => described.method === 'post')
  .map(({ described }) => described.operationId);

const postOf = async (operationId: string): Promise<Request> => {
  const make = posts[operationId];
  if (make === undefined) throw new Error(`No POST is known for ${operationId}.`);
  return { ...(await make()), method: 'POST' };
};

const eventNumber = async (): Promise<unknown> =>
  (await rig.call({ path: `/v1/conversations/${begun.conversationId}` })).body.eventNumber;

describe.each(operations)('%s', (operationId) => {
  test('sent twice with one key does it once and answers the same', async () => {
    const request = { ...(await postOf(operationId)), key: 'same' };
    const first = await rig.call(request);
    expect(first.status).toBeGreaterThanOrEqual(200);
    expect(first.status).toBeLessThan(300);
    const events = await eventNumber();
    const second = await rig.call({ ...request, key: '"same"' });
    expect(second.body).toEqual(first.body);
    expect(second.status).toBe(first.status);
    expect(second.headers['idempotency-replayed']).toBe('true');
    expect(first.headers['idempotency-replayed']).toBeUndefined();
    expect(await eventNumber()).toBe(events);
  });

  test('is remembered without any text that a person wrote', async () => {
    const request = await postOf(operationId);
    await rig.forgetAnswers();
    await rig.call(request);
    const kept = rig.remembered();
    expect(kept).toContain('COMPLETED');
    const texts = [...kept.matchAll(/"S":"([^"]*\s[^"]*)"/g)].map(([, text]) => text);
    // What these say is ours: why a run stops, what a contract leaves open, a schedule in words.
    const ours = ['stopRun', 'registerTool', 'registerToolVersion', 'previewSchedule'];
    if (!ours.includes(operationId)) expect(texts).toEqual([]);
    for (const text of textsIn(request.body)) expect(kept).not.toContain(text);
  });

  test('changes nothing a second time though the remembered answer was lost', async () => {
    const request = { ...(await postOf(operationId)), key: 'same' };
    const first = await rig.call(request);
    const events = await eventNumber();
    await rig.forgetAnswers();
    const second = await rig.call(request);
    expect(await eventNumber()).toBe(events);
    // Taking a claim that is held already renews it.
    if (operationId === 'takeClaim' || operationId === 'renewClaim')
      expect(second.body).toMatchObject({ fence: 1 });
    // Looking once more is what was asked, and harms nothing.
    else if (operationId === 'lookAgain') expect(second.status).toBe(first.status);
    // It is given back already: there is nothing left to give back.
    else if (operationId === 'endClaim') expect(second.status).toBe(409);
    // An answer is taken once, whoever asks: its repeat is told who gave it, and that was this very caller.
    else if (operationId === 'answerRequest') {
      expect(second.status).toBe(409);
      expect(second.body.decidedBy).toEqual({ kind: 'person', subject: 'ana', name: 'Ana' });
    }
    // It names no request: once answered, there is none left to answer.
    else if (operationId === 'answerInConversation') expect(second.status).toBe(409);
    else expect(second.body).toEqual(first.body);
  });

  test('finds nothing of another workspace, and changes nothing there', async () => {
    const request = await postOf(operationId);
    const events = await eventNumber();
    const reply = await rig.call({ ...request, as: 'stranger' });
    // Without an id in the address it is the stranger's own workspace that is written to, or the body that names the id.
    const own: { readonly [id: string]: number } = {
      createAgent: 422,
      registerTool: 201,
      registerSkill: 201,
      createConversation: 422,
      createRoutine: 422,
      previewSchedule: 200,
    };
    expect(reply.status).toBe(own[operationId] ?? 404);
    expect(await eventNumber()).toBe(events);
  });

  test('with one key and other content is refused', async () => {
    const request = { ...(await postOf(operationId)), key: 'same' };
    await rig.call(request);
    const other = await rig.call({ ...request, raw: JSON.stringify(otherBody(request.body)) });
    expect(other.status).toBe(422);
    expect(other.body.type).toMatch(/idempotency-key-reused|invalid-body$/);
  });
});

/** Every text of more than one word. */
const textsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return /\s/.test(value.trim()) ? [value] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
};

/** Another body of the same form, where the form leaves a choice. */
const otherBody = (body: unknown): object => {
  const before = Object(body);
  for (const [name, value] of Object.entries(before))
    if (
      typeof value === 'string' &&
      ['text', 'title', 'prompt', 'description', 'reason', 'note'].includes(name)
    )
      return { ...before, [name]: `${value} Really.` };
  if ('evidence' in before)
    return { ...before, evidence: { ...before.evidence, what: 'Something else.' } };
  return { ...before, unexpected: true };
};

test('the same key of another person, or at another address, is another request', async () => {
  const path = `/v1/conversations/${begun.conversationId}/messages`;
  const post = { method: 'POST', path, body: { text: 'Hello' }, key: 'same' } as const;
  const [ben, ana] = [
    await rig.call({ ...post, as: 'ben' }),
    await rig.call({ ...post, as: 'ana' }),
  ];
  expect(people.ben.workspace).toBe(people.ana.workspace);
  expect(ana.body.messageId).not.toBe(ben.body.messageId);
  const elsewhere = await rig.call({
    method: 'POST',
    path: '/v1/conversations',
    body: { agentId: begun.agentId },
    key: 'same',
    as: 'ben',
  });
  expect(elsewhere.status).toBe(201);
});

test('a refused request is not remembered: it may be sent again with its key', async () => {
  const runId = await startRun(rig, begun.conversationId);
  const go = { method: 'POST', path: `/v1/runs/${runId}/continue`, body: {}, key: 'go' } as const;
  expect((await rig.call(go)).status).toBe(409);
  await endRun(rig, runId, 'step_limit');
  expect((await rig.call(go)).status).toBe(202);
});

test('ten repeats at once make one agent', async () => {
  const request = { method: 'POST', path: '/v1/agents', body: agentConfiguration } as const;
  const before = await rig.world.registry.agentsOf('acme');
  const replies = await Promise.all(
    Array.from({ length: 10 }, () => rig.call({ ...request, key: 'one' })),
  );
  const after = await rig.world.registry.agentsOf('acme');
  expect(after.length - before.length).toBe(1);
  for (const { status } of replies) expect([201, 409]).toContain(status);
});

test('a conversation begun without a title is the same one after its first message has named it', async () => {
  const body = { agentId: begun.agentId };
  const create = () =>
    rig.call({ method: 'POST', path: '/v1/conversations', key: 'untitled', body });
  const first = await create();
  const path = `/v1/conversations/${String(first.body.conversationId)}`;
  await rig.call({ method: 'POST', path: `${path}/messages`, body: { text: 'Refund pay_1003' } });
  expect((await rig.call({ path })).body.title).toBe('Refund pay_1003');
  await rig.forgetAnswers();
  expect((await create()).body).toEqual(first.body);
});
