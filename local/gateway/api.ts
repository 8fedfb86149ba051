// The public API: a request becomes a proxy event, passes the authoriser, and the function's answer becomes a response,
// whole or streamed. Owns: that path and the limits of API Gateway.
import type { ServerResponse } from 'node:http';
import { z } from 'zod';
import type { Route } from '../../functions/manifest.ts';
import type { TwinClock } from '../base/clock.ts';
import type { Place } from '../base/names.ts';
import { AwsFault } from '../base/wire.ts';
import { apiBodyBytesMax, GatewayRefusal, sendAnswer, sendWhole } from '../http/answers.ts';
import { type GatewayRequest, readBody } from '../http/request.ts';
import type { InvocationAnswer } from '../lambda/invocation.ts';
import type { LambdaRuntime } from '../lambda/runtime.ts';
import type { StreamSink } from '../lambda/streaming.ts';
import type { Authoriser } from './authoriser.ts';
import { proxyEvent } from './event.ts';
import { findRoute } from './routing.ts';
import type { Throttle } from './throttle.ts';

const header = z.union([z.string(), z.number(), z.boolean()]).transform(String);
const functionAnswer = z.object({
  statusCode: z.coerce.number().int().min(100).max(599),
  headers: z.record(z.string(), header).nullish(),
  multiValueHeaders: z.record(z.string(), z.array(header)).nullish(),
  body: z.string().nullish(),
  isBase64Encoded: z.boolean().nullish(),
});

export interface ApiParts {
  readonly runtime: LambdaRuntime;
  readonly authoriser: Authoriser;
  readonly routes: readonly Route[];
  readonly clock: TwinClock;
  readonly place: Place;
  /** Left out: nobody is asked to wait. */
  readonly throttle?: Throttle;
  /** Whether the route's function streams. */
  streams(functionName: string): boolean;
}

/** What a failed function looks like from outside: no word of its error. */
const refusalOf = (answer: InvocationAnswer): GatewayRefusal =>
  new GatewayRefusal(
    answer.payload.includes('"Sandbox.Timedout"') ? 'timeout' : 'bad-function-answer',
  );

const sendFunctionAnswer = (response: ServerResponse, answer: InvocationAnswer): void => {
  if (answer.functionError !== undefined) throw refusalOf(answer);
  const read = functionAnswer.safeParse(JSON.parse(answer.payload));
  if (!read.success) throw new GatewayRefusal('bad-function-answer');
  const { statusCode, headers, multiValueHeaders, body, isBase64Encoded } = read.data;
  const content = Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8');
  const whole = {
    'content-type': 'application/json',
    ...lowerCased(headers ?? {}),
    ...lowerCased(multiValueHeaders ?? {}),
  };
  sendWhole(response, statusCode, whole, content);
};

const lowerCased = <Value>(headers: Readonly<Record<string, Value>>): Record<string, Value> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** Writes a streamed answer as it comes, each write flushed. */
const sinkInto = (response: ServerResponse): StreamSink => ({
  head: ({ statusCode, headers, cookies }) => {
    if (response.headersSent) return;
    response.writeHead(statusCode, {
      'x-content-type-options': 'nosniff',
      ...headers,
      ...(cookies.length === 0 ? {} : { 'set-cookie': [...cookies] }),
    });
    response.flushHeaders();
  },
  write: (chunk, done) => {
    if (response.destroyed) done(new Error('The reader has left.'));
    else response.write(chunk, done);
  },
  end: () => void response.end(),
});

const streamAnswer = async (
  parts: ApiParts,
  functionName: string,
  event: object,
  response: ServerResponse,
): Promise<void> => {
  const left = new AbortController();
  const leave = (): void => left.abort();
  response.on('close', leave);
  try {
    const answer = await parts.runtime.stream(
      functionName,
      JSON.stringify(event),
      sinkInto(response),
      left.signal,
    );
    if (answer.functionError === undefined || left.signal.aborted) return;
    // Too late for a status: the reader must see that the body is not whole.
    if (response.headersSent) response.destroy();
    else throw refusalOf(answer);
  } finally {
    response.off('close', leave);
  }
};

const serve = async (
  parts: ApiParts,
  request: GatewayRequest,
  response: ServerResponse,
): Promise<void> => {
  const { authorization = '' } = request.message.headers;
  if (parts.throttle?.admits(authorization) === false) throw new GatewayRefusal('throttled');
  const match = findRoute(parts.routes, request.method, request.path);
  if (match === undefined) throw new GatewayRefusal('not-found');
  const authorizer = match.route.authorised
    ? await parts.authoriser.authorise(request, match)
    : null;
  const body = await readBody(request.message, apiBodyBytesMax);
  const event = proxyEvent(request, match, body, authorizer, parts);
  const { function: functionName } = match.route;
  if (parts.streams(functionName)) return streamAnswer(parts, functionName, event, response);
  sendFunctionAnswer(response, await parts.runtime.invoke(functionName, JSON.stringify(event)));
};

/** Serves one request of the public API; never rejects. */
export const serveApi = async (
  parts: ApiParts,
  request: GatewayRequest,
  response: ServerResponse,
): Promise<void> => {
  try {
    await serve(parts, request, response);
  } catch (cause) {
    if (cause instanceof GatewayRefusal) sendAnswer(response, cause.answer);
    else if (cause instanceof AwsFault && cause.status === 429) sendAnswer(response, 'throttled');
    else if (cause instanceof AwsFault && cause.status === 413) sendAnswer(response, 'too-large');
    else sendAnswer(response, 'internal-error');
  }
};
