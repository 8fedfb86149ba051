// Follows a conversation's numbered events: server-sent events while the server gives them, JSON pages otherwise, and again
// and again after a break, always from the last number seen. Owns: that no event is lost or handled twice.
import { createParser } from 'eventsource-parser';
import { paths } from './calls.ts';
import { headersFor, Problem, send } from './client.ts';
import { whenBack } from './connection.ts';
import type { Snapshot, StoredEvent } from './types.ts';

export type Connection = 'connecting' | 'live' | 'polling' | 'lost' | 'gone';

export interface Follower {
  /** Where things stand; what was known before may have a gap and is read anew. */
  snapshot(snapshot: Snapshot): void;
  event(event: StoredEvent): void;
  connection(connection: Connection): void;
}

interface Following {
  readonly id: string;
  readonly follower: Follower;
  readonly signal: AbortSignal;
  /** Number of the last event handled. */
  after: number | undefined;
  retryMs: number;
  failures: number;
}

const pollMs = 1_000;
const longestPauseMs = 15_000;

/** Over when the time is, when the follower leaves, or when the network or the server is there again. */
const pause = async (ms: number, signal: AbortSignal): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = (): void => resolve();
  const timer = setTimeout(end, ms);
  signal.addEventListener('abort', end, { once: true });
  addEventListener('online', end, { once: true });
  const leave = whenBack(end);
  await promise;
  clearTimeout(timer);
  signal.removeEventListener('abort', end);
  removeEventListener('online', end);
  leave();
};

const take = (following: Following, event: StoredEvent): void => {
  if (following.after !== undefined && event.number <= following.after) return;
  following.after = event.number;
  following.follower.event(event);
};

const readStream = async (following: Following, body: ReadableStream<Uint8Array<ArrayBuffer>>) => {
  const parser = createParser({
    onRetry: (ms) => {
      following.retryMs = ms;
    },
    onEvent: ({ event, data }) => {
      if (event === 'snapshot') {
        const snapshot: Snapshot = JSON.parse(data);
        following.after = snapshot.number;
        following.follower.snapshot(snapshot);
      } else {
        const stored: StoredEvent = JSON.parse(data);
        take(following, stored);
      }
    },
  });
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    following.failures = 0;
    parser.feed(value);
  }
};

interface EventPage {
  readonly events: readonly StoredEvent[];
  readonly next: number;
}

/** One page for a reader whom the server gives no stream. */
const takePage = async (following: Following, response: Response): Promise<void> => {
  following.follower.connection('polling');
  const page: EventPage = await response.json();
  for (const event of page.events) take(following, event);
  following.after = Math.max(following.after ?? 0, page.next);
  following.failures = 0;
  if (page.events.length === 0) await pause(pollMs, following.signal);
};

const connectOnce = async (following: Following): Promise<void> => {
  const { id, after, signal } = following;
  const place = after === undefined ? '' : `?after=${after}`;
  const response = await send(`${paths.events(id)}${place}`, {
    headers: headersFor({
      accept: 'text/event-stream, application/json;q=0.5',
      ...(after === undefined ? {} : { 'last-event-id': String(after) }),
    }),
    signal,
  });
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  if (!isStream || response.body === null) return takePage(following, response);
  following.follower.connection('live');
  await readStream(following, response.body);
  await pause(following.retryMs, signal);
};

const isFinal = (cause: unknown): boolean =>
  cause instanceof Problem && [401, 403, 404].includes(cause.status);

/** Follows until the signal aborts or the server says that there is nothing to follow. Never rejects. */
export const followEvents = async (
  id: string,
  follower: Follower,
  signal: AbortSignal,
): Promise<void> => {
  const following: Following = {
    id,
    follower,
    signal,
    after: undefined,
    retryMs: 500,
    failures: 0,
  };
  follower.connection('connecting');
  while (!signal.aborted) {
    try {
      await connectOnce(following);
    } catch (cause) {
      if (signal.aborted) return;
      if (isFinal(cause)) return follower.connection('gone');
      following.failures += 1;
      follower.connection('lost');
      await pause(Math.min(longestPauseMs, 500 * 2 ** following.failures), signal);
    }
  }
};
