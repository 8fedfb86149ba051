// Fire: EventBridge Scheduler calls it with a routine and the time that was due, at least once. Safe to repeat.
// Laws: L19.
import { z } from 'zod';
import { RoutineId } from '../core/base/ids.ts';
import type { Occurrence, Routine } from '../core/records/routine.ts';
import { dueNear, dueOccurrence, timetableOf, type Wanted } from '../core/routines/routine.ts';
import {
  lambdaHandler,
  lazily,
  type RoutineWorld,
  routineWorld,
  type Substrate,
} from '../wiring/routine.ts';
import { type FiringWorld, fireOccurrence } from './firing.ts';

/** What the schedule's target is sent. */
export const FireInput = z.object({
  schema: z.literal(1),
  routineId: RoutineId,
  scheduledTime: z.iso.datetime(),
});
export type FireInput = z.infer<typeof FireInput>;

/** The occurrence that a delivery means: one of exactly that time, should it have its record, else the nearest that is due. */
const meant = async (
  { routines }: FiringWorld,
  routine: Routine,
  deliveredMs: number,
): Promise<Wanted> => {
  const { routineId } = routine;
  const exact = dueOccurrence(routineId, deliveredMs);
  const dueMs = dueNear(timetableOf(routine), deliveredMs) ?? deliveredMs;
  if (dueMs === deliveredMs) return exact;
  // After a change the nearest one is another schedule's, and what was delivered may have run already.
  const [known] = await routines.records(routineId, [exact.occurrenceId]);
  return known === undefined ? dueOccurrence(routineId, dueMs) : exact;
};

export const fireDue = async (
  world: FiringWorld & Pick<RoutineWorld, 'log'>,
  { routineId, scheduledTime }: FireInput,
): Promise<Occurrence | undefined> => {
  await world.crash.at('fire.before');
  const stored = await world.routines.read(routineId);
  if (stored === undefined) {
    world.log.warn('A schedule fired for a routine that does not exist.', { routineId });
    return undefined;
  }
  const occurrence = await fireOccurrence(
    world,
    routineId,
    await meant(world, stored.routine.item, Date.parse(scheduledTime)),
  );
  await world.crash.at('fire.stored');
  return occurrence;
};

export const handlerFor = (substrate: Substrate) => {
  const world = routineWorld(substrate);
  return lambdaHandler(FireInput, substrate.log, async (input) => {
    const occurrence = await fireDue(world, input);
    return { outcome: occurrence?.outcome.kind ?? 'unknown' };
  });
};
export const handler = lazily(handlerFor);
