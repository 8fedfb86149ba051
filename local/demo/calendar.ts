// The demo's MCP server under /mcp: a calendar whose write tool ignores keys, a read-only list, and a booking that first asks
// which room (`input_required`). Serves protocol 2026-07-28 and, without the booking, the older stateless one.
import { createHash } from 'node:crypto';
import {
  acceptedContent,
  type CallToolResult,
  createMcpHandler,
  createRequestStateCodec,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { type Done, failure, shownRecord } from './answers.ts';
import { accountOf, type Exchange, settleExchange } from './exchange.ts';
import { type Call, type Demo, type Outcome, perform } from './perform.ts';
import { digestOf } from './store.ts';

const eventInput = z.object({
  title: z.string().min(1).max(200),
  starts_at: z.iso.datetime({ offset: true }),
  ends_at: z.iso.datetime({ offset: true }).optional(),
  attendees: z.array(z.email()).max(50).default([]),
});
const eventSearch = z.object({ from: z.string().optional(), until: z.string().optional() });
const roomPreference = z.object({
  room: z.enum(['quiet', 'with_projector', 'near_reception']),
  remarks: z.string().max(300).optional(),
});
/** What the client carries between the two rounds of a booking. Signed, not encrypted. */
interface BookingState {
  readonly argumentsDigest: string;
}

const requestStateSeconds = 86_400;

interface Round {
  readonly demo: Demo;
  readonly exchange: Exchange;
  readonly account: string;
}

/** The handler of /mcp. `secret` also signs `requestState`, so that a restarted process still accepts it. */
export const mcpRoute = (demo: Demo, secret: string) => {
  const key = createHash('sha256').update(`requestState:${secret}`).digest();
  const codec = createRequestStateCodec<BookingState>({ key, ttlSeconds: requestStateSeconds });
  return async (request: Request, exchange: Exchange): Promise<Response> => {
    const round: Round = { demo, exchange, account: accountOf(request.headers) };
    const handler = createMcpHandler(({ era }) => {
      const server = new McpServer(
        { name: 'reprise-demo-calendar', version: '1.0.0' },
        { requestState: { verify: codec.verify } },
      );
      addCreate(server, round);
      addList(server, round);
      // The older protocol would need a session to ask back, so there the tool does not exist.
      if (era === 'modern') addBooking(server, round, codec.mint);
      return server;
    });
    return handler.fetch(request);
  };
};

const toolCall = async <Arguments>(
  round: Round,
  call: Pick<Call<Arguments>, 'operation' | 'schema' | 'input'>,
  work: (args: Arguments, nowMs: number) => Done,
): Promise<Outcome> => {
  const { demo, account } = round;
  return perform(demo, { ...call, service: 'mcp', account }, work);
};

const toolResult = ({ exchange }: Round, outcome: Outcome): CallToolResult => {
  settleExchange(exchange, outcome);
  if (outcome.kind === 'cut') return { content: [], isError: true };
  const { answer, by } = outcome;
  if (by === 'fault') exchange.replaced = answer;
  const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
  const failed = by === 'tool_fault' || answer.status >= 300;
  return {
    content: [{ type: 'text', text }],
    ...(typeof answer.body === 'object' && answer.body !== null
      ? { structuredContent: { ...answer.body } }
      : {}),
    ...(failed ? { isError: true } : {}),
  };
};

const newEvent = (
  { demo, account }: Round,
  body: Record<string, unknown>,
  createdAtMs: number,
): Done => {
  const record = demo.store.add({ kind: 'event', account }, { prefix: 'evn', createdAtMs, body });
  return {
    answer: { status: 200, body: { event: shownRecord(record) } },
    effect: { id: record.id },
  };
};

const addCreate = (server: McpServer, round: Round): void => {
  const operation = 'calendar_create_event';
  server.registerTool(
    operation,
    {
      title: 'Create a calendar event',
      description: 'Creates an event in the sales calendar. Every call creates another one.',
      inputSchema: eventInput,
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
    },
    async (input) => {
      const call = { operation, schema: eventInput, input };
      return toolResult(
        round,
        await toolCall(round, call, (args, nowMs) => newEvent(round, args, nowMs)),
      );
    },
  );
};

const addList = (server: McpServer, round: Round): void => {
  const operation = 'calendar_list_events';
  const { demo, account } = round;
  server.registerTool(
    operation,
    {
      title: 'List calendar events',
      description: 'Lists the events of the sales calendar that start from `from` until `until`.',
      inputSchema: eventSearch,
      annotations: { readOnlyHint: true },
    },
    async (input) => {
      const call = { operation, schema: eventSearch, input };
      const outcome = await toolCall(round, call, ({ from, until }) => {
        const events = demo.store
          .list({ kind: 'event', account })
          .filter(({ body }) => from === undefined || startOf(body) >= Date.parse(from))
          .filter(({ body }) => until === undefined || startOf(body) < Date.parse(until))
          .map(shownRecord);
        return { answer: { status: 200, body: { events } } };
      });
      return toolResult(round, outcome);
    },
  );
};

const startOf = (body: Record<string, unknown>): number => Date.parse(String(body.starts_at));

const addBooking = (
  server: McpServer,
  round: Round,
  mint: (state: BookingState) => Promise<string>,
): void => {
  const operation = 'calendar_book_room';
  const config = {
    title: 'Book a meeting room',
    description: 'Creates an event with a room; asks which kind of room before it books.',
    inputSchema: eventInput,
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
  };
  server.registerTool(operation, config, async (input, ctx) => {
    const call = { operation, schema: eventInput, input };
    const response = inputResponse(ctx.mcpReq.inputResponses, 'room_preference');
    if (response.kind === 'elicit' && response.action !== 'accept')
      return toolResult(round, await toolCall(round, call, () => declined(response.action)));
    const preference = roomChosen(ctx, input);
    if (preference === undefined) return askForRoom(round, call, mint);
    const outcome = await toolCall(round, call, (args, nowMs) =>
      newEvent(round, { ...args, ...preference }, nowMs),
    );
    return toolResult(round, outcome);
  });
};

const declined = (action: string): Done => ({
  answer: failure(
    409,
    'preference_declined',
    `The room preference was answered with ${action}; nothing was booked.`,
  ),
});

/** The answered preference, if it belongs to these arguments; the state was verified before. */
const roomChosen = (ctx: ServerContext, input: unknown) => {
  const state = ctx.mcpReq.requestState<BookingState>();
  return state?.argumentsDigest === digestOf(input)
    ? acceptedContent(ctx.mcpReq.inputResponses, 'room_preference', roomPreference)
    : undefined;
};

const askForRoom = async (
  round: Round,
  call: Pick<Call<z.output<typeof eventInput>>, 'operation' | 'schema' | 'input'>,
  mint: (state: BookingState) => Promise<string>,
): Promise<CallToolResult | InputRequiredResult> => {
  const requestState = await mint({ argumentsDigest: digestOf(call.input) });
  const outcome = await toolCall(round, call, () => ({
    answer: { status: 200, body: { asked: 'room_preference' } },
  }));
  const result = toolResult(round, outcome);
  if (outcome.kind === 'cut' || outcome.by !== 'work') return result;
  const message = 'Which kind of room do you prefer?';
  return inputRequired({
    requestState,
    inputRequests: {
      room_preference: inputRequired.elicit({ message, requestedSchema: roomPreference }),
    },
  });
};
