// Streams for clients of other protocols: AG-UI 1.0 and the AI SDK 7's UI message stream, over our own durable log. What a client
// posts becomes messages and answers of the API first; then its stream tells the strand of that message until the run pauses or
// ends. A client that goes away stops nothing. Owns: the entry, and how such a stream begins and ends. Laws: L11, L12, L13.
// Tested in test/functions/api/clients/ai-sdk.test.ts.
import type { Writable } from 'node:stream';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { z } from 'zod';
import type { Unkept } from '../core/base/exact-json.ts';
import { AgentId } from '../core/base/ids.ts';
import { at, type Json } from '../core/base/json.ts';
import { type ClientsWorld, clientsWorldFrom, type Substrate } from '../wiring/clients.ts';
import { runAgUi } from './clients/ag-ui.ts';
import { resumeAiSdk, runAiSdk } from './clients/ai-sdk.ts';
import { sse, type Telling, tellStrand } from './clients/tell.ts';
import { historyBytesMax, jsonBody } from './http/body.ts';
import { clientPaths } from './http/operation-clients.ts';
import type { OperationId } from './identity/access.ts';
import type { Caller } from './identity/identity.ts';
import { fieldErrorsOf } from './problems/field-errors.ts';
import { problem } from './problems/problems.ts';
import { RunInput } from './projections/ag-ui-input.ts';
import { ChatInput } from './projections/ai-sdk-input.ts';
import { ClientId } from './projections/said.ts';
import {
  callerOf,
  headerOf,
  lateAfter,
  leavingOf,
  type Reader,
  refuse,
  type Serving,
  safeHeaders,
  streamedEntry,
  streamHeaders,
  streaming,
  untilMsOf,
  write,
} from './stream/streaming.ts';

interface Asked {
  readonly world: ClientsWorld;
  readonly caller: Caller;
  readonly agentId: AgentId;
  readonly event: APIGatewayProxyEvent;
}

/**
 * A client's history is its own display, and a thread must not close because of what stands in it. What is answered is refused
 * where it cannot be kept exactly: AG-UI's `resume`, and the AI SDK's message that is newest or goes on. Laws: L6.
 */
const isHistory = ({ path, is }: Unkept, body: Json): boolean => {
  const [root, index = ''] = path.split('.');
  if (root === 'resume') return false;
  if (is === 'half' && /\.(?:text|content)$/.test(path)) return true;
  if (root !== 'messages') return root !== 'message';
  const messages = at(body, 'messages');
  const isNewest = Array.isArray(messages) && Number(index) === messages.length - 1;
  const goesOn = at(body, `messages.${index}.id`) === at(body, 'messageId');
  return !isNewest && !goesOn;
};

const bodyOf = <Body>(schema: z.ZodType<Body>, event: APIGatewayProxyEvent): Body => {
  const bytes = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
  const whole = new Uint8Array(bytes).buffer;
  const given = jsonBody(whole, headerOf(event, 'content-type'), historyBytesMax, isHistory);
  const read = schema.safeParse(given);
  if (read.success) return read.data;
  throw problem('invalid-body', {}, { errors: fieldErrorsOf(read.error, given) });
};

interface Operation {
  readonly operationId: OperationId;
  readonly method: 'GET' | 'POST';
  /** What is to be told; undefined when there is nothing now. */
  telling(asked: Asked): Promise<Telling | undefined>;
}

const operations: { readonly [Path in (typeof clientPaths)[keyof typeof clientPaths]]: Operation } =
  {
    [clientPaths.agUi]: {
      operationId: 'runAgUi',
      method: 'POST',
      telling: ({ world, caller, agentId, event }) =>
        runAgUi(world, caller, agentId, bodyOf(RunInput, event)),
    },
    [clientPaths.aiSdk]: {
      operationId: 'runAiSdk',
      method: 'POST',
      telling: ({ world, caller, agentId, event }) =>
        runAiSdk(world, caller, agentId, bodyOf(ChatInput, event)),
    },
    [clientPaths.aiSdkStream]: {
      operationId: 'resumeAiSdk',
      method: 'GET',
      telling: ({ world, caller, agentId, event }) => {
        const threadId = ClientId.safeParse(event.pathParameters?.threadId);
        if (!threadId.success) throw problem('not-found', {});
        return resumeAiSdk(world, caller, agentId, threadId.data);
      },
    },
  };

const operationOf = (event: APIGatewayProxyEvent): Operation => {
  const path = Object.values(clientPaths).find((each) => each === event.resource);
  if (path === undefined) throw problem('not-found', {});
  const operation = operations[path];
  const { method } = operation;
  if (event.httpMethod !== method)
    throw problem('method-not-allowed', { allowed: method }, { headers: { allow: method } });
  return operation;
};

const agentOf = (event: APIGatewayProxyEvent): AgentId => {
  const id = AgentId.safeParse(event.pathParameters?.agentId);
  if (!id.success) throw problem('not-found', {});
  return id.data;
};

const broken = 'The stream broke. The run goes on: connect again.';

/** Serves one request; never rejects. */
const serve = async (
  world: ClientsWorld,
  open: { streams: number },
  serving: Serving,
): Promise<void> => {
  const { event, out, begin, remainingMs } = serving;
  const left = leavingOf(out);
  let reader: Reader = { left, late: async () => undefined };
  let telling: Telling | undefined;
  let body: Writable | undefined;
  // Counted from before anything is posted: what cannot be told is not taken either.
  open.streams += 1;
  try {
    const operation = operationOf(event);
    const caller = callerOf(event, operation.operationId);
    if (open.streams > world.streamsMax) throw problem('busy', {});
    const untilMs = untilMsOf(world.clock, caller, remainingMs);
    reader = { left, late: lateAfter(world.clock, untilMs) };
    telling = await operation.telling({ world, caller, agentId: agentOf(event), event });
    if (telling === undefined) {
      begin({ status: 204, headers: safeHeaders }).end();
      return;
    }
    body = begin({ status: 200, headers: { ...streamHeaders, ...telling.speaker.headers } });
    await tellStrand(world, telling, { body, reader, untilMs });
    body.end(telling.speaker.closing);
  } catch (error) {
    if (body === undefined) return refuse(world.log, serving, error);
    world.log.error('A stream broke.', { reason: error instanceof Error ? error.message : '' });
    const said = telling?.speaker.tell({ beat: 'ended', reason: 'broken', detail: broken }) ?? [];
    await write(body, reader, sse(said));
    body.end(telling?.speaker.closing ?? '');
  } finally {
    open.streams -= 1;
  }
};

export const servingOver = (world: ClientsWorld): ((serving: Serving) => Promise<void>) => {
  const open = { streams: 0 };
  return (serving) => serve(world, open, serving);
};

export const handlerFor = (substrate: Substrate) => {
  const serving = servingOver(clientsWorldFrom(substrate));
  return streaming(async () => serving);
};

export const handler = streamedEntry((substrate) => servingOver(clientsWorldFrom(substrate)));
