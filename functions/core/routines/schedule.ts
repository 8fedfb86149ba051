// When something is due, by EventBridge Scheduler's rules: `cron(…)`, `rate(…)`, `at(…)` with an IANA zone. A local time that
// the clocks skip is skipped, one that happens twice fires the first time only, day-of-week 1 is Sunday, years are a field.
// croner counts the wall times (as if in UTC, so that its own rules for changing clocks do not apply); zone.ts makes instants of them.
// Owns: the reading of the three forms, for the twin's Scheduler, the preview, the sweep and what is sent to AWS alike.
// Tested in test/routines/schedule.test.ts.
import { Cron } from 'croner';
import { type Zone, zoneOf } from '../base/zone.ts';

export interface ScheduleText {
  /** `cron(…)`, `rate(…)` or `at(…)`. */
  readonly expression: string;
  readonly zone: string;
  /** Where a rate counts from, itself included; epoch milliseconds. */
  readonly anchorMs: number;
  /** Nothing before, nothing after; one-time schedules ignore both, as EventBridge does. */
  readonly startMs?: number;
  readonly endMs?: number;
}

export interface Timetable {
  /** The first occurrence after that instant; undefined when there is none. */
  next(afterMs: number): number | undefined;
  /** Occurrences after `fromMs` and not after `toMs`, oldest first, at most `max`. */
  between(fromMs: number, toMs: number, max: number): number[];
  /** The newest occurrence not after `nowMs`, given one that is due. */
  latest(dueMs: number, nowMs: number): number;
}

/** Why an expression cannot be one. `part` is the piece that is wrong. */
export type ScheduleFault =
  | { readonly field: 'zone'; readonly code: 'unknown_zone'; readonly part: string }
  | {
      readonly field: 'schedule';
      readonly code: 'unknown_form' | 'bad_rate' | 'bad_time' | 'six_fields' | 'one_day_field';
      readonly part: string;
    }
  | {
      readonly field: 'schedule';
      readonly code: 'bad_field';
      readonly part: string;
      readonly of: CronField;
    };

export type ReadSchedule =
  | { readonly kind: 'timetable'; readonly timetable: Timetable; readonly walls: Walls }
  | { readonly kind: 'invalid'; readonly fault: ScheduleFault };

/** The wall times of a schedule, apart from any zone: undefined for a rate, which has none. */
export type Walls = ((afterWallMs: number) => number | undefined) | undefined;

const hourMs = 3_600_000;
const unitMs = { minute: 60_000, hour: hourMs, day: 24 * hourMs } as const;
const wallTimesMax = 10_000;
/** No zone moves its clocks by more. */
const clockChangeMsMax = 3 * hourMs;

/** A rate's period in milliseconds; undefined when the expression is none. */
export const periodOf = (expression: string): number | undefined => {
  const found = /^rate\((\d+) (minute|hour|day)(s?)\)$/.exec(expression);
  const value = Number(found?.[1]);
  const unit = found?.[2];
  const known = unit === 'minute' || unit === 'hour' || unit === 'day';
  if (found === null || !known || value < 1 || (value === 1) !== (found[3] === ''))
    return undefined;
  return value * unitMs[unit];
};

const wallOf = (expression: string): number | undefined => {
  const text = /^at\((\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\)$/.exec(expression)?.[1];
  const wallMs = text === undefined ? Number.NaN : Date.parse(`${text}Z`);
  const exists = Number.isFinite(wallMs) && new Date(wallMs).toISOString().startsWith(text ?? '?');
  return exists ? wallMs : undefined;
};

export const cronFields = [
  'minutes',
  'hours',
  'day-of-month',
  'month',
  'day-of-week',
  'year',
] as const;
export type CronField = (typeof cronFields)[number];

const months = 'JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC';
const days = 'SUN|MON|TUE|WED|THU|FRI|SAT';
/** One element of a comma-separated list, by field: `*`, a value, a range, each with a step where it may have one. */
const elements: { readonly [Field in CronField]: RegExp } = {
  minutes: /^(\*|\d+(-\d+)?)(\/\d+)?$/,
  hours: /^(\*|\d+(-\d+)?)(\/\d+)?$/,
  'day-of-month': /^((\*|\d+(-\d+)?)(\/\d+)?|\?|L|\d+W)$/,
  month: new RegExp(`^(\\*|(\\d+|${months})(-(\\d+|${months}))?)(/\\d+)?$`),
  'day-of-week': new RegExp(
    `^((\\*|(\\d|${days})(-(\\d|${days}))?)(/\\d+)?|\\?|L|(\\d|${days})L|(\\d|${days})#[1-5])$`,
  ),
  year: /^(\*|\d{4}(-\d{4})?)(\/\d+)?$/,
};
const bounds: { readonly [Field in CronField]: readonly [number, number] } = {
  minutes: [0, 59],
  hours: [0, 23],
  'day-of-month': [1, 31],
  month: [1, 12],
  'day-of-week': [1, 7],
  year: [1970, 2199],
};

const isField = (field: CronField, text: string): boolean =>
  text.split(',').every((part) => {
    if (!elements[field].test(part)) return false;
    const [least, most] = bounds[field];
    const [range = '', step] = part.replace(/#\d$/, '').split('/');
    const values = [...range.matchAll(/\d+/g)].map(([value]) => Number(value));
    const [from = least, to = most] = values;
    return (
      values.every((value) => value >= least && value <= most) &&
      (values.length < 2 || from <= to) &&
      (step === undefined || Number(step) >= 1)
    );
  });

/** `0/15` is croner's `0-59/15`; `?` stands for "any"; the last day of the week is Saturday. */
const inCronerWords = (fields: readonly string[]): string =>
  fields
    .map((text, at) => {
      const field = cronFields[at] ?? 'year';
      return text
        .split(',')
        .map((part) => part.replace(/^(\d+)\/(\d+)$/, `$1-${bounds[field][1]}/$2`))
        .map((part) => (field === 'day-of-week' && part === 'L' ? '7' : part.replace('?', '*')))
        .join(',');
    })
    .join(' ');

/** The six fields as EventBridge takes them, or what is wrong with them. */
export const cronFieldsOf = (expression: string): readonly string[] | ScheduleFault => {
  const inner = /^cron\((.*)\)$/.exec(expression)?.[1];
  if (inner === undefined) return { field: 'schedule', code: 'unknown_form', part: expression };
  const fields = inner.trim().split(/\s+/);
  if (fields.length !== 6) return { field: 'schedule', code: 'six_fields', part: inner };
  const wrong = fields.findIndex((text, at) => !isField(cronFields[at] ?? 'year', text));
  const of = cronFields[wrong];
  if (of !== undefined)
    return { field: 'schedule', code: 'bad_field', part: fields[wrong] ?? '', of };
  const [, , dayOfMonth = '', , dayOfWeek = ''] = fields;
  return (dayOfMonth === '?') === (dayOfWeek === '?')
    ? { field: 'schedule', code: 'one_day_field', part: `${dayOfMonth} … ${dayOfWeek}` }
    : fields;
};

const cronWalls = (fields: readonly string[]): NonNullable<Walls> | undefined => {
  try {
    const cron = new Cron(`0 ${inCronerWords(fields)}`, {
      timezone: 'UTC',
      paused: true,
      alternativeWeekdays: true,
      sloppyRanges: true,
      domAndDow: true,
    });
    return (afterWallMs) => cron.nextRun(new Date(afterWallMs))?.getTime();
  } catch {
    return undefined;
  }
};

/** The first instant after `afterMs` of the wall times. */
const nextOfWalls = (
  walls: NonNullable<Walls>,
  zone: Zone,
  afterMs: number,
): number | undefined => {
  // Where the clocks go back, wall times before this one can still lie ahead.
  const wallMs = zone.wallAt(afterMs);
  const changing =
    zone.wallAt(afterMs - clockChangeMsMax) - zone.wallAt(afterMs + clockChangeMsMax) !==
    -2 * clockChangeMsMax;
  let wall: number | undefined = changing ? wallMs - clockChangeMsMax : wallMs - 1000;
  for (let tries = 0; tries < wallTimesMax; tries += 1) {
    wall = walls(wall);
    if (wall === undefined) return undefined;
    const instantMs = zone.instantOf(wall);
    if (instantMs !== undefined && instantMs > afterMs) return instantMs;
  }
  return undefined;
};

const timetableOf = (next: Timetable['next']): Timetable => {
  const between: Timetable['between'] = (fromMs, toMs, max) => {
    const found: number[] = [];
    let atMs = next(fromMs);
    for (; atMs !== undefined && atMs <= toMs && found.length < max; atMs = next(atMs))
      found.push(atMs);
    return found;
  };
  const latest: Timetable['latest'] = (dueMs, nowMs) => {
    for (const fromMs of [nowMs - hourMs, nowMs - 25 * hourMs, dueMs]) {
      const from = Math.max(fromMs, dueMs);
      const newest = between(from, nowMs, Number.POSITIVE_INFINITY).at(-1);
      if (newest !== undefined) return newest;
    }
    return dueMs;
  };
  return { next, between, latest };
};

const bounded = (text: ScheduleText, next: Timetable['next']): Timetable =>
  timetableOf((afterMs) => {
    const nextMs = next(Math.max(afterMs, (text.startMs ?? 0) - 1));
    return nextMs === undefined || nextMs > (text.endMs ?? Number.POSITIVE_INFINITY)
      ? undefined
      : nextMs;
  });

const rateNext =
  (periodMs: number, anchorMs: number): Timetable['next'] =>
  (afterMs) =>
    afterMs < anchorMs
      ? anchorMs
      : anchorMs + (Math.floor((afterMs - anchorMs) / periodMs) + 1) * periodMs;

const invalid = (fault: ScheduleFault): ReadSchedule => ({ kind: 'invalid', fault });

const zoneNamed = (name: string): Zone | undefined => {
  // An offset is no zone: it knows of no change of the clocks.
  if (!/^[A-Za-z]/.test(name)) return undefined;
  try {
    return zoneOf(name);
  } catch {
    return undefined;
  }
};

/** Reads an expression; what EventBridge Scheduler refuses comes back with the reason. */
export const readSchedule = (text: ScheduleText): ReadSchedule => {
  const { expression, anchorMs } = text;
  const zone = zoneNamed(text.zone);
  if (zone === undefined) return invalid({ field: 'zone', code: 'unknown_zone', part: text.zone });
  if (expression.startsWith('rate(')) {
    const periodMs = periodOf(expression);
    return periodMs === undefined
      ? invalid({ field: 'schedule', code: 'bad_rate', part: expression })
      : {
          kind: 'timetable',
          timetable: bounded(text, rateNext(periodMs, anchorMs)),
          walls: undefined,
        };
  }
  if (expression.startsWith('at(')) {
    const wallMs = wallOf(expression);
    if (wallMs === undefined)
      return invalid({ field: 'schedule', code: 'bad_time', part: expression });
    const atMs = zone.instantOf(wallMs);
    const next: Timetable['next'] = (afterMs) =>
      atMs !== undefined && atMs > afterMs ? atMs : undefined;
    const walls = (afterWallMs: number) => (afterWallMs < wallMs ? wallMs : undefined);
    return { kind: 'timetable', timetable: timetableOf(next), walls };
  }
  const fields = cronFieldsOf(expression);
  if (!Array.isArray(fields)) return invalid(fields as ScheduleFault);
  const walls = cronWalls(fields);
  if (walls === undefined)
    return invalid({ field: 'schedule', code: 'unknown_form', part: expression });
  const next: Timetable['next'] = (afterMs) => nextOfWalls(walls, zone, afterMs);
  return { kind: 'timetable', timetable: bounded(text, next), walls };
};
