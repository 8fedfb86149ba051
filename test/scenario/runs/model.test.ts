// The model's failures: in the middle of its text, passing ones, and final ones. Laws: L14, L16.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeDestinations } from '../../functions/adapters/destination.ts';
import {
  events,
  openAiChunk,
  openAiEnd,
  problem,
  provider,
} from '../../functions/adapters/provider.ts';
import { finished, openRig, type Rig, talk } from '../../rig/rig.ts';
import { until } from '../../rig/until.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await openRig();
});
afterAll(async () => {
  await rig.close();
  await closeDestinations();
});

const modelAt = (url: string) => ({
  provider: 'openai-compatible' as const,
  model: 'small',
  baseUrl: `${url}/v1`,
});
const saying = (text: string) => [openAiChunk({ role: 'assistant', content: text })];

test('a model that fails in the middle of its text is asked again, and readers are told to drop the first text', async () => {
  const { client } = rig;
  const lost = 'This half is lost. '.repeat(100);
  const server = await provider(
    events(saying(lost), 'breaks'),
    events([...saying('This is the answer.'), ...openAiEnd('stop')]),
  );
  const { conversationId, runId } = await talk(client, await rig.agent(modelAt(server.url)), 'Hi');
  const run = await finished(client, runId);
  expect(run.state.reason).toBe('done');
  const bodies = (await client.events(conversationId)).map(({ body }) => body);
  const first = bodies.find((body) => body.type === 'text.delta');
  const reset = bodies.find((body) => body.type === 'text.reset');
  expect(first).toMatchObject({ text: expect.stringContaining('This half is lost.') });
  expect(reset).toMatchObject({ runId, step: 1, attempt: first?.attempt });
  const [step] = await client.steps(runId);
  expect(step?.text).toBe('This is the answer.');
  expect(step?.attempt).not.toBe(first?.attempt);
  // Usage is counted once, for the call that answered.
  expect(run.usage).toEqual({ inputTokens: 20, outputTokens: 5, cachedInputTokens: 8 });
});

test('a step that a stop leaves unstored is taken back from readers', async () => {
  const { client } = rig;
  let end: () => void = () => undefined;
  const server = await provider((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const write = (chunk: object | string) =>
      response.write(`data: ${typeof chunk === 'string' ? chunk : JSON.stringify(chunk)}\n\n`);
    for (const chunk of saying('Nobody will keep this. '.repeat(100))) write(chunk);
    end = () => {
      for (const chunk of openAiEnd('stop')) write(chunk);
      response.end();
    };
  });
  const { conversationId, runId } = await talk(client, await rig.agent(modelAt(server.url)), 'Hi');
  const bodies = async () => (await client.events(conversationId)).map(({ body }) => body);
  const delta = await until('the text is on its way', async () =>
    (await bodies()).find((body) => body.type === 'text.delta'),
  );
  await client.stop(runId);
  end();
  const run = await finished(client, runId);
  expect(run.state.reason).toBe('stopped');
  const reset = (await bodies()).find((body) => body.type === 'text.reset');
  expect(reset).toMatchObject({ runId, step: 1, attempt: delta.attempt });
  expect(await client.steps(runId)).toEqual([]);
});

test('a model that says more at once than an item holds answers, and readers are shown what the step keeps', async () => {
  const { client } = rig;
  const large = '漢字'.repeat(100_000);
  const server = await provider(
    events([...saying('First. '), ...saying(large), ...saying('Last.'), ...openAiEnd('stop')]),
  );
  const { conversationId, runId } = await talk(client, await rig.agent(modelAt(server.url)), 'Hi');
  const run = await finished(client, runId);
  expect(run.state).toMatchObject({ reason: 'done' });
  const [step] = await client.steps(runId);
  const shown = (await client.events(conversationId))
    .flatMap(({ body }) => (body.type === 'text.delta' ? [body.text] : []))
    .join('');
  expect(shown.length).toBeGreaterThan(1_000);
  expect(step?.text).toContain('Cut here');
  expect(step?.text.startsWith(shown)).toBe(true);
});

test('a model that stays down is tried again with back-off, then the run fails with the reason and what to do', async () => {
  const { client } = rig;
  const server = await provider(problem(503, { error: { message: 'Overloaded.' } }));
  const { conversationId, runId } = await talk(client, await rig.agent(modelAt(server.url)), 'Hi');
  const run = await finished(client, runId);
  expect(run.state.reason).toBe('failed');
  expect(run.state.detail).toContain('did not answer after 4 tries');
  expect(run.state.detail).toContain('Send the message again');
  expect(server.seen).toHaveLength(4);
  expect((await client.conversation(conversationId)).state.status).toBe('idle');
});

test('a model that refuses the call fails the run at once', async () => {
  const { client } = rig;
  const server = await provider(problem(401, { error: { message: 'No such key.' } }));
  const { runId } = await talk(client, await rig.agent(modelAt(server.url)), 'Hi');
  const run = await finished(client, runId);
  expect(run.state).toMatchObject({ reason: 'failed' });
  expect(run.state.detail).toContain('The model refused the call');
  expect(server.seen).toHaveLength(1);
});
