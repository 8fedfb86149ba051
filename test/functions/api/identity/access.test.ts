// Who gets in: every operation × every role × both workspaces, the stream among them. What is refused is refused alike whether the
// thing exists or not, and changes nothing. Laws: L13.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiRoutes } from '../../../../functions/api/app.ts';
import { clientOperationIds } from '../../../../functions/api/http/operation-clients.ts';
import { access, type Role } from '../../../../functions/api/identity/access.ts';
import { markIt } from '../problems/fault-cases.ts';
import { openRig, type PersonName, people, type Reply, type Rig } from '../rig.ts';
import { askApproval, type Begun, begin, converse, loseReply, startRun } from '../story.ts';
import { watch } from '../stream/viewer.ts';
import { everybody, type Who, whoMay } from './who-may.ts';

const callers = {
  viewer: 'vera',
  member: 'ben',
  approver: 'abe',
  recoverer: 'watcher',
  reporter: 'meter',
  admin: 'ana',
} as const satisfies { readonly [R in Role]: PersonName };

let rig: Rig;
let begun: Begun;
let known: { readonly [name: string]: string };
/** Well-formed, of the right kind, and nobody's. */
const forged: { readonly [name: string]: string } = Object.fromEntries(
  [
    ['agentId', 'agt'],
    ['conversationId', 'cnv'],
    ['runId', 'run'],
    ['requestId', 'req'],
    ['actionId', 'act'],
    ['messageId', 'msg'],
    ['routineId', 'rtn'],
    ['markId', 'flt'],
  ].map(([name, prefix]) => [name, `${prefix}_0000000000000000000000000Z`]),
);
const forgedName = 'nobodys';

beforeAll(async () => {
  rig = await openRig();
  begun = await begin(rig);
  const runId = await startRun(rig, begun.conversationId);
  const { requestId } = await askApproval(rig, runId);
  const actionId = await loseReply(rig, await startRun(rig, await converse(rig, begun.agentId)));
  const { body } = await rig.call({ path: `/v1/conversations/${begun.conversationId}/messages` });
  const [message] = body.items as { messageId: string }[];
  const skill = { name: 'note', description: 'Notes.', instructions: 'Note it.' };
  await rig.call({ method: 'POST', path: '/v1/skills', body: skill });
  known = {
    agentId: begun.agentId,
    conversationId: begun.conversationId,
    runId,
    requestId,
    actionId,
    messageId: message?.messageId ?? '',
    markId: String((await markIt(rig, runId, {}, 'ana')).body.markId),
    name: 'note',
    tool: 'note',
    version: '1',
  };
});
afterAll(() => rig.close());

const routes = apiRoutes.map(({ described }) => described);
type Described = (typeof routes)[number];

const pathOf = (path: string, names: { readonly [name: string]: string }): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => names[name] ?? forged[name] ?? forgedName);

const call = (described: Described, path: string, as: PersonName | null): Promise<Reply> =>
  rig.call({
    method: described.method === 'get' ? 'GET' : described.method === 'post' ? 'POST' : 'DELETE',
    path,
    as,
    ...(described.method === 'post' ? { body: described.example ?? {} } : {}),
  });

/** By the oracle, never by the product's own table. */
const may = (who: Who, operationId: string): boolean =>
  whoMay.get(operationId)?.includes(who) === true;

/** What a caller can learn from an answer, without the address they sent themselves. */
const learnt = ({ status, body }: Reply) => {
  const { instance: _instance, ...rest } = body;
  return { status, ...rest };
};

const numbers = async () => {
  const found = await rig.world.store.read({ conversation: begun.conversationId });
  return found.conversation?.rev;
};

const posts = ['post', 'delete'];
/** Their role is the request's own, so what is not there cannot ask for one. */
const answers: readonly string[] = ['answerRequest', 'answerInConversation'];

const refused = routes.flatMap((described) =>
  everybody
    .filter((role) => !may(role, described.operationId))
    .map((role) => ({ described, operation: described.operationId, role, as: callers[role] })),
);
const allowed = routes
  .flatMap((described) =>
    everybody
      .filter((role) => may(role, described.operationId))
      .map((role) => ({ described, operation: described.operationId, role, as: callers[role] })),
  )
  .toSorted(
    (a, b) =>
      Number(posts.includes(a.described.method)) - Number(posts.includes(b.described.method)),
  );

describe('refused', () => {
  test.each(refused)('$operation to a $role', async ({ described, operation, as }) => {
    const before = await numbers();
    const reply = await call(described, pathOf(described.path, known), as);
    expect(reply.status).toBe(403);
    expect(String(reply.body.type)).toMatch(/forbidden$/);
    expect(await numbers()).toBe(before);
    // An answer's role is the request's own, so what is not there cannot ask for one.
    if (answers.includes(operation)) return;
    const nowhere = await call(described, pathOf(described.path, {}), as);
    expect(learnt(nowhere)).toEqual(learnt(reply));
  });

  test.each(routes.map((described) => ({ described, operation: described.operationId })))(
    '$operation to nobody',
    async ({ described }) => {
      const reply = await call(described, pathOf(described.path, known), null);
      const nowhere = await call(described, pathOf(described.path, {}), null);
      expect(reply.status).toBe(401);
      expect(learnt(nowhere)).toEqual(learnt(reply));
    },
  );

  test.each(
    routes
      .filter(({ path }) => path.includes('{'))
      .map((described) => ({ described, operation: described.operationId })),
  )(
    '$operation to another workspace’s administrator, as if the thing were not there',
    async ({ described }) => {
      const before = await numbers();
      const reply = await call(described, pathOf(described.path, known), 'stranger');
      const nowhere = await call(described, pathOf(described.path, {}), 'stranger');
      // What is public by its nature (a schema, a preview of a schedule) names no thing of anybody.
      expect(reply.status).toBeGreaterThanOrEqual(400);
      expect(learnt(nowhere)).toEqual(learnt(reply));
      expect(await numbers()).toBe(before);
    },
  );

  test('a stream, an events page and a sheet to another workspace, as if they were not there', async () => {
    const nowhere = pathOf('/v1/conversations/{conversationId}/events', {});
    const path = `/v1/conversations/${begun.conversationId}/events`;
    for (const accept of ['text/event-stream', 'application/json']) {
      const heads = await Promise.all(
        [path, nowhere].map(async (one) => {
          const viewer = watch(rig, { path: one, as: 'stranger', headers: { accept } });
          await viewer.ended;
          return viewer.head.status;
        }),
      );
      expect(heads).toEqual([404, 404]);
    }
    for (const format of ['json', 'markdown', 'html']) {
      const query = { format };
      const sheet = (actionId: string) =>
        rig.call({ path: `/v1/actions/${actionId}/sheet`, query, as: 'stranger' });
      const reply = await sheet(known.actionId ?? '');
      expect(learnt(await sheet(forged.actionId ?? ''))).toEqual(learnt(reply));
      expect(reply.status).toBeGreaterThanOrEqual(400);
    }
  });

  test('a stream to nobody', async () => {
    const path = `/v1/conversations/${begun.conversationId}/events`;
    const viewer = watch(rig, { path, as: null, headers: { accept: 'text/event-stream' } });
    await viewer.ended;
    expect(viewer.head.status).toBe(401);
  });
});

describe('let in', () => {
  test.each(allowed)('$operation to a $role', async ({ described, as }) => {
    const reply = await call(described, pathOf(described.path, known), as);
    // A thing may still be another person's; the role is not what is missing.
    expect(String(reply.body.type)).not.toMatch(/(forbidden|unauthenticated)$/);
    expect(reply.status).toBeLessThan(500);
  });

  test('every role is a caller, and every operation is tried', () => {
    for (const [role, as] of Object.entries(callers)) expect(people[as].roles).toBe(role);
    const ids = new Set(routes.map(({ operationId }) => operationId));
    expect([...ids, 'readEvents', ...clientOperationIds].toSorted()).toEqual(
      Object.keys(access).toSorted(),
    );
  });
});
