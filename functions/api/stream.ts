// The live events of a conversation: server-sent events over Lambda response streaming, or a page of JSON.
// Owns: the entry, who may read, and how a stream begins and ends. Writes nothing.
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { z } from 'zod';
import type { Conversation } from '../core/conversation.ts';
import { ConversationId } from '../core/ids.ts';
import { deployed, type StreamWorld, type Substrate, streamWorldFrom } from '../wiring/stream.ts';
import { mayCall } from './access.ts';
import { follow } from './follow.ts';
import { ours } from './found.ts';
import { type Caller, callerFrom } from './identity.ts';
import { languageOf } from './language.ts';
import { Problem, problem, problemAnswer } from './problems.ts';
import { snapshotOf } from './snapshot.ts';

/** Below the gateway's 15 minutes and the function's own limit. */
const streamMsMax = 13 * 60_000;
/** Kept free of the function's time to end the stream in order. */
const reserveMs = 10_000;
/** How long a reader waits before it connects again. */
const retryMs = 1_000;
const eventsPerPage = 500;

const safeHeaders = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
};

interface Head {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
}
/** Sets status and headers; returns the stream for the body. */
type Begin = (head: Head) => Writable;

const headerOf = (event: APIGatewayProxyEvent, name: string): string | undefined =>
  Object.entries(event.headers).find(([given]) => given.toLowerCase() === name)?.[1];

const Position = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

/** The number the reader names, or undefined. A reader that reconnects by itself sends the header: it is the newer word. */
const positionOf = (event: APIGatewayProxyEvent): number | undefined => {
  const given = headerOf(event, 'last-event-id') ?? event.queryStringParameters?.after;
  if (given === undefined || given === '') return undefined;
  const read = Position.safeParse(given);
  if (!read.success) throw problem('invalid-query', {});
  return read.data;
};

const callerOf = (event: APIGatewayProxyEvent): Caller => {
  const caller = callerFrom(event.requestContext.authorizer);
  if (caller === undefined) throw problem('unauthenticated', {});
  if (!mayCall(caller.roles, 'readEvents')) throw problem('forbidden', { role: 'viewer' });
  return caller;
};

const conversationOf = async (
  { store }: StreamWorld,
  event: APIGatewayProxyEvent,
  caller: Caller,
): Promise<Conversation> => {
  const id = ConversationId.safeParse(event.pathParameters?.conversationId);
  if (!id.success) throw problem('not-found', {});
  return ours(caller, (await store.read({ conversation: id.data })).conversation).item;
};

/** Writes and waits while the reader is slow; resolves at once when it has left. */
const write = async (body: Writable, left: AbortSignal, text: string): Promise<void> => {
  if (left.aborted || body.destroyed || body.write(text)) return;
  await once(body, 'drain', { signal: left }).catch(() => undefined);
};

const eventText = (id: number, type: string, data: object): string =>
  `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`;

interface Reading {
  readonly caller: Caller;
  readonly conversation: Conversation;
  /** Number of the last event that the reader has; undefined for one that has seen nothing. */
  readonly position: number | undefined;
  readonly untilMs: number;
  readonly left: AbortSignal;
}

const stream = async (world: StreamWorld, body: Writable, reading: Reading): Promise<void> => {
  const { conversation, left, untilMs } = reading;
  const { conversationId, eventNumber } = conversation;
  await write(body, left, `retry: ${retryMs}\n\n`);
  // A number that was never given out is of another log: such a reader begins anew.
  const known = reading.position !== undefined && reading.position <= eventNumber;
  let after = known ? (reading.position ?? 0) : eventNumber;
  if (!known) {
    const snapshot = await snapshotOf(world, conversation, reading.caller);
    after = snapshot.number;
    await write(body, left, eventText(after, 'snapshot', snapshot));
  }
  for await (const next of follow(world, { conversationId, after, untilMs, left })) {
    const text =
      next.kind === 'quiet'
        ? ': still here\n\n'
        : next.events.map((event) => eventText(event.number, event.body.type, event)).join('');
    await write(body, left, text);
  }
  await write(body, left, `: connect again\nretry: ${retryMs}\n\n`);
};

const page = async (world: StreamWorld, reading: Reading, begin: Begin): Promise<void> => {
  const { conversationId } = reading.conversation;
  const after = reading.position ?? 0;
  const events = await world.store.eventsAfter(conversationId, after, eventsPerPage);
  const next = events.at(-1)?.number ?? after;
  const headers = { ...safeHeaders, 'content-type': 'application/json' };
  begin({ status: 200, headers }).end(JSON.stringify({ events, next }));
};

const refuse = (
  world: StreamWorld,
  event: APIGatewayProxyEvent,
  error: unknown,
  begin: Begin,
): void => {
  if (!(error instanceof Problem))
    world.log.error('A stream failed.', {
      error: error instanceof Error ? error.name : 'unknown',
      reason: error instanceof Error ? error.message : String(error),
    });
  const of = error instanceof Problem ? error : problem('internal', {});
  const language = languageOf(headerOf(event, 'accept-language'));
  const { status, headers, body } = problemAnswer(of, language, event.path);
  begin({ status, headers: { ...safeHeaders, ...headers } }).end(JSON.stringify(body));
};

/** Serves one request; never rejects. `out` is the function's response stream, `begin` sets the head on it. */
const serve = async (
  world: StreamWorld,
  open: { streams: number },
  { event, out, begin, remainingMs }: Serving,
): Promise<void> => {
  const leaving = new AbortController();
  const leave = (): void => leaving.abort();
  out.on('close', leave);
  // Without a listener a reader that goes away would be an uncaught error.
  out.on('error', leave);
  let body: Writable | undefined;
  try {
    const caller = callerOf(event);
    const position = positionOf(event);
    const conversation = await conversationOf(world, event, caller);
    const nowMs = world.clock.now();
    const untilMs = Math.min(
      nowMs + Math.min(streamMsMax, remainingMs - reserveMs),
      caller.expiresAtMs ?? Number.POSITIVE_INFINITY,
    );
    const reading: Reading = { caller, conversation, position, untilMs, left: leaving.signal };
    const wantsStream = headerOf(event, 'accept')?.includes('text/event-stream') === true;
    if (!wantsStream || open.streams >= world.streamsMax) return await page(world, reading, begin);
    open.streams += 1;
    try {
      body = begin({
        status: 200,
        headers: { ...safeHeaders, 'content-type': 'text/event-stream; charset=utf-8' },
      });
      await stream(world, body, reading);
      body.end();
    } finally {
      open.streams -= 1;
    }
  } catch (error) {
    // Once events went out there is no status to change: the reader connects again with its last id.
    if (body === undefined) refuse(world, event, error, begin);
    else {
      world.log.error('A stream broke.', { reason: error instanceof Error ? error.message : '' });
      body.end();
    }
  }
};

interface Serving {
  readonly event: APIGatewayProxyEvent;
  readonly out: Writable;
  readonly begin: Begin;
  readonly remainingMs: number;
}

export type StreamHandler = (
  event: APIGatewayProxyEvent,
  out: awslambda.HttpResponseStream,
  context: Context,
) => Promise<void>;

/** The function behind the runtime's wrapper: `begin` is what the runtime gives to set status and headers. */
export const servingOver = (world: StreamWorld): ((serving: Serving) => Promise<void>) => {
  const open = { streams: 0 };
  return (serving) => serve(world, open, serving);
};

const streaming = (serving: () => Promise<(serving: Serving) => Promise<void>>) =>
  awslambda.streamifyResponse<APIGatewayProxyEvent>(async (event, out, context) => {
    const begin: Begin = ({ status, headers }) =>
      awslambda.HttpResponseStream.from(out, { statusCode: status, headers });
    const remainingMs = context.getRemainingTimeInMillis();
    const answer = await serving();
    await answer({ event, out, begin, remainingMs });
  });

export const handlerFor = (substrate: Substrate) => {
  const serving = servingOver(streamWorldFrom(substrate));
  return streaming(async () => serving);
};

let served: ReturnType<typeof servingOver> | undefined;

/** Other libraries leave an empty stand-in of the runtime's global, so the function itself is what counts. */
const inLambda = (): boolean => {
  const runtime: unknown = Reflect.get(globalThis, 'awslambda');
  return typeof runtime === 'object' && runtime !== null && 'streamifyResponse' in runtime;
};

/** The Lambda entry; undefined where no Lambda runtime is (a test that imports this module). */
export const handler = inLambda()
  ? streaming(async () => {
      const { substrateFromProcess } = await deployed();
      served ??= servingOver(streamWorldFrom(substrateFromProcess()));
      return served;
    })
  : undefined;
