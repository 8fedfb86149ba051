// A clock that runs with real time and can be put forward, so that a day of retention passes at once in an embedded twin.
// Owns: its timers. What the destination's own clock says is not touched by it.
import type { TwinClock } from '../../local/base/clock.ts';

export interface JumpingClock extends TwinClock {
  /** Puts the clock forward; timers that fall due fire, each in its turn. */
  jump(byMs: number): void;
}

/** Node's timers hold at most a signed 32-bit delay. */
const delayMsMax = 2 ** 31 - 1;

interface Waiting {
  readonly atMs: number;
  readonly fire: () => void;
  timer: NodeJS.Timeout | undefined;
}

export const jumpingClock = (aheadMs = 0): JumpingClock => {
  let offsetMs = aheadMs;
  const waiting = new Set<Waiting>();
  const now = (): number => Date.now() + offsetMs;
  const arm = (one: Waiting): void => {
    clearTimeout(one.timer);
    const leftMs = Math.max(0, one.atMs - now());
    one.timer = setTimeout(
      () => {
        if (now() < one.atMs) return arm(one);
        waiting.delete(one);
        one.fire();
      },
      Math.min(leftMs, delayMsMax),
    );
  };
  return {
    now,
    at: (atMs, fire) => {
      const one: Waiting = { atMs, fire, timer: undefined };
      waiting.add(one);
      arm(one);
      return () => {
        clearTimeout(one.timer);
        waiting.delete(one);
      };
    },
    jump: (byMs) => {
      offsetMs += byMs;
      for (const one of [...waiting].sort((a, b) => a.atMs - b.atMs)) arm(one);
    },
  };
};
