// Those who keep routines in a simulated world: they make, pause, resume, change, delete and run them, each an invocation as the
// API's is, said again with the same key when it died. Owns: their deeds, and when a change of a routine was under way.
import { type ConversationId, OccurrenceId, RoutineId } from '../../functions/core/base/ids.ts';
import type { Occurrence, Routine, RoutineContent } from '../../functions/core/records/routine.ts';
import { applySoon, changeRoutine } from '../../functions/routine/changing.ts';
import { fireOccurrence } from '../../functions/routine/firing.ts';
import type { Ending } from '../../functions/routine/keeping.ts';
import { workspace } from './contracts.ts';
import { ana } from './people.ts';
import type { Timeline } from './timeline.ts';
import type { World, Worlds } from './world.ts';

export interface Keepers {
  make(number: number, content: RoutineContent): Promise<RoutineId>;
  put(routineId: RoutineId, state: Routine['state']): Promise<void>;
  change(routineId: RoutineId, more: Partial<RoutineContent>): Promise<void>;
  /** The same key is the same occurrence. */
  runNow(routineId: RoutineId, key: string): Promise<Occurrence | undefined>;
}

export interface KeepersParts {
  readonly time: Timeline;
  readonly world: World;
  /** Tries of somebody whose call did not come back. */
  readonly triesMax: number;
  /** From then on until now somebody was changing it. */
  readonly onChanged?: (routineId: RoutineId, beganMs: number) => void;
}

/** Apart from the ids that the world counts up. */
const suffixOf = (key: string): string => `Z${key.padStart(25, '0')}`;
const isoOf = (ms: number): string => new Date(ms).toISOString();

export const keepersOf = ({ time, world, triesMax, onChanged }: KeepersParts): Keepers => {
  const call = async <Output>(
    name: string,
    body: (worlds: Worlds) => Promise<Output>,
    tries = 1,
  ): Promise<Output> => {
    try {
      return await world.invoke(name, body);
    } catch (error) {
      if (tries >= triesMax) throw error;
      await time.pause(2_000);
      return call(name, body, tries + 1);
    }
  };
  const changing = async (
    routineId: RoutineId,
    change: (routine: Routine) => Routine | undefined,
    ending?: Ending,
  ): Promise<void> => {
    const beganMs = time.now();
    try {
      await call('change', (worlds) =>
        changeRoutine(worlds, routineId, ({ item }) => change(item), ending),
      );
    } finally {
      onChanged?.(routineId, beganMs);
    }
  };
  const changed = () => ({ changedAt: isoOf(time.now()), changedBy: ana });
  return {
    make: async (number, content) => {
      const routineId = RoutineId.parse(`rtn_${suffixOf(String(number))}`);
      const base = { schema: 1 as const, workspace, routineId };
      const nowMs = time.now();
      const routine: Routine = {
        ...base,
        ...content,
        state: 'active',
        anchorMs: nowMs,
        createdAt: isoOf(nowMs),
        createdBy: ana,
        ...changed(),
      };
      const clock = { ...base, coveredMs: nowMs, lookAtMs: nowMs, wanted: 1, applied: 0 };
      await call('make', async (worlds) => {
        if ((await worlds.routines.read(routineId)) === undefined)
          await worlds.routines.commit([
            { do: 'put', kind: 'routine', item: routine },
            { do: 'put', kind: 'routine-clock', item: clock },
          ]);
        await applySoon(worlds, routineId);
      });
      return routineId;
    },
    put: (routineId, state) =>
      changing(
        routineId,
        (routine) =>
          routine.state === state || routine.state === 'deleted'
            ? undefined
            : { ...routine, state, ...changed() },
        state === 'active' ? undefined : state,
      ),
    change: (routineId, more) =>
      changing(routineId, (routine) =>
        routine.state === 'deleted' ||
        Object.entries(more).every(([part, value]) => Reflect.get(routine, part) === value)
          ? undefined
          : { ...routine, ...more, ...changed() },
      ),
    runNow: (routineId, key) => {
      const occurrenceId = OccurrenceId.parse(`occ_${suffixOf(key)}`);
      const wanted = { occurrenceId, cause: 'now', dueMs: time.now(), by: ana } as const;
      return call('now', (worlds) => fireOccurrence(worlds, routineId, wanted));
    },
  };
};

export const fixedIn = (conversationId: ConversationId): RoutineContent['conversation'] => ({
  kind: 'fixed',
  conversationId,
});
