// A tool that asks in mid-call, and does nothing before, as its contract says: its question is the same action's, the answer continues
// it with the state it gave, and without an answer nothing was done, with proof. Judged by the tool's own list. Laws: L4, L13, L16, L21.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { closeMcpServers, mcpServer } from '../../functions/adapters/mcp-server.ts';
import { type Destination, openDestination } from '../../rig/destination.ts';
import { egressTo, finished, openRig, type Rig, talk } from '../../rig/rig.ts';
import { blocked, requestOfCall } from './parts.ts';

let rig: Rig;
let destination: Destination;
let server: Awaited<ReturnType<typeof mcpServer>>;
let toolName: string;
let tools = 0;

beforeAll(async () => {
  server = await mcpServer();
  destination = await openDestination();
  rig = await openRig({
    destination,
    twin: { environment: egressTo(destination.port, Number(new URL(server.url).port)) },
    scripts: Object.fromEntries(
      ['first', 'second', 'third', 'fourth'].map((name) => [
        name,
        {
          scenes: [
            {
              when: {},
              turns: [
                { call: [{ name: `ask_${name}`, arguments: { city: 'Brest' } }] },
                { say: '{{result.0}}' },
              ],
            },
          ],
        },
      ]),
    ),
  });
});
afterAll(async () => {
  await rig.close();
  await destination.close();
  await closeMcpServers();
});

const names = ['first', 'second', 'third', 'fourth'] as const;
let script: string;
beforeEach(async () => {
  script = names[tools] ?? 'first';
  toolName = `ask_${script}`;
  tools += 1;
  await rig.client.registerTool({
    name: toolName,
    description: 'Books, once it is sure.',
    arguments: {
      type: 'object',
      properties: { city: { type: 'string' } },
      required: ['city'],
      additionalProperties: false,
    },
    transport: { kind: 'mcp', url: server.url, tool: 'ask' },
    contract: {
      effect: 'write',
      destination: { provider: 'booking', account: 'acme', environment: 'test', apiVersion: '1' },
      preset: 'http',
      asksBeforeActing: true,
      timeoutMs: 2_000,
    },
  });
});
afterEach(() => {
  server.done.length = 0;
});

const asked = async () => {
  const { client } = rig;
  const agentId = await rig.agent(script, { tools: [toolName] });
  const talking = await talk(client, agentId, 'Book.');
  await blocked(client, talking.runId, 1);
  const request = await requestOfCall(client, talking.runId, 0);
  expect(request).toMatchObject({ on: 'question', message: 'Sure?' });
  return { ...talking, ...request };
};

test('L13 an answer that does not fit is refused; the one that fits continues the same action with the exact state', async () => {
  const { client } = rig;
  const { runId, requestId, actionId } = await asked();
  expect(server.done).toEqual([]);
  const path = `/v1/requests/${requestId}/answer`;
  const misfit = await client.send('POST', path, { kind: 'answer', answer: { sure: 'yes' } });
  expect(misfit).toMatchObject({
    status: 422,
    body: { errors: [{ field: 'answer.sure', code: 'not_yes_or_no' }] },
  });
  await client.answer(requestId, { kind: 'answer', answer: { sure: true } });
  const run = await finished(client, runId);
  expect(run.state.reason).toBe('done');
  expect(server.done).toEqual(['ask true state-1']);
  const { action, journal } = await client.action(actionId);
  expect(action).toMatchObject({ effect: 'confirmed', attempts: 2 });
  expect(journal.ends.map(({ how }) => how)).toEqual(['asked', 'replied']);
  expect(journal.attempts[1]?.continuation).toEqual({
    inputResponses: { confirm: { action: 'accept', content: { sure: true } } },
  });
  // The tool's sealed state went back to the tool, and to no reader.
  const shown = await client.send('GET', `/v1/requests/${requestId}`);
  expect(JSON.stringify([shown.body, journal])).not.toContain('state-1');
  expect((await client.actions(runId)).map((one) => one.actionId)).toEqual([actionId]);
});

test('L21 a declined question settles its action as not done, with proof', async () => {
  const { client } = rig;
  const { runId, requestId, actionId } = await asked();
  await client.answer(requestId, { kind: 'decline', reason: 'Not sure at all.' });
  await finished(client, runId);
  expect(server.done).toEqual([]);
  const { action } = await client.action(actionId);
  expect(action).toMatchObject({ effect: 'not_performed', disposition: { kind: 'open' } });
  expect(action.told?.text).toContain('Not sure at all.');
  expect(action.told?.text).toContain('Not done, with proof');
});

test('L21 a run stopped while its tool asks leaves nothing open: not done, with proof, and nobody to ask', async () => {
  const { client } = rig;
  const { runId, requestId, actionId } = await asked();
  await client.stop(runId);
  await finished(client, runId);
  const { action } = await client.action(actionId);
  expect(action.effect).toBe('not_performed');
  expect(action.told?.text).toContain('Not done, with proof');
  const late = await client.send('POST', `/v1/requests/${requestId}/answer`, { kind: 'decline' });
  expect(late).toMatchObject({ status: 409, body: { decision: 'voided' } });
  expect(await client.openRequests()).toEqual([]);
  expect(server.done).toEqual([]);
});

test('L21 a message that supersedes closes the tool’s question, and the agent is told what is known', async () => {
  const { client } = rig;
  const { runId, conversationId, actionId } = await asked();
  const path = `/v1/conversations/${conversationId}/messages`;
  await client.send('POST', path, { text: 'Leave it.', supersede: true });
  const run = await finished(client, runId);
  expect(run.state.reason).toBe('done');
  const { action } = await client.action(actionId);
  expect(action.effect).toBe('not_performed');
  expect(server.done).toEqual([]);
});
