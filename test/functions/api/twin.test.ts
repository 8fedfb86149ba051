// The API as people reach it: through the twin's gateway, its authoriser, and real HTTP streaming.
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTwin, type Twin } from '../../../local/twin.ts';
import { agentConfiguration } from './story.ts';

let twin: Twin;
let folder: string;
let token: string;
let conversationId: string;

const call = async (method: string, address: string, body?: object, headers = {}) => {
  const response = await fetch(`${twin.url}${address}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(method === 'POST' ? { 'idempotency-key': crypto.randomUUID() } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
};

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'reprise-api-'));
  twin = await startTwin({
    dataDir: folder,
    port: 0,
    synchronous: 'NORMAL',
    processEnvironment: {},
  });
  token = await twin.token('ana');
  const configuration = { ...agentConfiguration, tools: [] };
  const { agentId } = (await call('POST', '/v1/agents', configuration)).body;
  conversationId = (await call('POST', '/v1/conversations', { agentId })).body.conversationId;
});
afterAll(async () => {
  await twin.close();
  rmSync(folder, { recursive: true, force: true });
});

const stream = async (headers: { readonly [name: string]: string }) => {
  const leave = new AbortController();
  const response = await fetch(`${twin.url}/v1/conversations/${conversationId}/events`, {
    headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream', ...headers },
    signal: leave.signal,
  });
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  const events = response.body
    ?.pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream())
    .getReader();
  if (events === undefined) throw new Error('The stream has no body.');
  return { events, leave: () => leave.abort() };
};

test('a token of nobody is told so, by a problem', async () => {
  const { status, body } = await call('GET', '/v1/agents', undefined, {
    authorization: 'Bearer x',
  });
  expect(status).toBe(401);
  expect(body.type).toBe('https://reprise.dev/problems/unauthenticated');
});

test('the document and health need no token', async () => {
  const { status, body } = await call('GET', '/v1/openapi.json', undefined, { authorization: '' });
  expect(status).toBe(200);
  expect(body.openapi).toBe('3.1.0');
});

test('a message sent is seen by a stream that was open before, and by one that resumes', async () => {
  const first = await stream({});
  const snapshot = await first.events.read();
  expect(snapshot.value).toMatchObject({ event: 'snapshot', id: '0' });
  const messages = `/v1/conversations/${conversationId}/messages`;
  const said = await call('POST', messages, { text: 'Hello' });
  expect(said.status).toBe(202);
  const received = await first.events.read();
  expect(received.value).toMatchObject({ event: 'message.received', id: '1' });
  const started = await first.events.read();
  expect(started.value).toMatchObject({ event: 'run.started', id: '2' });
  first.leave();
  const second = await stream({ 'last-event-id': '1' });
  expect((await second.events.read()).value).toEqual(started.value);
  second.leave();
});
