// The demo's MCP server, called by the real client in both protocols, judged by the provider ledger.
import {
  Client,
  isInputRequiredResult,
  StreamableHTTPClientTransport,
  withInputRequired,
} from '@modelcontextprotocol/client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { openRig, type Rig, secret } from './rig.ts';

let rig: Rig;
const clients: Client[] = [];
beforeEach(async () => {
  rig = await openRig();
});
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
  await rig.close();
});

const modern = { pin: '2026-07-28' } as const;
const connect = async (mode: 'legacy' | typeof modern): Promise<Client> => {
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    {
      versionNegotiation: { mode },
      capabilities: { elicitation: { form: {} } },
      inputRequired: { autoFulfill: false },
    },
  );
  clients.push(client);
  const headers = { authorization: `Bearer ${secret}` };
  const url = new URL(rig.url('/mcp'));
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  return client;
};
const event = { title: 'Demo call', starts_at: '2026-12-01T10:00:00Z' };
const create = (client: Client) =>
  client.callTool({
    name: 'calendar_create_event',
    arguments: { ...event, idempotency_key: 'k1' },
    _meta: { 'example.test/idempotency-key': 'k1' },
  });
const book = (client: Client, more: Record<string, unknown> = {}) =>
  client.request(
    {
      method: 'tools/call',
      params: { name: 'calendar_book_room', arguments: event, ...more },
    },
    withInputRequired(z.looseObject({ isError: z.boolean().optional() })),
    { allowInputRequired: true },
  );
const asked = async (client: Client) => {
  const result = await book(client);
  if (!isInputRequiredResult(result)) throw new Error('The tool did not ask for the room.');
  return result;
};
const accepted = { room_preference: { action: 'accept', content: { room: 'quiet' } } };
const ledgerOf = async () => (await rig.ledger('?service=mcp')).effects;

test.each(['legacy', modern] as const)('tools are listed with their hints (%o)', async (mode) => {
  const { tools } = await (await connect(mode)).listTools();
  const hints = new Map(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint]));
  expect(hints.get('calendar_list_events')).toBe(true);
  expect(hints.get('calendar_create_event')).toBe(false);
  expect(hints.has('calendar_book_room')).toBe(mode !== 'legacy');
});

test.each(['legacy', modern] as const)(
  'a key is ignored: two calls, two events (%o)',
  async (mode) => {
    const client = await connect(mode);
    const result = await create(client);
    expect(result.isError).not.toBe(true);
    expect(result.structuredContent).toMatchObject({
      account: 'demo-account',
      environment: 'test',
      event,
    });
    await create(client);
    expect(await ledgerOf()).toMatchObject([
      { operation: 'calendar_create_event', key: null, arguments: event },
      { operation: 'calendar_create_event', key: null },
    ]);
    const listed = await client.callTool({
      name: 'calendar_list_events',
      arguments: { from: '2026-12-01T00:00:00Z', until: '2026-12-02T00:00:00Z' },
    });
    expect(listed.structuredContent).toMatchObject({ events: [event, event] });
  },
);

test('a booking first asks for the room, does nothing, and books once answered', async () => {
  const client = await connect(modern);
  const question = await asked(client);
  expect(question.inputRequests).toMatchObject({
    room_preference: {
      method: 'elicitation/create',
      params: { requestedSchema: { required: ['room'] } },
    },
  });
  expect(await ledgerOf()).toEqual([]);
  await book(client, { inputResponses: accepted, requestState: question.requestState });
  expect(await ledgerOf()).toMatchObject([{ operation: 'calendar_book_room' }]);
});

test('a booking asked before a restart can be answered after it', async () => {
  const question = await asked(await connect(modern));
  await rig.restart();
  const client = await connect(modern);
  await book(client, { inputResponses: accepted, requestState: question.requestState });
  expect(await ledgerOf()).toHaveLength(1);
});

test('an answer for other arguments, or without the state, books nothing and asks again', async () => {
  const client = await connect(modern);
  const { requestState } = await asked(client);
  const other = { ...event, title: 'Another call' };
  const answers = { inputResponses: accepted, requestState };
  expect(isInputRequiredResult(await book(client, { ...answers, arguments: other }))).toBe(true);
  expect(isInputRequiredResult(await book(client, { inputResponses: accepted }))).toBe(true);
  await expect(book(client, { ...answers, requestState: `${requestState}x` })).rejects.toThrow();
  expect(await ledgerOf()).toEqual([]);
});

test('a declined question books nothing and says so', async () => {
  const client = await connect(modern);
  const { requestState } = await asked(client);
  const inputResponses = { room_preference: { action: 'decline' } };
  expect(await book(client, { inputResponses, requestState })).toMatchObject({ isError: true });
  expect(await ledgerOf()).toEqual([]);
});

test.each([
  [{ mode: 'drop_reply_after_write' }, 1],
  [{ mode: 'drop_reply_after_write', partial: true }, 1],
  [{ mode: 'drop_before_write' }, 0],
  [{ mode: 'status_after_write', status: 500 }, 1],
  [{ mode: 'refuse', status: 503 }, 0],
] as const)(
  'a call that meets %o fails at the client and leaves %i events',
  async (fault, left) => {
    const client = await connect(modern);
    await rig.fault({ service: 'mcp', operation: 'calendar_create_event', ...fault });
    await expect(create(client)).rejects.toThrow();
    expect(await ledgerOf()).toHaveLength(left);
  },
);

test('a tool error can hide an effect', async () => {
  const client = await connect(modern);
  const fault = { mode: 'status_after_write', toolError: true } as const;
  await rig.fault({ service: 'mcp', ...fault });
  expect(await create(client)).toMatchObject({ isError: true });
  expect(await ledgerOf()).toHaveLength(1);
});
