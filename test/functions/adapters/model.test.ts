// The model port over real servers that speak the providers' protocols.
import { afterEach, describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../../functions/ports/model.ts';
import { canary, closeDestinations } from './destination.ts';
import { ask, events, failure, openAiChunk, openAiEnd, problem, provider } from './provider.ts';

afterEach(closeDestinations);

const openAi = (url: string): ModelRequest['choice'] => ({
  provider: 'openai-compatible',
  model: 'small',
  baseUrl: url,
  secret: 'crm/key',
});
const toolCall = (index: number, name: string, args: string) =>
  openAiChunk({
    tool_calls: [{ index, id: `x${index}`, type: 'function', function: { name, arguments: args } }],
  });

describe('an OpenAI-compatible model', () => {
  it('streams its text and hands back calls, usage and the provider’s id', async () => {
    const server = await provider(
      events([
        openAiChunk({ role: 'assistant', content: 'I ' }),
        openAiChunk({ content: 'look.' }),
        toolCall(0, 'crm', '{"name":'),
        openAiChunk({ tool_calls: [{ index: 0, function: { arguments: '"Ada"}' } }] }),
        toolCall(1, 'unheard_of', '{"a":1}'),
        ...openAiEnd('tool_calls'),
      ]),
    );
    const answer = await ask(openAi(server.url), { options: { temperature: 0.5, top_k: 3 } });
    expect(answer).toEqual({
      text: 'I look.',
      pieces: ['I ', 'look.'],
      calls: [
        { name: 'crm', arguments: { name: 'Ada' } },
        { name: 'unheard_of', arguments: { a: 1 } },
      ],
      usage: { callId: 'chatcmpl-7', inputTokens: 20, outputTokens: 5, cachedInputTokens: 8 },
      end: 'whole',
      model: 'small',
    });
    expect(server.seen[0]?.url).toBe('/chat/completions');
    expect(server.seen[0]?.headers.authorization).toBe(`Bearer ${canary}`);
    expect(JSON.parse(server.seen[0]?.body ?? '')).toMatchObject({
      stream: true,
      temperature: 0.5,
      messages: [
        { role: 'system', content: 'You sell.' },
        { role: 'user', content: 'Hello' },
      ],
      tools: [{ type: 'function', function: { name: 'crm', description: 'The CRM.' } }],
    });
  });

  it('hands back arguments that are no JSON as the model wrote them', async () => {
    const server = await provider(
      events([toolCall(0, 'crm', '{"name": "Ad'), ...openAiEnd('tool_calls')]),
      events([toolCall(0, 'crm', '{"name": "Ad'), ...openAiEnd('length')]),
    );
    const written = { name: 'crm', arguments: '{"name": "Ad' };
    expect(await ask(openAi(server.url))).toMatchObject({ calls: [written], end: 'whole' });
    // Under the limit it is known why.
    expect(await ask(openAi(server.url))).toMatchObject({
      calls: [{ ...written, cut: true }],
      end: 'cut_off',
    });
  });

  it('repeats its key nowhere, however the text is cut', async () => {
    const encoded = Buffer.from(canary).toString('base64');
    const text = `My key is ${canary}, or ${encoded}. Ask ${canary.slice(0, 7)}`;
    for (const size of [1, 3, 7, 1_000]) {
      const cut = text.match(new RegExp(`.{1,${size}}`, 'gs')) ?? [];
      const server = await provider(
        events([
          ...cut.map((content) => openAiChunk({ content })),
          toolCall(0, 'crm', JSON.stringify({ name: `of ${canary}`, [canary]: [canary] })),
          toolCall(1, 'crm', `{"name": "${canary}`),
          ...openAiEnd('tool_calls'),
        ]),
      );
      const { pieces, ...answer } = await ask(openAi(server.url));
      expect(JSON.stringify(answer)).not.toContain(canary);
      expect(answer.text).toMatch(/^My key is \[secret:model key\], or .*\. Ask /);
      expect(answer.text.endsWith(`Ask ${canary.slice(0, 7)}`)).toBe(true);
      expect(answer.text).not.toContain(encoded.slice(0, 12));
      expect(pieces.join('')).toBe(answer.text);
      expect(answer.calls[0]?.arguments).toEqual({
        name: 'of [secret:model key]',
        '[secret:model key]': ['[secret:model key]'],
      });
    }
  });

  it('waits for the reader of the text before it takes more', async () => {
    const server = await provider(
      events([openAiChunk({ content: 'a' }), openAiChunk({ content: 'b' }), ...openAiEnd('stop')]),
    );
    const taken: string[] = [];
    let reading = 0;
    await ask(openAi(server.url), {
      onText: async (piece) => {
        reading += 1;
        await new Promise((done) => setImmediate(done));
        taken.push(`${piece}${reading}`);
        reading -= 1;
      },
    });
    expect(taken).toEqual(['a1', 'b1']);
  });

  it('throws what the reader of the text threw, as it is', async () => {
    const server = await provider(events([openAiChunk({ content: 'a' }), ...openAiEnd('stop')]));
    const fenced = new Error('RunFenced');
    const asking = ask(openAi(server.url), { onText: () => Promise.reject(fenced) });
    await expect(asking).rejects.toBe(fenced);
  });

  it.each([
    ['breaks', events([openAiChunk({ content: 'Half' })], 'breaks')],
    ['ends too early in good order', events([openAiChunk({ content: 'Half' })])],
    [
      'carries an error',
      events([
        openAiChunk({ content: 'Half' }),
        { error: { message: 'overloaded', type: 'server_error' } },
      ]),
    ],
    ['carries no JSON', events([openAiChunk({ content: 'Half' }), '{"id":'])],
  ])('fails in passing when the stream %s, its text already told', async (_title, answer) => {
    const server = await provider(answer);
    const pieces: string[] = [];
    const asking = ask(openAi(server.url), { onText: async (piece) => void pieces.push(piece) });
    expect((await failure(asking)).kind).toBe('passing');
    expect(pieces).toEqual(['Half']);
    expect(server.seen).toHaveLength(1);
  });

  it.each([
    [429, { error: { message: 'slow down', type: 'rate_limit' } }, 'passing'],
    [429, { error: { message: 'pay', type: 'insufficient_quota' } }, 'final'],
    [500, { error: { message: 'oops' } }, 'passing'],
    [503, {}, 'passing'],
    [408, {}, 'passing'],
    [400, { error: { message: `bad: ${canary}`, code: 'context_length_exceeded' } }, 'final'],
    [401, { error: { message: `Incorrect API key provided: ${canary}` } }, 'final'],
    [404, { error: { message: 'no such model' } }, 'final'],
    [302, {}, 'passing'],
  ])(
    'takes status %i with %j as %s, and never tries again by itself',
    async (status, body, kind) => {
      const server = await provider(problem(status, body, { location: 'http://127.0.0.1:9/' }));
      expect((await failure(ask(openAi(server.url)))).kind).toBe(kind);
      expect(server.seen).toHaveLength(1);
    },
  );

  it('fails in passing when nobody answers, and when the call is aborted or the invocation has ended', async () => {
    expect((await failure(ask(openAi('http://127.0.0.1:9')))).kind).toBe('passing');
    const aborting = new AbortController();
    const server = await provider(() => aborting.abort());
    const aborted = ask(openAi(server.url), { signal: aborting.signal });
    expect((await failure(aborted)).message).toBe('The model call was cut short.');
    const ended = ask(openAi(server.url), { model: { open: () => false } });
    expect((await failure(ended)).kind).toBe('passing');
    expect(server.seen).toHaveLength(1);
  });

  it('says what is wrong with the key or the options', async () => {
    const unknown = ask({
      provider: 'openai-compatible',
      model: 'm',
      baseUrl: 'http://x.example',
      secret: 'no',
    });
    expect(await failure(unknown)).toMatchObject({
      kind: 'final',
      message: expect.stringContaining('"no"'),
    });
    const down = ask({ provider: 'anthropic', model: 'm', secret: 'down' });
    expect((await failure(down)).kind).toBe('passing');
    const hot = ask(openAi('http://127.0.0.1:9'), { options: { temperature: 'hot' } });
    expect((await failure(hot)).kind).toBe('final');
  });
});
