// What the clocks' changes do to a schedule, for people to see before it happens: times that are skipped or happen twice.
// Owns: the finding of a zone's changes. Pure.
// Tested in test/routines/schedule.test.ts.

import { type Zone, zoneOf } from '../base/zone.ts';
import { periodOf, type ReadSchedule } from './schedule.ts';

export type ScheduleWarning =
  /** A local time of the schedule that will not exist: it is skipped. `local` is that time, `2026-03-29T02:30`. */
  | { readonly code: 'skipped'; readonly local: string }
  /** A local time that will happen twice: it fires the first time only. */
  | { readonly code: 'happens_twice'; readonly local: string }
  /** Days of a rate are 24 hours: after this change of the clocks the local time is another. */
  | { readonly code: 'rate_shifts'; readonly at: string }
  | { readonly code: 'never_again' };

interface ClockChange {
  readonly atMs: number;
  /** Wall times just before and just after the change. */
  readonly wallBeforeMs: number;
  readonly wallAfterMs: number;
}

const dayMs = 86_400_000;
/** Both changes of a year, whenever one asks. */
const horizonDays = 370;
const offsetAt = (instantMs: number, zone: Zone): number => zone.wallAt(instantMs) - instantMs;

/** The change between two instants whose offsets differ, to the second. */
const changeBetween = (zone: Zone, fromMs: number, toMs: number): ClockChange => {
  const before = offsetAt(fromMs, zone);
  let [low, high] = [fromMs, toMs];
  while (high - low > 1000) {
    const middle = Math.floor((low + high) / 2000) * 1000;
    if (offsetAt(middle, zone) === before) low = middle;
    else high = middle;
  }
  return { atMs: high, wallBeforeMs: high + before, wallAfterMs: zone.wallAt(high) };
};

const changesOf = (zone: Zone, fromMs: number): ClockChange[] => {
  const startMs = Math.floor(fromMs / dayMs) * dayMs;
  const found: ClockChange[] = [];
  for (let day = 0; day < horizonDays; day += 1) {
    const [from, to] = [startMs + day * dayMs, startMs + (day + 1) * dayMs];
    if (offsetAt(from, zone) !== offsetAt(to, zone)) found.push(changeBetween(zone, from, to));
  }
  return found;
};

const localOf = (wallMs: number): string => new Date(wallMs).toISOString().slice(0, 16);

const warningOf = (
  walls: (afterMs: number) => number | undefined,
  change: ClockChange,
): ScheduleWarning | undefined => {
  const skips = change.wallAfterMs > change.wallBeforeMs;
  const [fromMs, toMs] = skips
    ? [change.wallBeforeMs, change.wallAfterMs]
    : [change.wallAfterMs, change.wallBeforeMs];
  const wallMs = walls(fromMs - 1000);
  if (wallMs === undefined || wallMs >= toMs) return undefined;
  return { code: skips ? 'skipped' : 'happens_twice', local: localOf(wallMs) };
};

/** What to know of a schedule from `nowMs` on, over the next year; one warning per change of the clocks. */
export const warningsOf = (
  schedule: Extract<ReadSchedule, { kind: 'timetable' }>,
  { expression, zone: zoneName }: { readonly expression: string; readonly zone: string },
  nowMs: number,
): ScheduleWarning[] => {
  const { walls, timetable } = schedule;
  const zone = zoneOf(zoneName);
  const changes = changesOf(zone, nowMs);
  const never: ScheduleWarning[] =
    timetable.next(nowMs) === undefined ? [{ code: 'never_again' }] : [];
  if (walls === undefined) {
    const byDays = (periodOf(expression) ?? 0) % dayMs === 0;
    const [first] = changes;
    return byDays && first !== undefined
      ? [{ code: 'rate_shifts', at: new Date(first.atMs).toISOString() }, ...never]
      : never;
  }
  const found = changes.flatMap((change) => warningOf(walls, change) ?? []);
  return [...found, ...never];
};
