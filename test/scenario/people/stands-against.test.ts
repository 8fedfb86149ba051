// What stands against an approval is told where one approves, on every face, and what could open no attempt is not approved: the
// request stays open. Judged by the destination's own list. Laws: L7, L13, L20.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { approve, finished, openRig, type Rig, talk, waitingOn } from '../../rig/rig.ts';
import { callCreate, toolsAt } from '../../rig/tools.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await openRig({
    tools: (url) =>
      toolsAt(url)
        .filter(({ name }) => name === 'create')
        .map((tool) => ({
          ...tool,
          name: 'guarded',
          contract: { ...tool.contract, policy: { approval: { when: 'always' as const } } },
        })),
    scripts: {
      guarded: {
        scenes: [
          {
            when: {},
            turns: [
              { call: [{ ...callCreate('{{message}}'), name: 'guarded' }] },
              { say: 'It ended so: {{result.last}}' },
            ],
          },
        ],
      },
    },
  });
});
afterAll(() => rig.close());

const landed = async (title: string): Promise<number> =>
  (await rig.destination.effects()).filter((one) => one.arguments.title === title).length;
const agent = () => rig.agent('guarded', { tools: ['guarded'] });
const reason = { reason: 'The customer withdrew.' };

const approving = async (requestId: string) => {
  const { request } = await rig.client.request(requestId);
  const digest = request.on === 'approval' ? request.digest : '';
  return rig.client.send('POST', `/v1/requests/${requestId}/answer`, { kind: 'approve', digest });
};

test.each([
  ['permission_revoked', 'tools/guarded/revoke', 'tools/guarded/restore'],
  ['tool_barred', undefined, undefined],
])(
  'L7 %s is told where one approves; approving is refused, and is possible once it is cleared',
  async (kind, revoke, restore) => {
    const { client } = rig;
    const agentId = await agent();
    const { runId } = await talk(client, agentId, kind);
    const [request] = await waitingOn(client, runId, 'approval');
    const requestId = request?.requestId ?? '';
    expect((await client.request(requestId)).against).toEqual([]);
    const path = (of: string | undefined, bar: string): string =>
      of === undefined ? `/v1/tools/guarded/${bar}` : `/v1/agents/${agentId}/${of}`;
    await client.send('POST', path(revoke, 'bar'), reason);
    const view = await client.request(requestId);
    expect(view.against).toEqual([
      expect.objectContaining({
        kind,
        reason: reason.reason,
        by: expect.objectContaining({ name: 'Ana' }),
      }),
    ]);
    expect(view.against[0]?.says).toContain('nothing would be sent');
    const refused = await approving(requestId);
    expect(refused).toMatchObject({
      status: 409,
      body: { type: expect.stringMatching(/cannot-run-now$/), against: [{ kind }] },
    });
    expect((await client.request(requestId)).request.decision).toBeUndefined();
    expect(await landed(kind)).toBe(0);
    await client.send('POST', path(restore, 'unbar'), reason);
    await approve(client, requestId);
    await finished(client, runId);
    expect(await landed(kind)).toBe(1);
  },
);

test('L7 a look-alike that came up since is shown before it is approved, in words, and then one approval is enough', async () => {
  const { client, destination } = rig;
  const title = 'Since';
  await destination.fault({
    service: 'crm',
    operation: 'create_opportunity',
    match: { title },
    mode: 'drop_reply_after_write',
  });
  const first = await talk(client, await agent(), title);
  const second = await talk(client, await agent(), title);
  const [one] = await waitingOn(client, first.runId, 'approval');
  const [other] = await waitingOn(client, second.runId, 'approval');
  const requestId = other?.requestId ?? '';
  expect((await client.request(requestId)).lookAlikes).toEqual([]);
  await approve(client, one?.requestId ?? '');
  await waitingOn(client, first.runId, 'recovery');
  const [unknown] = await client.actions(first.runId);
  const view = await client.request(requestId);
  expect(view.lookAlikes.map(({ actionId }) => actionId)).toEqual([unknown?.actionId]);
  expect(view.against.map(({ kind }) => kind)).toEqual(['look_alike']);
  expect(view.alike[0]?.says).toMatch(/^guarded \(act_\w+\), sent on .* UTC: undetermined/);
  expect(await approving(requestId)).toMatchObject({
    status: 409,
    body: { type: expect.stringMatching(/look-alike-found$/), lookAlikes: [unknown?.actionId] },
  });
  const shown = await client.request(requestId);
  expect(shown.request).toMatchObject({ likeness: { holders: [unknown?.actionId] } });
  expect(shown.against).toEqual([]);
  await approve(client, requestId);
  await finished(client, second.runId);
  expect(await landed(title)).toBe(2);
  expect((await client.actions(second.runId))[0]?.requestId).toBe(requestId);
  await client.stop(first.runId);
});
