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

test('L14 a model that fails in the middle of its text is asked again, and readers are told to drop the first text', async () => {
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
  // The call that answered as its provider told it; the one that broke off by what came of it, called an estimate.
  const { estimated } = run.usage;
  expect(estimated).toMatchObject({ calls: 1, outputTokens: Math.ceil(lost.length / 4) });
  expect(run.usage).toMatchObject({
    inputTokens: 20 + (estimated?.inputTokens ?? 0),
    outputTokens: 5 + Math.ceil(lost.length / 4),
    cachedInputTokens: 8,
  });
  expect(step?.usage).toMatchObject({ inputTokens: 20, outputTokens: 5, cachedInputTokens: 8 });
});

test('L14 a stop reaches the model in the middle of its text: what it said is kept, and what it used is an estimate', async () => {
  const { client } = rig;
  const closed = Promise.withResolvers<void>();
  const said = 'This much was said. '.repeat(100);
  const server = await provider((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const chunk of saying(said)) response.write(`data: ${JSON.stringify(chunk)}\n\n`);
    response.on('close', () => closed.resolve());
  });
  const { conversationId, runId } = await talk(client, await rig.agent(modelAt(server.url)), 'Hi');
  await until('the text is on its way', async () =>
    (await client.events(conversationId)).find(({ body }) => body.type === 'text.delta'),
  );
  await client.stop(runId);
  await closed.promise;
  const run = await finished(client, runId);
  expect(run.state.reason).toBe('stopped');
  const [step] = await client.steps(runId);
  expect(step).toMatchObject({ text: said, end: 'stopped', calls: [] });
  expect(run.usage.outputTokens).toBe(said.length / 4);
  expect(run.usage.estimated).toMatchObject({ calls: 1, outputTokens: said.length / 4 });
  const bodies = (await client.events(conversationId)).map(({ body }) => body);
  expect(bodies.find((body) => body.type === 'text.reset')).toBeUndefined();
  expect(server.seen).toHaveLength(1);
});

test('L14 a stop reaches a model that says nothing, and what it read is counted as an estimate', async () => {
  const { client } = rig;
  const closed = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  const server = await provider((response) => {
    response.on('close', () => closed.resolve());
    asked.resolve();
  });
  const { runId } = await talk(client, await rig.agent(modelAt(server.url)), 'Hi');
  await asked.promise;
  await client.stop(runId);
  await closed.promise;
  const run = await finished(client, runId);
  expect(run.state.reason).toBe('stopped');
  expect(await client.steps(runId)).toEqual([]);
  expect(run.usage.inputTokens).toBeGreaterThan(0);
  expect(run.usage.estimated?.inputTokens).toBe(run.usage.inputTokens);
  expect(server.seen).toHaveLength(1);
});

test('L14 a model that is down is not called again after a stop, and what it refused costs nothing', async () => {
  const { client } = rig;
  let stop: Promise<unknown> = Promise.resolve();
  let runId = '';
  const server = await provider((response) => {
    // The refusal comes when the stop is stored.
    stop = until('the run is known', async () => runId || undefined)
      .then((id) => client.stop(id))
      .then(() => problem(503, { error: { message: 'Overloaded.' } })(response));
  });
  ({ runId } = await talk(client, await rig.agent(modelAt(server.url)), 'Hi'));
  const run = await finished(client, runId);
  await stop;
  expect(run.state.reason).toBe('stopped');
  expect(server.seen).toHaveLength(1);
});

test('L14 a model that says more at once than an item holds answers, and readers are shown what the step keeps', async () => {
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

test('L14 a model that stays down is tried again with back-off, then the run fails with the reason and what to do', async () => {
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

const laters = [
  ['seconds', 429, () => ({ 'retry-after': '1' })],
  ['milliseconds', 429, () => ({ 'retry-after-ms': '300' })],
  ['a date', 503, () => ({ 'retry-after': new Date(Date.now() + 1_500).toUTCString() })],
] as const;
for (const [form, status, headers] of laters)
  test(`L14 a model that says in ${form} when to come back is called then, and not before; more often than a failure is tried`, async () => {
    const { client } = rig;
    const refusal = problem(status, { error: { message: 'Slow down.' } }, headers());
    const server = await provider(
      ...Array<typeof refusal>(form === 'milliseconds' ? 5 : 1).fill(refusal),
      events([...saying('Now.'), ...openAiEnd('stop')]),
    );
    const { runId } = await talk(client, await rig.agent(modelAt(server.url)), 'Hi');
    expect((await finished(client, runId)).state.reason).toBe('done');
    expect(server.seen).toHaveLength(form === 'milliseconds' ? 6 : 2);
  });

test('L14 a model that asks for more time than a run waits ends it, saying both times', async () => {
  const { client } = rig;
  const refusal = problem(429, { error: { message: 'Quota.' } }, { 'retry-after': '4000' });
  const server = await provider(refusal);
  const { runId } = await talk(client, await rig.agent(modelAt(server.url)), 'Hi');
  const run = await finished(client, runId);
  expect(run.state).toMatchObject({
    reason: 'failed',
    detail: expect.stringMatching(/called again in 4000 s; a run waits at most 300 s/),
  });
  expect(server.seen).toHaveLength(1);
});

test('L14 a stop during the wait that a model asked for ends the run, and the model is not called again', async () => {
  const { client } = rig;
  const refused = Promise.withResolvers<void>();
  const refusal = problem(429, { error: { message: 'Quota.' } }, { 'retry-after': '3' });
  const server = await provider((response) => {
    refusal(response);
    refused.resolve();
  });
  const { runId } = await talk(client, await rig.agent(modelAt(server.url)), 'Hi');
  await refused.promise;
  await client.stop(runId);
  expect((await finished(client, runId)).state.reason).toBe('stopped');
  expect(server.seen).toHaveLength(1);
});

test('L14 a model that refuses the call fails the run at once', async () => {
  const { client } = rig;
  const server = await provider(problem(401, { error: { message: 'No such key.' } }));
  const { runId } = await talk(client, await rig.agent(modelAt(server.url)), 'Hi');
  const run = await finished(client, runId);
  expect(run.state).toMatchObject({ reason: 'failed' });
  expect(run.state.detail).toContain('The model refused the call');
  expect(server.seen).toHaveLength(1);
});
