// Reads what came over the socket, within limits. Owns: the limits of bodies and the reading of URLs and Host headers.
import type { IncomingMessage } from 'node:http';
import { GatewayRefusal } from './answers.ts';

export interface GatewayRequest {
  readonly method: string;
  /** Percent-encoded, without query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly message: IncomingMessage;
}

const ownHost = /^(?:[a-z0-9][a-z0-9.-]*\.)?localhost(?::\d+)?$|^127\.0\.0\.1(?::\d+)?$/;

/** Only loopback names are ours: a page of a foreign name that resolves to loopback is refused (DNS rebinding). */
export const requireOwnHost = (message: IncomingMessage): string => {
  const host = (message.headers.host ?? '').toLowerCase();
  if (!ownHost.test(host)) throw new GatewayRefusal('foreign-host');
  return host;
};

/** True when a browser says that another origin's page sends this. */
export const isCrossOrigin = (message: IncomingMessage): boolean => {
  const { origin } = message.headers;
  if (origin !== undefined && origin !== `http://${message.headers.host}`) return true;
  const site = message.headers['sec-fetch-site'];
  return site === 'cross-site' || site === 'same-site';
};

export const readRequest = (message: IncomingMessage): GatewayRequest => {
  const url = message.url ?? '/';
  // Also refuses the absolute form (`GET http://…`), which a proxy would be asked with.
  if (!url.startsWith('/')) throw new GatewayRefusal('bad-request');
  const mark = url.indexOf('?');
  const path = mark < 0 ? url : url.slice(0, mark);
  try {
    decodeURIComponent(path);
  } catch {
    throw new GatewayRefusal('bad-request');
  }
  const query = new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1));
  return { method: message.method ?? 'GET', path, query, message };
};

/** The whole body. Throws GatewayRefusal 'too-large' past `bytesMax`, 'bad-request' when the sender leaves. */
export const readBody = async (message: IncomingMessage, bytesMax: number): Promise<Buffer> => {
  if (Number(message.headers['content-length'] ?? 0) > bytesMax) {
    message.resume();
    throw new GatewayRefusal('too-large');
  }
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  let bytes = 0;
  message.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= bytesMax) chunks.push(chunk);
    else reject(new GatewayRefusal('too-large'));
  });
  message.on('end', () => resolve(Buffer.concat(chunks)));
  message.on('error', () => reject(new GatewayRefusal('bad-request')));
  message.on('close', () => reject(new GatewayRefusal('bad-request')));
  return promise;
};
