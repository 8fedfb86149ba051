// The Scheduler of a simulated world: it keeps what it was told last and says when that is due; who is called, how often and how
// late is the world's. Owns: the schedules as told, and their timers.
import type { RoutineId } from '../../functions/core/base/ids.ts';
import { readSchedule, type Timetable } from '../../functions/core/routines/schedule.ts';
import type { Schedules, WantedSchedule } from '../../functions/ports/routines.ts';
import type { Timeline } from './timeline.ts';

export interface SchedulerParts {
  readonly time: Timeline;
  /** That time is due; it is the world's whether anybody hears of it. */
  readonly due: (routineId: RoutineId, dueMs: number) => void;
}

const timetableOf = (told: WantedSchedule, nowMs: number): Timetable => {
  const { expression, zone, startMs, endMs } = told;
  const read = readSchedule({
    expression,
    zone,
    anchorMs: startMs ?? nowMs,
    ...(startMs === undefined ? {} : { startMs }),
    ...(endMs === undefined ? {} : { endMs }),
  });
  if (read.kind === 'timetable') return read.timetable;
  throw new Error(`The Scheduler was told ${expression} in ${zone}, which it refuses.`);
};

export const schedulerOf = ({ time, due }: SchedulerParts): Schedules => {
  const told = new Map<RoutineId, WantedSchedule>();
  const timers = new Map<RoutineId, () => void>();
  const arm = (schedule: WantedSchedule, timetable: Timetable, afterMs: number): void => {
    const { routineId } = schedule;
    const dueMs = timetable.next(afterMs);
    if (dueMs === undefined || !schedule.enabled) return;
    const fire = (): void => {
      arm(schedule, timetable, dueMs);
      due(routineId, dueMs);
    };
    timers.set(routineId, time.at(dueMs, fire, 'background'));
  };
  const forget = (routineId: RoutineId): void => {
    timers.get(routineId)?.();
    timers.delete(routineId);
    told.delete(routineId);
  };
  return {
    put: async (schedule) => {
      forget(schedule.routineId);
      told.set(schedule.routineId, schedule);
      arm(schedule, timetableOf(schedule, time.now()), time.now());
    },
    remove: async (routineId) => forget(routineId),
    find: async (routineId) => told.get(routineId),
  };
};
