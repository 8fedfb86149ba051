// Runs whose execution may be gone: never started, failed, stopped in the console, or ended while the run waits on nobody.
// Laws: L11 (a conversation is never blocked for ever), L14.
import { executionNameOf } from '../core/base/ids.ts';
import { waitingLookMs, workingLookMs } from '../core/base/limits.ts';
import { isEnded, type Run } from '../core/records/run.ts';
import type { EventsWorld } from '../wiring/events.ts';
import { whenDead } from './after-death.ts';

const runsMax = 100;

/** What the service says of the run's newest segment, and what follows. */
const look = async (
  world: EventsWorld,
  { runId, conversationId, segment }: Run,
): Promise<boolean> => {
  const name = executionNameOf(runId, segment);
  switch (await world.machine.describe(name)) {
    case 'running':
      return false;
    case undefined:
      // The start was lost; starting it again is the same start.
      await world.machine.start(name, { schema: 1, runId, conversationId, segment });
      return true;
    case 'stopped':
      return (await whenDead(world, runId, segment, 'stopped')) !== 'nothing';
    // An execution that succeeded without ending, parking or handing over its run died all the same.
    case 'succeeded':
    case 'failed':
      return (await whenDead(world, runId, segment, 'failed')) !== 'nothing';
  }
};

export const sweepRuns = async (world: EventsWorld): Promise<number> => {
  let taken = 0;
  let runsWaitingOnNobody = 0;
  const nowMs = world.clock.now();
  for (const { runId } of await world.deliveries.due('run', nowMs, runsMax)) {
    const run = (await world.store.read({ run: runId })).run?.item;
    if (!run || isEnded(run)) continue;
    const waits = run.state.status === 'waiting';
    if (!run.parked && (await look(world, run))) {
      taken += 1;
      if (waits) {
        runsWaitingOnNobody += 1;
        world.log.warn('A run waited, but nothing would have woken it; it was taken up.', {
          runId,
        });
      }
    }
    const againMs = waits ? waitingLookMs : workingLookMs;
    await world.deliveries.postpone('run', runId, nowMs + againMs);
  }
  world.measures.put({ runsWaitingOnNobody });
  return taken;
};
