// Real model servers on loopback that speak the three providers' protocols, and a way to ask through the port.
import type { ServerResponse } from 'node:http';
import { crc32 } from 'node:zlib';
import { expect } from 'vitest';
import { type ModelOptions, modelFrom } from '../../../functions/adapters/model/model.ts';
import { ModelFailed, type ModelRequest } from '../../../functions/ports/model.ts';
import { httpDestination, secrets } from './destination.ts';

/** Each call gets the next answer. */
export const provider = async (...answers: ((response: ServerResponse) => void)[]) => {
  let calls = 0;
  return httpDestination((_seen, response) => {
    answers[Math.min(calls, answers.length - 1)]?.(response);
    calls += 1;
  });
};

export const problem =
  (status: number, body: object, headers: { [name: string]: string } = {}) =>
  (response: ServerResponse): void => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };

type Ending = 'ends' | 'breaks';

/** Server-sent events; at its end the stream closes in good order, or breaks. */
export const events =
  (chunks: readonly (object | string)[], ending: Ending = 'ends') =>
  (response: ServerResponse): void => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const chunk of chunks) {
      const data = typeof chunk === 'string' ? chunk : JSON.stringify(chunk);
      const type = typeof chunk === 'object' && 'type' in chunk ? `event: ${chunk.type}\n` : '';
      response.write(`${type}data: ${data}\n\n`);
    }
    if (ending === 'ends') response.end();
    else setImmediate(() => response.socket?.destroy());
  };

export const openAiChunk = (delta: object, more: object = {}) => ({
  id: 'chatcmpl-7',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'small',
  choices: [{ index: 0, delta, finish_reason: null, ...more }],
});

export const openAiEnd = (reason: string) => [
  openAiChunk({}, { finish_reason: reason }),
  {
    ...openAiChunk({}),
    choices: [],
    usage: {
      prompt_tokens: 20,
      completion_tokens: 5,
      total_tokens: 25,
      prompt_tokens_details: { cached_tokens: 8 },
    },
  },
  '[DONE]',
];

/** One message of AWS's event stream: lengths, headers, payload, each guarded by a CRC. */
const eventStreamMessage = (event: string, payload: object): Buffer => {
  const header = (name: string, value: string): Buffer => {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(Buffer.byteLength(value));
    return Buffer.concat([
      Buffer.from([name.length]),
      Buffer.from(name),
      Buffer.from([7]),
      length,
      Buffer.from(value),
    ]);
  };
  const headers = Buffer.concat([
    header(':message-type', 'event'),
    header(':event-type', event),
    header(':content-type', 'application/json'),
  ]);
  const body = Buffer.from(JSON.stringify(payload));
  const prelude = Buffer.alloc(12);
  prelude.writeUInt32BE(headers.length + body.length + 16, 0);
  prelude.writeUInt32BE(headers.length, 4);
  prelude.writeUInt32BE(crc32(prelude.subarray(0, 8)), 8);
  const whole = Buffer.concat([prelude, headers, body]);
  const crc = Buffer.alloc(4);
  crc.writeUInt32BE(crc32(whole));
  return Buffer.concat([whole, crc]);
};

export const bedrockEvents =
  (messages: readonly (readonly [event: string, payload: object])[]) =>
  (response: ServerResponse): void => {
    response.writeHead(200, {
      'content-type': 'application/vnd.amazon.eventstream',
      'x-amzn-requestid': 'aws-request-1',
    });
    for (const [event, payload] of messages) response.write(eventStreamMessage(event, payload));
    response.end();
  };

export const ask = async (
  choice: ModelRequest['choice'],
  over: Partial<ModelRequest> & { model?: Partial<ModelOptions> } = {},
) => {
  const { model, ...request } = over;
  const pieces: string[] = [];
  const answer = await modelFrom({
    secrets,
    newCallId: () => 'made-up',
    region: 'eu-west-1',
    awsCredentials: async () => ({ accessKeyId: 'AKIATEST', secretAccessKey: 'test-secret-key' }),
    ...model,
  }).call({
    choice,
    options: {},
    prompt: 'You sell.',
    transcript: [{ role: 'person', text: 'Hello', from: 'ada' }],
    tools: [
      { name: 'crm', description: 'The CRM.', arguments: { type: 'object', properties: {} } },
    ],
    onText: async (piece) => void pieces.push(piece),
    signal: new AbortController().signal,
    ...request,
  });
  return { ...answer, pieces };
};

/** The failure a call ends in; no secret in any part of it. */
export const failure = async (call: Promise<unknown>): Promise<ModelFailed> => {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ModelFailed))
    throw new Error('It did not fail as a model.', { cause: error });
  expect(`${error.message}${error.stack}${JSON.stringify(error)}`).not.toContain('canary-5f0c2a');
  return error;
};
