// The fetch an MCP client is given: each request on its own checked connection, and `tools/call` at most once.
// Owns: telling that request from the harmless ones around it. Laws: L1, L3 (the last check stands right before it; a
// client that would send it again, after a redirect or a refused header, is refused here).
// Tested in test/functions/adapters/mcp-tool.test.ts.
import { Readable } from 'node:stream';
import type { FetchLike } from '@modelcontextprotocol/client';
import { keptAsText } from '../../core/base/exact-json.ts';
import { NotSent, oneConnection } from './connection.ts';
import type { Egress } from './egress.ts';
import { ReplyUnreadable } from './reply.ts';

export interface McpFetchOptions {
  readonly egress: Egress;
  readonly deadline: AbortSignal;
  readonly certificateAuthorities?: readonly string[];
  readonly bytesMax: number;
  /** Right before the first byte of `tools/call`. */
  readonly lastCheck: () => void;
  /** Right before any other request. */
  readonly otherCheck: () => void;
}

export interface McpFetch {
  readonly fetch: FetchLike;
  /** Whether the first byte of `tools/call` may have left. */
  sent(): boolean;
  /** Aborted when the answer to `tools/call` has ended, whole or not, and time was given to make a result of it. */
  readonly ended: AbortSignal;
  /** Why a connection was not made, if so. */
  refusal(): Error | undefined;
}

const methodsIn = (body: string): readonly unknown[] => {
  const message: unknown = JSON.parse(body);
  const messages: readonly unknown[] = Array.isArray(message) ? message : [message];
  return messages.map((one) =>
    typeof one === 'object' && one !== null && 'method' in one ? one.method : undefined,
  );
};

const bodyOf = (init: RequestInit | undefined): string | null => {
  const body = init?.body ?? null;
  if (body === null || typeof body === 'string') return body;
  throw new NotSent('The MCP client wrote a body that is no text.');
};

/** Within that, the client has made a result of what it read; where it has not, there is none in it. */
const graceMs = 250;

const withoutBody = new Set([101, 202, 204, 205, 304]);

async function* limited(body: AsyncIterable<Uint8Array>, bytesMax: number, done: () => void) {
  let bytes = 0;
  try {
    for await (const chunk of body) {
      bytes += chunk.length;
      if (bytes > bytesMax) throw new ReplyUnreadable(`it is larger than ${bytesMax} bytes`);
      yield chunk;
    }
  } finally {
    done();
  }
}

/**
 * The text of an answer, in which the client's `JSON.parse` finds every number as it was written. A line holds whole numbers and
 * texts: JSON has no line ends within them, and a stream of events none within a line of data.
 */
async function* kept(body: AsyncIterable<Uint8Array>, isStream: boolean) {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  const rewritten = (lines: string): Uint8Array =>
    encoder.encode(isStream ? lines.replace(/^data:[^\r\n]*/gm, keptAsText) : keptAsText(lines));
  let waiting: string[] = [];
  for await (const chunk of body) {
    const text = decoder.decode(chunk, { stream: true });
    const end = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1;
    waiting.push(text.slice(0, end));
    if (end > 0) {
      yield rewritten(waiting.join(''));
      waiting = [];
    }
    waiting.push(text.slice(end));
  }
  yield rewritten(waiting.join('') + decoder.decode());
}

const headersFrom = (raw: { readonly [name: string]: string | string[] | undefined }): Headers => {
  const headers = new Headers();
  for (const [name, value] of Object.entries(raw)) {
    for (const one of value === undefined ? [] : [value].flat()) headers.append(name, one);
  }
  return headers;
};

export const mcpFetch = (options: McpFetchOptions): McpFetch => {
  const { egress, deadline, certificateAuthorities, bytesMax } = options;
  let sent = false;
  let refusal: Error | undefined;
  const ended = new AbortController();

  const exchange: FetchLike = async (address, init) => {
    const url = new URL(address);
    const body = bodyOf(init);
    const isCall = body !== null && methodsIn(body).includes('tools/call');
    const connection = oneConnection({
      url,
      egress,
      signal: deadline,
      ...(certificateAuthorities === undefined ? {} : { certificateAuthorities }),
      lastCheck: () => {
        if (!isCall) return options.otherCheck();
        if (sent) throw new NotSent('A tool call is sent once.');
        options.lastCheck();
        sent = true;
      },
    });
    try {
      const {
        statusCode,
        headers,
        body: stream,
      } = await connection.dispatcher.request({
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method: init?.method === 'DELETE' ? 'DELETE' : 'POST',
        headers: {
          ...Object.fromEntries(new Headers(init?.headers).entries()),
          'accept-encoding': 'identity',
        },
        body,
        signal: AbortSignal.any([deadline, ...(init?.signal == null ? [] : [init.signal])]),
      });
      const answer = { status: statusCode, headers: headersFrom(headers) };
      const whole = limited(stream, bytesMax, () => {
        connection.close();
        if (isCall) setTimeout(() => ended.abort(), graceMs).unref();
      });
      if (!withoutBody.has(statusCode)) {
        const type = answer.headers.get('content-type') ?? '';
        const text = kept(whole, /^text\/event-stream\b/i.test(type.trim()));
        return new Response(Readable.toWeb(Readable.from(text)) as ReadableStream, answer);
      }
      for await (const _ignored of whole);
      return new Response(null, answer);
    } catch (error) {
      connection.close();
      if (error instanceof Error) refusal ??= error;
      throw error;
    }
  };

  return {
    // A stream of the server's own is not wanted, nor one taken up again.
    fetch: async (address, init) =>
      init?.method === 'GET' ? new Response(null, { status: 405 }) : exchange(address, init),
    sent: () => sent,
    ended: ended.signal,
    refusal: () => refusal,
  };
};
