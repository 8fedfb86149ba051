// How a model's answer ends, from the wire to the run: cut off at its limit, withheld, empty. Judged by what the provider and the
// destination saw. Laws: L11, L14, L16.
import type { Context } from 'aws-lambda';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { handlerFor as admitHandlerFor } from '../../../functions/run/admit.ts';
import { closeDestinations } from '../../functions/adapters/destination.ts';
import { events, openAiChunk, openAiEnd, provider } from '../../functions/adapters/provider.ts';
import { finished, openRig, type Rig, talk } from '../../rig/rig.ts';
import { callCreate } from '../../rig/tools.ts';

let rig: Rig;
let held: Promise<void> | undefined;
beforeAll(async () => {
  rig = await openRig({
    twin: {
      handlers: {
        admit: (substrate) => {
          const real = admitHandlerFor(substrate);
          return async (input: unknown, context: Context) => {
            await held;
            return real(input, context);
          };
        },
      },
    },
  });
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
const saying = (content: string) => openAiChunk({ role: 'assistant', content });
const calling = (index: number, name: string, written: string) =>
  openAiChunk({
    tool_calls: [
      { index, id: `call_${index}`, type: 'function', function: { name, arguments: written } },
    ],
  });
const written = (title: string) => JSON.stringify(callCreate(title).arguments);
const effects = async (title: string): Promise<number> =>
  (await rig.destination.effects()).filter(({ arguments: args }) => args.title === title).length;

const ends = [
  ['cut_off', 'length', [saying('Half an ans')], 'limit of tokens'],
  ['withheld', 'content_filter', [saying('I would')], 'content filter'],
  ['withheld', 'content_filter', [], 'content filter'],
  ['no_answer', 'stop', [], 'said nothing and called nothing'],
  ['no_answer', 'stop', [saying(' \n')], 'said nothing and called nothing'],
  ['no_answer', 'tool_calls', [], 'said nothing and called nothing'],
  ['cut_off', 'length', [], 'limit of tokens'],
] as const;
for (const [reason, finish, chunks, words] of ends)
  test(`L16 an answer of ${chunks.length} pieces that ends with "${finish}" ends its run as ${reason}, never as done`, async () => {
    const { client } = rig;
    const server = await provider(events([...chunks, ...openAiEnd(finish)]));
    const agentId = await rig.agent(modelAt(server.url));
    const { conversationId, runId } = await talk(client, agentId, 'Hi');
    const run = await finished(client, runId);
    expect(run.state).toMatchObject({ reason, detail: expect.stringContaining(words) });
    expect(server.seen).toHaveLength(1);
    const [step] = await client.steps(runId);
    expect(step).toMatchObject({ end: reason });
    const bodies = (await client.events(conversationId)).map(({ body }) => body);
    expect(bodies.at(-1)).toMatchObject({ type: 'run.finished', reason });
  });

test('L16 an answer that was cut off can be gone on from, and what it said is shown to the model', async () => {
  const { client } = rig;
  const server = await provider(
    events([saying('Half an ans'), ...openAiEnd('length')]),
    events([saying('wer.'), ...openAiEnd('stop')]),
  );
  const { runId } = await talk(client, await rig.agent(modelAt(server.url)), 'Hi');
  await finished(client, runId);
  const next = await finished(client, (await client.goOn(runId)).runId);
  expect(next.state.reason).toBe('done');
  expect(server.seen[1]?.body).toContain('Half an ans');
});

test('L16 a call that the limit cut is told as cut, twice; the third time the run ends, and nothing was sent', async () => {
  const { client } = rig;
  const server = await provider(
    events([calling(0, 'create', '{"title": "Cut in the mid'), ...openAiEnd('length')]),
  );
  const { runId } = await talk(client, await rig.agent(modelAt(server.url)), 'Hi');
  const run = await finished(client, runId);
  expect(run.state).toMatchObject({ reason: 'cut_off' });
  expect(server.seen).toHaveLength(3);
  expect(server.seen[1]?.body).toContain('was cut off');
  expect(await client.actions(runId)).toEqual([]);
  const steps = await client.steps(runId);
  expect(steps.map(({ calls }) => calls.map(({ kind }) => kind))).toEqual(Array(3).fill(['fixed']));
});

test('L16 beside a cut call, one that came whole is made, and the model goes on', async () => {
  const { client } = rig;
  const server = await provider(
    events([
      calling(0, 'create', written('Came whole')),
      calling(1, 'create', '{"title": "Came wh'),
      ...openAiEnd('length'),
    ]),
    events([calling(0, 'create', written('Whole too')), ...openAiEnd('length')]),
    events([saying('Both are there.'), ...openAiEnd('stop')]),
  );
  const { runId } = await talk(client, await rig.agent(modelAt(server.url)), 'Hi');
  expect((await finished(client, runId)).state.reason).toBe('done');
  expect(server.seen).toHaveLength(3);
  expect([await effects('Came whole'), await effects('Whole too')]).toEqual([1, 1]);
  const told = (await client.steps(runId))[1]?.results.map((one) => one.told.text);
  expect(told?.filter((text) => text.includes('was cut off'))).toHaveLength(1);
});

test('L16 a call whose arguments had not begun when the limit came is cut, not empty', async () => {
  const { client } = rig;
  const server = await provider(
    events([calling(0, 'create', ''), ...openAiEnd('length')]),
    events([saying('Then not.'), ...openAiEnd('stop')]),
  );
  const { runId } = await talk(client, await rig.agent(modelAt(server.url)), 'Hi');
  expect((await finished(client, runId)).state.reason).toBe('done');
  expect((await client.steps(runId))[1]?.results[0]?.told.text).toContain('was cut off');
});

test('L16 calls of an answer that was withheld are not made', async () => {
  const { client } = rig;
  const server = await provider(
    events([calling(0, 'create', written('Withheld')), ...openAiEnd('content_filter')]),
  );
  const { runId } = await talk(client, await rig.agent(modelAt(server.url)), 'Hi');
  expect((await finished(client, runId)).state.reason).toBe('withheld');
  expect(await effects('Withheld')).toBe(0);
  expect(server.seen).toHaveLength(1);
});

test('L16 a run whose message was withdrawn before it was read ends so, without a call of the model', async () => {
  const { client } = rig;
  const server = await provider(events([saying('Go on with what?'), ...openAiEnd('stop')]));
  const agentId = await rig.agent(modelAt(server.url));
  const gate = Promise.withResolvers<void>();
  held = gate.promise;
  const { conversationId, runId, messageId } = await talk(client, agentId, 'Not this');
  const path = `/v1/conversations/${conversationId}/messages/${messageId}`;
  expect((await client.send('DELETE', path)).status).toBe(200);
  gate.resolve();
  held = undefined;
  const run = await finished(client, runId);
  expect(run.state).toMatchObject({
    reason: 'withdrawn',
    detail: expect.stringContaining('withdrawn before it was read'),
  });
  expect(server.seen).toEqual([]);
  // The conversation is free, and the next run is as any other.
  const next = await client.say(conversationId, 'But this');
  expect((await finished(client, next.runId)).state.reason).toBe('done');
});

test('L16 a message that came after the withdrawn one is answered by the same run', async () => {
  const { client } = rig;
  const server = await provider(events([saying('Yes.'), ...openAiEnd('stop')]));
  const gate = Promise.withResolvers<void>();
  held = gate.promise;
  const { conversationId, runId, messageId } = await talk(
    client,
    await rig.agent(modelAt(server.url)),
    'Not this',
  );
  await client.say(conversationId, 'But this');
  await client.send('DELETE', `/v1/conversations/${conversationId}/messages/${messageId}`);
  gate.resolve();
  held = undefined;
  expect((await finished(client, runId)).state.reason).toBe('done');
  expect(server.seen).toHaveLength(1);
  expect(server.seen[0]?.body).toContain('But this');
  expect(server.seen[0]?.body).not.toContain('Not this');
});
