// The twin's one HTTP server, on loopback: public API, AWS protocols, identity documents and the page on one port.
// Owns: the socket and its time and size limits. Never dies of a request.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { GatewayRefusal, sendAnswer, sendWhole } from '../http/answers.ts';
import { type GatewayRequest, readRequest, requireOwnHost } from '../http/request.ts';
import type { Provider } from '../identity/provider.ts';
import { type ApiParts, serveApi } from './api.ts';
import { isAwsRequest, serveAws, type WireServices } from './aws.ts';
import { servePage } from './page.ts';

export interface GatewayParts extends ApiParts {
  readonly services: WireServices;
  /** Folder of the built page. */
  readonly pageRoot: string;
  /** Public documents of the identity provider, by path. */
  readonly documents: Readonly<Record<string, () => unknown>>;
  /** The identity provider itself, under `/identity/`. */
  readonly provider: Provider;
  /** The address under which everything is meant to be used; a sign-in begins and ends there. */
  readonly address: () => string;
}

export interface Gateway {
  readonly port: number;
  readonly url: string;
  close(): Promise<void>;
}

const limits = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 10_000,
  connectionsCheckingInterval: 5_000,
} as const;

const isApi = (path: string): boolean =>
  path === '/v1' || path.startsWith('/v1/') || path.startsWith('/auth/');

/** `localhost` is another origin than 127.0.0.1: a sign-in that began there would come back without its cookie. */
const elsewhere = ({ address }: GatewayParts, request: GatewayRequest): string | undefined => {
  const { message, path } = request;
  if (path !== '/auth/login' || `http://${message.headers.host}` === address()) return undefined;
  return `${address()}${message.url}`;
};

const dispatch = async (
  parts: GatewayParts,
  request: GatewayRequest,
  response: ServerResponse,
): Promise<void> => {
  if (isAwsRequest(request)) return serveAws(parts.services, request, response);
  const location = elsewhere(parts, request);
  if (location !== undefined) return sendWhole(response, 307, { location }, '');
  if (isApi(request.path)) return serveApi(parts, request, response);
  if (request.path.startsWith('/identity/')) return parts.provider(request, response);
  const document = Object.hasOwn(parts.documents, request.path)
    ? parts.documents[request.path]
    : undefined;
  if (document === undefined) return servePage(parts.pageRoot, request, response);
  sendWhole(response, 200, { 'content-type': 'application/json' }, JSON.stringify(document()));
};

const serve = async (
  parts: () => GatewayParts | undefined,
  message: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  try {
    requireOwnHost(message);
    const ready = parts();
    if (ready === undefined) return sendAnswer(response, 'not-ready');
    await dispatch(ready, readRequest(message), response);
  } catch (cause) {
    sendAnswer(response, cause instanceof GatewayRefusal ? cause.answer : 'internal-error');
  }
};

const statusOf: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/**
 * Listens on 127.0.0.1 at `port` (0: any free one). `parts` may be undefined until everything is open: 503 then.
 * Rejects with the socket's error (EADDRINUSE when the port is taken).
 */
export const openGateway = async (
  port: number,
  parts: () => GatewayParts | undefined,
): Promise<Gateway> => {
  const server = createServer(limits, (message, response) => {
    response.on('error', () => response.destroy());
    void serve(parts, message, response);
  });
  server.maxHeadersCount = 100;
  server.on('clientError', (cause: NodeJS.ErrnoException, socket) => {
    if (!socket.writable) return void socket.destroy();
    const status = statusOf[cause.code ?? ''] ?? '400 Bad Request';
    socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(port, '127.0.0.1', resolve);
  await promise;
  const address = server.address() as AddressInfo;
  return {
    port: address.port,
    url: `http://127.0.0.1:${address.port}`,
    close: async () => {
      const closed = new Promise<void>((done) => void server.close(() => done()));
      server.closeAllConnections();
      await closed;
    },
  };
};
