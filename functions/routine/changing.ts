// A person changes a routine: what was due before is settled under the old one, the change is stored, and the Scheduler is told.
// Owns: that order. What dies in between the sweep completes. Laws: L19.

import { TryAgain } from '../core/base/errors.ts';
import type { RoutineId } from '../core/base/ids.ts';
import { conflictTriesMax } from '../core/base/limits.ts';
import type { Versioned } from '../core/records/change.ts';
import type { Routine } from '../core/records/routine.ts';
import type { StoredRoutine } from '../ports/routines.ts';
import type { Log } from '../ports/world.ts';
import { applySchedule, type Ending, isSettled, type KeepingWorld, settle } from './keeping.ts';

export interface ChangingWorld extends KeepingWorld {
  readonly log: Log;
}

/** Tells the Scheduler now; should it not answer, the sweep does. */
export const applySoon = async (world: ChangingWorld, routineId: RoutineId): Promise<void> => {
  try {
    await applySchedule(world, routineId);
  } catch (error) {
    world.log.warn('The Scheduler could not be told of a routine; the sweep tells it.', {
      routineId,
      cause: error instanceof Error ? error.message : String(error),
    });
  }
};

/**
 * Changes a routine. `change` answers the routine as it should be, or undefined when it is so already; it may throw what
 * stands against it. Undefined when there is no such routine. Throws TryAgain.
 */
export const changeRoutine = async (
  world: ChangingWorld,
  routineId: RoutineId,
  change: (now: Versioned<Routine>) => Routine | undefined,
  ending?: Ending,
): Promise<StoredRoutine | undefined> => {
  for (let tries = 0; tries < conflictTriesMax; tries += 1) {
    const seen = await world.routines.read(routineId);
    if (seen === undefined || change(seen.routine) === undefined) return seen;
    const nowMs = world.clock.now();
    await settle(world, routineId, nowMs, ending);
    const stored = await world.routines.read(routineId);
    const item = stored && change(stored.routine);
    if (stored === undefined || item === undefined) return stored;
    // The change covers all that was due by now, so nothing of it may be without its record.
    if (!isSettled(stored, nowMs)) continue;
    const { clock, routine } = stored;
    const coveredMs = Math.max(clock.item.coveredMs, nowMs);
    const wanted = { ...clock.item, wanted: clock.item.wanted + 1, coveredMs, lookAtMs: nowMs };
    const done = await world.routines.commit([
      { do: 'replace', kind: 'routine', item, rev: routine.rev },
      { do: 'replace', kind: 'routine-clock', item: wanted, rev: clock.rev },
    ]);
    if (done === 'conflict') continue;
    await applySoon(world, routineId);
    return world.routines.read(routineId);
  }
  throw new TryAgain(`Others keep changing the routine ${routineId}. Nothing was written.`);
};
