// Crash points armed by the environment: `REPRISE_CRASH_AT=perform.engaged:2` kills the process without warning at the
// second pass. Owns: the counting. Inert when the variable is absent.
import { type CrashPoint, crashPoints } from '../../functions/core/base/crash-points.ts';
import type { Crash } from '../../functions/ports/world.ts';

const isPoint = (name: string): name is CrashPoint => crashPoints.some((point) => point === name);

/** Throws Error when the value names no crash point or no positive count. */
export const crashFromEnvironment = (
  armed: string | undefined,
  kill: () => void = () => process.kill(process.pid, 'SIGKILL'),
): Crash => {
  if (armed === undefined || armed === '') return { at: () => undefined };
  const [name = '', count = '1'] = armed.split(':');
  const wanted = Number(count);
  if (!isPoint(name) || !Number.isInteger(wanted) || wanted < 1)
    throw new Error(
      `REPRISE_CRASH_AT is "${armed}". It must be a crash point (${crashPoints.join(', ')}), ` +
        'optionally followed by ":" and the pass to crash at, counted from 1.',
    );
  let passes = 0;
  return {
    at: async (point) => {
      if (point !== name) return;
      passes += 1;
      if (passes !== wanted) return;
      kill();
      // A signal to oneself is delivered a moment later; nothing may run in between.
      await new Promise<never>(() => undefined);
    },
  };
};
