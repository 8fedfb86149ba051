// One call of the API. Owns: the bearer token on it, the language asked for, the key that makes a repeat harmless, and
// turning a refusal into a Problem with the server's own words.
import { forget, session } from '../base/session.ts';
import { renew } from '../base/session-life.ts';
import { settings } from '../base/settings.ts';
import { watched } from './connection.ts';

/** A refusal as the API words it (RFC 9457), or a failure to reach it. */
export class Problem extends Error {
  override readonly name = 'Problem';
  /** HTTP status; 0 when no answer came. */
  readonly status: number;
  /** The last part of the problem's type, such as `already-answered`; `unreachable` when no answer came. */
  readonly slug: string;
  readonly title: string;
  readonly members: Readonly<Record<string, unknown>>;
  /** Which fields are wrong and why; none when that is not what it is about. `field` is a path, '' the whole. */
  readonly errors: readonly { readonly field: string; readonly reason: string }[];

  constructor(status: number, members: Readonly<Record<string, unknown>>) {
    const { type, title, detail } = members;
    super(typeof detail === 'string' ? detail : `${status}`);
    this.status = status;
    this.slug = typeof type === 'string' ? (type.split('/').at(-1) ?? '') : 'unreachable';
    this.title = typeof title === 'string' ? title : '';
    this.members = members;
    this.errors = Array.isArray(members.errors) ? members.errors : [];
  }
}

export const problemFrom = async (response: Response): Promise<Problem> => {
  const text = await response.text();
  try {
    const members: Record<string, unknown> = JSON.parse(text);
    return new Problem(response.status, members);
  } catch {
    return new Problem(response.status, { title: response.statusText, detail: text.slice(0, 300) });
  }
};

export const headersFor = (extra: Readonly<Record<string, string>> = {}): Headers => {
  const headers = new Headers({ 'accept-language': settings.get().language, ...extra });
  const { token } = session.get();
  if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
  return headers;
};

const once = async (path: string, init: RequestInit): Promise<Response> => {
  try {
    return await watched(path, init);
  } catch (cause) {
    if (init.signal?.aborted === true) throw cause;
    throw new Problem(0, { write: init.method !== undefined });
  }
};

/** The same request, its key included, with the token of now. */
const againWithToken = (path: string, init: RequestInit): Promise<Response> => {
  const headers = new Headers(init.headers);
  headers.set('authorization', `Bearer ${session.get().token ?? ''}`);
  return once(path, { ...init, headers });
};

const bearerIn = (init: RequestInit): string | undefined =>
  new Headers(init.headers).get('authorization')?.replace(/^Bearer /, '');

/** Rejects with Problem. After a 401 the token is renewed, once; when that fails, the page asks to sign in. */
export const send = async (path: string, init: RequestInit): Promise<Response> => {
  let response = await once(path, init);
  if (response.status === 401) {
    const renewal = await renew(bearerIn(init));
    if (renewal === 'unreachable') throw new Problem(0, { write: init.method !== undefined });
    if (renewal === 'renewed') response = await againWithToken(path, init);
    if (response.status === 401 && session.get().phase === 'in') forget('ended');
  }
  if (!response.ok) throw await problemFrom(response);
  return response;
};

const bodyOf = async <Answer>(response: Response): Promise<Answer> => response.json();

export const get = async <Answer>(path: string, signal?: AbortSignal): Promise<Answer> =>
  bodyOf<Answer>(await send(path, { headers: headersFor(), ...(signal ? { signal } : {}) }));

/** Whether the server has not said what became of it: it may have been done. */
const isUnsaid = (cause: unknown): boolean =>
  cause instanceof Problem &&
  (cause.status === 0 || cause.slug === 'request-in-flight' || cause.status >= 502);

/** The keys of what got no answer, by path and content: the same, sent again within this time, is the same intention. */
const unsaidKeys = new Map<string, { readonly key: string; readonly atMs: number }>();
const sameWithinMs = 900_000;

/**
 * `key` is made once per intention, so that a repeat after a lost answer does nothing new. That holds for who presses the same
 * button again too: what got no answer keeps its key until an answer comes.
 */
export const post = async <Answer>(path: string, body: object, key: string): Promise<Answer> => {
  const text = JSON.stringify(body);
  const intention = `${path} ${text}`;
  const unsaid = unsaidKeys.get(intention);
  const kept = unsaid !== undefined && Date.now() - unsaid.atMs < sameWithinMs ? unsaid.key : key;
  const headers = headersFor({ 'content-type': 'application/json', 'idempotency-key': kept });
  unsaidKeys.delete(intention);
  try {
    return await bodyOf<Answer>(await send(path, { method: 'POST', headers, body: text }));
  } catch (cause) {
    if (isUnsaid(cause)) unsaidKeys.set(intention, { key: kept, atMs: Date.now() });
    throw cause;
  }
};

export const remove = async <Answer>(path: string): Promise<Answer> =>
  bodyOf<Answer>(await send(path, { method: 'DELETE', headers: headersFor() }));

export const newKey = (): string => crypto.randomUUID();

/** Same key again: no answer, in flight, or busy. Anything else is a word that stands. */
export const worthRepeating = (tries: number, cause: unknown): boolean =>
  tries < 4 && isUnsaid(cause);

/** The same for what a person sends and waits for: without any answer it is soon given back to them. */
export const worthResending = (tries: number, cause: unknown): boolean =>
  worthRepeating(tries, cause) && (tries < 2 || (cause instanceof Problem && cause.status > 0));
