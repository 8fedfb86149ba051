// Real destinations on loopback for the tool tests, and a carrier that may reach them.
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Server,
  type Socket,
} from 'node:net';
import { type CarrierOptions, carrierFrom } from '../../../functions/adapters/tools/carrier.ts';
import { egressFrom, type Resolve } from '../../../functions/adapters/tools/egress.ts';
import type { JsonObject } from '../../../functions/core/base/json.ts';
import {
  ToolRegistration,
  type ToolRegistrationInput,
} from '../../../functions/core/registry/tool.ts';
import type { ToolSend } from '../../../functions/ports/tool.ts';
import { type Secrets, SecretUnknown } from '../../../functions/ports/world.ts';

export const canary = 'canary-5f0c2a/not"to be seen';

const servers = new Set<{ server: Server; sockets: Set<Socket> }>();

const listening = async (server: Server): Promise<{ port: number; url: string }> => {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
  });
  servers.add({ server, sockets });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return { port, url: `http://127.0.0.1:${port}` };
};

export const closeDestinations = async (): Promise<void> => {
  for (const { server, sockets } of servers) {
    for (const socket of sockets) socket.destroy();
    await new Promise((done) => server.close(done));
  }
  servers.clear();
};

export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** An HTTP destination that remembers every request it got, whole or not. */
export const httpDestination = async (
  answer: (seen: Seen, response: Parameters<RequestListener>[1], request: IncomingMessage) => void,
) => {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => {
      const one = {
        method: request.method ?? '',
        url: request.url ?? '',
        headers: request.headers,
        body,
      };
      seen.push(one);
      answer(one, response, request);
    });
  });
  let connections = 0;
  server.on('connection', () => {
    connections += 1;
  });
  return { ...(await listening(server)), seen, connections: () => connections };
};

/** A destination of bytes: `serve` gets each connection. */
export const tcpDestination = async (serve: (socket: Socket) => void) =>
  listening(createTcpServer(serve));

/** A port on which nobody listens. */
export const deadPort = async (): Promise<number> => {
  const server = createTcpServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
};

export const secrets: Secrets = {
  read: async (name) => {
    if (name === 'crm/key') return canary;
    if (name === 'down') throw new Error('connect ECONNREFUSED');
    throw new SecretUnknown(`There is no secret "${name}".`);
  },
};

export const nowMs = 1_700_000_000_000;

export const testCarrier = (
  over: Partial<CarrierOptions> & {
    resolve?: Resolve;
    hosts?: string[];
    allowPrivate?: string[];
  } = {},
) => {
  const { resolve, hosts = ['*'], allowPrivate = ['127.0.0.1'], ...options } = over;
  return carrierFrom({
    secrets,
    egress: egressFrom({ hosts, allowPrivate }, resolve),
    clock: { now: () => nowMs },
    ...options,
  });
};

export const registered = (
  transport: ToolRegistrationInput['transport'],
  contract: Partial<ToolRegistrationInput['contract']> = {},
): ToolRegistration =>
  ToolRegistration.parse({
    name: 'crm',
    description: 'Writes to the CRM.',
    arguments: { type: 'object' },
    transport,
    contract: {
      effect: 'write',
      destination: { provider: 'crm', account: 'a', environment: 'test', apiVersion: '1' },
      ...contract,
    },
  });

export const sendOf = (
  registration: ToolRegistration,
  args: JsonObject = {},
  over: Partial<ToolSend> = {},
): ToolSend => ({
  registration,
  arguments: args,
  reference: 'act_01J0000000000000000000000A',
  deadlineAtMs: nowMs + 10_000,
  beforeFirstByte: () => undefined,
  ...over,
});
