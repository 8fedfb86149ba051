// Routines in memory, beside the store in memory: the same port, the same conditions. Owns: nothing; its items are the store's.
import { keys } from '../../functions/adapters/dynamodb/keys.ts';
import type { Routine } from '../../functions/core/records/routine.ts';
import type { Routines } from '../../functions/ports/routines.ts';
import { type Memory, words } from './memory-store.ts';
import { failureOf, operationOf, requireOneEach } from './memory-writes.ts';

export interface RoutinesParts {
  readonly memory: Memory;
  /** Called with each routine once it is committed. */
  readonly onRoutine?: (routine: Routine) => void;
}

const placeOf = ({ pk, sk }: { readonly pk: string; readonly sk: string }): string => words(pk, sk);

export const memoryRoutines = ({ memory, onRoutine }: RoutinesParts): Routines => {
  const { items } = memory;
  return {
    read: async (routineId) => {
      const routine = items.routine.get(placeOf(keys.routine(routineId)));
      const clock = items['routine-clock'].get(placeOf(keys.routineClock(routineId)));
      return routine && clock && { routine, clock };
    },
    records: async (routineId, ids) =>
      ids.flatMap(
        (id) => items.occurrence.get(placeOf(keys.occurrence(routineId, id)))?.item ?? [],
      ),
    commit: async (writes) => {
      const operations = writes.map((write) => operationOf(memory, write, ''));
      requireOneEach(operations);
      if (failureOf(operations)) return 'conflict';
      for (const { apply } of operations) apply();
      for (const write of writes) if (write.kind === 'routine') onRoutine?.(write.item);
      return 'done';
    },
    routinesOf: async (workspace, limit) => ({
      items: [...items.routine.values()]
        .map(({ item }) => item)
        .filter((item) => item.workspace === workspace && item.state !== 'deleted')
        .slice(0, limit),
      next: undefined,
    }),
    history: async (routineId, limit) => ({
      items: [...items.occurrence.values()]
        .map(({ item }) => item)
        .filter((item) => item.routineId === routineId)
        .toSorted((a, b) => b.dueAt.localeCompare(a.dueAt))
        .slice(0, limit),
      next: undefined,
    }),
  };
};
