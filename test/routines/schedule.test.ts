// Schedules by EventBridge Scheduler's rules, held against a table: change days of the clocks in three zones (S65), what is
// refused and why, and what people are warned of. The twin's Scheduler, the preview and the sweep read schedules by this alone.
import { describe, expect, test } from 'vitest';
import { warningsOf } from '../../functions/core/routines/clock-changes.ts';
import { readSchedule, type ScheduleFault } from '../../functions/core/routines/schedule.ts';

const timetable = (expression: string, zone: string, more: object = {}) => {
  const read = readSchedule({ expression, zone, anchorMs: 0, ...more });
  if (read.kind === 'invalid') throw new Error(JSON.stringify(read.fault));
  return read;
};

const minute = (ms: number): string => new Date(ms).toISOString().slice(0, 16);

describe('on days when the clocks change', () => {
  // [expression, zone, from, to (both UTC), due times in UTC]
  const cases: [string, string, string, string, string[]][] = [
    // Paris, 29 March 2026: 02:00 becomes 03:00. Skipped.
    [
      'cron(30 2 * * ? *)',
      'Europe/Paris',
      '2026-03-28T00:00Z',
      '2026-03-31T00:00Z',
      ['2026-03-28T01:30', '2026-03-30T00:30'],
    ],
    [
      'cron(0 3 * * ? *)',
      'Europe/Paris',
      '2026-03-28T12:00Z',
      '2026-03-30T12:00Z',
      ['2026-03-29T01:00', '2026-03-30T01:00'],
    ],
    // Paris, 25 October 2026: 03:00 becomes 02:00. Once.
    [
      'cron(30 2 * * ? *)',
      'Europe/Paris',
      '2026-10-24T12:00Z',
      '2026-10-26T12:00Z',
      ['2026-10-25T00:30', '2026-10-26T01:30'],
    ],
    [
      'cron(0/30 2 * * ? *)',
      'Europe/Paris',
      '2026-10-24T12:00Z',
      '2026-10-25T12:00Z',
      ['2026-10-25T00:00', '2026-10-25T00:30'],
    ],
    // São Paulo, 4 November 2018: 00:00 becomes 01:00. Since 2019 its clocks rest.
    [
      'cron(30 0 * * ? *)',
      'America/Sao_Paulo',
      '2018-11-03T12:00Z',
      '2018-11-05T12:00Z',
      ['2018-11-05T02:30'],
    ],
    // São Paulo, 18 February 2018: 00:00 becomes 23:00 of the day before. Once.
    [
      'cron(30 23 * * ? *)',
      'America/Sao_Paulo',
      '2018-02-17T12:00Z',
      '2018-02-19T12:00Z',
      ['2018-02-18T01:30', '2018-02-19T02:30'],
    ],
    [
      'cron(0 8 * * ? *)',
      'America/Sao_Paulo',
      '2026-06-01T00:00Z',
      '2026-06-02T12:00Z',
      ['2026-06-01T11:00', '2026-06-02T11:00'],
    ],
    // Lord Howe moves by half an hour. 4 October 2026: 02:00 becomes 02:30.
    [
      'cron(15 2 * * ? *)',
      'Australia/Lord_Howe',
      '2026-10-02T12:00Z',
      '2026-10-05T12:00Z',
      ['2026-10-02T15:45', '2026-10-04T15:15'],
    ],
    [
      'cron(30 2 * * ? *)',
      'Australia/Lord_Howe',
      '2026-10-03T12:00Z',
      '2026-10-04T12:00Z',
      ['2026-10-03T15:30'],
    ],
    // 5 April 2026: 02:00 becomes 01:30. Once.
    [
      'cron(45 1 * * ? *)',
      'Australia/Lord_Howe',
      '2026-04-03T20:00Z',
      '2026-04-05T20:00Z',
      ['2026-04-04T14:45', '2026-04-05T15:15'],
    ],
    // A rate counts hours, not days.
    [
      'rate(1 day)',
      'Europe/Paris',
      '2026-03-28T00:00Z',
      '2026-03-30T12:00Z',
      ['2026-03-29T00:00', '2026-03-30T00:00'],
    ],
    ['at(2026-03-29T02:30:00)', 'Europe/Paris', '2026-01-01T00:00Z', '2027-01-01T00:00Z', []],
    [
      'at(2026-10-25T02:30:00)',
      'Europe/Paris',
      '2026-01-01T00:00Z',
      '2027-01-01T00:00Z',
      ['2026-10-25T00:30'],
    ],
  ];
  test.each(cases)('%s in %s from %s to %s', (expression, zone, from, to, due) => {
    const found = timetable(expression, zone).timetable.between(
      Date.parse(from),
      Date.parse(to),
      10,
    );
    expect(found.map(minute)).toEqual(due);
  });
});

describe('the form of schedules', () => {
  const refused: [string, string, ScheduleFault['code']][] = [
    ['every day', 'UTC', 'unknown_form'],
    ['rate(0 minutes)', 'UTC', 'bad_rate'],
    ['rate(1 minutes)', 'UTC', 'bad_rate'],
    ['at(2026-02-30T09:00:00)', 'UTC', 'bad_time'],
    ['cron(0 9 * * ?)', 'UTC', 'six_fields'],
    ['cron(0 9 * * * *)', 'UTC', 'one_day_field'],
    ['cron(0 9 ? * ? *)', 'UTC', 'one_day_field'],
    ['cron(60 9 * * ? *)', 'UTC', 'bad_field'],
    ['cron(0 24 * * ? *)', 'UTC', 'bad_field'],
    ['cron(0 9 0 * ? *)', 'UTC', 'bad_field'],
    ['cron(0 9 * 13 ? *)', 'UTC', 'bad_field'],
    ['cron(0 9 ? * 0 *)', 'UTC', 'bad_field'],
    ['cron(0 9 ? * 8 *)', 'UTC', 'bad_field'],
    ['cron(0 9 * * ? 2300)', 'UTC', 'bad_field'],
    ['cron(0/0 9 * * ? *)', 'UTC', 'bad_field'],
    ['cron(0 17-9 * * ? *)', 'UTC', 'bad_field'],
    ['rate(1 hour)', 'Mars/Base', 'unknown_zone'],
    ['rate(1 hour)', '+02:00', 'unknown_zone'],
  ];
  test.each(refused)('%s in %s is refused: %s', (expression, zone, code) => {
    const read = readSchedule({ expression, zone, anchorMs: 0 });
    expect(read).toMatchObject({ kind: 'invalid', fault: { code } });
  });

  test('the first day of the week is Sunday, the last Saturday', () => {
    const weekdays = ['1', 'SUN', '7', 'L'].map((day) => {
      const due = timetable(`cron(0 9 ? * ${day} *)`, 'UTC').timetable.next(Date.UTC(2026, 0, 1));
      return new Date(due ?? 0).getUTCDay();
    });
    expect(weekdays).toEqual([0, 0, 6, 6]);
  });

  test('starts and ends are bounds that belong to it, save for one time', () => {
    const day = Date.UTC(2026, 5, 1);
    const bounds = { startMs: day, endMs: day + 2 * 86_400_000 };
    const due = (expression: string) =>
      timetable(expression, 'UTC', bounds)
        .timetable.between(0, Date.UTC(2030, 0, 1), 9)
        .map(minute);
    expect(due('cron(0 0 * * ? *)')).toEqual([
      '2026-06-01T00:00',
      '2026-06-02T00:00',
      '2026-06-03T00:00',
    ]);
    expect(due('at(2026-08-01T00:00:00)')).toEqual(['2026-08-01T00:00']);
  });
});

describe('warnings', () => {
  const warned = (expression: string, zone: string, from: string) => {
    const schedule = timetable(expression, zone);
    return warningsOf(schedule, { expression, zone }, Date.parse(from));
  };

  test('S65: 02:30 in Paris is skipped in spring and happens twice in autumn', () => {
    expect(warned('cron(30 2 * * ? *)', 'Europe/Paris', '2026-01-01T00:00Z')).toEqual([
      { code: 'skipped', local: '2026-03-29T02:30' },
      { code: 'happens_twice', local: '2026-10-25T02:30' },
    ]);
  });

  test('half an hour is enough, and times beside it are no matter', () => {
    expect(warned('cron(15 2 * * ? *)', 'Australia/Lord_Howe', '2026-08-01T00:00Z')).toContainEqual(
      { code: 'skipped', local: '2026-10-04T02:15' },
    );
    expect(warned('cron(45 2 * * ? *)', 'Australia/Lord_Howe', '2026-08-01T00:00Z')).toEqual([]);
    expect(warned('cron(30 2 * * ? *)', 'America/Sao_Paulo', '2026-01-01T00:00Z')).toEqual([]);
  });

  test('a rate of days shifts against the clock, and what is over never fires again', () => {
    expect(warned('rate(1 day)', 'Europe/Paris', '2026-01-01T00:00Z')).toEqual([
      { code: 'rate_shifts', at: '2026-03-29T01:00:00.000Z' },
    ]);
    expect(warned('rate(6 hours)', 'Europe/Paris', '2026-01-01T00:00Z')).toEqual([]);
    expect(warned('cron(0 9 * * ? 2025)', 'Europe/Paris', '2026-01-01T00:00Z')).toEqual([
      { code: 'never_again' },
    ]);
    expect(warned('at(2026-03-29T02:30:00)', 'Europe/Paris', '2026-01-01T00:00Z')).toEqual([
      { code: 'skipped', local: '2026-03-29T02:30' },
      { code: 'never_again' },
    ]);
  });
});
