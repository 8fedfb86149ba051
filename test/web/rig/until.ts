// Waiting on a condition of the world outside the browser, and on a turn among test processes.
// Owns: the limit after which a test fails with what it waited for.
import { mkdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const everyMs = 50;
const limitMs = 60_000;

/** Resolves when the condition holds; rejects with `what` in the message after 60 seconds. */
export const until = async (what: string, holds: () => Promise<boolean>): Promise<void> => {
  const endMs = performance.now() + limitMs;
  while (!(await holds())) {
    if (performance.now() > endMs) throw new Error(`Waited in vain until ${what}.`);
    await pause(everyMs);
  }
};

/** A holder that is this old has died. */
const abandonedMs = 60_000;

/** Does the work while no other test process does work of that name. */
export const alone = async <Result>(name: string, work: () => Promise<Result>): Promise<Result> => {
  const lock = join(tmpdir(), `reprise-${name}.lock`);
  const taken = (): boolean => {
    try {
      mkdirSync(lock);
      return true;
    } catch {
      const held = statSync(lock, { throwIfNoEntry: false });
      if (held !== undefined && Date.now() - held.mtimeMs > abandonedMs)
        rmSync(lock, { recursive: true, force: true });
      return false;
    }
  };
  await until(`"${name}" was free`, async () => taken());
  try {
    return await work();
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
};
