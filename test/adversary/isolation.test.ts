// Another workspace, and somebody without any role, at every operation that takes no id, and at the streams of other protocols: nothing
// of a workspace shows there, by list, search, filter, count or word. Laws: L13.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiRoutes } from '../../functions/api/app.ts';
import { listen, servingOf } from '../functions/api/clients/listen.ts';
import { markIt } from '../functions/api/problems/fault-cases.ts';
import { openRig, type Request, type Rig } from '../functions/api/rig.ts';
import { askApproval, begin, converse, loseReply, say, startRun } from '../functions/api/story.ts';

const secret = 'Quetzalcoatl';
let rig: Rig;
let ids: readonly string[];
let agentId: string;
let conversationId: string;
beforeAll(async () => {
  rig = await openRig();
  const begun = await begin(rig);
  ({ agentId, conversationId } = begun);
  const runId = await startRun(rig, begun.conversationId);
  await say(rig, begun.conversationId, secret);
  const { requestId } = await askApproval(rig, runId);
  const actionId = await loseReply(rig, await startRun(rig, await converse(rig, begun.agentId)));
  const { body } = await markIt(rig, runId, { note: secret }, 'ana');
  ids = [agentId, conversationId, runId, requestId, actionId, String(body.markId), secret];
  const skill = { name: 'filing', description: secret, instructions: secret };
  await rig.call({ method: 'POST', path: '/v1/skills', body: skill });
  await rig.call({ method: 'POST', path: '/v1/tools/note/bar', body: { reason: secret } });
});
afterAll(() => rig.close());

const routes = apiRoutes.map(({ described }) => ({ described, operation: described.operationId }));
const lists = routes.filter(
  ({ described: { method, path } }) => method === 'get' && !path.includes('{'),
);

const filters = (): readonly Readonly<Record<string, string>>[] => [
  {},
  { q: secret },
  { agentId },
  { tool: 'refund' },
  { by: 'ana' },
  { q: conversationId },
];

describe('another workspace’s administrator', () => {
  test.each(lists)('$operation shows nothing of it', async ({ described, operation }) => {
    for (const query of filters()) {
      const mine =
        operation === 'searchConversations' && query.q === undefined ? { ...query, q: 'a' } : query;
      const { status, text } = await rig.call({
        path: described.path,
        query: mine,
        as: 'stranger',
      });
      expect(status).toBeLessThan(500);
      // An answer may name what was asked for, in the address or as a wrong value: no more than that.
      const said = Object.values(mine).reduce((rest, value) => rest.replaceAll(value, ''), text);
      for (const id of ids) expect(said, operation).not.toContain(id);
    }
  });

  test('a cursor that one workspace was given is no cursor for another', async () => {
    const paths = ['/v1/conversations', '/v1/runs', '/v1/actions', '/v1/search', '/v1/desk'];
    for (const path of paths) {
      const query = { limit: '1', ...(path === '/v1/search' ? { q: 'a' } : {}) };
      const { limit: _limit, ...rest } = query;
      const page = await rig.call({ path, query: path === '/v1/search' ? rest : query });
      expect(page.status, path).toBe(200);
      if (typeof page.body.next !== 'string') continue;
      const stolen = { ...rest, cursor: page.body.next };
      expect((await rig.call({ path, query: stolen, as: 'stranger' })).status, path).toBe(400);
    }
  });

  test('the overview counts none of it', async () => {
    const { body } = await rig.call({ path: '/v1/overview', as: 'stranger' });
    expect(body).toMatchObject({
      runs: { total: 0, byAgent: [] },
      waits: { moreOpen: false },
      undetermined: { byTool: [], aside: 0 },
      spent: [],
    });
    for (const kind of (body.waits as { byKind: object[] }).byKind) {
      expect(kind).not.toHaveProperty('open');
      expect(kind).not.toHaveProperty('answered');
    }
  });
});

describe('somebody without a role', () => {
  test.each(routes)('$operation is refused', async ({ described }) => {
    const { method } = described;
    const reply = await rig.call({
      method: method === 'get' ? 'GET' : method === 'post' ? 'POST' : 'DELETE',
      path: described.path.replaceAll(/\{\w+\}/g, 'x'),
      as: 'nora',
      ...(method === 'post' ? { body: described.example ?? {} } : {}),
    });
    expect(reply.status).toBe(403);
  });
});

describe('a stream of another protocol', () => {
  const requests = (thread: string): readonly Request[] => [
    {
      method: 'POST',
      path: `/v1/ag-ui/${agentId}`,
      body: { threadId: thread, runId: 'r', messages: [{ id: 'm', role: 'user', content: 'Hi' }] },
    },
    {
      method: 'POST',
      path: `/v1/ai-sdk/${agentId}`,
      body: {
        id: thread,
        messages: [{ id: 'm', role: 'user', parts: [{ type: 'text', text: 'Hi' }] }],
      },
    },
    { path: `/v1/ai-sdk/${agentId}/${thread}/stream` },
  ];
  const answerTo = async (request: Request, as: Request['as']) => {
    const heard = listen(servingOf(rig), { ...request, as: as ?? null });
    await heard.ended;
    return { status: heard.head.status, text: heard.text() };
  };

  test('is not there for another workspace, and refused without a role or a name', async () => {
    for (const request of requests(conversationId)) {
      const foreign = await answerTo(request, 'stranger');
      expect(foreign.status).toBe(404);
      for (const id of ids.filter((one) => one !== agentId && one !== conversationId))
        expect(foreign.text).not.toContain(id);
      expect((await answerTo(request, 'nora')).status).toBe(403);
      expect((await answerTo(request, null)).status).toBe(401);
    }
  });

  test('of another workspace’s agent, in a thread of one’s own, begins nothing', async () => {
    const [agUi, aiSdk, resumed] = requests('my own thread');
    for (const request of [agUi, aiSdk])
      if (request) expect((await answerTo(request, 'stranger')).status).toBe(404);
    if (resumed) expect((await answerTo(resumed, 'stranger')).status).toBe(204);
    const { body } = await rig.call({ path: '/v1/conversations', as: 'stranger' });
    expect(body.items).toEqual([]);
  });
});
