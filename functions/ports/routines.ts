// Routines, their clocks and occurrences; and the service that says when they are due.

import type { OccurrenceId, RoutineId } from '../core/base/ids.ts';
import type { PutWrite, ReplaceWrite, Versioned } from '../core/records/change.ts';
import type { Occurrence, Routine, RoutineClock } from '../core/records/routine.ts';
import type { Page } from './store.ts';

export interface StoredRoutine {
  readonly routine: Versioned<Routine>;
  readonly clock: Versioned<RoutineClock>;
}

export interface Routines {
  /** Read consistently; deleted ones too. */
  read(routineId: RoutineId): Promise<StoredRoutine | undefined>;
  /** Those of these occurrences that have a record, read consistently. */
  records(routineId: RoutineId, ids: readonly OccurrenceId[]): Promise<readonly Occurrence[]>;
  /** All or nothing, without a conversation. 'conflict': somebody else was faster, nothing was written. */
  commit(writes: readonly (PutWrite | ReplaceWrite)[]): Promise<'done' | 'conflict'>;
  /** Newest first, without deleted ones. */
  routinesOf(workspace: string, limit: number, cursor?: string): Promise<Page<Routine>>;
  /** Newest first. */
  history(routineId: RoutineId, limit: number, cursor?: string): Promise<Page<Occurrence>>;
}

/** What the Scheduler is told of a routine. */
export interface WantedSchedule {
  readonly routineId: RoutineId;
  readonly expression: string;
  readonly zone: string;
  readonly enabled: boolean;
  readonly startMs: number | undefined;
  readonly endMs: number | undefined;
}

export interface Schedules {
  /** Made or brought up to date; the last call stands. */
  put(schedule: WantedSchedule): Promise<void>;
  /** One that is not there is as good as removed. */
  remove(routineId: RoutineId): Promise<void>;
  /** Undefined when the Scheduler has none. Its start is not told: it only moves. */
  find(routineId: RoutineId): Promise<Omit<WantedSchedule, 'startMs'> | undefined>;
}
