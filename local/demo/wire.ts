// Between node:http and the fetch-shaped routes: reads the whole request, sends the response, and ends the connection the way
// the exchange says. A client that goes away does not stop the work, as with a real provider.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Exchange, responseOf } from './exchange.ts';

const bodyBytesMax = 4 * 1024 * 1024;

export type Routes = (request: Request, exchange: Exchange) => Response | Promise<Response>;

/** A listener for node:http. Errors of the routes cut the connection: nothing is known to the client then. */
export const listenerFor =
  (routes: Routes) =>
  (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const exchange: Exchange = { ending: 'whole' };
    answer(routes, exchange, incoming, outgoing).catch(() => cutOff(outgoing));
  };

const answer = async (
  routes: Routes,
  exchange: Exchange,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> => {
  const body = await readBody(incoming);
  if (body === undefined) {
    const error = { code: 'too_large', message: `A body may have at most ${bodyBytesMax} bytes.` };
    return send(responseOf({ status: 413, body: { error } }), outgoing);
  }
  const response = await routes(requestOf(incoming, body), exchange);
  if (exchange.ending === 'cut') return cutOff(outgoing);
  const shown = exchange.replaced === undefined ? response : responseOf(exchange.replaced);
  return exchange.ending === 'partial' ? sendHalf(shown, outgoing) : send(shown, outgoing);
};

const readBody = async (incoming: IncomingMessage): Promise<Buffer<ArrayBuffer> | undefined> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of incoming) {
    bytes += chunk.length;
    if (bytes <= bodyBytesMax) chunks.push(chunk);
  }
  return bytes > bodyBytesMax ? undefined : Buffer.concat(chunks);
};

const requestOf = (incoming: IncomingMessage, body: Buffer<ArrayBuffer>): Request => {
  const { method = 'GET', url = '/' } = incoming;
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(incoming.headersDistinct))
    for (const value of values) headers.append(name, value);
  const hasBody = method !== 'GET' && method !== 'HEAD' && body.length > 0;
  return new Request(`http://${incoming.headers.host ?? '127.0.0.1'}${url}`, {
    method,
    headers,
    ...(hasBody ? { body } : {}),
  });
};

const send = async (response: Response, outgoing: ServerResponse): Promise<void> => {
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  const reader = response.body?.getReader();
  // A reader that went away ends an event stream; one reply's bytes are just not read by anybody.
  outgoing.once('close', () => void reader?.cancel().catch(() => {}));
  for (let part = await reader?.read(); part?.done === false; part = await reader?.read())
    outgoing.write(part.value);
  outgoing.end();
};

/** Announces the whole reply, sends half of it and resets the connection. */
const sendHalf = async (response: Response, outgoing: ServerResponse): Promise<void> => {
  const body = Buffer.from(await response.arrayBuffer());
  const headers = { ...Object.fromEntries(response.headers), 'content-length': body.length };
  outgoing.writeHead(response.status, headers);
  outgoing.write(body.subarray(0, Math.floor(body.length / 2)), () => outgoing.destroy());
};

const cutOff = (outgoing: ServerResponse): void => {
  outgoing.socket?.resetAndDestroy();
};
