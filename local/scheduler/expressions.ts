// A schedule of the twin as a timetable: the same reading as the product's own, with EventBridge Scheduler's errors.
import {
  readSchedule,
  type ScheduleText,
  type Timetable,
} from '../../functions/core/routines/schedule.ts';
import { AwsFault } from '../base/wire.ts';
import type { ScheduleInput } from './store.ts';

/** Reads an expression. Throws ValidationException for what EventBridge Scheduler refuses. */
export const readExpression = (text: ScheduleText): Timetable => {
  const read = readSchedule(text);
  if (read.kind === 'timetable') return read.timetable;
  const parameter =
    read.fault.field === 'zone' ? 'ScheduleExpressionTimezone' : 'Schedule Expression';
  const value = read.fault.field === 'zone' ? text.zone : text.expression;
  throw new AwsFault('ValidationException', `Invalid ${parameter} ${value}.`);
};

/** When a schedule fires while it is enabled: its expression within its dates. */
export const timetableFor = (given: ScheduleInput, createdAtMs: number): Timetable => {
  const startMs = given.StartDate === undefined ? undefined : given.StartDate * 1000;
  return readExpression({
    expression: given.ScheduleExpression,
    zone: given.ScheduleExpressionTimezone,
    anchorMs: startMs ?? createdAtMs,
    ...(startMs === undefined ? {} : { startMs }),
    ...(given.EndDate === undefined ? {} : { endMs: given.EndDate * 1000 }),
  });
};
