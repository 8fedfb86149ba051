// Follows a conversation's log from one number on, for as long as it may: every event once, in order, without a gap.
// Owns: how soon a new event is noticed. Numbers have no gap (L17), so the next one is always the last plus one.
// Tested in test/functions/api/stream/stream.test.ts.

import type { ConversationId } from '../../core/base/ids.ts';
import type { StoredEvent } from '../../core/records/event.ts';
import type { StreamWorld } from '../../wiring/stream.ts';

const eventsPerRead = 200;
/** A quiet stream says something this often, so that nothing on the way takes it for dead. */
const heartbeatMs = 15_000;

/** The longer nothing has happened, the longer until the next look: milliseconds since the last event → until the look. */
const looks: readonly { readonly quietMs: number; readonly everyMs: number }[] = [
  { quietMs: 2_000, everyMs: 50 },
  { quietMs: 15_000, everyMs: 250 },
  { quietMs: 60_000, everyMs: 1_000 },
];
const looksRarelyMs = 2_000;

const lookAfterMs = (quietMs: number): number =>
  looks.find((look) => quietMs < look.quietMs)?.everyMs ?? looksRarelyMs;

export type Followed =
  | { readonly kind: 'events'; readonly events: readonly StoredEvent[] }
  | { readonly kind: 'quiet' };

export interface Following {
  readonly conversationId: ConversationId;
  /** Number of the last event that the reader has. */
  readonly after: number;
  /** Epoch milliseconds at which to end. */
  readonly untilMs: number;
  /** Aborts when the reader has left. */
  readonly left: AbortSignal;
}

/** Resolves when the reader leaves. */
const leaving = (left: AbortSignal): Promise<void> =>
  new Promise((gone) => {
    if (left.aborted) gone();
    else left.addEventListener('abort', () => gone(), { once: true });
  });

/** How long until the next look: with nudges only as long as a quiet stream may stay silent. */
const pauseMs = (nudged: boolean, quietMs: number, mostMs: number): number =>
  Math.max(1, Math.min(nudged ? heartbeatMs : lookAfterMs(quietMs), mostMs));

/** Batches of events as they come, and a sign of life when none did. Ends at `untilMs` or when the reader has left. */
export async function* follow(
  world: StreamWorld,
  following: Following,
): AsyncGenerator<Followed, void> {
  const { clock, store, nudge } = world;
  const { conversationId, untilMs, left } = following;
  const gone = leaving(left);
  let { after } = following;
  let lastEventMs = clock.now();
  let lastSignMs = clock.now();
  while (!left.aborted && clock.now() < untilMs) {
    const waiting = new AbortController();
    // Asked for before the look: what is written in between is not missed.
    const nudged = nudge?.(conversationId, AbortSignal.any([waiting.signal, left]));
    try {
      const events = await store.eventsAfter(conversationId, after, eventsPerRead);
      const last = events.at(-1);
      const nowMs = clock.now();
      if (last !== undefined) {
        after = last.number;
        lastEventMs = nowMs;
        lastSignMs = nowMs;
        yield { kind: 'events', events };
        continue;
      }
      if (nowMs - lastSignMs >= heartbeatMs) {
        lastSignMs = nowMs;
        yield { kind: 'quiet' };
      }
      const signDueMs = lastSignMs + heartbeatMs - nowMs;
      const mostMs = Math.min(signDueMs, untilMs - nowMs);
      await Promise.race([
        ...(nudged === undefined ? [] : [nudged]),
        clock.pause(pauseMs(nudged !== undefined, nowMs - lastEventMs, mostMs)),
        gone,
      ]);
    } finally {
      waiting.abort();
    }
  }
}
