// When a schedule is due next. Pure.
import { timetableFor } from './expressions.ts';
import type { ScheduleInput } from './store.ts';

/** The next occurrence after `afterMs`, within start and end date; null when there is none or it is disabled. */
export const nextOf = (
  given: ScheduleInput,
  createdAtMs: number,
  afterMs: number,
): number | null => {
  // Read in any case: a disabled schedule with a wrong expression is refused as well.
  const timetable = timetableFor(given, createdAtMs);
  return given.State === 'ENABLED' ? (timetable.next(afterMs) ?? null) : null;
};
