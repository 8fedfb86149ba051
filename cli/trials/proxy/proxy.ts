// The fault proxy of the trials: stands between the product and one destination and does to a call what a network can do.
// Owns: one listener per tool, what was forwarded and what was cut, and nothing else: it changes no byte of a call.
//
// Plain HTTP on our side; the destination may be https. A fault meets calls only (for MCP: `tools/call` of the tool), so that
// the handshake around a call is never disturbed.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Fault, SeenCall } from './forward.ts';
import { carry, type Taken } from './forward.ts';

export interface Counts {
  readonly received: number;
  readonly forwarded: number;
  readonly answered: number;
  readonly delivered: number;
}

export interface Door {
  /** The tool's own address with scheme and host replaced; what is a template in it stays one. */
  readonly url: string;
  /** The next calls meet these, in order; then `usual`. */
  next(...faults: readonly Fault[]): void;
  /** What every call meets that has no fault of its own. */
  usual(fault: Fault): void;
  /** Refuses connections: not one byte can be sent. */
  shut(): Promise<void>;
  open(): Promise<void>;
  /** Lets every held call go on. */
  release(): void;
  holding(): number;
  /** Calls since `mark` (default: all). */
  calls(since?: number): readonly SeenCall[];
  mark(): number;
  counts(since?: number): Counts;
  close(): Promise<void>;
}

export interface DoorOptions {
  /** The tool's address as it is registered. */
  readonly url: string;
  /** Whether a request is a call of the tool. */
  readonly isCall: (body: string) => boolean;
}

const authority = /^([a-z]+):\/\/([^/?#]*)/i;

const bodyOf = async (request: IncomingMessage): Promise<Buffer> => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(Buffer.from(part));
  return Buffer.concat(parts);
};

const listen = async (server: Server, port: number): Promise<number> => {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
};

const stop = async (server: Server): Promise<void> => {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
};

/** Calls that wait, and the way to let them go. */
const waitingRoom = () => {
  const waiting = new Set<() => void>();
  return {
    size: () => waiting.size,
    wait: (): Promise<void> => new Promise((resolve) => void waiting.add(resolve)),
    empty: (): void => {
      for (const go of waiting) go();
      waiting.clear();
    },
  };
};

const countsOf = (calls: readonly SeenCall[]): Counts => ({
  received: calls.length,
  forwarded: calls.filter(({ forwarded }) => forwarded).length,
  answered: calls.filter(({ answer }) => answer !== undefined).length,
  delivered: calls.filter(({ delivered }) => delivered).length,
});

/** Opens a door in front of one tool. Rejects when the address has no host. */
export const openDoor = async ({ url, isCall }: DoorOptions): Promise<Door> => {
  const parts = authority.exec(url);
  if (parts === null) throw new Error(`The tool's address "${url}" names no host.`);
  const upstream = new URL(parts[0]);
  const calls: SeenCall[] = [];
  const planned: Fault[] = [];
  let usual: Fault = { do: 'pass' };
  const room = waitingRoom();

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await bodyOf(request);
    const taken: Taken = { upstream, request, response, body };
    if (!isCall(body.toString('utf8'))) return carry(taken, undefined, { do: 'pass' }, room.wait);
    const fault = planned.shift() ?? usual;
    const call: SeenCall = {
      number: calls.length + 1,
      fault: fault.do,
      forwarded: false,
      answer: undefined,
      delivered: false,
    };
    calls.push(call);
    await carry(taken, call, fault, room.wait);
  };
  const server = createServer((request, response) => {
    serve(request, response).catch(() => request.socket.destroy());
  });
  const port = await listen(server, 0);
  return {
    url: `http://127.0.0.1:${port}${url.slice(parts[0].length)}`,
    next: (...faults) => void planned.push(...faults),
    usual: (fault) => {
      usual = fault;
    },
    shut: () => stop(server),
    open: async () => void (server.listening || (await listen(server, port))),
    release: room.empty,
    holding: room.size,
    calls: (since = 0) => calls.slice(since),
    mark: () => calls.length,
    counts: (since = 0) => countsOf(calls.slice(since)),
    close: async () => {
      room.empty();
      await stop(server);
    },
  };
};
