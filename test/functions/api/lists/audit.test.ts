// The audit with its filters, and how permissions, bars and approvals stand. Laws: L7, L13.
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RunId } from '../../../../functions/core/base/ids.ts';
import { answerTo, askOne, colourForm } from '../answers/ask.ts';
import { openRig, type PersonName, type Rig } from '../rig.ts';
import { type Begun, begin, startRun } from '../story.ts';

let rig: Rig;
let begun: Begun;
let runId: RunId;
beforeEach(async () => {
  rig = await openRig();
  begun = await begin(rig);
  runId = await startRun(rig, begun.conversationId);
});
afterEach(() => rig.close());

const reason = { reason: 'It doubles everything.' };
const post = (path: string, body: object, as: PersonName) => {
  rig.turnClock(1_000);
  return rig.call({ method: 'POST', path, body, as });
};
const audit = async (query: Record<string, string> = {}) =>
  (await rig.call({ path: '/v1/audit', query })).body.items as Record<string, string>[];
const get = async (path: string) => (await rig.call({ path, as: 'vera' })).body;

const approved = async (): Promise<string> => {
  const args = { payment: 'pay_1', cents: 8_200 };
  const { requestId } = await askOne(rig, runId, { approve: 'refund', arguments: args });
  const { request } = (await get(`/v1/requests/${requestId}`)) as { request: { digest: string } };
  await answerTo(rig, requestId, { kind: 'approve', digest: request.digest }, 'rob');
  return requestId;
};

test('each entry has an id of its own, and the filters find it by kind, person, tool and time', async () => {
  const { requestId } = await askOne(rig, runId, { question: colourForm });
  await answerTo(rig, requestId, { kind: 'decline' }, 'ben');
  await post('/v1/tools/note/bar', reason, 'rob');
  await post(`/v1/agents/${begun.agentId}/tools/note/revoke`, reason, 'rob');
  const all = (await audit()).filter(({ kind }) => kind !== 'registration');
  expect(all.map(({ id }) => id)).toEqual([`${begun.agentId}/note/1`, 'tool/note/1', requestId]);
  expect(await audit({ kind: 'bar' })).toEqual([all[1]]);
  expect(await audit({ by: 'ben' })).toEqual([all[2]]);
  const mine = await audit({ by: 'me' });
  expect(new Set(mine.map(({ kind }) => kind))).toEqual(new Set(['registration']));
  expect(await audit({ tool: 'note', kind: 'permission' })).toEqual([all[0]]);
  expect(await audit({ agentId: begun.agentId, kind: 'permission' })).toEqual([all[0]]);
  expect((await audit({ until: all[1]?.at ?? '' })).slice(0, 2)).toEqual(all.slice(1));
  expect((await rig.call({ path: '/v1/audit', query: { kind: 'x' } })).status).toBe(400);
});

test('a bar shows who set it and since when', async () => {
  expect(await get('/v1/tools/note/bar')).toEqual({ tool: 'note', barred: false, changes: [] });
  await post('/v1/tools/note/bar', reason, 'rob');
  const barred = { what: 'barred', by: { name: 'Rob' }, ...reason, at: expect.any(String) };
  expect(await get('/v1/tools/note/bar')).toMatchObject({ barred: true, changes: [barred] });
  expect((await post('/v1/tools/note/unbar', reason, 'rob')).status).toBe(403);
  expect((await rig.call({ path: '/v1/tools/nothing/bar' })).status).toBe(404);
});

test('each change is a line of its own, with who made it and why, and a later one hides none', async () => {
  const permission = `/v1/agents/${begun.agentId}/tools/note`;
  await post('/v1/tools/note/bar', reason, 'rob');
  await post('/v1/tools/note/unbar', { reason: 'Mended.' }, 'ana');
  await post(`${permission}/revoke`, reason, 'rob');
  await post(`${permission}/revoke`, { reason: 'It is so already.' }, 'ana');
  await post(`${permission}/restore`, { reason: 'Agreed.' }, 'ana');
  expect(await audit({ kind: 'bar' })).toMatchObject([
    { id: 'tool/note/2', decision: 'unbarred', by: { subject: 'ana' }, reason: 'Mended.' },
    { id: 'tool/note/1', decision: 'barred', by: { subject: 'rob' }, ...reason },
  ]);
  const [restored, revoked, ...none] = await audit({ kind: 'permission' });
  expect(none).toEqual([]);
  expect(restored).toMatchObject({
    decision: 'restored',
    by: { subject: 'ana' },
    reason: 'Agreed.',
  });
  expect(revoked).toMatchObject({ decision: 'revoked', by: { subject: 'rob' }, ...reason });
  expect((await audit({ by: 'rob' })).map(({ decision }) => decision)).toEqual([
    'revoked',
    'barred',
  ]);
  const ids = new Set<string | undefined>();
  let cursor: string | undefined;
  do {
    const query = { limit: '1', tool: 'note', ...(cursor === undefined ? {} : { cursor }) };
    const { body } = await rig.call({ path: '/v1/audit', query });
    for (const { id } of body.items as { id: string }[]) ids.add(id);
    cursor = body.next as string | undefined;
  } while (cursor !== undefined);
  expect([...ids].slice(0, 4)).toEqual([restored?.id, revoked?.id, 'tool/note/2', 'tool/note/1']);
});

test('what was changed a hundred times and more is listed to the first', async () => {
  const paths = ['/v1/tools/note/bar', '/v1/tools/note/unbar'];
  for (let change = 0; change < 102; change += 1)
    await post(paths[change % 2] ?? '', reason, 'ana');
  const newest = await audit({ kind: 'bar', limit: '100' });
  const { at = '' } = newest[99] ?? {};
  const oldest = await audit({ kind: 'bar', until: new Date(Date.parse(at) - 1).toISOString() });
  expect([...newest, ...oldest].map(({ id }) => id)).toEqual(
    Array.from({ length: 102 }, (_, place) => `tool/note/${102 - place}`),
  );
});

test('changes from before they had records are shown by the newest, and all of them from the next one on', async () => {
  const at = (second: number): string =>
    new Date(rig.now() - 60_000 + second * 1_000).toISOString();
  const by = { kind: 'person', subject: 'old', name: 'Old' } as const;
  const old = { schema: 1, workspace: 'acme', tool: 'note' } as const;
  const changes = [
    { what: 'barred', at: at(1), by, reason: 'First.' },
    { what: 'unbarred', at: at(2), by, reason: 'Second.' },
  ] as const;
  rig.putMany('bar', [{ ...old, changes: [...changes] }]);
  const second = { id: 'tool/note/2', decision: 'unbarred', reason: 'Second.' };
  expect(await audit({ kind: 'bar' })).toMatchObject([second]);
  await post('/v1/tools/note/bar', reason, 'rob');
  expect(await audit({ kind: 'bar' })).toMatchObject([
    { id: 'tool/note/3', by: { subject: 'rob' } },
    second,
    { id: 'tool/note/1', decision: 'barred', reason: 'First.' },
  ]);
});

test('who registered a tool, a skill or an agent, or made its next version, is in the audit', async () => {
  const tools = await audit({ kind: 'registration', tool: 'note' });
  expect(tools).toMatchObject([{ decision: 'registered', on: 'tool', by: { subject: 'ana' } }]);
  const { body } = await rig.call({ path: '/v1/tools/note' });
  const { registration } = body as { registration: object };
  rig.turnClock(1_000);
  const next = await rig.call({
    method: 'POST',
    path: '/v1/tools/note/versions',
    body: { ...registration, description: 'Takes a note.' },
  });
  expect(next.status, next.text).toBe(201);
  expect((await audit({ kind: 'registration', tool: 'note' }))[0]).toMatchObject({
    id: 'tool/note/v2',
    decision: 'new_version',
    tool: 'note',
    version: 2,
  });
  expect(await audit({ kind: 'registration', agentId: begun.agentId })).toMatchObject([
    { decision: 'registered', on: 'agent', version: 1, agentName: expect.any(String) },
  ]);
});

test('the permissions of an agent are listed tool by tool, those of another workspace to nobody', async () => {
  const path = `/v1/agents/${begun.agentId}`;
  await post(`${path}/tools/note/revoke`, reason, 'rob');
  expect(await get(`${path}/mandates`)).toMatchObject({
    items: [
      { tool: 'note', stands: false, changes: [{ what: 'revoked', ...reason }] },
      { tool: 'refund', stands: true, changes: [] },
    ],
  });
  expect((await rig.call({ path: `${path}/mandates`, as: 'stranger' })).status).toBe(404);
});

test('an approval that was taken back says so on its request, and is an entry of the audit', async () => {
  const requestId = await approved();
  expect(await get(`/v1/requests/${requestId}`)).toMatchObject({
    approval: { grantedBy: { name: 'Rob' } },
  });
  await post(`/v1/requests/${requestId}/revoke`, { reason: 'The customer withdrew.' }, 'rob');
  const { approval } = await get(`/v1/requests/${requestId}`);
  expect(approval).toMatchObject({
    revokedBy: { name: 'Rob' },
    revokedBecause: 'The customer withdrew.',
  });
  expect(await audit({ kind: 'approval' })).toMatchObject([
    { id: `${requestId}/approval`, decision: 'revoked', reason: 'The customer withdrew.' },
  ]);
  const ofTool = await audit({ tool: 'refund' });
  expect(ofTool.map(({ decision }) => decision)).toEqual(['revoked', 'approved', 'registered']);
});
