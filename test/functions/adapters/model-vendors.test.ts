// The model port over real servers that speak Anthropic's and Bedrock's protocols.
import { afterEach, describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../../functions/ports/model.ts';
import { canary, closeDestinations } from './destination.ts';
import { ask, bedrockEvents, events, failure, problem, provider } from './provider.ts';

afterEach(closeDestinations);

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
