// What the Scheduler must know of a routine, and whether what it knows is that. The stored routine is the truth.
// Tested in test/routines/firing.test.ts.
import type { RoutineId } from '../base/ids.ts';
import type { Routine } from '../records/routine.ts';
import { timetableOf } from './routine.ts';
import { periodOf } from './schedule.ts';

/** Undefined: the Scheduler should have none (deleted, or nothing is due any more). */
export const scheduleOf = (
  routine: Routine,
  nowMs: number,
):
  | {
      readonly routineId: RoutineId;
      readonly expression: string;
      readonly zone: string;
      readonly enabled: boolean;
      readonly startMs: number | undefined;
      readonly endMs: number | undefined;
    }
  | undefined => {
  const nextMs = timetableOf(routine).next(nowMs);
  if (routine.state === 'deleted' || nextMs === undefined) return undefined;
  const { routineId, schedule: expression, zone } = routine;
  const startMs = routine.startsAt === undefined ? undefined : Date.parse(routine.startsAt);
  const isRate = periodOf(expression) !== undefined;
  return {
    routineId,
    expression,
    zone,
    enabled: routine.state === 'active',
    // A rate counts from its start, so it gets its next time as one; for others a start that has passed says nothing, and
    // the Scheduler refuses it.
    startMs: isRate ? nextMs : startMs !== undefined && startMs > nowMs ? startMs : undefined,
    endMs: routine.endsAt === undefined ? undefined : Date.parse(routine.endsAt),
  };
};

type Known = Omit<NonNullable<ReturnType<typeof scheduleOf>>, 'startMs'> | undefined;

const inSeconds = (ms: number | undefined): number | undefined =>
  ms === undefined ? undefined : Math.floor(ms / 1000);

export const isSameSchedule = (wanted: Known, found: Known): boolean =>
  wanted === undefined || found === undefined
    ? wanted === found
    : wanted.expression === found.expression &&
      wanted.zone === found.zone &&
      wanted.enabled === found.enabled &&
      inSeconds(wanted.endMs) === inSeconds(found.endMs);
