// The model port over real servers that speak the providers' protocols.
import { afterEach, describe, expect, it } from 'vitest';
import { ModelFailed, type ModelRequest } from '../../../functions/ports/model.ts';
import { canary, closeDestinations } from './destination.ts';
import {
  ask,
  bedrockEvents,
  events,
  openAiChunk,
  openAiEnd,
  problem,
  provider,
} from './provider.ts';

afterEach(closeDestinations);

const openAi = (url: string): ModelRequest['choice'] => ({
  provider: 'openai-compatible',
  model: 'small',
  baseUrl: url,
  secret: 'crm/key',
});
const failure = async (call: Promise<unknown>): Promise<ModelFailed> => {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ModelFailed))
    throw new Error('It did not fail as a model.', { cause: error });
  expect(`${error.message}${error.stack}${JSON.stringify(error)}`).not.toContain('canary-5f0c2a');
  return error;
};
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
      events([toolCall(0, 'crm', '{"name": "Ad'), ...openAiEnd('length')]),
    );
    expect((await ask(openAi(server.url))).calls).toEqual([
      { name: 'crm', arguments: '{"name": "Ad' },
    ]);
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

describe('an Anthropic model', () => {
  const begin = {
    type: 'message_start',
    message: {
      id: 'msg_9',
      type: 'message',
      role: 'assistant',
      model: 'big',
      content: [],
      usage: { input_tokens: 12, cache_read_input_tokens: 30, output_tokens: 1 },
    },
  };
  const text = [
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi' } },
    { type: 'content_block_stop', index: 0 },
  ];
  const ask2 = (url: string) =>
    ask(
      { provider: 'anthropic', model: 'big', secret: 'crm/key' },
      { model: { baseUrls: { anthropic: url } } },
    );

  it('answers, with what it read from the cache counted in', async () => {
    const server = await provider(
      events([
        begin,
        ...text,
        {
          type: 'content_block_start',
          index: 1,
          content_block: { type: 'tool_use', id: 't1', name: 'crm', input: {} },
        },
        {
          type: 'content_block_delta',
          index: 1,
          delta: { type: 'input_json_delta', partial_json: '{"n":1}' },
        },
        { type: 'content_block_stop', index: 1 },
        { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 9 } },
        { type: 'message_stop' },
      ]),
    );
    expect(await ask2(server.url)).toMatchObject({
      text: 'Hi',
      calls: [{ name: 'crm', arguments: { n: 1 } }],
      usage: { callId: 'msg_9', inputTokens: 42, outputTokens: 9, cachedInputTokens: 30 },
    });
    expect(server.seen[0]?.headers['x-api-key']).toBe(canary);
  });

  it.each([
    [
      'overloaded',
      problem(529, { type: 'error', error: { type: 'overloaded_error', message: 'x' } }),
      'passing',
    ],
    [
      'overloaded in mid-stream',
      events([
        begin,
        ...text,
        { type: 'error', error: { type: 'overloaded_error', message: 'x' } },
      ]),
      'passing',
    ],
    ['cut off', events([begin, ...text]), 'passing'],
    [
      'asked wrongly',
      problem(400, { type: 'error', error: { type: 'invalid_request_error', message: 'x' } }),
      'final',
    ],
    [
      'refused in mid-stream',
      events([
        begin,
        ...text,
        { type: 'error', error: { type: 'invalid_request_error', message: 'x' } },
      ]),
      'final',
    ],
  ])('%s', async (_title, answer, kind) => {
    const server = await provider(answer);
    expect((await failure(ask2(server.url))).kind).toBe(kind);
  });
});

describe('a Bedrock model', () => {
  const bedrock = (url: string, transcript?: ModelRequest['transcript']) =>
    ask(
      { provider: 'bedrock', model: 'eu.vendor.model-v1:0' },
      {
        model: { baseUrls: { bedrock: url } },
        ...(transcript === undefined ? {} : { transcript }),
      },
    );
  const said = bedrockEvents([
    ['messageStart', { role: 'assistant' }],
    ['contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'Hi' } }],
    ['contentBlockStop', { contentBlockIndex: 0 }],
    ['messageStop', { stopReason: 'end_turn' }],
    [
      'metadata',
      { usage: { inputTokens: 3, outputTokens: 2, totalTokens: 5 }, metrics: { latencyMs: 1 } },
    ],
  ]);

  it('answers through ConverseStream, and tool results have their turn to themselves', async () => {
    const server = await provider(said);
    const answer = await bedrock(server.url, [
      { role: 'person', text: 'Go', from: 'ada' },
      { role: 'agent', text: '', calls: [{ callId: 'act_1', name: 'crm', arguments: {} }] },
      { role: 'results', results: [{ callId: 'act_1', name: 'crm', status: 'error', text: '' }] },
      { role: 'person', text: 'In French', from: 'ada' },
    ]);
    expect(answer).toMatchObject({
      text: 'Hi',
      usage: { callId: 'aws-request-1', inputTokens: 3 },
    });
    const { messages } = JSON.parse(server.seen[0]?.body ?? '') as {
      messages: { role: string; content: object[] }[];
    };
    expect(messages.map((one) => one.role)).toEqual([
      'user',
      'assistant',
      'user',
      'assistant',
      'user',
    ]);
    expect(messages[2]?.content).toEqual([
      {
        toolResult: expect.objectContaining({
          toolUseId: 'act_1',
          content: [{ text: 'It failed and said nothing.' }],
        }),
      },
    ]);
  });

  it.each([
    [429, 'ThrottlingException', 'passing'],
    [424, 'ModelErrorException', 'passing'],
    [500, 'InternalServerException', 'passing'],
    [400, 'ValidationException', 'final'],
    [403, 'AccessDeniedException', 'final'],
  ])('takes %i %s as %s', async (status, type, kind) => {
    const server = await provider(problem(status, { message: type, type }));
    expect((await failure(bedrock(server.url))).kind).toBe(kind);
  });

  it('is cut off without a stop reason', async () => {
    const server = await provider(
      bedrockEvents([['contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'Ha' } }]]),
    );
    expect((await failure(bedrock(server.url))).kind).toBe('passing');
  });
});
