// Waiting on a condition, with a limit that says what was waited for. Owns: the pace of looking.
import { setTimeout as pause } from 'node:timers/promises';

const everyMs = 60;

/** What was waited for did not come about in time. */
export class NotInTime extends Error {
  override readonly name = 'NotInTime';
}

/** Looks until `look` gives something. Rejects with NotInTime after `limitMs`, and at once with what `look` throws. */
export const until = async <Seen>(
  what: string,
  limitMs: number,
  look: () => Promise<Seen | undefined>,
): Promise<Seen> => {
  const endsAtMs = performance.now() + limitMs;
  for (;;) {
    const seen = await look();
    if (seen !== undefined) return seen;
    if (performance.now() > endsAtMs)
      throw new NotInTime(`${what} (waited ${Math.round(limitMs / 1_000)} s)`);
    await pause(everyMs);
  }
};
