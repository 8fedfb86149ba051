// A step that opens as many questions of its tools as a step may have calls: whatever ends the waiting, every call gets its one
// result and no request stays open, in transactions that the store takes. And a tool that asks when its run is being stopped.
// Judged by the store and by the tool's own list. Laws: L13, L16, L17, L21.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ToolRegistrationInput } from '../../../functions/core/registry/tool.ts';
import { closeMcpServers, mcpServer } from '../../functions/adapters/mcp-server.ts';
import { type Destination, openDestination } from '../../rig/destination.ts';
import { awsCall, egressTo, finished, openRig, type Rig, talk } from '../../rig/rig.ts';
import { until } from '../../rig/until.ts';
import { blocked } from '../people/parts.ts';

const calls = 16;
let rig: Rig;
let destination: Destination;
let server: Awaited<ReturnType<typeof mcpServer>>;
/** Held back: what the tool answers to a call, until it is let go. */
let holding: Promise<void> | undefined;

beforeAll(async () => {
  server = await mcpServer({
    wait: (method) => (method === 'tools/call' ? holding : undefined),
  });
  destination = await openDestination();
  const call = (count: number, name = 'ask_tool') =>
    Array.from({ length: count }, (_, index) => ({
      name,
      arguments: { city: `Brest ${index}` },
    }));
  rig = await openRig({
    destination,
    twin: { environment: egressTo(destination.port, Number(new URL(server.url).port)) },
    scripts: Object.fromEntries(
      Object.entries({ many: call(calls), one: call(1), unsure: call(calls, 'unsure_tool') }).map(
        ([name, made]) => [
          name,
          { scenes: [{ when: {}, turns: [{ call: made }, { say: '{{result.0}}' }] }] },
        ],
      ),
    ),
  });
  const tool = {
    name: 'ask_tool',
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
      timeoutMs: 20_000,
    },
  } as const satisfies ToolRegistrationInput;
  await rig.client.registerTool(tool);
  const { asksBeforeActing: _unsaid, ...contract } = tool.contract;
  await rig.client.registerTool({ ...tool, name: 'unsure_tool', contract });
});
afterAll(async () => {
  await rig.close();
  await destination.close();
  await closeMcpServers();
});

const asked = async (script = 'many', tool = 'ask_tool') => {
  const agentId = await rig.agent(script, { tools: [tool] });
  const talking = await talk(rig.client, agentId, 'Book.');
  await blocked(rig.client, talking.runId, calls, 60_000);
  return talking;
};

/** Every call has its one result, its attempt is disproved, nobody is asked any more, and nothing was done. */
const expectNothingOpen = async (runId: string, conversationId: string, count = calls) => {
  const { client } = rig;
  const actions = await client.actions(runId);
  expect(actions.map(({ effect }) => effect)).toEqual(Array(count).fill('not_performed'));
  for (const { told } of actions) expect(told?.text).toContain('Not done, with proof');
  expect(await client.openRequests()).toEqual([]);
  expect(server.done).toEqual([]);
  const events = await client.events(conversationId);
  expect(events.map(({ number }) => number)).toEqual(events.map((_, index) => index + 1));
  const closed = events.filter(({ body }) => body.type === 'request.closed');
  expect(new Set(closed.map(({ body }) => 'requestId' in body && body.requestId)).size).toBe(
    closed.length,
  );
};

test('L16 a run is stopped with sixteen questions open: all are void, all calls disproved', async () => {
  const { runId, conversationId } = await asked();
  await rig.client.stop(runId);
  const run = await finished(rig.client, runId, 60_000);
  expect(run.state.reason).toBe('stopped');
  await expectNothingOpen(runId, conversationId);
});

test('L16 a message supersedes sixteen questions: all are void, and the run goes on with the message', async () => {
  const { runId, conversationId } = await asked();
  const path = `/v1/conversations/${conversationId}/messages`;
  const answer = await rig.client.send('POST', path, { text: 'Leave it.', supersede: true });
  expect(answer).toMatchObject({ status: 202, body: { fate: 'steering', runId } });
  const run = await finished(rig.client, runId, 60_000);
  expect(run.state.reason).toBe('done');
  await expectNothingOpen(runId, conversationId);
});

test('L16 a run is stopped with sixteen questions open of a tool that may have acted: each has somebody who looks', async () => {
  const { client } = rig;
  const { runId } = await asked('unsure', 'unsure_tool');
  await client.stop(runId);
  await finished(client, runId, 60_000);
  const open = await until('every call is at the desk', async () => {
    const requests = await client.openRequests();
    return requests.length === calls ? requests : undefined;
  });
  const actions = await client.actions(runId);
  expect(actions.map(({ effect }) => effect)).toEqual(Array(calls).fill('undetermined'));
  for (const { told } of actions) expect(told?.text).toContain('Undetermined');
  expect(new Set(open.map(({ on, actionId }) => `${on} ${actionId}`))).toEqual(
    new Set(actions.map(({ actionId }) => `recovery ${actionId}`)),
  );
  for (const { actionId } of actions)
    await client.decide(actionId, { kind: 'abandon', reason: 'It booked nothing.' });
});

test('L16 the execution is aborted with sixteen questions open: the run ends, and nothing stays open', async () => {
  const { runId, conversationId } = await asked();
  const arn = rig.twin.machineArns.run.replace(':stateMachine:', ':execution:');
  const executionArn = `${arn.split(':').slice(0, 7).join(':')}:${runId}`;
  await awsCall(rig.twin, 'states')('StopExecution', { executionArn });
  const run = await finished(rig.client, runId, 60_000);
  expect(run.state.reason).toBe('stopped');
  await expectNothingOpen(runId, conversationId);
});

test('L16 a tool that asks when its run is being stopped has done nothing, with proof: nobody is asked, no recovery opens', async () => {
  const { client } = rig;
  let release: () => void = () => undefined;
  holding = new Promise((done) => {
    release = done;
  });
  const before = server.calls();
  const agentId = await rig.agent('one', { tools: ['ask_tool'] });
  const { runId, conversationId } = await talk(client, agentId, 'Book.');
  await until('the tool is called', async () => (server.calls() > before ? true : undefined));
  await client.stop(runId);
  holding = undefined;
  release();
  const run = await finished(client, runId, 60_000);
  expect(run.state.reason).toBe('stopped');
  await expectNothingOpen(runId, conversationId, 1);
  const [action] = await client.actions(runId);
  const { journal } = await client.action(action?.actionId ?? '');
  expect(journal.observations.map(({ says }) => says)).toEqual(['asked', 'disproves']);
  expect(action?.recovering).toBeUndefined();
});
