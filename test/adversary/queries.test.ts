// Every list and every question of the API with what nobody means well: cursors made by hand, dates and zones at their ends,
// halves of characters. The answer is a problem or a page, never a failure of ours.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiRoutes } from '../../functions/api/app.ts';
import { markIt } from '../functions/api/problems/fault-cases.ts';
import { openRig, type Reply, type Rig } from '../functions/api/rig.ts';
import { askApproval, begin, converse, loseReply, startRun } from '../functions/api/story.ts';

let rig: Rig;
let known: { readonly [name: string]: string };
beforeAll(async () => {
  rig = await openRig();
  const { agentId, conversationId } = await begin(rig);
  const runId = await startRun(rig, conversationId);
  const { requestId } = await askApproval(rig, runId);
  const actionId = await loseReply(rig, await startRun(rig, await converse(rig, agentId)));
  const { body } = await markIt(rig, runId, {}, 'ana');
  known = {
    agentId,
    conversationId,
    runId,
    requestId,
    actionId,
    markId: String(body.markId),
    name: 'note',
    tool: 'note',
    version: '1',
  };
});
afterAll(() => rig.close());

const lists = apiRoutes
  .map(({ described, schemas }) => ({
    operation: described.operationId,
    method: described.method,
    path: described.path,
    query: schemas.query,
  }))
  .filter(({ method }) => method === 'get');

const get = (path: string, query: { readonly [name: string]: string }): Promise<Reply> =>
  rig.call({
    path: path.replaceAll(/\{(\w+)\}/g, (_, name: string) => known[name] ?? 'nobodys'),
    query,
  });

const cursorOf = (list: string, at: string): string =>
  Buffer.from(JSON.stringify({ v: 1, list, of: 'acme', at })).toString('base64url');

const places = [
  '',
  'x',
  '~',
  '\u0000',
  '\ud800',
  '\uffff',
  'é'.repeat(600),
  'x'.repeat(1_400),
  '["",""]',
  '["x",null]',
  '[null,null]',
  '[1,2]',
  '{}',
  '"',
  JSON.stringify(['x'.repeat(1_200), 'y']),
  String.raw`["\ud800","\u0000"]`,
  'FAULT#',
  'META',
];

describe('a cursor made by hand', () => {
  test.each(lists)('$operation', async ({ path }) => {
    const { runId, conversationId, agentId } = known;
    const names = [
      'search',
      'runs',
      'audit',
      'conversations',
      'requests',
      'desk',
      'actions',
      'routines',
      ...[runId, conversationId, agentId].map((id) => `fault-marks:${id}`),
    ];
    for (const list of names)
      for (const place of places) {
        const { status } = await get(path, { cursor: cursorOf(list, place) });
        expect([list, place.slice(0, 20), status < 500]).toEqual([list, place.slice(0, 20), true]);
      }
  });
});

const odd = [
  '',
  ' ',
  '0',
  '-1',
  '1e308',
  '1e999',
  'NaN',
  '9007199254740993',
  'true',
  '[]',
  '\u0000',
  '%00',
  "'",
  '../..',
  '0000-01-01',
  '0001-01-01',
  '9999-12-31',
  '+010000-01-01',
  '2026-02-30',
  '1970-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999999999Z',
  '0000-01-01T00:00:00Z',
  '2026-01-01T00:00:00+14:00',
  'UTC',
  'utc',
  '+14:00',
  '-00:00',
  'Etc/GMT+12',
  'Pacific/Apia',
  'Asia/Kathmandu',
  'Africa/Monrovia',
  'x'.repeat(5_000),
];
const fields = [
  'limit',
  'after',
  'afterStep',
  'offset',
  'days',
  'to',
  'zone',
  'until',
  'kind',
  'by',
  'tool',
  'agentId',
  'actionId',
  'olderThanMs',
  'order',
  'on',
  'mark',
  'state',
  'q',
  'format',
  'expression',
  'from',
  'count',
  'part',
  'due',
  'owner',
  'cause',
  'schedule',
];

describe('odd values of every query', () => {
  test.each(lists)('$operation', async ({ path, query }) => {
    const own = fields.filter(
      (field) =>
        !JSON.stringify(query.safeParse({ [field]: '1' }).error?.issues ?? []).includes(
          'unrecognized',
        ),
    );
    for (const field of own)
      for (const value of odd) {
        const reply = await get(path, {
          ...(field === 'q' || !path.includes('search') ? {} : { q: 'x' }),
          [field]: value,
        });
        expect([field, value.slice(0, 40), reply.status < 500 || rig.logged.at(-1)]).toEqual([
          field,
          value.slice(0, 40),
          true,
        ]);
      }
  });
  test('the ends of time with every zone', async () => {
    for (const zone of [
      'UTC',
      'Pacific/Apia',
      'Pacific/Kiritimati',
      'Etc/GMT+12',
      'Africa/Monrovia',
    ])
      for (const to of [
        '0001-01-01',
        '0000-01-01',
        '0099-12-31',
        '9999-12-31',
        '2011-12-30',
        '2011-12-31',
      ])
        for (const days of ['1', '92']) {
          const { status, body } = await get('/v1/overview', { zone, to, days });
          expect([zone, to, days, status < 500 || rig.logged.at(-1)]).toEqual([
            zone,
            to,
            days,
            true,
          ]);
          if (status === 200) expect(body.to).toBe(to);
        }
  });
});

test('ten thousand wrong fields are told as some of them, in a small answer', async () => {
  const body = {
    name: 1,
    tools: Array.from({ length: 20_000 }, () => ({ [`x${'y'.repeat(5)}`]: 1 })),
  };
  for (const language of ['en', 'fr']) {
    const reply = await rig.call({
      method: 'POST',
      path: '/v1/agents',
      body,
      headers: { 'accept-language': language },
    });
    expect(reply.status).toBe(422);
    expect(reply.text.length).toBeLessThan(100_000);
  }
  const wide = Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [`field${n}`, 1]));
  const reply = await rig.call({ method: 'POST', path: '/v1/agents', body: wide });
  expect(reply.status).toBe(422);
  expect(reply.text.length).toBeLessThan(100_000);
});

test.each([
  ['{"kind":"answer","answer":{"id":1234567890123456789}}', 'answer.id', '1234567890123456789'],
  ['{"kind":"answer","answer":{"of":[1e400]}}', 'answer.of.0', '1e400'],
  [String.raw`{"kind":"answer","answer":{"name":"cut \ud83d"}}`, 'answer.name', 'half a character'],
])('what cannot be kept exactly is refused, and named: %s', async (raw, field, reason) => {
  const path = '/v1/requests/req_00000000000000000000000000/answer';
  const reply = await rig.call({ method: 'POST', path, raw, key: crypto.randomUUID() });
  expect(reply.status).toBe(422);
  expect(reply.body).toMatchObject({
    errors: [{ field, code: 'not_exact', reason: expect.stringContaining(reason) }],
  });
});

test('half a character is kept as no character, the same in the store and in what is compared', async () => {
  const path = `/v1/conversations/${known.conversationId}/messages`;
  const raw = String.raw`{"text":"half \ud83d and \udc00 whole \ud83d\ude00"}`;
  const first = await rig.call({ method: 'POST', path, raw, key: 'halves' });
  expect(first.status).toBe(202);
  const { body } = await rig.call({ path });
  expect(JSON.stringify(body)).toContain('half \ufffd and \ufffd whole \u{1f600}');
  const again = await rig.call({ method: 'POST', path, raw, key: 'halves' });
  expect([again.status, again.body]).toEqual([202, first.body]);
});
