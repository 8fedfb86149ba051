// Schedule expressions by EventBridge Scheduler's rules: `cron(…)`, `rate(…)`, `at(…)` with a zone. croner counts the
// wall times (as if in UTC, so that its own rules for changing clocks do not apply); zone.ts makes instants of them.
// Owns: the reading of the three forms. Pure.
import { Cron } from 'croner';
import { AwsFault } from '../wire.ts';
import { type Zone, zoneOf } from './zone.ts';

export interface Timetable {
  /** The first occurrence after `afterMs`; undefined when there is none. `anchorMs` is where a rate counts from. */
  next(afterMs: number, anchorMs: number): number | undefined;
}

const invalid = (what: string, text: string): AwsFault =>
  new AwsFault('ValidationException', `Invalid ${what} ${text}.`);

const hourMs = 3_600_000;
const unitMs = { minute: 60_000, hour: hourMs, day: 24 * hourMs } as const;
const wallTimesMax = 10_000;
/** No zone moves its clocks by more. */
const clockChangeMsMax = 3 * hourMs;

const rateTimetable = (expression: string): Timetable => {
  const found = /^rate\((\d+) (minute|hour|day)(s?)\)$/.exec(expression);
  const value = Number(found?.[1]);
  const unit = found?.[2];
  const known = unit === 'minute' || unit === 'hour' || unit === 'day';
  if (found === null || !known || value < 1 || (value === 1) !== (found[3] === ''))
    throw invalid('Schedule Expression', expression);
  const periodMs = value * unitMs[unit];
  return {
    next: (afterMs, anchorMs) =>
      afterMs < anchorMs
        ? anchorMs
        : anchorMs + (Math.floor((afterMs - anchorMs) / periodMs) + 1) * periodMs,
  };
};

const atTimetable = (expression: string, zone: Zone): Timetable => {
  const found = /^at\((\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\)$/.exec(expression);
  const wallMs = Date.parse(`${found?.[1]}Z`);
  if (!Number.isFinite(wallMs)) throw invalid('Schedule Expression', expression);
  const instantMs = zone.instantOf(wallMs);
  return {
    next: (afterMs) => (instantMs !== undefined && instantMs > afterMs ? instantMs : undefined),
  };
};

/** `0/15` is croner's `0-59/15`; `?` stands for "any". */
const inCronerWords = (fields: readonly string[]): string => {
  const lasts = [59, 23, 31, 12, 7, 2199];
  return fields
    .map((field, at) =>
      field
        .split(',')
        .map((part) => part.replace(/^(\d+)\/(\d+)$/, `$1-${lasts[at]}/$2`).replace('?', '*'))
        .join(','),
    )
    .join(' ');
};

const cronOf = (expression: string): Cron => {
  const fields = /^cron\((.+)\)$/.exec(expression)?.[1]?.trim().split(/\s+/) ?? [];
  const [, , dayOfMonth, , dayOfWeek] = fields;
  if (fields.length !== 6 || (dayOfMonth === '?') === (dayOfWeek === '?'))
    throw invalid('Schedule Expression', expression);
  try {
    return new Cron(`0 ${inCronerWords(fields)}`, {
      timezone: 'UTC',
      paused: true,
      alternativeWeekdays: true,
      sloppyRanges: true,
      domAndDow: true,
    });
  } catch {
    throw invalid('Schedule Expression', expression);
  }
};

const cronTimetable = (expression: string, zone: Zone): Timetable => {
  const cron = cronOf(expression);
  return {
    next: (afterMs) => {
      // Where the clocks go back, wall times before this one can still lie ahead.
      const wallMs = zone.wallAt(afterMs);
      const changing =
        zone.wallAt(afterMs - clockChangeMsMax) - zone.wallAt(afterMs + clockChangeMsMax) !==
        -2 * clockChangeMsMax;
      let wall: Date | null = new Date(changing ? wallMs - clockChangeMsMax : wallMs - 1000);
      for (let tries = 0; tries < wallTimesMax; tries += 1) {
        wall = cron.nextRun(wall);
        if (wall === null) return undefined;
        const instantMs = zone.instantOf(wall.getTime());
        if (instantMs !== undefined && instantMs > afterMs) return instantMs;
      }
      return undefined;
    },
  };
};

/** Reads an expression. Throws ValidationException for what EventBridge Scheduler refuses. */
export const readExpression = (expression: string, zoneName = 'UTC'): Timetable => {
  let zone: Zone;
  try {
    zone = zoneOf(zoneName);
  } catch {
    throw invalid('ScheduleExpressionTimezone', zoneName);
  }
  if (expression.startsWith('rate(')) return rateTimetable(expression);
  if (expression.startsWith('at(')) return atTimetable(expression, zone);
  return cronTimetable(expression, zone);
};

/** The newest occurrence not after `nowMs`, given one that is due: what several missed ones come down to. */
export const latestDue = (
  timetable: Timetable,
  dueAtMs: number,
  nowMs: number,
  anchorMs: number,
): number => {
  const lookBackFrom = [nowMs - hourMs, nowMs - 25 * hourMs, dueAtMs];
  for (const fromMs of lookBackFrom) {
    let latestMs: number | undefined;
    let nextMs = timetable.next(Math.max(fromMs, dueAtMs), anchorMs);
    for (; nextMs !== undefined && nextMs <= nowMs; nextMs = timetable.next(nextMs, anchorMs))
      latestMs = nextMs;
    if (latestMs !== undefined) return latestMs;
  }
  return dueAtMs;
};
