// Waits on this machine for the browser that comes back from signing in (RFC 8252, loopback). Owns: the port, which answers this
// one thing only, and how long it waits.
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loginPorts } from '../../functions/manifest.ts';

const listening = (port: number): Promise<Server | undefined> => {
  const server = createServer();
  const { promise, resolve, reject } = Promise.withResolvers<Server | undefined>();
  server.once('error', (cause: NodeJS.ErrnoException) =>
    cause.code === 'EADDRINUSE' ? resolve(undefined) : reject(cause),
  );
  server.listen(port, '127.0.0.1', () => resolve(server));
  return promise;
};

/** The first port that is free of those that the issuer knows. */
const firstFree = async (ports: readonly number[]): Promise<Server | undefined> => {
  for (const port of ports) {
    const server = await listening(port);
    if (server !== undefined) return server;
  }
  return undefined;
};

const say = (response: ServerResponse, status: number, text: string): void => {
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    connection: 'close',
  });
  response.end(text);
};

export interface Loopback {
  /** Where the browser comes back to. */
  readonly address: string;
  /** The address it came back by, for this state; undefined after `limitMs`. Others who ask are told nothing. */
  comeBack(state: string, limitMs: number): Promise<URL | undefined>;
  close(): void;
}

export interface LoopbackWords {
  readonly done: string;
  readonly wrong: string;
}

/** Undefined when all ports are taken. */
export const openLoopback = async (words: LoopbackWords): Promise<Loopback | undefined> => {
  const server = await firstFree(loginPorts);
  if (server === undefined) return undefined;
  const { port } = server.address() as AddressInfo;
  const address = `http://localhost:${port}/callback`;
  return {
    address,
    comeBack: async (state, limitMs) => {
      const { promise, resolve } = Promise.withResolvers<URL | undefined>();
      server.on('request', (request, response) => {
        const asked = new URL(request.url ?? '/', address);
        if (asked.pathname !== '/callback' || asked.searchParams.get('state') !== state) {
          say(response, 404, words.wrong);
          return;
        }
        say(response, 200, words.done);
        resolve(asked);
      });
      const timer = setTimeout(() => resolve(undefined), limitMs);
      try {
        return await promise;
      } finally {
        clearTimeout(timer);
      }
    },
    close: () => {
      server.close();
      server.closeIdleConnections();
    },
  };
};
