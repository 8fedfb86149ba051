// Keeps a routine whole: occurrences that never arrived get their record, and the Scheduler knows what the routine says.
// Owns: both repairs. Used by the API after each change and by the sweep, so that a change that died half way is completed.
// Laws: L19 (every occurrence has a run or a recorded reason).

import { TryAgain } from '../core/base/errors.ts';
import type { RoutineId } from '../core/base/ids.ts';
import { conflictTriesMax } from '../core/base/limits.ts';
import type { PutWrite, ReplaceWrite, Versioned } from '../core/records/change.ts';
import type { OccurrenceOutcome, Routine, RoutineClock } from '../core/records/routine.ts';
import { recordsOf, type Stand, skippedEvent } from '../core/routines/fire.ts';
import {
  dueOccurrence,
  fateOf,
  lateMs,
  timetableOf,
  type Wanted,
  withLook,
} from '../core/routines/routine.ts';
import { isSameSchedule, scheduleOf } from '../core/routines/routine-schedule.ts';
import type { Schedules, StoredRoutine } from '../ports/routines.ts';
import { type FiringWorld, fireOccurrence } from './firing.ts';

export interface KeepingWorld extends FiringWorld {
  readonly schedules: Schedules;
}

/** Records of one transaction: each comes with an event where there is a conversation. */
const batchMax = 30;
const batchesMax = 20;

/** How those that are not late are settled: as their own fate says, or because the routine stops now. */
export type Ending = 'paused' | 'deleted';

interface Settled {
  readonly recorded: number;
  /** More is left than one call does. */
  readonly more: boolean;
}

const outcomeOf = (
  stand: Stand,
  wanted: Wanted,
  ending: Ending | undefined,
): OccurrenceOutcome | 'fire' => {
  const { routine, nowMs } = stand;
  const isLate = nowMs - wanted.dueMs > lateMs;
  if (ending !== undefined && !isLate) return { kind: 'skipped', because: ending };
  const fate = fateOf(routine, timetableOf(routine), wanted, nowMs);
  switch (fate.fate) {
    case 'fire':
      return ending === undefined ? 'fire' : { kind: 'missed' };
    case 'missed':
      return { kind: 'missed' };
    case 'skip':
      return { kind: 'skipped', because: fate.because };
  }
};

/** Commits records, with their events where the routine has a conversation. */
const commitRecords = async (
  { store, routines }: FiringWorld,
  { conversation: place }: Routine,
  { writes, occurrences }: ReturnType<typeof recordsOf>,
): Promise<boolean> => {
  const { conversation } =
    place.kind === 'fixed'
      ? await store.read({ conversation: place.conversationId })
      : { conversation: undefined };
  if (conversation === undefined) return (await routines.commit(writes)) === 'done';
  const change = { conversation, events: occurrences.map(skippedEvent), writes };
  return (await store.commit(change)).kind === 'done';
};

const settleBatch = async (
  world: FiringWorld,
  stand: Stand,
  untilMs: number,
  ending: Ending | undefined,
): Promise<Settled> => {
  const { routine, clock } = stand;
  const { routineId } = routine;
  const timetable = timetableOf(routine);
  const due = timetable
    .between(clock.item.coveredMs, untilMs, batchMax)
    .map((dueMs) => dueOccurrence(routineId, dueMs));
  const ids = due.map(({ occurrenceId }) => occurrenceId);
  const records = ids.length === 0 ? [] : await world.routines.records(routineId, ids);
  const known = new Set(records.map(({ occurrenceId }) => occurrenceId));
  const open = due.filter(({ occurrenceId }) => !known.has(occurrenceId));
  const fates = open.map((wanted) => ({ wanted, outcome: outcomeOf(stand, wanted, ending) }));
  const firing = fates.find(({ outcome }) => outcome === 'fire')?.wanted;
  const outcomes = fates.flatMap(({ wanted, outcome }) =>
    outcome === 'fire' || (firing !== undefined && wanted.dueMs > firing.dueMs)
      ? []
      : [{ wanted, outcome }],
  );
  const more = firing !== undefined || due.length === batchMax;
  const reached = firing === undefined ? untilMs : firing.dueMs - 1;
  const coveredMs = due.length === batchMax ? Math.min(due.at(-1)?.dueMs ?? 0, reached) : reached;
  const covers = outcomes.length > 0 || coveredMs > clock.item.coveredMs;
  if (covers && !(await commitRecords(world, routine, recordsOf(stand, outcomes, coveredMs))))
    return { recorded: 0, more: true };
  if (firing !== undefined) await fireOccurrence(world, routineId, firing);
  return { recorded: outcomes.length + (firing === undefined ? 0 : 1), more };
};

/**
 * Gives every occurrence due by `untilMs` its record. With `ending` nothing is fired any more. Answers how many had none.
 * Throws TryAgain.
 */
export const settle = async (
  world: FiringWorld,
  routineId: RoutineId,
  untilMs: number,
  ending?: Ending,
): Promise<number> => {
  let recorded = 0;
  for (let batch = 0; batch < batchesMax; batch += 1) {
    const stored = await world.routines.read(routineId);
    if (stored === undefined || stored.routine.item.state !== 'active') return recorded;
    const stand = {
      routine: stored.routine.item,
      clock: stored.clock,
      nowMs: world.clock.now(),
    };
    const settled = await settleBatch(world, stand, untilMs, ending);
    recorded += settled.recorded;
    if (!settled.more) return recorded;
  }
  return recorded;
};

/** Whether every occurrence due by then has its record: a long silence takes more than one settling. */
export const isSettled = ({ routine, clock }: StoredRoutine, untilMs: number): boolean => {
  if (routine.item.state !== 'active') return true;
  const nextMs = timetableOf(routine.item).next(clock.item.coveredMs);
  return nextMs === undefined || nextMs > untilMs;
};

/** Tells the Scheduler what the routine says, until nobody has changed it meanwhile. Throws what the Scheduler throws. */
export const applySchedule = async (world: KeepingWorld, routineId: RoutineId): Promise<void> => {
  for (let tries = 0; tries < conflictTriesMax; tries += 1) {
    const stored = await world.routines.read(routineId);
    if (stored === undefined) return;
    const { routine, clock } = stored;
    const nowMs = world.clock.now();
    const wanted = scheduleOf(routine.item, nowMs);
    await (wanted === undefined ? world.schedules.remove(routineId) : world.schedules.put(wanted));
    const applied = { ...clock.item, applied: clock.item.wanted };
    if ((await world.routines.commit([looking(applied, routine, clock.rev, nowMs)])) === 'done')
      return;
  }
  throw new TryAgain(`Others keep changing the routine ${routineId}. Its schedule is behind.`);
};

const looking = (
  clock: RoutineClock,
  routine: Versioned<Routine>,
  rev: number,
  nowMs: number,
): PutWrite | ReplaceWrite => ({
  do: 'replace',
  kind: 'routine-clock',
  item: withLook(clock, routine.item, timetableOf(routine.item), nowMs),
  rev,
});

/** Whether the Scheduler has what the routine says. */
const isInStep = async (world: KeepingWorld, routine: Routine): Promise<boolean> => {
  const found = await world.schedules.find(routine.routineId);
  return isSameSchedule(scheduleOf(routine, world.clock.now()), found);
};

/** The sweep's look at one routine. Answers how much had to be repaired. Throws TryAgain or what the Scheduler throws. */
export const keep = async (world: KeepingWorld, routineId: RoutineId): Promise<number> => {
  const recorded = await settle(world, routineId, world.clock.now() - lateMs);
  const stored = await world.routines.read(routineId);
  if (stored === undefined) return recorded;
  const { routine, clock } = stored;
  const behind = clock.item.applied < clock.item.wanted;
  if (behind || !(await isInStep(world, routine.item))) {
    await applySchedule(world, routineId);
    return recorded + 1;
  }
  const nowMs = world.clock.now();
  // Whoever was faster has set the next look by what it read then; the sweep finds the routine by that one.
  const looked = await world.routines.commit([looking(clock.item, routine, clock.rev, nowMs)]);
  return looked === 'done' ? recorded : recorded + 1;
};
