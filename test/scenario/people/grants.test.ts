// An approval that is remembered: like calls run under the grant until it ends or is revoked, and never what cannot be taken back or
// looks like another. Judged by the destination's own list. Laws: L7, L20.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { ToolRegistration } from '../../../functions/core/registry/tool.ts';
import { finished, openRig, type Rig, talk } from '../../rig/rig.ts';
import { callCreate, toolsAt } from '../../rig/tools.ts';
import { blocked, requestOfCall } from './parts.ts';

let rig: Rig;
const callGuarded = (title: string) => ({ ...callCreate(title), name: 'guarded' });
beforeAll(async () => {
  rig = await openRig({
    tools: (url) =>
      toolsAt(url)
        .filter(({ name }) => name === 'create')
        .flatMap((tool) =>
          (['agent', 'run', 'never', undefined] as const).map((remember) => ({
            ...tool,
            name: remember === 'agent' ? 'guarded' : `guarded_${remember ?? 'unsaid'}`,
            contract: {
              ...tool.contract,
              policy: {
                approval: { when: 'always' as const },
                ...(remember === undefined ? {} : { remember }),
              },
            },
          })),
        ),
    scripts: {
      ...Object.fromEntries(
        ['never', 'run', 'unsaid'].map((how) => [
          how,
          {
            scenes: [
              {
                when: {},
                turns: [
                  { call: [{ ...callCreate('{{message}}'), name: `guarded_${how}` }] },
                  { say: 'Done.' },
                ],
              },
            ],
          },
        ]),
      ),
      twice: {
        scenes: [
          {
            when: {},
            turns: [
              { call: [callGuarded('{{message}} first')] },
              { call: [callGuarded('{{message}} second')] },
              { say: 'Done.' },
            ],
          },
        ],
      },
      alike: {
        scenes: [
          {
            when: {},
            turns: [
              { call: [callGuarded('{{message}} before')] },
              { call: [callGuarded('{{message}}'), callGuarded('{{message}}')] },
              { say: 'Done.' },
            ],
          },
        ],
      },
    },
  });
});
afterAll(() => rig.close());

const approveRemembering = async (runId: string, scope: 'run' | 'agent', condition: string) => {
  const request = await requestOfCall(rig.client, runId, 0);
  if (request.on !== 'approval') throw new Error('No approval.');
  await rig.client.answer(request.requestId, {
    kind: 'approve',
    digest: request.digest,
    remember: { scope, condition },
  });
  return request.requestId;
};
const effectsOf = async (runId: string): Promise<number[]> =>
  Promise.all(
    (await rig.client.actions(runId)).map(
      async ({ actionId }) => (await rig.destination.effectsOf(actionId)).length,
    ),
  );

test('L7 for the run, the second call runs unasked; in the next run it is asked again', async () => {
  const { client } = rig;
  const agentId = await rig.agent('twice', { tools: ['guarded'] });
  const first = await talk(client, agentId, 'Run scope');
  await blocked(client, first.runId, 1);
  await approveRemembering(first.runId, 'run', 'amount_cents < 10000');
  await finished(client, first.runId);
  expect(await effectsOf(first.runId)).toEqual([1, 1]);
  const [, second] = await client.actions(first.runId);
  expect(second).toMatchObject({ mandate: { kind: 'grant' }, effect: 'confirmed' });
  const next = await talk(client, agentId, 'Another run');
  await blocked(client, next.runId, 1);
  await client.stop(next.runId);
});

test('L7 for the agent, the next run is not asked until the grant is revoked', async () => {
  const { client } = rig;
  const agentId = await rig.agent('twice', { tools: ['guarded'] });
  const first = await talk(client, agentId, 'Agent scope');
  await blocked(client, first.runId, 1);
  const requestId = await approveRemembering(first.runId, 'agent', 'amount_cents < 10000');
  await finished(client, first.runId);
  const second = await talk(client, agentId, 'Agent scope again');
  await finished(client, second.runId);
  expect(await effectsOf(second.runId)).toEqual([1, 1]);
  await client.send('POST', `/v1/agents/${agentId}/grants/${requestId}/revoke`);
  const third = await talk(client, agentId, 'Agent scope after');
  await blocked(client, third.runId, 1);
  expect(await effectsOf(third.runId)).toEqual([0]);
  await client.stop(third.runId);
});

test('L7 a call that the condition does not cover is asked about', async () => {
  const { client } = rig;
  const narrow = await rig.agent('twice', { tools: ['guarded'] });
  const first = await talk(client, narrow, 'Narrow');
  await blocked(client, first.runId, 1);
  await approveRemembering(first.runId, 'run', 'title = "Narrow first"');
  await blocked(client, first.runId, 1);
  expect((await requestOfCall(client, first.runId, 0)).on).toBe('approval');
  await client.stop(first.runId);
});

test('L20 a look-alike of a call whose outcome is not known is asked about in spite of the grant', async () => {
  const { client, destination } = rig;
  const agentId = await rig.agent('alike', { tools: ['guarded'] });
  await destination.fault({
    service: 'crm',
    operation: 'create_opportunity',
    match: { title: 'Alike' },
    mode: 'drop_reply_after_write',
  });
  const { runId } = await talk(client, agentId, 'Alike');
  await blocked(client, runId, 1);
  await approveRemembering(runId, 'run', 'amount_cents < 10000');
  const blocking = await blocked(client, runId, 2);
  const open = blocking.find(({ on }) => on === 'approval');
  const { request } = await client.request(open?.requestId ?? '');
  expect(request).toMatchObject({ on: 'approval', likeness: { holders: [expect.any(String)] } });
  if (request.on !== 'approval') throw new Error('No approval.');
  const refused = await client.send('POST', `/v1/requests/${request.requestId}/answer`, {
    kind: 'approve',
    digest: request.digest,
    remember: { scope: 'run', condition: 'amount_cents < 10000' },
  });
  expect(refused).toMatchObject({ status: 409, body: { why: 'look_alike' } });
  expect((await effectsOf(runId)).toSorted()).toEqual([0, 1, 1]);
  await client.stop(runId);
});

test('L7 an agent that may no longer use the tool sends nothing, whatever was remembered or is approved', async () => {
  const { client } = rig;
  const agentId = await rig.agent('twice', { tools: ['guarded'] });
  const first = await talk(client, agentId, 'Taken away');
  await blocked(client, first.runId, 1);
  await approveRemembering(first.runId, 'agent', 'amount_cents < 10000');
  await finished(client, first.runId);
  expect(await effectsOf(first.runId)).toEqual([1, 1]);
  const other = await rig.agent('twice', { tools: ['guarded'] });
  const asked = await talk(client, other, 'Asked before');
  await blocked(client, asked.runId, 1);
  const reason = { reason: 'Nothing more for now.' };
  for (const agent of [agentId, other])
    await client.send('POST', `/v1/agents/${agent}/tools/guarded/revoke`, reason);
  // Under the grant.
  const second = await talk(client, agentId, 'Taken away again');
  await finished(client, second.runId);
  expect(await effectsOf(second.runId)).toEqual([0, 0]);
  const [refused] = await client.actions(second.runId);
  expect(refused).toMatchObject({ mandate: { kind: 'grant' }, attempts: 0 });
  expect(refused?.told?.text).toContain('The permission to use this tool was revoked.');
  // Under an approval: it is not even given, and the request stays open.
  const request = await requestOfCall(client, asked.runId, 0);
  if (request.on !== 'approval') throw new Error('No approval.');
  const given = await client.send('POST', `/v1/requests/${request.requestId}/answer`, {
    kind: 'approve',
    digest: request.digest,
  });
  expect(given).toMatchObject({ status: 409, body: { against: [{ kind: 'permission_revoked' }] } });
  await blocked(client, asked.runId, 1);
  expect(await effectsOf(asked.runId)).toEqual([0]);
  await client.stop(asked.runId);
});

test.each([
  ['never', 'run', 409, 'contract'],
  ['never', 'agent', 409, 'contract'],
  ['run', 'agent', 409, 'contract_run_only'],
  ['unsaid', 'agent', 409, 'contract_run_only'],
  ['run', 'run', 200, undefined],
] as const)(
  'L7 where the contract says %s, remembering for the %s is answered %i',
  async (how, scope, status, why) => {
    const { client } = rig;
    const agentId = await rig.agent(how, { tools: [`guarded_${how}`] });
    const { runId } = await talk(client, agentId, `Contract ${how} ${scope}`);
    await blocked(client, runId, 1);
    const request = await requestOfCall(client, runId, 0);
    if (request.on !== 'approval') throw new Error('No approval.');
    const reply = await client.send('POST', `/v1/requests/${request.requestId}/answer`, {
      kind: 'approve',
      digest: request.digest,
      remember: { scope, condition: 'amount_cents < 10000' },
    });
    expect(reply.status).toBe(status);
    if (why !== undefined) expect(reply.body).toMatchObject({ why });
    if (why !== undefined) await client.stop(runId);
  },
);

test.each(['true', '1 = 1', 'title = "x" or true', '$exists(other) = false'])(
  'L7 the condition %s says nothing of the arguments, and is not taken',
  async (condition) => {
    const { client } = rig;
    const agentId = await rig.agent('twice', { tools: ['guarded'] });
    const { runId } = await talk(client, agentId, `Says nothing: ${condition}`);
    await blocked(client, runId, 1);
    const request = await requestOfCall(client, runId, 0);
    if (request.on !== 'approval') throw new Error('No approval.');
    const reply = await client.send('POST', `/v1/requests/${request.requestId}/answer`, {
      kind: 'approve',
      digest: request.digest,
      remember: { scope: 'agent', condition },
    });
    expect(reply).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'remember.condition', code: 'condition_names_no_argument' }] },
    });
    await client.stop(runId);
  },
);

test('L7 what is remembered ends after 30 days, is listed with the permissions, and stands in the audit', async () => {
  const { client } = rig;
  const agentId = await rig.agent('twice', { tools: ['guarded'] });
  const first = await talk(client, agentId, 'Listed');
  await blocked(client, first.runId, 1);
  const requestId = await approveRemembering(first.runId, 'agent', 'amount_cents < 10000');
  await finished(client, first.runId);
  const listed = await client.send('GET', `/v1/agents/${agentId}/mandates`);
  const remembered = { requestId, condition: 'amount_cents < 10000', stands: true };
  expect(listed.body).toMatchObject({ items: [{ tool: 'guarded', remembered: [remembered] }] });
  const { request } = await client.request(requestId);
  const decided = request.decision?.kind === 'approved' ? request.decision.remembered : undefined;
  expect(Date.parse(decided?.until ?? '') - Date.parse(request.decidedAt ?? '')).toBe(
    30 * 86_400_000,
  );
  const audit = await client.send('GET', '/v1/audit');
  const entry = { id: requestId, decision: 'approved', remembered: decided };
  expect(audit.body).toMatchObject({
    items: expect.arrayContaining([expect.objectContaining(entry)]),
  });
  await client.send('POST', `/v1/requests/${requestId}/revoke`, { reason: 'Not any more.' });
  const after = await client.send('GET', `/v1/agents/${agentId}/mandates`);
  expect(after.body).toMatchObject({ items: [{ remembered: [{ requestId, stands: false }] }] });
});

test('L7 what was remembered for the agent covers nothing once the contract lets it be remembered for the run only', async () => {
  const { client } = rig;
  const agentId = await rig.agent('twice', { tools: ['guarded'] });
  const first = await talk(client, agentId, 'Before');
  await blocked(client, first.runId, 1);
  await approveRemembering(first.runId, 'agent', 'amount_cents < 10000');
  await finished(client, first.runId);
  const { body: tool } = await client.send('GET', '/v1/tools/guarded');
  const { registration } = z.object({ registration: ToolRegistration }).parse(tool);
  const { contract } = registration;
  const stricter = { ...contract, policy: { ...contract.policy, remember: 'run' } };
  const made = await client.send('POST', '/v1/tools/guarded/versions', {
    ...registration,
    contract: stricter,
  });
  expect(made.status).toBe(201);
  const { body: agent } = await client.send('GET', `/v1/agents/${agentId}`);
  const { configuration } = z.object({ configuration: z.looseObject({}) }).parse(agent);
  const revised = await client.send('POST', `/v1/agents/${agentId}/revisions`, {
    ...configuration,
    tools: [{ name: 'guarded', version: 2 }],
  });
  expect(revised.status).toBe(201);
  const second = await talk(client, agentId, 'After');
  await blocked(client, second.runId, 1);
  expect(await effectsOf(second.runId)).toEqual([0]);
  await client.stop(second.runId);
});
