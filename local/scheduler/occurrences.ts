// When a schedule is due next: its expression within its dates. Pure.
import { readExpression } from './expressions.ts';
import type { ScheduleInput } from './store.ts';

/** Where a schedule counts from. */
export const anchorOf = (given: ScheduleInput, createdAtMs: number): number =>
  given.StartDate === undefined ? createdAtMs : given.StartDate * 1000;

/** The next occurrence after `afterMs`, within start and end date; null when there is none or it is disabled. */
export const nextOf = (
  given: ScheduleInput,
  createdAtMs: number,
  afterMs: number,
): number | null => {
  if (given.State !== 'ENABLED') return null;
  const once = given.ScheduleExpression.startsWith('at(');
  const startMs = given.StartDate === undefined || once ? 0 : given.StartDate * 1000;
  const endMs = given.EndDate === undefined || once ? Infinity : given.EndDate * 1000;
  const timetable = readExpression(given.ScheduleExpression, given.ScheduleExpressionTimezone);
  const nextMs = timetable.next(Math.max(afterMs, startMs - 1), anchorOf(given, createdAtMs));
  return nextMs === undefined || nextMs > endMs ? null : nextMs;
};
