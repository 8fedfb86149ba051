// An operation of the API: its description and its handling, from one definition. The same schemas that are published check
// what comes in. Owns: the order of checks of every request, and what a POST's Idempotency-Key means.
// Laws: L13 (the caller is the session's).
// Tested in test/functions/api/http/openapi.test.ts.
import { z } from 'zod';
import { Defect } from '../../core/base/errors.ts';
import { type ApiIdentity, suffixFor } from '../../core/base/ids.ts';
import { digestOf, Json } from '../../core/base/json.ts';
import { messageBytesMax } from '../../core/base/limits.ts';
import type { ApiWorld } from '../../wiring/api.ts';
import type { OperationId } from '../identity/access.ts';
import { type Caller, mustMay } from '../identity/identity.ts';
import { fieldErrorsOf } from '../problems/field-errors.ts';
import type { Language } from '../problems/language.ts';
import { problem } from '../problems/problems.ts';
import type { ProblemSlug } from '../problems/words.ts';
import { jsonBody } from './body.ts';

export interface AnswerShape {
  readonly description: string;
  readonly schema: z.ZodType;
}

export interface Described {
  readonly operationId: OperationId;
  readonly method: 'get' | 'post' | 'delete';
  /** OpenAPI path template. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly answers: { readonly [status: number]: AnswerShape };
  /** Content types beside JSON. */
  readonly media?: readonly string[];
  /** Problems beyond those that every operation can answer. */
  readonly problems?: readonly ProblemSlug[];
  readonly example?: Json;
}

export interface Operation<Params, Query, Body> extends Described {
  readonly params: z.ZodType<Params>;
  readonly query: z.ZodType<Query>;
  /** POST only. */
  readonly body: z.ZodType<Body> | undefined;
}

/** One request, checked. */
export interface Call<Params, Query, Body> {
  readonly world: ApiWorld;
  readonly caller: Caller;
  readonly language: Language;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** 26 characters, the same for every repeat of this POST: ids of what it creates derive from it. */
  readonly suffix: string;
  header(name: string): string | undefined;
}

export interface Answer {
  readonly status: number;
  /** Anything that JSON.stringify makes JSON of. */
  readonly body: object;
  /** Another form of it, in place of JSON. */
  readonly as?: Media;
}

export interface Media {
  readonly contentType: string;
  readonly text: string;
  readonly language?: Language;
  /** What a browser lets it do; default nothing at all. */
  readonly policy?: string;
  readonly headers?: { readonly [name: string]: string };
}

/** A request as the app hands it in. */
export interface Incoming {
  readonly caller: Caller;
  readonly language: Language;
  readonly path: string;
  readonly params: { readonly [name: string]: string };
  readonly query: { readonly [name: string]: string };
  header(name: string): string | undefined;
  bytes(): Promise<ArrayBuffer>;
}

export interface Route {
  readonly described: Described;
  readonly schemas: {
    readonly params: z.ZodType;
    readonly query: z.ZodType;
    readonly body: z.ZodType | undefined;
  };
  respond(world: ApiWorld, incoming: Incoming): Promise<Answer & { readonly replayed?: boolean }>;
}

const keyOf = (header: string | undefined): string => {
  if (header === undefined || header === '') throw problem('idempotency-key-missing', {});
  // A structured-field string is quoted; most clients send the key bare.
  const quoted = /^"((?:[^"\\]|\\["\\])*)"$/.exec(header);
  const key = quoted ? (quoted[1] ?? '').replaceAll(/\\(["\\])/g, '$1') : header;
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) throw problem('idempotency-key-invalid', {});
  return key;
};

const parsed = <Value>(schema: z.ZodType<Value>, input: unknown, slug: ProblemSlug): Value => {
  const read = schema.safeParse(input);
  if (read.success) return read.data;
  if (slug === 'invalid-query' && read.error.issues.every(({ path }) => path[0] === 'cursor'))
    throw problem('bad-cursor', {});
  if (slug === 'invalid-query' || slug === 'invalid-body')
    throw problem(slug, {}, { errors: fieldErrorsOf(read.error, input) });
  // An id that cannot be one names nothing, as an unknown one does.
  throw problem('not-found', {});
};

type Remembered = Answer & { readonly replayed?: boolean };

/**
 * How a repeat of a POST reads its answer again, as it is by then. Remembered are those members of the answer alone that `ids`
 * has: what a person wrote is kept in one place, so that it is gone once it is erased there.
 */
export interface Again<Context, Ids> {
  readonly ids: z.ZodType<Ids>;
  read(context: Context, ids: Ids): Promise<object>;
}
/** What the request names is all there is to read by. */
export const noIds = z.object({});

const plainJson = (value: unknown): Json => Json.parse(JSON.parse(JSON.stringify(value)));

/** Runs a POST once per key; a repeat gets the first answer, read again where `again` says how. */
const remembered = async <Context, Ids>(
  { world, suffix }: { readonly world: ApiWorld; readonly suffix: string },
  payload: Json,
  make: () => Promise<Answer>,
  again: { readonly of: Again<Context, Ids>; readonly context: Context } | undefined,
): Promise<Remembered> => {
  let made: Answer | undefined;
  const once = await world.memory.once(suffix, digestOf(payload), async () => {
    made = await make();
    const { status, body } = made;
    return { status, body: plainJson(again ? again.of.ids.parse(body) : body) };
  });
  switch (once.kind) {
    case 'in_flight':
      throw problem('request-in-flight', {});
    case 'other_payload':
      throw problem('idempotency-key-reused', {});
    case 'answer': {
      const { status, body } = once.answer;
      if (body === null || typeof body !== 'object')
        throw new Defect('A remembered answer has no body.');
      const { replayed } = once;
      if (again === undefined) return { status, body, replayed };
      if (made !== undefined && !replayed) return { ...made, replayed };
      const { of, context } = again;
      return { status, body: await of.read(context, of.ids.parse(body)), replayed };
    }
  }
};

/** Makes a route of an operation and what it does. */
export const route = <Params, Query, Body, Ids = unknown>(
  operation: Operation<Params, Query, Body>,
  handle: (call: Call<Params, Query, Body>) => Promise<Answer>,
  again?: Again<NoInfer<Call<Params, Query, Body>>, Ids>,
): Route => ({
  described: operation,
  schemas: { params: operation.params, query: operation.query, body: operation.body },
  respond: async (world, incoming) => {
    const { caller, language } = incoming;
    mustMay(caller, operation.operationId);
    const params = parsed(operation.params, incoming.params, 'not-found');
    const query = parsed(operation.query, incoming.query, 'invalid-query');
    const { header } = incoming;
    const common = { world, caller, language, params, query, header };
    if (operation.body === undefined) {
      // Without a body schema Body is undefined, by the two constructors below.
      const body = undefined as Body;
      return handle({ ...common, body, suffix: '' });
    }
    const identity: ApiIdentity = {
      workspace: caller.workspace,
      subject: caller.author.subject,
      route: `POST ${incoming.path}`,
      idempotencyKey: keyOf(incoming.header('idempotency-key')),
    };
    const payload = jsonBody(await incoming.bytes(), incoming.header('content-type'));
    const body = parsed(operation.body, payload, 'invalid-body');
    // Characters are counted by the schemas; what is stored of them is JSON, and an item of the store holds no more.
    if (Buffer.byteLength(JSON.stringify(payload)) > messageBytesMax)
      throw problem('body-too-large', { bytesMax: messageBytesMax });
    const suffix = suffixFor(identity);
    const call = { ...common, body, suffix };
    const reading = again && { of: again, context: call };
    return remembered(call, payload, () => handle(call), reading);
  },
});

export const reading = <Params, Query>(
  operation: Omit<Operation<Params, Query, undefined>, 'body'>,
  handle: (call: Call<Params, Query, undefined>) => Promise<Answer>,
): Route => route({ ...operation, body: undefined }, handle);
