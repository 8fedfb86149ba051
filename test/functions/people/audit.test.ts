// The audit with its filters, and how permissions, bars and approvals stand. Laws: L7, L13.
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RunId } from '../../../functions/core/ids.ts';
import { openRig, type PersonName, type Rig } from '../api/rig.ts';
import { type Begun, begin, startRun } from '../api/story.ts';
import { answerTo, askOne, colourForm } from './ask.ts';

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
  const all = await audit();
  expect(all.map(({ id }) => id)).toEqual([`${begun.agentId}/note`, 'tool/note', requestId]);
  expect(await audit({ kind: 'bar' })).toEqual([all[1]]);
  expect(await audit({ by: 'ben' })).toEqual([all[2]]);
  expect(await audit({ by: 'me' })).toEqual([]);
  expect(await audit({ tool: 'note', kind: 'permission' })).toEqual([all[0]]);
  expect(await audit({ agentId: begun.agentId })).toEqual([all[0]]);
  expect(await audit({ until: all[1]?.at ?? '' })).toEqual(all.slice(1));
  expect((await rig.call({ path: '/v1/audit', query: { kind: 'x' } })).status).toBe(400);
});

test('a bar shows who set it and since when, and keeps all its changes in the audit', async () => {
  expect(await get('/v1/tools/note/bar')).toEqual({ tool: 'note', barred: false, changes: [] });
  await post('/v1/tools/note/bar', reason, 'rob');
  const barred = { what: 'barred', by: { name: 'Rob' }, ...reason, at: expect.any(String) };
  expect(await get('/v1/tools/note/bar')).toMatchObject({ barred: true, changes: [barred] });
  expect((await post('/v1/tools/note/unbar', reason, 'rob')).status).toBe(403);
  await post('/v1/tools/note/unbar', reason, 'ana');
  expect(await audit()).toMatchObject([
    { decision: 'unbarred', changes: [barred, { what: 'unbarred', by: { name: 'Ana' } }] },
  ]);
  expect((await rig.call({ path: '/v1/tools/nothing/bar' })).status).toBe(404);
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
  expect(ofTool.map(({ decision }) => decision)).toEqual(['revoked', 'approved']);
});
