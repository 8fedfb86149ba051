// A Scheduler in memory that fires nothing: what it was told last, and how to make it fail.
import type { Schedules, WantedSchedule } from '../../functions/ports/routines.ts';

export interface MemorySchedules extends Schedules {
  readonly told: ReadonlyMap<string, WantedSchedule>;
  /** While true every call fails. */
  down: boolean;
}

export const memorySchedules = (): MemorySchedules => {
  const told = new Map<string, WantedSchedule>();
  const schedules: MemorySchedules = {
    told,
    down: false,
    put: async (schedule) => {
      requireUp();
      told.set(schedule.routineId, schedule);
    },
    remove: async (routineId) => {
      requireUp();
      told.delete(routineId);
    },
    find: async (routineId) => {
      requireUp();
      return told.get(routineId);
    },
  };
  const requireUp = (): void => {
    if (schedules.down) throw new Error('The Scheduler does not answer.');
  };
  return schedules;
};
