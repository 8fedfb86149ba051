// The live events of a conversation: server-sent events over Lambda response streaming, or a page of JSON.
// Owns: the entry, who may read, and how a stream begins and ends. Writes nothing.
// Tested in test/functions/api/stream/stream.test.ts.
import type { Writable } from 'node:stream';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { z } from 'zod';
import { ConversationId } from '../core/base/ids.ts';
import type { Conversation } from '../core/records/conversation.ts';
import { type StreamWorld, type Substrate, streamWorldFrom } from '../wiring/stream.ts';
import { ours } from './http/found.ts';
import type { Caller } from './identity/identity.ts';
import { fieldErrorsOf } from './problems/field-errors.ts';
import type { Language } from './problems/language.ts';
import { type FieldError, problem } from './problems/problems.ts';
import { follow } from './stream/follow.ts';
import { snapshotOf } from './stream/snapshot.ts';
import {
  type Begin,
  callerOf,
  headerOf,
  lateAfter,
  leavingOf,
  type Reader,
  refuse,
  type Serving,
  safeHeaders,
  stillHere,
  streamedEntry,
  streamHeaders,
  streaming,
  untilMsOf,
  write,
} from './stream/streaming.ts';

/** How long a reader waits before it connects again. */
const retryMs = 1_000;
const eventsPerPage = 500;

/** As an object's field, so that what is wrong with it is told by its name. */
const Position = z.object({ after: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER) });

/** The number the reader names, or undefined. A reader that reconnects by itself sends the header: it is the newer word. */
const positionOf = (event: APIGatewayProxyEvent): number | undefined => {
  const given = headerOf(event, 'last-event-id') ?? event.queryStringParameters?.after;
  if (given === undefined || given === '') return undefined;
  const read = Position.safeParse({ after: given });
  if (!read.success)
    throw problem('invalid-query', {}, { errors: fieldErrorsOf(read.error, { after: given }) });
  return read.data.after;
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

const eventText = (id: number, type: string, data: object): string =>
  `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`;

interface Reading {
  readonly caller: Caller;
  readonly conversation: Conversation;
  /** Number of the last event that the reader has; undefined for one that has seen nothing. */
  readonly position: number | undefined;
  readonly untilMs: number;
  readonly reader: Reader;
}

const stream = async (world: StreamWorld, body: Writable, reading: Reading): Promise<void> => {
  const { conversation, reader, untilMs } = reading;
  const { left } = reader;
  const { conversationId, eventNumber } = conversation;
  await write(body, reader, `retry: ${retryMs}\n\n`);
  // A number that was never given out is of another log: such a reader begins anew.
  const known = reading.position !== undefined && reading.position <= eventNumber;
  let after = known ? (reading.position ?? 0) : eventNumber;
  if (!known) {
    const snapshot = await snapshotOf(world, conversation, reading.caller);
    after = snapshot.number;
    await write(body, reader, eventText(after, 'snapshot', snapshot));
  }
  for await (const next of follow(world, { conversationId, after, untilMs, left })) {
    const text =
      next.kind === 'quiet'
        ? stillHere
        : next.events.map((event) => eventText(event.number, event.body.type, event)).join('');
    await write(body, reader, text);
  }
  await write(body, reader, `: connect again\nretry: ${retryMs}\n\n`);
};

const beyondEnd =
  (last: number) =>
  (language: Language): readonly FieldError[] => [
    {
      field: 'after',
      code: 'beyond_end',
      reason:
        language === 'fr'
          ? `Le dernier événement de cette conversation porte le numéro ${last} ; ce numéro-ci n’en vient pas. Donnez celui du dernier événement vu, ou 0.`
          : `The last event of this conversation is number ${last}; this number is not from it. Give that of the last event seen, or 0.`,
    },
  ];

const page = async (world: StreamWorld, reading: Reading, begin: Begin): Promise<void> => {
  const { conversationId, eventNumber } = reading.conversation;
  const after = reading.position ?? 0;
  // A stream begins anew there, with a snapshot; a poller would wait for ever for what comes after.
  if (after > eventNumber) throw problem('invalid-query', {}, { errors: beyondEnd(eventNumber) });
  const events = await world.store.eventsAfter(conversationId, after, eventsPerPage);
  const next = events.at(-1)?.number ?? after;
  const headers = { ...safeHeaders, 'content-type': 'application/json' };
  begin({ status: 200, headers }).end(JSON.stringify({ events, next }));
};

/** Serves one request; never rejects. `out` is the function's response stream, `begin` sets the head on it. */
const serve = async (
  world: StreamWorld,
  open: { streams: number },
  serving: Serving,
): Promise<void> => {
  const { event, out, begin, remainingMs } = serving;
  const left = leavingOf(out);
  let body: Writable | undefined;
  try {
    const caller = callerOf(event, 'readEvents');
    const position = positionOf(event);
    const conversation = await conversationOf(world, event, caller);
    const untilMs = untilMsOf(world.clock, caller, remainingMs);
    const reader: Reader = { left, late: lateAfter(world.clock, untilMs) };
    const reading: Reading = { caller, conversation, position, untilMs, reader };
    const wantsStream = headerOf(event, 'accept')?.includes('text/event-stream') === true;
    if (!wantsStream || open.streams >= world.streamsMax) return await page(world, reading, begin);
    open.streams += 1;
    try {
      body = begin({ status: 200, headers: streamHeaders });
      await stream(world, body, reading);
      body.end();
    } finally {
      open.streams -= 1;
    }
  } catch (error) {
    // Once events went out there is no status to change: the reader connects again with its last id.
    if (body === undefined) refuse(world.log, serving, error);
    else {
      world.log.error('A stream broke.', { reason: error instanceof Error ? error.message : '' });
      body.end();
    }
  }
};

export const servingOver = (world: StreamWorld): ((serving: Serving) => Promise<void>) => {
  const open = { streams: 0 };
  return (serving) => serve(world, open, serving);
};

export const handlerFor = (substrate: Substrate) => {
  const serving = servingOver(streamWorldFrom(substrate));
  return streaming(async () => serving);
};

export const handler = streamedEntry((substrate) => servingOver(streamWorldFrom(substrate)));
