// The HTTP carrier against real sockets: what is sent, what replies become, which redirects are followed (L5, L18).
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import type { ToolReport } from '../../../functions/ports/tool.ts';
import {
  canary,
  closeDestinations,
  httpDestination,
  registered,
  sendOf,
  testCarrier,
} from './destination.ts';

afterEach(closeDestinations);

const post = (url: string, more: object = {}) =>
  registered({ kind: 'http', method: 'POST', url, body: { as: 'arguments' }, ...more });

const reference = 'act_01J0000000000000000000000A';
const withoutCanary = (report: ToolReport): ToolReport => {
  expect(JSON.stringify(report)).not.toContain('canary-5f0c2a');
  return report;
};

describe('what is sent', () => {
  it('fills URL, query, headers and body, and keeps types in JSON', async () => {
    const crm = await httpDestination((_seen, response) => {
      response.writeHead(201, {
        'content-type': 'application/json',
        'x-request-id': 'r1',
        'set-cookie': 'a=b',
      });
      response.end('{"id":"c_1"}');
    });
    const tool = registered({
      kind: 'http',
      method: 'PUT',
      url: `${crm.url}/customers/{{args.id}}?from={{args.from.city}}`,
      query: { page: '{{args.page}}', gone: '{{args.nothing}}' },
      headers: { Authorization: 'Bearer {{secret:crm/key}}', 'X-Gone': '{{args.nothing}}' },
      body: {
        as: 'json',
        template: {
          name: '{{args.name}}',
          age: '{{args.age}}',
          note: 'By {{args.name}}, {{reference}}',
          list: ['{{args.age}}', '{{args.nothing}}'],
          gone: '{{args.nothing}}',
        },
      },
    });
    const args = { id: 'a/b ?', from: { city: 'Köln&x=1' }, page: 2, name: 'Ada', age: 36 };
    const report = await testCarrier().send(sendOf(tool, args));
    expect(report).toEqual({
      kind: 'reply',
      reply: {
        status: 201,
        headers: expect.objectContaining({
          'content-type': 'application/json',
          'x-request-id': 'r1',
        }),
        body: { id: 'c_1' },
        bytes: 12,
      },
    });
    expect(JSON.stringify(report)).not.toContain('a=b');
    const [seen] = crm.seen;
    expect(seen?.url).toBe('/customers/a%2Fb%20%3F?from=K%C3%B6ln%26x%3D1&page=2');
    expect(seen?.headers).toMatchObject({ authorization: `Bearer ${canary}`, connection: 'close' });
    expect(seen?.headers).not.toHaveProperty('x-gone');
    expect(JSON.parse(seen?.body ?? '')).toEqual({
      name: 'Ada',
      age: 36,
      note: `By Ada, ${reference}`,
      list: [36],
    });
  });

  it.each([
    [{ in: 'header', name: 'Idempotency-Key' }, { headers: { 'idempotency-key': reference } }],
    [{ in: 'query', name: 'key' }, { url: `/x/%7B%7Bid%7D%7D?key=${reference}` }],
    [{ in: 'path', name: 'id' }, { url: `/x/${reference}` }],
    [{ in: 'body', path: 'meta.key' }, { body: `{"n":1,"meta":{"key":"${reference}"}}` }],
  ] as const)('puts the key at %o', async (place, expected) => {
    const crm = await httpDestination((_seen, response) => response.end());
    const url = place.in === 'query' ? `${crm.url}/x/%7B%7Bid%7D%7D` : `${crm.url}/x/{{id}}`;
    const tool = registered(
      {
        kind: 'http',
        method: 'POST',
        url: place.in === 'path' || place.in === 'query' ? url : `${crm.url}/x`,
        body: { as: 'arguments' },
      },
      { key: { kind: 'reference', place } },
    );
    await testCarrier().send(sendOf(tool, { n: 1 }));
    expect(crm.seen[0]).toMatchObject(expected);
  });

  it('writes forms and raw bodies', async () => {
    const crm = await httpDestination((_seen, response) => response.end());
    const fields = { name: '{{args.name}}', secret: '{{secret:crm/key}}', gone: '{{args.no}}' };
    await testCarrier().send(
      sendOf(post(crm.url, { body: { as: 'form', fields } }), { name: 'A&B' }),
    );
    const template = '<note to="{{args.name}}"/>';
    const raw = post(crm.url, { body: { as: 'raw', contentType: 'text/xml', template } });
    await testCarrier().send(sendOf(raw, { name: 'A' }));
    expect(new URLSearchParams(crm.seen[0]?.body).get('name')).toBe('A&B');
    expect(new URLSearchParams(crm.seen[0]?.body).get('secret')).toBe(canary);
    expect(crm.seen[1]).toMatchObject({
      body: '<note to="A"/>',
      headers: { 'content-type': 'text/xml' },
    });
  });

  it.each([
    ['a path argument that is empty', '/c/{{args.empty}}', {}],
    ['a path argument that climbs', '/c/{{args.up}}', {}],
    ['a missing path argument', '/c/{{args.no}}', {}],
    ['a secret in the URL', '/c?key={{secret:crm/key}}', {}],
    ['a secret in the query', '/c', { query: { key: '{{secret:crm/key}}' } }],
    ['an unknown secret', '/c', { headers: { a: '{{secret:nobody}}' } }],
    ['an unknown placeholder', '/c', { headers: { a: '{{whatever}}' } }],
    ['a header that holds a line break', '/c', { headers: { a: '{{args.break}}' } }],
    ['a header of the connection', '/c', { headers: { Host: 'other' } }],
  ])('sends nothing for %s', async (_title, path, more) => {
    const crm = await httpDestination((_seen, response) => response.end());
    const report = await testCarrier().send(
      sendOf(post(`${crm.url}${path}`, more), { empty: '', up: '..', break: 'a\r\nb: c' }),
    );
    expect(report).toMatchObject({ kind: 'not_transmitted', lasting: true });
    expect(crm.connections()).toBe(0);
  });

  it('uses a fresh connection for every call', async () => {
    const crm = await httpDestination((_seen, response) => response.end('{}'));
    const carrier = testCarrier();
    for (let n = 0; n < 3; n += 1) await carrier.send(sendOf(post(crm.url)));
    expect(crm.connections()).toBe(3);
  });
});

describe('replies', () => {
  it.each([
    ['text', 'text/plain', 'hello', 'hello'],
    ['JSON without its name', 'text/plain', '[1]', [1]],
    ['nothing', 'application/json', '', undefined],
    ['bytes', 'image/png', Buffer.from([0xff, 0xd8]), { contentType: 'image/png', base64: '/9g=' }],
  ])('reads %s', async (_title, type, body, expected) => {
    const crm = await httpDestination((_seen, response) => {
      response.writeHead(500, { 'content-type': type });
      response.end(body);
    });
    const report = await testCarrier().send(sendOf(post(crm.url)));
    expect(report).toMatchObject({ kind: 'reply', reply: { status: 500, body: expected } });
  });

  it('reads a packed body', async () => {
    const crm = await httpDestination((_seen, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip', 'content-type': 'application/json' });
      response.end(gzipSync('{"id":1}'));
    });
    const report = await testCarrier().send(sendOf(post(crm.url)));
    expect(report).toMatchObject({ kind: 'reply', reply: { body: { id: 1 } } });
  });

  it('blots out a secret that the destination sends back (L18)', async () => {
    const crm = await httpDestination((seen, response) => {
      response.writeHead(401, { 'content-type': 'application/json', 'x-request-id': canary });
      response.end(
        JSON.stringify({ got: seen.headers.authorization, url: encodeURIComponent(canary) }),
      );
    });
    const tool = post(crm.url, { headers: { authorization: 'Bearer {{secret:crm/key}}' } });
    expect(withoutCanary(await testCarrier().send(sendOf(tool)))).toMatchObject({
      reply: { body: { got: 'Bearer [secret:crm/key]', url: '[secret:crm/key]' } },
    });
  });
});

describe('redirects', () => {
  const moved = (to: string) =>
    httpDestination((seen, response) => {
      if (seen.url !== '/start') return void response.end('"arrived"');
      response.writeHead(302, { location: to });
      response.end();
    });
  const get = (url: string, effect: 'read' | 'write' = 'read') =>
    registered(
      { kind: 'http', method: 'GET', url, headers: { authorization: '{{secret:crm/key}}' } },
      { effect },
    );

  it('are not followed on a write', async () => {
    const crm = await moved('/end');
    for (const tool of [post(`${crm.url}/start`), get(`${crm.url}/start`, 'write')]) {
      expect(await testCarrier().send(sendOf(tool))).toMatchObject({ reply: { status: 302 } });
    }
    expect(crm.seen.map((seen) => seen.url)).toEqual(['/start', '/start']);
  });

  it('are followed on a read, and another origin gets none of the headers', async () => {
    const other = await httpDestination((_seen, response) => response.end('"there"'));
    const crm = await moved(`${other.url}/end`);
    const report = await testCarrier().send(sendOf(get(`${crm.url}/start`)));
    expect(report).toMatchObject({ reply: { status: 200, body: 'there' } });
    expect(other.seen[0]?.headers).not.toHaveProperty('authorization');
    const same = await moved('/end');
    await testCarrier().send(sendOf(get(`${same.url}/start`)));
    expect(same.seen[1]?.headers).toMatchObject({ authorization: canary });
  });

  it('to a private address are not followed: the redirect is the reply', async () => {
    const inside = await httpDestination((_seen, response) => response.end('"inside"'));
    const crm = await moved(`http://inside.example:${inside.port}/latest/meta-data`);
    const carrier = testCarrier({
      allowPrivate: [`127.0.0.1:${crm.port}`],
      resolve: async () => [{ address: '127.0.0.1' }],
    });
    expect(await carrier.send(sendOf(get(`${crm.url}/start`)))).toMatchObject({
      reply: { status: 302 },
    });
    expect(inside.connections()).toBe(0);
  });

  it('end after three', async () => {
    let hops = 0;
    const crm = await httpDestination((_seen, response) => {
      hops += 1;
      response.writeHead(302, { location: `/${hops}` });
      response.end();
    });
    expect(await testCarrier().send(sendOf(get(crm.url)))).toMatchObject({
      reply: { status: 302 },
    });
    expect(hops).toBe(4);
  });
});
