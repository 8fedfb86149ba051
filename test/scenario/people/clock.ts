// A rig whose clock the test turns: months pass in moments, and only while nothing is under way. Owns: what "quiet" means.

import type { ToolRegistrationInput } from '../../../functions/core/registry/tool.ts';
import { type SimulatedClock, simulatedClock } from '../../../local/base/clock.ts';
import { type Client, clientOf } from '../../rig/client.ts';
import { openRig, type Rig, type RigOptions, type Scripts } from '../../rig/rig.ts';
import { until } from '../../rig/until.ts';

export const dayMs = 86_400_000;
export const startMs = Date.parse('2026-12-01T09:00:00Z');

export interface TurnedRig {
  readonly rig: Rig;
  readonly clock: SimulatedClock;
  /** Tokens end by the twin's clock, so each look takes a new one. */
  clientNow(): Promise<Client>;
  quiet(): Promise<void>;
  /** What the schedule would do every minute. */
  sweep(): Promise<void>;
  /** The run's end, with the machine's own short waits passing. */
  endOf(runId: string): Promise<Awaited<ReturnType<Client['run']>>>;
}

export const openTurnedRig = async (
  scripts: Scripts,
  tools?: (url: string) => readonly ToolRegistrationInput[],
  twin: RigOptions['twin'] = {},
): Promise<TurnedRig> => {
  let opened: Rig | undefined;
  const quiet = async (): Promise<void> => {
    if (opened === undefined) return;
    for (let turns = 0; turns < 3; turns += 1) {
      await new Promise<void>((done) => setImmediate(done));
      await opened.twin.settled();
      while (opened.twin.stepFunctions.residents() > 0)
        await new Promise<void>((done) => setImmediate(done));
    }
  };
  const clock = simulatedClock(startMs, quiet);
  const rig = await openRig({
    scripts,
    twin: { ...twin, clock, schedules: false },
    ...(tools === undefined ? {} : { tools }),
  });
  opened = rig;
  const clientNow = async (): Promise<Client> =>
    clientOf(rig.twin.url, await rig.twin.token('ana'));
  return {
    rig,
    clock,
    quiet,
    clientNow,
    sweep: async () => {
      const answer = await rig.twin.invoke('sweep', {});
      if (answer.functionError !== undefined) throw new Error(answer.payload);
      await quiet();
    },
    endOf: async (runId) => {
      const client = await clientNow();
      return until(`run ${runId} ends`, async () => {
        await clock.advance(1_000);
        const run = await client.run(runId);
        return run.state.status === 'finished' ? run : undefined;
      });
    },
  };
};
