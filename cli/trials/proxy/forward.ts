// Carries one request through the fault proxy: to the destination or not, and its answer back or not.
// Owns: the exchange with the destination. Headers and bytes are passed on as they came, apart from the hop's own.
import { once } from 'node:events';
import {
  request as askPlain,
  type ClientRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { request as askTls } from 'node:https';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';

export interface Taken {
  /** Scheme and host of the destination. */
  readonly upstream: URL;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly body: Buffer;
}

/** Answers up to here are kept for the report. */
const keptBytesMax = 256 * 1024;

const hopByHop = new Set(['host', 'connection', 'keep-alive', 'transfer-encoding', 'upgrade']);

const headersFrom = (message: IncomingMessage): Record<string, string | string[]> => {
  const headers: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(message.headers))
    if (value !== undefined && !hopByHop.has(name)) headers[name] = value;
  return headers;
};

const open = ({ upstream, request }: Taken): ClientRequest => {
  const ask = upstream.protocol === 'https:' ? askTls : askPlain;
  return ask({
    host: upstream.hostname.replace(/^\[|\]$/g, ''),
    port: upstream.port || (upstream.protocol === 'https:' ? 443 : 80),
    method: request.method ?? 'GET',
    path: request.url ?? '/',
    headers: { ...headersFrom(request), host: upstream.host },
    agent: false,
  });
};

const answerOf = async (outgoing: ClientRequest, body: Buffer): Promise<IncomingMessage> => {
  const answered = once(outgoing, 'response');
  outgoing.end(body);
  const [answer] = await answered;
  return answer as IncomingMessage;
};

const wholeOf = async (answer: IncomingMessage): Promise<Buffer> => {
  const parts: Buffer[] = [];
  for await (const part of answer) parts.push(Buffer.from(part));
  return Buffer.concat(parts);
};

/** Not a call of the tool: passed through as it comes, streams included. */
const passThrough = async (taken: Taken): Promise<void> => {
  const outgoing = open(taken);
  taken.response.on('close', () => outgoing.destroy());
  const answer = await answerOf(outgoing, taken.body);
  taken.response.writeHead(answer.statusCode ?? 502, headersFrom(answer));
  await pipeline(answer, taken.response);
};

const deliver = (taken: Taken, answer: IncomingMessage, whole: Buffer): boolean => {
  if (taken.response.destroyed || taken.request.socket.destroyed) return false;
  const { 'content-length': _length, ...headers } = headersFrom(answer);
  taken.response.writeHead(answer.statusCode ?? 502, headers);
  taken.response.end(whole);
  return true;
};

/** Carries it as the fault says. Rejects when the destination does not answer; the caller then cuts the connection. */
export const carry = async (
  taken: Taken,
  call: SeenCall | undefined,
  fault: Fault,
  wait: () => Promise<void>,
): Promise<void> => {
  if (call === undefined) return passThrough(taken);
  const cut = (): void => void taken.request.socket.destroy();
  if (fault.do === 'cut_before') return cut();
  if (fault.do === 'hold_before') await wait();
  if (fault.do === 'delay') await pause(fault.ms);
  call.forwarded = true;
  const answer = await answerOf(open(taken), taken.body);
  const whole = await wholeOf(answer);
  call.answer = {
    status: answer.statusCode ?? 0,
    body: whole.subarray(0, keptBytesMax).toString('utf8'),
  };
  if (fault.do === 'cut_after') return cut();
  if (fault.do === 'hold_after') await wait();
  call.delivered = deliver(taken, answer, whole);
};

/** What is done to a call. */
export type Fault =
  | { readonly do: 'pass' }
  /** The call is taken and dropped: the destination gets not one byte. */
  | { readonly do: 'cut_before' }
  /** The destination answers; the answer is lost. */
  | { readonly do: 'cut_after' }
  /** Nothing reaches the destination until `release`; then it does, whether we still listen or not. */
  | { readonly do: 'hold_before' }
  /** The destination answers; the answer is kept until `release`, and then passed on. */
  | { readonly do: 'hold_after' }
  | { readonly do: 'delay'; readonly ms: number };

/** One call as the proxy saw it. */
export interface SeenCall {
  readonly number: number;
  readonly fault: Fault['do'];
  /** Whether the destination was given it. */
  forwarded: boolean;
  /** The destination's answer, whether or not it was passed on. */
  answer: { readonly status: number; readonly body: string } | undefined;
  /** Whether the answer reached us. */
  delivered: boolean;
}
