// People answer: questions, approvals and skill requests through the whole product, each answer reaching its own call.
// Judged by the store and by the destination's own list. Laws: L12, L13, L15, L16.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { approve, finished, openRig, type Rig, talk } from '../../rig/rig.ts';
import { callCreate, callRefund } from '../../rig/tools.ts';
import { until } from '../../rig/until.ts';
import { blocked, callAsk, callSkill, makeSkilledAgent, requestOfCall } from './parts.ts';

let rig: Rig;

beforeAll(async () => {
  rig = await openRig({
    scripts: {
      two: {
        scenes: [
          {
            when: {},
            turns: [
              { call: [callAsk('First?'), callAsk('Second?')] },
              { say: '1: {{result.0}} 2: {{result.1}}' },
            ],
          },
        ],
      },
      five: {
        scenes: [
          {
            when: {},
            turns: [
              {
                call: [
                  callAsk('Which one?'),
                  callSkill('filing'),
                  callRefund('pay_1003', 201),
                  callCreate('five things'),
                  callRefund('pay_1003', 202),
                ],
              },
              { say: 'Five results.' },
            ],
          },
        ],
      },
      skilled: {
        scenes: [
          {
            when: {},
            turns: [
              { call: [callSkill('filing')] },
              { call: [callCreate('with a skill')] },
              { say: 'Over.' },
            ],
          },
        ],
      },
      superseded: {
        scenes: [
          {
            when: {},
            turns: [
              { call: [callRefund('pay_1001', 300), callAsk('Really?')] },
              { say: '{{result.0}} {{result.1}}' },
            ],
          },
        ],
      },
    },
  });
  await rig.client.send('POST', '/v1/skills', {
    name: 'filing',
    description: 'Files opportunities.',
    instructions: 'File it under its title.',
    tools: [{ name: 'create' }],
  });
});
afterAll(() => rig.close());

test('L13 S25 two questions are answered in reverse order 100 times: each answer reaches its own question', async () => {
  const { client } = rig;
  const agentId = await rig.agent('two', { tools: [] });
  const one = async (round: number): Promise<void> => {
    const { runId } = await talk(client, agentId, 'Ask.');
    await blocked(client, runId, 2);
    for (const call of [1, 0]) {
      const { requestId } = await requestOfCall(client, runId, call);
      const text = `${round}/${call}`;
      await client.answer(requestId, { kind: 'answer', answer: { text } });
    }
    await finished(client, runId);
    const actions = await client.actions(runId);
    expect(actions.map(({ told }) => told?.text)).toEqual([
      `Ana answers: {"text":"${round}/0"}`,
      `Ana answers: {"text":"${round}/1"}`,
    ]);
  };
  for (let batch = 0; batch < 10; batch += 1)
    await Promise.all(Array.from({ length: 10 }, (_, index) => one(batch * 10 + index)));
});

test('L16 S26 a run asks five things in one turn: each moves on its own, and each call has its own honest result', async () => {
  const { client, destination } = rig;
  const agentId = await makeSkilledAgent(client, 'five', 'on_request');
  const { runId } = await talk(client, agentId, 'Five.');
  await blocked(client, runId, 4);
  const at = (call: number) => requestOfCall(client, runId, call);
  await approve(client, (await at(2)).requestId);
  const approvedFirst = await until('the approved call has run', async () => {
    const action = (await client.actions(runId))[2];
    return action?.effect === 'confirmed' ? action : undefined;
  });
  expect(await destination.effectsOf(approvedFirst.actionId)).toHaveLength(1);
  await client.answer((await at(1)).requestId, { kind: 'refuse', reason: 'No skills today.' });
  await client.answer((await at(4)).requestId, { kind: 'refuse', reason: 'Too much.' });
  const before = await client.actions(runId);
  expect(before[0]?.told).toBeUndefined();
  expect((await client.run(runId)).state.status).toBe('waiting');
  const question = await at(0);
  await client.answer(question.requestId, { kind: 'answer', answer: { text: 'the blue one' } });
  await finished(client, runId);
  const actions = await client.actions(runId);
  expect(actions.map(({ disposition }) => disposition.kind)).toEqual([
    'open',
    'refused',
    'open',
    'open',
    'refused',
  ]);
  expect(actions[0]?.told?.text).toContain('the blue one');
  expect(actions[1]?.told?.text).toContain('No skills today.');
  expect(actions[4]?.told?.text).toContain('Too much.');
  const counts = await Promise.all(
    actions.map(async ({ actionId }) => (await destination.effectsOf(actionId)).length),
  );
  expect(counts).toEqual([0, 0, 1, 1, 0]);
});

test('L15 a skill granted for the run brings its tools to the next step, and to no other run', async () => {
  const { client, destination } = rig;
  const agentId = await makeSkilledAgent(client, 'skilled', 'on_request', []);
  const first = await talk(client, agentId, 'File it.');
  await blocked(client, first.runId, 1);
  const { requestId } = await requestOfCall(client, first.runId, 0);
  const view = await client.request(requestId);
  expect(view.skill?.content.instructions).toBe('File it under its title.');
  await client.answer(requestId, { kind: 'grant', scope: 'run' });
  await finished(client, first.runId);
  const [, created] = await client.actions(first.runId);
  expect(created).toMatchObject({ effect: 'confirmed', tool: { name: 'create' } });
  expect(await destination.effectsOf(created?.actionId ?? '')).toHaveLength(1);
  const granted = (await client.events(first.conversationId)).filter(
    ({ body }) => body.type === 'skill.granted',
  );
  expect(granted).toHaveLength(1);
  const second = await talk(client, agentId, 'Again.');
  await blocked(client, second.runId, 1);
  await client.stop(second.runId);
});

test('L15 a skill granted to the agent makes one new revision, which the next run has outright', async () => {
  const { client } = rig;
  const agentId = await makeSkilledAgent(client, 'skilled', 'on_request', []);
  const first = await talk(client, agentId, 'File it.');
  await blocked(client, first.runId, 1);
  const { requestId } = await requestOfCall(client, first.runId, 0);
  await client.answer(requestId, { kind: 'grant', scope: 'agent' });
  const run = await finished(client, first.runId);
  expect(run.revision).toBe(1);
  const { body } = await client.send('GET', `/v1/agents/${agentId}/revisions`);
  expect(body).toMatchObject({
    items: [
      { revision: 2, configuration: { skills: [{ name: 'filing', version: 1, grant: 'always' }] } },
      { revision: 1 },
    ],
  });
  const second = await talk(client, agentId, 'Again.');
  const next = await finished(client, second.runId);
  expect(next.revision).toBe(2);
  const [asked, created] = await client.actions(second.runId);
  // The tool is there at once; a request for what one has is told so.
  expect([asked?.tool.name, created]).toEqual(['create', undefined]);
});

test('L13 a skill of which the agent has another version by now is granted as that one, once it was shown', async () => {
  const { client } = rig;
  const agentId = await makeSkilledAgent(client, 'skilled', 'on_request', []);
  const { runId } = await talk(client, agentId, 'File it.');
  await blocked(client, runId, 1);
  const { requestId } = await requestOfCall(client, runId, 0);
  const { body } = await client.send('GET', `/v1/agents/${agentId}`);
  const { configuration } = z.looseObject({ configuration: z.looseObject({}) }).parse(body);
  const revise = (skills: readonly object[]) =>
    client.send('POST', `/v1/agents/${agentId}/revisions`, { ...configuration, skills });
  const grant = (scope: 'run' | 'agent') =>
    client.send('POST', `/v1/requests/${requestId}/answer`, { kind: 'grant', scope });
  await revise([]);
  for (const scope of ['run', 'agent'] as const)
    expect(await grant(scope)).toMatchObject({
      status: 409,
      body: { type: expect.stringMatching(/skill-changed$/), was: 1 },
    });
  const { skill } = await client.request(requestId);
  const made = await client.send('POST', '/v1/skills/filing/versions', {
    ...skill?.content,
    instructions: 'File it under its number.',
  });
  const { version } = z.looseObject({ version: z.int() }).parse(made.body);
  await revise([{ name: 'filing', version, grant: 'on_request' }]);
  expect(await grant('agent')).toMatchObject({ status: 409, body: { was: 1, version } });
  const shown = await client.request(requestId);
  expect(shown.request).toMatchObject({ version });
  expect(shown.skill?.content.instructions).toBe('File it under its number.');
  expect((await grant('run')).status).toBe(200);
  expect((await client.run(runId)).skills).toEqual([{ name: 'filing', version }]);
  const reason = { reason: 'Not any more.' };
  const back = await client.send('POST', `/v1/requests/${requestId}/revoke`, reason);
  expect(back.status).toBe(200);
  expect((await client.run(runId)).skills).toEqual([]);
  await finished(client, runId);
});

test('L16 a message that supersedes voids what the run waits for, and the run reads it at once', async () => {
  const { client, destination } = rig;
  const agentId = await rig.agent('superseded');
  const { runId, conversationId } = await talk(client, agentId, 'Refund.');
  await blocked(client, runId, 2);
  const requests = await Promise.all([0, 1].map((call) => requestOfCall(client, runId, call)));
  const path = `/v1/conversations/${conversationId}/messages`;
  const sent = await client.send('POST', path, { text: 'Never mind.', supersede: true });
  expect(sent).toMatchObject({ status: 202, body: { fate: 'steering', runId } });
  const run = await finished(client, runId);
  expect(run.state.reason).toBe('done');
  for (const { requestId } of requests) {
    const late = await client.send('POST', `/v1/requests/${requestId}/answer`, {
      kind: 'refuse',
      reason: 'Too late.',
    });
    expect(late).toMatchObject({ status: 409, body: { decision: 'voided' } });
  }
  const actions = await client.actions(runId);
  expect(actions.map(({ disposition }) => disposition.kind)).toEqual(['stopped', 'stopped']);
  expect(actions.every(({ told }) => told?.text.includes('went on with a new message'))).toBe(true);
  for (const { actionId } of actions) expect(await destination.effectsOf(actionId)).toEqual([]);
  const [, second] = await client.steps(runId);
  expect(second?.results).toHaveLength(2);
  expect(second?.took).toHaveLength(1);
});
