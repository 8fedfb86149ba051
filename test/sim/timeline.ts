// Simulated time: timers in order, promises settled in between, no real waiting. Same calls, same order, every time.
// Owns: the time of one world. A background timer (an approval that would expire in a week) keeps nobody awake.

export interface Timeline {
  /** Epoch milliseconds. */
  now(): number;
  pause(ms: number): Promise<void>;
  /** Calls back once at that time; returns its own cancelling. */
  at(atMs: number, fire: () => void, kind?: 'foreground' | 'background'): () => void;
  /** Runs until only background timers are left. Rejects when that never comes. */
  rest(): Promise<void>;
  /** Runs everything that is due up to a time, and stands there. */
  until(atMs: number): Promise<void>;
}

interface Timer {
  readonly atMs: number;
  readonly order: number;
  readonly fire: () => void;
  readonly keepsAwake: boolean;
}

/** Timers that one world may fire before it counts as never coming to rest. */
const firesMax = 20_000;

/** All promises that can go on have gone on: nothing in a simulated world waits for more than microtasks. */
const settled = (): Promise<void> => new Promise((done) => setImmediate(done));

export const timeline = (startMs: number): Timeline => {
  let nowMs = startMs;
  let orders = 0;
  let fires = 0;
  const timers: Timer[] = [];
  const insert = (timer: Timer): void => {
    const after = timers.findIndex(({ atMs }) => atMs > timer.atMs);
    timers.splice(after < 0 ? timers.length : after, 0, timer);
  };
  const fireFirst = async (): Promise<void> => {
    const timer = timers.shift();
    if (timer === undefined) return;
    fires += 1;
    if (fires > firesMax) throw new Error(`The world does not come to rest by ${nowMs}.`);
    nowMs = Math.max(nowMs, timer.atMs);
    timer.fire();
    await settled();
  };
  const at: Timeline['at'] = (atMs, fire, kind = 'foreground') => {
    orders += 1;
    // Clocks tell whole milliseconds.
    const timer = { atMs: Math.ceil(atMs), order: orders, fire, keepsAwake: kind === 'foreground' };
    insert(timer);
    return () => {
      const place = timers.indexOf(timer);
      if (place >= 0) timers.splice(place, 1);
    };
  };
  return {
    now: () => nowMs,
    pause: (ms) => new Promise((done) => void at(nowMs + ms, done)),
    at,
    rest: async () => {
      await settled();
      while (timers.some(({ keepsAwake }) => keepsAwake)) await fireFirst();
    },
    until: async (atMs) => {
      await settled();
      while ((timers[0]?.atMs ?? Number.POSITIVE_INFINITY) <= atMs) await fireFirst();
      nowMs = Math.max(nowMs, atMs);
    },
  };
};
