// Routines and schedules of a world that has none.
import type { Routines, Schedules } from '../../functions/ports/routines.ts';

export const noRoutines: Routines = {
  read: async () => undefined,
  records: async () => [],
  commit: async () => 'conflict',
  routinesOf: async () => ({ items: [], next: undefined }),
  history: async () => ({ items: [], next: undefined }),
};

export const noSchedules: Schedules = {
  put: async () => undefined,
  remove: async () => undefined,
  find: async () => undefined,
};
