// Waiting on a condition with a deadline: the only way in which these tests wait. Owns: the pace of looking.
import { vi } from 'vitest';

export const deadlineMs = 60_000;
const everyMs = 40;

/** Looks until `look` gives something; rejects at the deadline, naming what was waited for and the last trouble. */
export const until = <Seen>(
  what: string,
  look: () => Promise<Seen | undefined> | Seen | undefined,
  timeoutMs: number = deadlineMs,
): Promise<Seen> =>
  vi.waitFor(
    async () => {
      const seen = await look();
      if (seen === undefined) throw new Error(`It did not come about: ${what}.`);
      return seen;
    },
    { timeout: timeoutMs, interval: everyMs },
  );

/** Waits until the condition holds. */
export const holds = async (
  what: string,
  condition: () => Promise<boolean> | boolean,
  timeoutMs?: number,
): Promise<void> => {
  await until(what, async () => ((await condition()) ? true : undefined), timeoutMs);
};
