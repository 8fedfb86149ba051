// What each route answers beside its problems: lists and their pages, runs with cost, results, revisions, withdrawals.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { handlerOver } from '../../../../functions/api/handler.ts';
import type { Store } from '../../../../functions/ports/store.ts';
import { claimIt, decide, noteLookUp } from '../problems/desk-cases.ts';
import { openRig, type Rig } from '../rig.ts';
import {
  agentConfiguration,
  askApproval,
  type Begun,
  begin,
  converse,
  endRun,
  loseReply,
  noteTool,
  say,
  sendCall,
  startRun,
  storedAction,
  takeStep,
} from '../story.ts';

let rig: Rig;
let begun: Begun;
beforeEach(async () => {
  rig = await openRig();
  begun = await begin(rig);
});
afterEach(() => rig.close());

const get = async (path: string, query?: { readonly [name: string]: string }) => {
  const reply = await rig.call({ path, ...(query === undefined ? {} : { query }) });
  expect(reply.status, reply.text).toBe(200);
  return reply.body;
};
const items = async (path: string, query?: { readonly [name: string]: string }) =>
  (await get(path, query)).items as Record<string, unknown>[];

describe('agents', () => {
  test('a revision pins the newest tool versions; the agent’s earlier ones keep theirs', async () => {
    const versions = '/v1/tools/note/versions';
    const next = await rig.call({ method: 'POST', path: versions, body: noteTool });
    const kept = { field: 'version', code: 'earlier_version_kept' };
    const { name } = agentConfiguration;
    expect(next.body.notes).toContainEqual({ ...kept, reason: expect.stringContaining(name) });
    const path = `/v1/agents/${begun.agentId}/revisions`;
    const made = await rig.call({ method: 'POST', path, body: agentConfiguration });
    expect(made.body).toEqual({ agentId: begun.agentId, revision: 2 });
    const [second, first] = await items(path);
    expect(second).toMatchObject({
      revision: 2,
      configuration: {
        tools: [
          { name: 'refund', version: 1 },
          { name: 'note', version: 2 },
        ],
      },
    });
    expect(first).toMatchObject({
      revision: 1,
      configuration: {
        tools: [
          { name: 'refund', version: 1 },
          { name: 'note', version: 1 },
        ],
      },
    });
    expect(await get(`/v1/agents/${begun.agentId}`)).toMatchObject({ revision: 2 });
    expect(await items('/v1/agents')).toHaveLength(1);
  });

  test('a run keeps the revision it started with (L15)', async () => {
    const runId = await startRun(rig, begun.conversationId);
    const path = `/v1/agents/${begun.agentId}/revisions`;
    await rig.call({ method: 'POST', path, body: { ...agentConfiguration, stepLimit: 9 } });
    expect(await get(`/v1/runs/${runId}`)).toMatchObject({ revision: 1, steps: { limit: 5 } });
    await endRun(rig, runId);
    const next = await startRun(rig, begun.conversationId);
    expect(await get(`/v1/runs/${next}`)).toMatchObject({ revision: 2, steps: { limit: 9 } });
  });

  test('ten revisions at once get ten numbers without a gap', async () => {
    const path = `/v1/agents/${begun.agentId}/revisions`;
    const replies = await Promise.all(
      Array.from({ length: 10 }, () =>
        rig.call({ method: 'POST', path, body: agentConfiguration }),
      ),
    );
    const numbers = replies.map(({ body }) => Number(body.revision)).toSorted((a, b) => a - b);
    expect(numbers).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  });
});

describe('tools', () => {
  test('a registration says what its contract leaves open, in the caller’s language', async () => {
    const { body } = await rig.call({
      method: 'POST',
      path: '/v1/tools',
      body: { ...noteTool, name: 'open_note' },
      headers: { 'accept-language': 'fr' },
    });
    expect(body).toMatchObject({ name: 'open_note', version: 1 });
    expect(body.notes).toContainEqual({
      field: 'contract.verification',
      code: 'no_automatic_repeat',
      reason: expect.stringContaining('personne'),
    });
  });

  test('a look-up must be a read, where it is registered', async () => {
    const post = (tool: string) =>
      rig.call({
        method: 'POST',
        path: '/v1/tools',
        body: {
          ...noteTool,
          name: 'looked_up',
          contract: { ...noteTool.contract, lookUp: { ...noteLookUp, tool } },
        },
      });
    expect((await post('note')).body.errors).toMatchObject([{ code: 'look_up_tool_is_no_read' }]);
    const { body } = await post('not_there_yet');
    expect(body.notes).toContainEqual(
      expect.objectContaining({ code: 'look_up_tool_not_registered' }),
    );
  });

  test('what the transport cannot carry is refused with the field', async () => {
    const transport = { ...noteTool.transport, url: 'ftp://billing.test/notes' };
    const body = { ...noteTool, name: 'odd', transport };
    const reply = await rig.call({ method: 'POST', path: '/v1/tools', body });
    expect(reply.status).toBe(422);
    expect(reply.body.errors).toMatchObject([{ field: 'url', code: 'cannot_be_carried' }]);
  });

  test('a version can be read, and an unknown one cannot', async () => {
    expect(await get('/v1/tools/note/versions/1')).toMatchObject({ version: 1 });
    expect((await rig.call({ path: '/v1/tools/note/versions/2' })).status).toBe(404);
  });
});

describe('conversations', () => {
  test('are listed newest first, page by page, each once', async () => {
    for (let count = 0; count < 6; count += 1) {
      rig.turnClock(1_000);
      await converse(rig, begun.agentId);
    }
    const seen: unknown[] = [];
    let cursor: string | undefined;
    do {
      const page = await get('/v1/conversations', { limit: '3', ...(cursor && { cursor }) });
      seen.push(...(page.items as { conversationId: string }[]).map((one) => one.conversationId));
      cursor = page.next as string | undefined;
    } while (cursor !== undefined);
    expect(new Set(seen).size).toBe(7);
    expect(seen).toHaveLength(7);
    expect(seen.at(-1)).toBe(begun.conversationId);
  });

  test('are dated by what last happened in them', async () => {
    const one = async () => (await items('/v1/conversations')).at(-1);
    const { createdAt } = (await one()) ?? {};
    expect(await one()).toMatchObject({ activeAt: createdAt });
    rig.turnClock(60_000);
    const runId = await startRun(rig, begun.conversationId);
    const begins = String((await one())?.activeAt);
    expect(Date.parse(begins)).toBeGreaterThanOrEqual(Date.parse(String(createdAt)) + 60_000);
    rig.turnClock(60_000);
    await endRun(rig, runId);
    const ends = String((await one())?.activeAt);
    expect(Date.parse(ends)).toBeGreaterThan(Date.parse(begins));
    expect(await one()).toMatchObject({ createdAt });
  });

  test('are marked when they need somebody, and when a run ended', async () => {
    const runId = await startRun(rig, begun.conversationId);
    await askApproval(rig, runId);
    const marks = async () => (await items('/v1/conversations'))[0]?.marks;
    expect(await marks()).toMatchObject({ needsYou: 1, finished: false });
    await endRun(rig, await startRun(rig, await converse(rig, begun.agentId)));
    const all = await items('/v1/conversations');
    expect(all.map((one) => one.marks)).toContainEqual(
      expect.objectContaining({ needsYou: 0, finished: true }),
    );
  });

  test('of another workspace are not in the list', async () => {
    const reply = await rig.call({ path: '/v1/conversations', as: 'stranger' });
    expect(reply.body.items).toEqual([]);
  });
});

describe('messages', () => {
  const path = () => `/v1/conversations/${begun.conversationId}/messages`;

  test('one that waits can be withdrawn by its sender, twice without harm', async () => {
    const runId = await startRun(rig, begun.conversationId);
    const { body } = await say(rig, begun.conversationId, 'Never mind');
    const one = { method: 'DELETE', path: `${path()}/${body.messageId}`, as: 'ben' } as const;
    const [first, second] = [await rig.call(one), await rig.call(one)];
    expect(first.body).toMatchObject({ fate: { fate: 'withdrawn' }, text: 'Never mind' });
    expect(second.text).toBe(first.text);
    await takeStep(rig, runId);
    const fates = (await items(path())).map(({ fate }) => fate);
    expect(fates).toMatchObject([{ fate: 'started' }, { fate: 'withdrawn' }]);
  });

  test('cost two reads and one transaction', async () => {
    const calls: string[] = [];
    const counted = <Input extends readonly unknown[], Output>(
      name: string,
      call: (...input: Input) => Output,
    ) => {
      return (...input: Input): Output => {
        calls.push(name);
        return call(...input);
      };
    };
    const { store, registry } = rig.world;
    const counting: Store = {
      ...store,
      read: counted('read', store.read),
      commit: counted('commit', store.commit),
    };
    const newestAgent = counted('newestAgent', registry.newestAgent);
    const world = { ...rig.world, store: counting, registry: { ...registry, newestAgent } };
    const post = { method: 'POST', path: path(), body: { text: 'Hello' } } as const;
    expect((await rig.over(handlerOver(world)).call(post)).status).toBe(202);
    expect(calls).toEqual(['read', 'newestAgent', 'commit']);
  });
});

describe('runs', () => {
  test('show state, steps, usage, exact cost and executions', async () => {
    const runId = await startRun(rig, begun.conversationId);
    await takeStep(rig, runId);
    expect(await get(`/v1/runs/${runId}`)).toMatchObject({
      state: { status: 'running' },
      steps: { taken: 1, limit: 5 },
      usage: { inputTokens: 1_000, outputTokens: 100, cachedInputTokens: 0 },
      cost: { currency: 'EUR', amount: '0.0045' },
      executions: [{ name: runId, trace: expect.stringContaining(runId) }],
    });
  });

  test('continue after the step limit as a new run; the first stays as it was (S56)', async () => {
    const runId = await startRun(rig, begun.conversationId);
    await takeStep(rig, runId);
    await endRun(rig, runId, 'step_limit');
    const path = `/v1/runs/${runId}/continue`;
    const { status, body } = await rig.call({ method: 'POST', path, body: {}, as: 'ben' });
    expect(status).toBe(202);
    expect(body).toMatchObject({ fate: 'started' });
    expect(body.runId).not.toBe(runId);
    expect(await get(`/v1/runs/${runId}`)).toMatchObject({
      state: { status: 'finished', reason: 'step_limit' },
    });
  });

  test('stopping one that is stopping changes nothing and is no error', async () => {
    const runId = await startRun(rig, begun.conversationId);
    const stop = () => rig.call({ method: 'POST', path: `/v1/runs/${runId}/stop`, body: {} });
    const [first, second] = [await stop(), await stop()];
    expect([first.status, second.status]).toEqual([202, 202]);
    expect(second.body).toEqual(first.body);
  });

  test('list their steps and actions in order, page by page', async () => {
    const runId = await startRun(rig, begun.conversationId);
    const ids: string[] = [];
    for (let step = 0; step < 3; step += 1) ids.push(await sendCall(rig, runId, 'confirmed'));
    const actions = await items(`/v1/runs/${runId}/actions`);
    expect(actions.map(({ actionId }) => actionId)).toEqual(ids);
    const steps = await items(`/v1/runs/${runId}/steps`, { afterStep: '1' });
    expect(steps.map(({ step }) => step)).toEqual([2, 3]);
    expect((await items('/v1/actions')).map(({ actionId }) => actionId).toSorted()).toEqual(
      ids.toSorted(),
    );
  });
});

describe('actions', () => {
  test('are shown with their whole journal', async () => {
    const actionId = await loseReply(rig, await startRun(rig, begun.conversationId));
    expect(await get(`/v1/actions/${actionId}`)).toMatchObject({
      action: { effect: 'undetermined', attempts: 1, head: 4 },
      journal: { attempts: [{ attempt: 1 }], ends: [{ how: 'unknown' }], decisions: [] },
    });
  });

  test('an abandoned one shows who gave it up; the effect stays open', async () => {
    const actionId = await loseReply(rig, await startRun(rig, begun.conversationId));
    await claimIt(rig, actionId);
    rig.turnClock(10_000);
    const reply = await decide(rig, actionId, { kind: 'abandon', reason: 'The customer left.' });
    expect(reply.status, reply.text).toBe(201);
    expect(await get(`/v1/actions/${actionId}`)).toMatchObject({
      action: { effect: 'undetermined', disposition: { kind: 'abandoned', by: 'rob' } },
      journal: { decisions: [{ kind: 'abandon', by: { name: 'Rob' } }] },
    });
  });

  test('a large result comes in slices that join to the whole, no character cut', async () => {
    const actionId = await sendCall(rig, await startRun(rig, begun.conversationId), 'confirmed');
    const whole = `${'é€😀'.repeat(300_000)}.`;
    await replaceTold(actionId, whole);
    let text = '';
    let offset: unknown = 0;
    let slices = 0;
    while (offset !== undefined) {
      const slice = await get(`/v1/actions/${actionId}/result`, { offset: String(offset) });
      text += String(slice.text);
      offset = slice.next;
      slices += 1;
    }
    expect(slices).toBe(3);
    expect(text).toBe(whole);
  });

  const replaceTold = async (actionId: Awaited<ReturnType<typeof sendCall>>, body: string) => {
    const { item, rev } = await storedAction(rig, actionId);
    const { conversation } = await rig.world.store.read({ conversation: item.conversationId });
    if (conversation === undefined) throw new Error('No conversation.');
    const told = { status: 'success' as const, text: 'Cut.', blob: rig.keepBody(body) };
    await rig.world.store.commit({
      conversation,
      events: [],
      writes: [{ do: 'replace', kind: 'action', item: { ...item, told }, rev }],
    });
  };
});

test('an approved request shows its mandate’s holder and leaves the inbox', async () => {
  const { requestId, actionId } = await askApproval(rig, await startRun(rig, begun.conversationId));
  const shown = await get(`/v1/requests/${requestId}`);
  const { digest, arguments: args } = shown.action as Record<string, unknown>;
  expect(args).toEqual({ payment: 'pay_1', cents: 8200 });
  const reply = await rig.call({
    method: 'POST',
    path: `/v1/requests/${requestId}/answer`,
    body: { kind: 'approve', digest },
    as: 'rob',
  });
  expect(reply.body).toMatchObject({ decision: { kind: 'approved' }, decidedBy: { name: 'Rob' } });
  expect(await items('/v1/requests')).toEqual([]);
  const { mandates } = await rig.world.store.read({ mandates: [requestId] });
  expect(mandates[0]?.item).toMatchObject({ actionId, digest, grantedBy: { subject: 'rob' } });
});

test('security headers are on every answer, good or bad, and nothing may be cached', async () => {
  for (const path of ['/v1/agents', '/v1/nothing', '/v1/health']) {
    const { headers } = await rig.call({ path });
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
    });
    expect(headers).not.toHaveProperty('access-control-allow-origin');
  }
});

test('health answers without a token', async () => {
  expect(await rig.call({ path: '/v1/health', as: null })).toMatchObject({
    status: 200,
    body: { status: 'ok' },
  });
});
