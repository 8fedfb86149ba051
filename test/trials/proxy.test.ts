// The fault proxy does to a call what it is told, and tells what reached the destination.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Door, openDoor } from '../../cli/trials/proxy/proxy.ts';

let server: Server;
let door: Door;
let arrived: string[];

beforeEach(async () => {
  arrived = [];
  server = createServer((request, response) => {
    void text(request).then((body) => {
      arrived.push(`${request.method} ${request.url} ${request.headers.host} ${body}`);
      response.writeHead(201, { 'content-type': 'text/plain', 'x-mark': 'kept' });
      response.end(`did ${body}`);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  door = await openDoor({
    url: `http://127.0.0.1:${port}/v1/{{args.id}}`,
    isCall: (body) => body !== 'hello',
  });
});
afterEach(async () => {
  await door.close();
  server.closeAllConnections();
  server.close();
});

const call = (body: string): Promise<Response> =>
  fetch(door.url.replace('{{args.id}}', 'x?y=1'), { method: 'PUT', body });

describe('A call', () => {
  test('passes unchanged, with the destination’s own host name', async () => {
    const response = await call('a');
    expect([response.status, response.headers.get('x-mark'), await response.text()]).toEqual([
      201,
      'kept',
      'did a',
    ]);
    const { port } = server.address() as AddressInfo;
    expect(arrived).toEqual([`PUT /v1/x?y=1 127.0.0.1:${port} a`]);
    expect(door.counts()).toEqual({ received: 1, forwarded: 1, answered: 1, delivered: 1 });
  });

  test('is cut before a byte reaches the destination', async () => {
    door.next({ do: 'cut_before' });
    await expect(call('a')).rejects.toThrow();
    expect(arrived).toEqual([]);
    expect(door.counts()).toEqual({ received: 1, forwarded: 0, answered: 0, delivered: 0 });
  });

  test('is carried out and its answer lost', async () => {
    door.next({ do: 'cut_after' });
    await expect(call('a')).rejects.toThrow();
    expect(arrived).toHaveLength(1);
    expect(door.calls()[0]?.answer).toEqual({ status: 201, body: 'did a' });
    expect(door.counts().delivered).toBe(0);
  });

  test('is held, and reaches the destination although nobody listens any more', async () => {
    door.next({ do: 'hold_before' });
    const leaves = new AbortController();
    const { port } = new URL(door.url.replace('{{args.id}}', 'x'));
    const waiting = fetch(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      body: 'a',
      signal: leaves.signal,
    });
    waiting.catch(() => undefined);
    await expect.poll(() => door.holding()).toBe(1);
    leaves.abort();
    expect(arrived).toEqual([]);
    door.release();
    await expect.poll(() => arrived).toHaveLength(1);
    await expect.poll(() => door.counts().answered).toBe(1);
    expect(door.counts().delivered).toBe(0);
  });

  test('whose answer is held gets it on release', async () => {
    door.next({ do: 'hold_after' });
    const waiting = call('a');
    await expect.poll(() => door.counts().answered).toBe(1);
    await expect.poll(() => door.holding()).toBe(1);
    door.release();
    expect((await waiting).status).toBe(201);
  });

  test('finds a door that is shut, and the same one open again', async () => {
    await door.shut();
    await expect(call('a')).rejects.toThrow();
    expect(door.counts().received).toBe(0);
    await door.open();
    expect((await call('b')).status).toBe(201);
  });
});

test('what is no call of the tool meets no fault and is not counted', async () => {
  door.usual({ do: 'cut_before' });
  expect((await call('hello')).status).toBe(201);
  expect(door.counts().received).toBe(0);
});
