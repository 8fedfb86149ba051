// Follows a conversation's log from one number on, for as long as it may: every event once, in order, without a gap.
// Owns: how soon a new event is noticed. Numbers have no gap (L17), so the next one is always the last plus one.
import type { StoredEvent } from '../core/event.ts';
import type { ConversationId } from '../core/ids.ts';
import type { StreamWorld } from '../wiring/stream.ts';

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

/** Waits for a nudge, or without one for the time of the next look. */
const waitForMore = async (
  { clock }: StreamWorld,
  nudged: Promise<void> | undefined,
  quietMs: number,
  mostMs: number,
): Promise<void> => {
  if (nudged === undefined) return clock.pause(Math.min(lookAfterMs(quietMs), mostMs));
  await Promise.race([nudged, clock.pause(Math.min(heartbeatMs, mostMs))]);
};

/** Batches of events as they come, and a sign of life when none did. Ends at `untilMs` or when the reader has left. */
export async function* follow(
  world: StreamWorld,
  following: Following,
): AsyncGenerator<Followed, void> {
  const { clock, store, nudge } = world;
  const { conversationId, untilMs, left } = following;
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
      await waitForMore(
        world,
        nudged,
        nowMs - lastEventMs,
        Math.max(1, Math.min(signDueMs, untilMs - nowMs)),
      );
    } finally {
      waiting.abort();
    }
  }
}
