// A tool that writes, and asks then: that it asked proves nothing. A refusal goes to the tool, whose reply is read; a question that ends
// without an answer leaves the action undetermined, with somebody who looks; a second call of the same is asked about.
// Judged by the tool's own list. Laws: L1, L4, L12, L16, L20, L21.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ToolRegistrationInput } from '../../../functions/core/registry/tool.ts';
import { closeMcpServers, mcpServer } from '../../functions/adapters/mcp-server.ts';
import { type Destination, openDestination } from '../../rig/destination.ts';
import { egressTo, finished, openRig, type Rig, talk } from '../../rig/rig.ts';
import { until } from '../../rig/until.ts';
import { blocked, requestOfCall } from '../people/parts.ts';

let rig: Rig;
let destination: Destination;
let server: Awaited<ReturnType<typeof mcpServer>>;
/** Before the tool answers what came back to its question. */
let onAnswer: (() => Promise<void>) | undefined;

const tools = ['plain', 'tells', 'first'] as const;
type Tool = (typeof tools)[number];

const registrationOf = (name: Tool): ToolRegistrationInput => ({
  name: `draft_${name}`,
  description: 'Writes a draft, and publishes it once that is wanted.',
  arguments: {
    type: 'object',
    properties: { title: { type: 'string' } },
    required: ['title'],
    additionalProperties: false,
  },
  transport: { kind: 'mcp', url: server.url, tool: 'draft' },
  contract: {
    effect: 'write',
    destination: { provider: 'press', account: 'acme', environment: 'test', apiVersion: '1' },
    preset: 'http',
    timeoutMs: 2_000,
    ...(name === 'tells' ? { whenUndetermined: 'tell' } : {}),
    ...(name === 'first' ? { asksBeforeActing: true } : {}),
  },
});

let titles = 0;
let title: string;
beforeAll(async () => {
  server = await mcpServer({ onAnswer: async () => onAnswer?.() });
  destination = await openDestination();
  const call = (name: Tool) => ({ name: `draft_${name}`, arguments: { title: '{{message}}' } });
  rig = await openRig({
    destination,
    twin: { environment: egressTo(destination.port, Number(new URL(server.url).port)) },
    scripts: Object.fromEntries(
      tools.map((name) => [
        name,
        {
          scenes: [{ when: {}, turns: [{ call: [call(name)] }, { say: '{{result.0}}' }] }],
        },
      ]),
    ),
  });
  for (const name of tools) await rig.client.registerTool(registrationOf(name));
});
afterAll(async () => {
  await rig.close();
  await destination.close();
  await closeMcpServers();
});
beforeEach(() => {
  titles += 1;
  title = `Title ${titles}`;
  server.done.length = 0;
  server.answers.length = 0;
  onAnswer = undefined;
});

const asked = async (tool: Tool) => {
  const { client } = rig;
  const agentId = await rig.agent(tool, { tools: [`draft_${tool}`] });
  const talking = await talk(client, agentId, title);
  await blocked(client, talking.runId, 1);
  const request = await requestOfCall(client, talking.runId, 0);
  expect(request).toMatchObject({ on: 'question', message: 'Written. Publish?' });
  expect(server.done).toEqual([`draft ${title}`]);
  return { ...talking, ...request };
};

/** Somebody at the recovery desk is asked what became of it. */
const expectAtTheDesk = async (actionId: string) => {
  const { client } = rig;
  const found = await until(`a recovery of ${actionId}`, async () =>
    (await client.openRequests()).find(
      (request) => request.on === 'recovery' && request.actionId === actionId,
    ),
  );
  const { action } = await client.action(actionId);
  expect(action).toMatchObject({ effect: 'undetermined', disposition: { kind: 'open' } });
  return found;
};

/** The same call, proposed by another agent: sent only once a person has seen both. */
const expectAskedAgain = async (tool: Tool, actionId: string) => {
  const { client } = rig;
  const agentId = await rig.agent(tool, { tools: [`draft_${tool}`] });
  const { runId } = await talk(client, agentId, title);
  await blocked(client, runId, 1);
  expect(await requestOfCall(client, runId, 0)).toMatchObject({
    on: 'approval',
    likeness: { holders: [actionId] },
  });
  await client.stop(runId);
  await finished(client, runId);
};

describe('A tool that wrote before it asked', () => {
  test('L21 hears that a person declined, by the next attempt of the same action; a plain answer settles nothing', async () => {
    const { client } = rig;
    const { runId, requestId, actionId } = await asked('plain');
    await client.answer(requestId, { kind: 'decline', reason: 'Not today.' });
    await expectAtTheDesk(actionId);
    expect(server.answers).toEqual([JSON.stringify({ action: 'decline' })]);
    expect(server.done).toEqual([`draft ${title}`]);
    const { action, journal } = await client.action(actionId);
    expect(action).toMatchObject({ attempts: 2 });
    expect(action.told).toBeUndefined();
    expect(journal.ends.map(({ how }) => how)).toEqual(['asked', 'replied']);
    expect(journal.attempts[1]?.continuation?.inputResponses).toEqual({
      publish: { action: 'decline' },
    });
    await expectAskedAgain('plain', actionId);
    await client.stop(runId);
    const run = await finished(client, runId);
    expect(run.state.reason).toBe('stopped');
    expect(server.done).toEqual([`draft ${title}`]);
  });

  test('L21 hears the same refusal again with a person’s repeat', async () => {
    const { client } = rig;
    const { requestId, actionId, runId } = await asked('plain');
    onAnswer = () => new Promise((done) => setTimeout(done, 3_000));
    await client.answer(requestId, { kind: 'decline' });
    await expectAtTheDesk(actionId);
    const { journal } = await client.action(actionId);
    expect(journal.ends.map(({ how }) => how)).toEqual(['asked', 'unknown']);
    await client.stop(runId);
    await finished(client, runId);
  });

  test('L21 has published once the answer was yes, and its reply says so of the whole call', async () => {
    const { client } = rig;
    const { runId, requestId, actionId } = await asked('plain');
    await client.answer(requestId, { kind: 'answer', answer: { sure: true } });
    await finished(client, runId);
    expect(server.done).toEqual([`draft ${title}`, `published ${title}`]);
    expect((await client.action(actionId)).action).toMatchObject({ effect: 'confirmed' });
  });

  test('L21 is undetermined when its run is stopped: the agent hears that, a person is asked, an equal call too', async () => {
    const { client } = rig;
    const { runId, actionId, requestId } = await asked('plain');
    await client.stop(runId);
    await finished(client, runId);
    await expectAtTheDesk(actionId);
    const { action } = await client.action(actionId);
    expect(action.told?.text).toContain('Undetermined');
    const late = await client.send('POST', `/v1/requests/${requestId}/answer`, { kind: 'decline' });
    expect(late).toMatchObject({ status: 409, body: { decision: 'voided' } });
    await expectAskedAgain('plain', actionId);
    expect(server.done).toEqual([`draft ${title}`]);
    await client.decide(actionId, {
      kind: 'not_performed',
      evidence: {
        what: 'No draft of that title',
        where: 'The press’s list of drafts',
        when: new Date().toISOString(),
        coverage: 'drafts of all authors, this account',
      },
    });
    expect((await client.action(actionId)).action.effect).toBe('not_performed');
  });

  test('L21 is undetermined when a message supersedes: the run goes on with what is known', async () => {
    const { client } = rig;
    const { runId, conversationId, actionId } = await asked('tells');
    const path = `/v1/conversations/${conversationId}/messages`;
    await client.send('POST', path, { text: 'Leave it.', supersede: true });
    const run = await finished(client, runId);
    expect(run.state.reason).toBe('done');
    await expectAtTheDesk(actionId);
    expect(server.done.filter((one) => one === `draft ${title}`)).toHaveLength(1);
  });
});

describe('A tool whose contract says that it asks before it acts', () => {
  test('L21 is believed: a refusal is carried to it, and the call is not done, with proof', async () => {
    const { client } = rig;
    const { runId, requestId, actionId } = await asked('first');
    await client.answer(requestId, { kind: 'decline', reason: 'Not today.' });
    await finished(client, runId);
    expect(server.answers).toEqual([JSON.stringify({ action: 'decline' })]);
    const { action } = await client.action(actionId);
    expect(action).toMatchObject({ effect: 'not_performed', attempts: 2 });
    expect(action.told?.text).toContain('Not done, with proof');
    expect(action.told?.text).toContain('Ana declined');
    expect(action.told?.text).toContain('Not today.');
  });

  test('L21 is believed when its run is stopped', async () => {
    const { client } = rig;
    const { runId, actionId } = await asked('first');
    await client.stop(runId);
    await finished(client, runId);
    const { action } = await client.action(actionId);
    expect(action.effect).toBe('not_performed');
    expect(action.told?.text).toContain('Not done, with proof');
    expect(await client.openRequests()).not.toContainEqual(expect.objectContaining({ actionId }));
  });
});
