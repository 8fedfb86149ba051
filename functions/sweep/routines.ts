// Routines whose next occurrence should have a record by now, or whose schedule has not reached the Scheduler.
// Laws: L19 (every occurrence has a run or a recorded reason).
import { keep } from '../routine/keeping.ts';
import type { EventsWorld } from '../wiring/events.ts';

const routinesMax = 100;

export const sweepRoutines = async (world: EventsWorld): Promise<number> => {
  let taken = 0;
  const due = await world.deliveries.due('routine-clock', world.clock.now() + 1, routinesMax);
  for (const { routineId } of due) {
    try {
      taken += await keep(world, routineId);
    } catch (error) {
      world.log.warn('A routine could not be kept up; the next sweep tries again.', {
        routineId,
        cause: error instanceof Error ? error.message : String(error),
      });
    }
  }
  return taken;
};
