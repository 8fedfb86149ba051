// The HTTP carrier against real sockets: the last check, and what each failure is reported as (L1, L3, L18).
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import type { ToolReport } from '../../../functions/ports/tool.ts';
import {
  canary,
  closeDestinations,
  deadPort,
  httpDestination,
  registered,
  sendOf,
  tcpDestination,
  testCarrier,
} from './destination.ts';

afterEach(closeDestinations);

const post = (url: string, more: object = {}) =>
  registered({ kind: 'http', method: 'POST', url, body: { as: 'arguments' }, ...more });

const withoutCanary = (report: ToolReport): ToolReport => {
  expect(JSON.stringify(report)).not.toContain('canary-5f0c2a');
  return report;
};

describe('the last check (L3)', () => {
  it('runs once, when the connection stands and before the request is seen', async () => {
    const crm = await httpDestination((_seen, response) => response.end());
    const order: string[] = [];
    const beforeFirstByte = () => void order.push(`${crm.connections()}/${crm.seen.length}`);
    await testCarrier().send(sendOf(post(crm.url), {}, { beforeFirstByte }));
    expect(order).toHaveLength(1);
    expect(order[0]).toMatch(/\/0$/);
  });

  it('sends not one byte when it throws', async () => {
    let bytes = 0;
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    const { url } = await tcpDestination((socket) => {
      socket.on('data', (data) => {
        bytes += data.length;
      });
      socket.on('close', () => resolve());
    });
    const beforeFirstByte = () => {
      throw new Error(`no: ${canary}`);
    };
    const report = await testCarrier().send(sendOf(post(url), { n: 1 }, { beforeFirstByte }));
    await closed;
    expect(withoutCanary(report)).toMatchObject({ kind: 'not_transmitted' });
    expect(bytes).toBe(0);
  });

  it('sends nothing once the deadline has passed by the clock or the invocation has ended', async () => {
    const crm = await httpDestination((_seen, response) => response.end());
    let now = 1_700_000_000_000;
    const late = testCarrier({ clock: { now: () => now } });
    const call = sendOf(post(crm.url));
    now = call.deadlineAtMs;
    expect(await late.send(call)).toMatchObject({ kind: 'not_transmitted' });
    expect(await testCarrier({ open: () => false }).send(call)).toEqual({
      kind: 'not_transmitted',
      because: 'The invocation has ended.',
    });
    expect(crm.seen).toEqual([]);
  });
});

describe('failures before the first byte are not transmitted', () => {
  it('a refused connection, for which the last check is not even made', async () => {
    let checks = 0;
    const beforeFirstByte = () => {
      checks += 1;
    };
    const tool = post(`http://127.0.0.1:${await deadPort()}`);
    const report = await testCarrier().send(sendOf(tool, {}, { beforeFirstByte }));
    expect(report).toMatchObject({
      kind: 'not_transmitted',
      because: expect.stringContaining('ECONNREFUSED'),
    });
    expect(checks).toBe(0);
  });

  it('a name that does not resolve', async () => {
    const resolve = async () => {
      throw Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' });
    };
    const report = await testCarrier({ resolve }).send(sendOf(post('https://crm.example/x')));
    expect(report).toEqual({
      kind: 'not_transmitted',
      because: 'The name "crm.example" could not be resolved (ENOTFOUND).',
    });
  });

  it('a TLS handshake that fails', async () => {
    const { port } = await tcpDestination((socket) => socket.end('this is no TLS'));
    const report = await testCarrier().send(sendOf(post(`https://127.0.0.1:${port}`)));
    expect(report).toMatchObject({ kind: 'not_transmitted' });
  });

  it('a TLS handshake that nobody answers until the deadline', async () => {
    const { promise: connected, resolve } = Promise.withResolvers<void>();
    const { port } = await tcpDestination(() => resolve());
    const aborting = new AbortController();
    const sending = testCarrier({ abortAfter: () => aborting.signal }).send(
      sendOf(post(`https://127.0.0.1:${port}`)),
    );
    await connected;
    aborting.abort();
    expect(await sending).toMatchObject({ kind: 'not_transmitted' });
  });

  it('a secret store that does not answer', async () => {
    const report = await testCarrier().send(
      sendOf(post('http://127.0.0.1:1', { headers: { a: '{{secret:down}}' } })),
    );
    expect(report).toMatchObject({
      kind: 'not_transmitted',
      because: expect.stringContaining('down'),
    });
  });
});

describe('failures after the first byte are unknown (L1)', () => {
  const unknown = (because: string) => ({
    kind: 'unknown',
    milestone: 'transmitted',
    because: expect.stringContaining(because),
  });

  it('a connection cut when the request has arrived', async () => {
    const { url } = await tcpDestination((socket) =>
      socket.once('data', () => socket.resetAndDestroy()),
    );
    const tool = post(url, { headers: { authorization: '{{secret:crm/key}}' } });
    expect(withoutCanary(await testCarrier().send(sendOf(tool)))).toEqual(unknown('No reply'));
  });

  it('a connection closed in good order without a reply, and never a second try', async () => {
    let connections = 0;
    const { url } = await tcpDestination((socket) => {
      connections += 1;
      socket.once('data', () => socket.end());
    });
    for (const method of ['POST', 'PUT', 'DELETE', 'GET']) {
      const report = await testCarrier().send(sendOf(post(url, { method, body: undefined })));
      expect(report).toEqual(unknown('No reply'));
    }
    expect(connections).toBe(4);
  });

  it('a body that is cut in the middle', async () => {
    const { url } = await tcpDestination((socket) =>
      socket.once('data', () => {
        socket.write('HTTP/1.1 201 Created\r\ncontent-length: 50\r\n\r\n{"id":');
        socket.end();
      }),
    );
    expect(await testCarrier().send(sendOf(post(url)))).toEqual(unknown('Status 201 came'));
  });

  it('no reply until the deadline', async () => {
    const aborting = new AbortController();
    const crm = await httpDestination(() => aborting.abort());
    const carrier = testCarrier({ abortAfter: () => aborting.signal });
    expect(await carrier.send(sendOf(post(crm.url)))).toEqual(unknown('the deadline passed'));
    expect(crm.seen).toHaveLength(1);
  });

  it.each([
    ['garbage instead of HTTP', 'hello\r\n\r\n'],
    [
      'a switch of protocols',
      'HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
    ],
  ])('%s', async (_title, text) => {
    const { url } = await tcpDestination((socket) => socket.once('data', () => socket.end(text)));
    expect(await testCarrier().send(sendOf(post(url)))).toMatchObject({ kind: 'unknown' });
  });

  it('a reply that is larger than allowed, though its status came', async () => {
    const crm = await httpDestination((_seen, response) => response.end('x'.repeat(3_000)));
    const report = await testCarrier().send(sendOf(post(crm.url, { replyBytesMax: 1_000 })));
    expect(report).toEqual(unknown('Status 200 came, but no whole reply: it is larger than 1000'));
  });

  it('a small reply that unpacks into a larger one than allowed', async () => {
    const crm = await httpDestination((_seen, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      response.end(gzipSync('x'.repeat(100_000)));
    });
    const report = await testCarrier().send(sendOf(post(crm.url, { replyBytesMax: 1_000 })));
    expect(report).toEqual(unknown('could not be decoded'));
  });

  it.each([
    ['JSON that is none', 'application/json', '<html>'],
    ['JSON that is cut', 'application/problem+json', '{"a":'],
    ['JSON too deep to walk', 'application/json', `${'['.repeat(5_000)}${']'.repeat(5_000)}`],
  ])('%s', async (_title, type, body) => {
    const crm = await httpDestination((_seen, response) => {
      response.writeHead(200, { 'content-type': type });
      response.end(body);
    });
    expect(await testCarrier().send(sendOf(post(crm.url)))).toMatchObject({ kind: 'unknown' });
  });
});
