// Fire: EventBridge Scheduler calls it with a routine and the time that was due, at least once. Safe to repeat.
// Laws: L19.
import { z } from 'zod';
import { RoutineId } from '../core/ids.ts';
import { dueNear, dueOccurrence, type Occurrence, timetableOf } from '../core/routine.ts';
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
  const deliveredMs = Date.parse(scheduledTime);
  const dueMs = dueNear(timetableOf(stored.routine.item), deliveredMs) ?? deliveredMs;
  const occurrence = await fireOccurrence(world, routineId, dueOccurrence(routineId, dueMs));
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
