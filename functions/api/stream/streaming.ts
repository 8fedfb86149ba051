// What every answer that streams has in common: its head, how it is written to a slow reader, problems before it begins, how long
// it may last, and the entry behind Lambda's response streaming. Owns: those.
// Tested in test/functions/api/stream/stream.test.ts.
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Clock, Log } from '../../ports/world.ts';
import type { Substrate } from '../../wiring/stream.ts';
import { deployed } from '../../wiring/stream.ts';
import type { OperationId } from '../identity/access.ts';
import { type Caller, callerFrom, mustMay } from '../identity/identity.ts';
import { languageOf } from '../problems/language.ts';
import { Problem, problem, problemAnswer } from '../problems/problems.ts';

/** Below the gateway's 15 minutes and the function's own limit. */
const streamMsMax = 13 * 60_000;
/** Kept free of the function's time to end the stream in order. */
const reserveMs = 10_000;

export const safeHeaders = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
};
export const streamHeaders = {
  ...safeHeaders,
  'content-type': 'text/event-stream; charset=utf-8',
};
/** Sent when nothing has happened for a while, so that nothing on the way takes the stream for dead. */
export const stillHere = ': still here\n\n';

interface Head {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
}
/** Sets status and headers; returns the stream for the body. */
export type Begin = (head: Head) => Writable;

export interface Serving {
  readonly event: APIGatewayProxyEvent;
  readonly out: Writable;
  readonly begin: Begin;
  readonly remainingMs: number;
}

export const headerOf = (event: APIGatewayProxyEvent, name: string): string | undefined =>
  Object.entries(event.headers).find(([given]) => given.toLowerCase() === name)?.[1];

/** Who calls. Throws the problem where nobody vouches for one, or the role is not enough. */
export const callerOf = (event: APIGatewayProxyEvent, operationId: OperationId): Caller => {
  const caller = callerFrom(event.requestContext.authorizer);
  if (caller === undefined) throw problem('unauthenticated', {});
  mustMay(caller, operationId);
  return caller;
};

/** When the stream must end: at the gateway's limit, the function's, or the token's. Epoch milliseconds. */
export const untilMsOf = (clock: Clock, caller: Caller, remainingMs: number): number =>
  Math.min(
    clock.now() + Math.min(streamMsMax, remainingMs - reserveMs),
    caller.expiresAtMs ?? Number.POSITIVE_INFINITY,
  );

/** A slow reader may take this much longer than the stream lasts. */
const graceMs = 5_000;

/** Resolves when a reader who still has not read on is to be left; asked for only once one is slow. */
export type Late = () => Promise<void>;
export const lateAfter = (clock: Clock, untilMs: number): Late => {
  let late: Promise<void> | undefined;
  return () => {
    late ??= clock.pause(Math.max(0, untilMs + graceMs - clock.now()));
    return late;
  };
};

export interface Reader {
  readonly left: AbortSignal;
  readonly late: Late;
}

/** Writes and waits while the reader is slow; resolves at once when it has left. One who is late is cut off. */
export const write = async (
  body: Writable,
  { left, late }: Reader,
  text: string,
): Promise<void> => {
  if (left.aborted || body.destroyed || body.write(text)) return;
  const drained = once(body, 'drain', { signal: left }).catch(() => undefined);
  const cut = late().then(() => {
    if (body.writableNeedDrain) body.destroy();
  });
  await Promise.race([drained, cut]);
};

/** Aborts when the reader has left. Without a listener a reader that goes away would be an uncaught error. */
export const leavingOf = (out: Writable): AbortSignal => {
  const leaving = new AbortController();
  const leave = (): void => leaving.abort();
  out.on('close', leave);
  out.on('error', leave);
  return leaving.signal;
};

/** The problem as the whole answer, for what fails before a stream has begun. */
export const refuse = (log: Log, { event, begin }: Serving, error: unknown): void => {
  if (!(error instanceof Problem))
    log.error('A stream failed.', {
      error: error instanceof Error ? error.name : 'unknown',
      reason: error instanceof Error ? error.message : String(error),
    });
  const of = error instanceof Problem ? error : problem('internal', {});
  const language = languageOf(headerOf(event, 'accept-language'));
  const { status, headers, body } = problemAnswer(of, language, event.path);
  begin({ status, headers: { ...safeHeaders, ...headers } }).end(JSON.stringify(body));
};

type Serve = (serving: Serving) => Promise<void>;

/** The function behind the runtime's wrapper: `begin` is what the runtime gives to set status and headers. */
export const streaming = (serving: () => Promise<Serve>) =>
  awslambda.streamifyResponse<APIGatewayProxyEvent>(async (event, out, context) => {
    const begin: Begin = ({ status, headers }) =>
      awslambda.HttpResponseStream.from(out, { statusCode: status, headers });
    // Else the runtime waits, and is paid, until the last timer and socket of a stream that has ended.
    context.callbackWaitsForEmptyEventLoop = false;
    const remainingMs = context.getRemainingTimeInMillis();
    const answer = await serving();
    await answer({ event, out, begin, remainingMs });
  });

/** Other libraries leave an empty stand-in of the runtime's global, so the function itself is what counts. */
const inLambda = (): boolean => {
  const runtime: unknown = Reflect.get(globalThis, 'awslambda');
  return typeof runtime === 'object' && runtime !== null && 'streamifyResponse' in runtime;
};

/** The Lambda entry; undefined where no Lambda runtime is (a test that imports the module). */
export const streamedEntry = (servingFor: (substrate: Substrate) => Serve) => {
  if (!inLambda()) return undefined;
  let served: Serve | undefined;
  return streaming(async () => {
    const { substrateFromProcess } = await deployed();
    served ??= servingFor(substrateFromProcess());
    return served;
  });
};
