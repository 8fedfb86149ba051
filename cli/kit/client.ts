// The API as the command line speaks to it: one request, one parsed answer, and the API's own words when it refuses.
// Owns: keys of requests, and what counts as an answer. Works alike against the twin and a deployed API.
import { z } from 'zod';
import { type Language, sayIn } from './speech.ts';

export interface Access {
  /** Without a slash at the end. */
  readonly url: string;
  readonly token: string;
  /** A token in place of one that has ended, for commands that go on for hours; undefined when there is none. */
  readonly renew?: () => Promise<string | undefined>;
  /** The language of titles and details. */
  readonly language: Language;
}

export const Problem = z.looseObject({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string().optional(),
  errors: z.array(z.looseObject({ field: z.string(), reason: z.string() })).optional(),
});
export type Problem = z.infer<typeof Problem>;

/** The API said no. What it said is kept whole. */
export class ApiRefusal extends Error {
  override readonly name = 'ApiRefusal';
  readonly problem: Problem;
  constructor(problem: Problem) {
    super(problem.detail ?? problem.title);
    this.problem = problem;
  }
}

/** The API could not be reached, or what answered is no Reprise. */
export class ApiUnreachable extends Error {
  override readonly name = 'ApiUnreachable';
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface Answer {
  readonly status: number;
  readonly text: string;
}

export interface More {
  /** What is wanted (default JSON). */
  readonly accept?: string;
  /** The request's key: the same one again is the same request (default: a new one). */
  readonly key?: string;
}

export interface Client {
  readonly url: string;
  /** Whatever the answer. Rejects with ApiUnreachable when there is none. */
  raw(method: Method, path: string, body?: unknown, more?: More): Promise<Answer>;
  /** Rejects with ApiRefusal when the API refuses. */
  ask<Schema extends z.ZodType>(
    schema: Schema,
    method: Method,
    path: string,
    body?: unknown,
    key?: string,
  ): Promise<z.output<Schema>>;
  get<Schema extends z.ZodType>(schema: Schema, path: string): Promise<z.output<Schema>>;
  post<Schema extends z.ZodType>(
    schema: Schema,
    path: string,
    body?: unknown,
  ): Promise<z.output<Schema>>;
  /** All items of a list, page after page, at most `most`. */
  all<Item>(item: z.ZodType<Item>, path: string, most?: number): Promise<Item[]>;
}

/** Lists whose next page is asked for by a number of their own, in place of `cursor`. */
const numbered: readonly (readonly [path: RegExp, parameter: string])[] = [
  [/^\/v1\/runs\/[^/?]+\/(?:actions|steps)(?:\?|$)/, 'afterStep'],
  [/^\/v1\/conversations\/[^/?]+\/messages(?:\?|$)/, 'after'],
];
const furtherBy = (path: string): string =>
  numbered.find(([form]) => form.test(path))?.[1] ?? 'cursor';

const parsed = (text: string): unknown => {
  try {
    return text === '' ? {} : JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** A problem as the API wrote it, or one made of an answer that is none. */
export const problemIn = ({ status, text }: Answer): Problem => {
  const said = Problem.safeParse(parsed(text));
  if (said.success) return said.data;
  const detail = text.trim() === '' ? undefined : text.trim().slice(0, 500);
  return {
    type: 'about:blank',
    title: `HTTP ${status}`,
    status,
    ...(detail === undefined ? {} : { detail }),
  };
};

const reasonOf = (cause: unknown): string => {
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
  return inner instanceof Error ? inner.message : String(inner);
};

export const clientOf = ({ url, token: first, renew, language }: Access): Client => {
  let token = first;
  const say = sayIn(language);
  const once: Client['raw'] = async (
    method,
    path,
    body,
    { accept = 'application/json', key } = {},
  ) => {
    try {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          accept,
          'accept-language': language,
          ...(method === 'GET' ? {} : { 'idempotency-key': key ?? crypto.randomUUID() }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: response.status, text: await response.text() };
    } catch (cause) {
      const why = reasonOf(cause);
      throw new ApiUnreachable(
        say(`No answer from ${url}: ${why}.`, `Pas de réponse de ${url} : ${why}.`),
      );
    }
  };
  const raw: Client['raw'] = async (method, path, body, more = {}) => {
    // The same key both times: a repeat is the same request.
    const keyed = { ...more, key: more.key ?? crypto.randomUUID() };
    const answer = await once(method, path, body, keyed);
    const next = answer.status === 401 ? await renew?.() : undefined;
    if (next === undefined || next === token) return answer;
    token = next;
    return once(method, path, body, keyed);
  };
  const ask: Client['ask'] = async (schema, method, path, body, key) => {
    const answer = await raw(method, path, body, key === undefined ? {} : { key });
    if (answer.status >= 300) throw new ApiRefusal(problemIn(answer));
    const read = schema.safeParse(parsed(answer.text));
    if (read.success) return read.data;
    throw new ApiUnreachable(
      say(
        `${url}${path} answered in a form this command does not know: ${z.prettifyError(read.error)}`,
        `${url}${path} a répondu sous une forme que cette commande ne connaît pas : ${z.prettifyError(read.error)}`,
      ),
    );
  };
  return {
    url,
    raw,
    ask,
    get: (schema, path) => ask(schema, 'GET', path),
    post: (schema, path, body = {}) => ask(schema, 'POST', path, body),
    all: async (item, path, most = 1_000) => {
      const page = z.looseObject({ items: z.array(item), next: z.string().optional() });
      const items: z.output<typeof item>[] = [];
      let next: string | undefined;
      do {
        const mark = path.includes('?') ? '&' : '?';
        const query =
          next === undefined ? '' : `${mark}${furtherBy(path)}=${encodeURIComponent(next)}`;
        const got = await ask(page, 'GET', `${path}${query}`);
        items.push(...got.items);
        next = got.next;
      } while (next !== undefined && items.length < most);
      return items.slice(0, most);
    },
  };
};
