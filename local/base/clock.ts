// The twin's only source of time and timers: a real one, and a simulated one that a test turns by hand.
// Owns: timers. Everything else in local/ asks here, so that a year can pass in a test.

/** Cancels the timer it was returned for; harmless when the timer has fired. */
export type CancelTimer = () => void;

export interface TwinClock {
  /** Epoch milliseconds. */
  now(): number;
  /** Calls `fire` once when `now() >= atMs`. Never calls it synchronously. */
  at(atMs: number, fire: () => void): CancelTimer;
  /** Its time passes only when it is told to. */
  readonly stands?: true;
}

/** Rivals for one item pause for at most this long to part from each other. */
const briefMs = 250;

/** Resolves after that long. On a clock that stands, a brief pause is a turn of the event loop: nobody turns it for rivals to part. */
export const pauseOn =
  (clock: TwinClock) =>
  (ms: number): Promise<void> =>
    new Promise((done) => {
      if (clock.stands === true && ms <= briefMs) setImmediate(done);
      else clock.at(clock.now() + ms, done);
    });

/** Node's timers hold at most a signed 32-bit delay; a longer one fires at once. */
const delayMsMax = 2 ** 31 - 1;

export const realClock = (): TwinClock => ({
  now: () => Date.now(),
  at: (atMs, fire) => {
    let timer: NodeJS.Timeout;
    const arm = (): void => {
      const delayMs = Math.max(0, atMs - Date.now());
      timer = setTimeout(
        () => (delayMs > delayMsMax ? arm() : fire()),
        Math.min(delayMs, delayMsMax),
      );
    };
    arm();
    return () => clearTimeout(timer);
  },
});

interface Waiting {
  readonly atMs: number;
  readonly order: number;
  readonly fire: () => void;
}

/**
 * A clock that stands still until told otherwise. `advance` fires due timers in order of time, then of registration,
 * letting pending promises settle between two of them. `settle` decides when the world is quiet (default: a few turns of
 * the event loop).
 */
export interface SimulatedClock extends TwinClock {
  advance(byMs: number): Promise<void>;
  /** The time of the next timer, or undefined when nothing waits. */
  nextAtMs(): number | undefined;
}

const fewTurns = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn += 1) await new Promise<void>((done) => setImmediate(done));
};

export const simulatedClock = (
  startMs: number,
  settle: () => Promise<void> = fewTurns,
): SimulatedClock => {
  let nowMs = startMs;
  let orders = 0;
  const waiting = new Set<Waiting>();
  const next = (): Waiting | undefined =>
    [...waiting].sort((a, b) => a.atMs - b.atMs || a.order - b.order)[0];
  const advance = async (byMs: number): Promise<void> => {
    const untilMs = nowMs + byMs;
    await settle();
    for (let due = next(); due !== undefined && due.atMs <= untilMs; due = next()) {
      waiting.delete(due);
      nowMs = Math.max(nowMs, due.atMs);
      due.fire();
      await settle();
    }
    nowMs = untilMs;
    await settle();
  };
  return {
    stands: true,
    now: () => nowMs,
    at: (atMs, fire) => {
      orders += 1;
      const entry: Waiting = { atMs, order: orders, fire };
      waiting.add(entry);
      return () => void waiting.delete(entry);
    },
    advance,
    nextAtMs: () => next()?.atMs,
  };
};
