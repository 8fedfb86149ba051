// EventBridge Scheduler's rules: expressions, zones whose clocks change, and each occurrence once.
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { simulatedClock, type TwinClock } from '../../local/base/clock.ts';
import { openDatabase } from '../../local/base/database.ts';
import { deliveriesSchema, openDeliveries } from '../../local/base/deliveries.ts';
import { defaultPlace } from '../../local/base/names.ts';
import { readExpression } from '../../local/scheduler/expressions.ts';
import { openSchedulerTwin } from '../../local/scheduler/index.ts';
import { schedulerSchema } from '../../local/scheduler/store.ts';
import { temporaryFolder } from './twin-for-tests.ts';

const timetableOf = (expression: string, zone = 'UTC', anchorMs = 0) =>
  readExpression({ expression, zone, anchorMs });

const next = (expression: string, zone: string, from: string, count: number): string[] => {
  const anchorMs = Date.parse(from);
  const timetable = timetableOf(expression, zone, anchorMs);
  const found: string[] = [];
  let afterMs = anchorMs - 1;
  while (found.length < count) {
    const nextMs = timetable.next(afterMs);
    if (nextMs === undefined) break;
    found.push(new Date(nextMs).toISOString().slice(0, 16));
    afterMs = nextMs;
  }
  return found;
};

describe('schedule expressions', () => {
  const cases: [string, string, string, string[]][] = [
    ['rate(5 minutes)', 'UTC', '2026-01-01T00:02:00Z', ['2026-01-01T00:02', '2026-01-01T00:07']],
    [
      'rate(1 day)',
      'Europe/Paris',
      '2026-03-28T12:00:00Z',
      ['2026-03-28T12:00', '2026-03-29T12:00'],
    ],
    ['at(2026-07-01T09:00:00)', 'Europe/Paris', '2026-01-01T00:00:00Z', ['2026-07-01T07:00']],
    ['cron(0 9 ? * 2 *)', 'UTC', '2026-01-01T00:00:00Z', ['2026-01-05T09:00', '2026-01-12T09:00']],
    ['cron(0 9 ? * 1 *)', 'UTC', '2026-01-01T00:00:00Z', ['2026-01-04T09:00', '2026-01-11T09:00']],
    [
      'cron(0/30 8 ? * MON-FRI *)',
      'UTC',
      '2026-01-02T08:10:00Z',
      ['2026-01-02T08:30', '2026-01-05T08:00'],
    ],
    [
      'cron(0 0 L * ? 2028)',
      'UTC',
      '2026-01-01T00:00:00Z',
      ['2028-01-31T00:00', '2028-02-29T00:00'],
    ],
    [
      'cron(0 12 15W * ? *)',
      'UTC',
      '2026-02-01T00:00:00Z',
      ['2026-02-16T12:00', '2026-03-16T12:00'],
    ],
    [
      'cron(0 12 ? * 6L *)',
      'UTC',
      '2026-01-01T00:00:00Z',
      ['2026-01-30T12:00', '2026-02-27T12:00'],
    ],
    [
      'cron(0 12 ? * 6#3 *)',
      'UTC',
      '2026-01-01T00:00:00Z',
      ['2026-01-16T12:00', '2026-02-20T12:00'],
    ],
    ['cron(0 0 29 2 ? *)', 'UTC', '2026-01-01T00:00:00Z', ['2028-02-29T00:00', '2032-02-29T00:00']],
    // The clocks of Paris go from 02:00 to 03:00 on 29 March 2026: 02:30 does not exist and is skipped.
    [
      'cron(30 2 * * ? *)',
      'Europe/Paris',
      '2026-03-28T00:00:00Z',
      ['2026-03-28T01:30', '2026-03-30T00:30'],
    ],
    // They go back from 03:00 to 02:00 on 25 October 2026: 02:30 happens twice and fires once, the first time.
    [
      'cron(30 2 * * ? *)',
      'Europe/Paris',
      '2026-10-24T12:00:00Z',
      ['2026-10-25T00:30', '2026-10-26T01:30'],
    ],
    [
      'cron(30 1 * * ? *)',
      'America/New_York',
      '2026-10-31T12:00:00Z',
      ['2026-11-01T05:30', '2026-11-02T06:30'],
    ],
    [
      'cron(0 2 * * ? *)',
      'Australia/Lord_Howe',
      '2026-10-03T00:00:00Z',
      ['2026-10-04T15:00', '2026-10-05T15:00'],
    ],
    ['at(2026-03-29T02:30:00)', 'Europe/Paris', '2026-01-01T00:00:00Z', []],
  ];
  it.each(cases)('%s in %s from %s', (expression, zone, from, expected) => {
    expect(next(expression, zone, from, 2)).toEqual(expected);
  });

  const refused = [
    'rate(0 minutes)',
    'rate(1 minutes)',
    'rate(2 minute)',
    'cron(0 9 * * * *)',
    'cron(0 9 ? * ? *)',
    'cron(0 9 * * ?)',
    'cron(61 9 * * ? *)',
    'at(2026-02-30)',
    'every day',
  ];
  it.each(refused)('%s is refused', (expression) => {
    expect(() => timetableOf(expression)).toThrow('Invalid Schedule Expression');
  });

  it('a zone that does not exist is refused', () => {
    expect(() => timetableOf('rate(2 days)', 'Mars/Base')).toThrow('Mars/Base');
  });

  it('occurrences rise, lie on the minute asked for, and no local time fires twice', () => {
    const zones = ['Europe/Paris', 'America/Sao_Paulo', 'Australia/Lord_Howe', 'Asia/Kathmandu'];
    const property = fc.property(
      fc.constantFrom(...zones),
      fc.integer({ min: 0, max: 59 }),
      fc.integer({ min: 0, max: 365 }),
      (zone, minute, day) => {
        const timetable = timetableOf(`cron(${minute} * * * ? *)`, zone);
        const local = new Intl.DateTimeFormat('sv', {
          timeZone: zone,
          dateStyle: 'short',
          timeStyle: 'short',
        });
        const seen = new Set<string>();
        let atMs = Date.UTC(2026, 0, 1 + day);
        for (let count = 0; count < 30; count += 1) {
          const nextMs = timetable.next(atMs) ?? 0;
          expect(nextMs).toBeGreaterThan(atMs);
          const shown = local.format(nextMs);
          expect(Number(shown.slice(-2))).toBe(minute);
          expect(seen.has(shown)).toBe(false);
          seen.add(shown);
          atMs = nextMs;
        }
      },
    );
    fc.assert(property, { numRuns: 50 });
  });

  it('of several missed occurrences the newest counts', () => {
    const timetable = timetableOf('rate(1 minute)');
    expect(timetable.latest(60_000, 10 * 86_400_000 + 30_000)).toBe(10 * 86_400_000);
    const yearly = timetableOf('cron(0 0 1 1 ? *)');
    const due = Date.UTC(2026, 0, 1);
    expect(yearly.latest(due, Date.UTC(2028, 5, 1))).toBe(Date.UTC(2028, 0, 1));
    expect(yearly.latest(due, Date.UTC(2026, 5, 1))).toBe(due);
  });
});

const target = 'arn:aws:lambda:us-east-1:000000000000:function:fire';

/** A scheduler over a folder, with what it delivered. */
const openRig = (folder: string, clock: TwinClock, delivered: string[]) => {
  const database = openDatabase(join(folder, 'rig.sqlite'), deliveriesSchema + schedulerSchema);
  const deliveries = openDeliveries(database, clock, async (_target, input) => {
    delivered.push(input);
  });
  const scheduler = openSchedulerTwin({ database, clock, place: defaultPlace, deliveries });
  const close = (): void => {
    scheduler.close();
    deliveries.close();
    database.close();
  };
  const create = (name: string, given: object) =>
    scheduler.service({
      method: 'POST',
      path: `/schedules/${name}`,
      query: new URLSearchParams(),
      headers: {},
      body: Buffer.from(
        JSON.stringify({
          FlexibleTimeWindow: { Mode: 'OFF' },
          Target: { Arn: target, RoleArn: 'arn:any', Input: '"<aws.scheduler.scheduled-time>"' },
          ...given,
        }),
      ),
    });
  const exists = async (name: string): Promise<boolean> => {
    const query = new URLSearchParams();
    const request = { method: 'GET', path: `/schedules/${name}`, query, headers: {} };
    return (await scheduler.service({ ...request, body: new Uint8Array() })).status === 200;
  };
  return { scheduler, create, exists, close };
};

describe('firing', () => {
  it('delivers each occurrence once, with its scheduled time, also over a restart, and catches up once', async () => {
    const folder = await temporaryFolder();
    const clock = simulatedClock(Date.UTC(2026, 0, 1, 0, 0, 30));
    const delivered: string[] = [];
    const first = openRig(folder, clock, delivered);
    await first.create('hourly', { ScheduleExpression: 'cron(0 * * * ? *)' });
    first.scheduler.start();
    await clock.advance(2 * 3_600_000);
    first.close();
    await clock.advance(5 * 3_600_000);
    const second = openRig(folder, clock, delivered);
    second.scheduler.start();
    await clock.advance(3_600_000);
    second.close();
    const hours = [1, 2, 7, 8].map((hour) => `"2026-01-01T0${hour}:00:00Z"`);
    expect(delivered).toEqual(hours);
  });

  it('keeps within start and end, skips the disabled, and deletes what is done when asked to', async () => {
    const clock = simulatedClock(Date.UTC(2026, 0, 1));
    const delivered: string[] = [];
    const rig = openRig(await temporaryFolder(), clock, delivered);
    const seconds = clock.now() / 1000;
    await rig.create('within', {
      ScheduleExpression: 'rate(1 minute)',
      StartDate: seconds + 120,
      EndDate: seconds + 240,
      ActionAfterCompletion: 'DELETE',
    });
    await rig.create('off', { ScheduleExpression: 'rate(1 minute)', State: 'DISABLED' });
    await rig.create('once', {
      ScheduleExpression: 'at(2026-01-01T00:03:30)',
      ActionAfterCompletion: 'DELETE',
    });
    rig.scheduler.start();
    await clock.advance(600_000);
    const minutes = ['00:02:00', '00:03:00', '00:03:30', '00:04:00'];
    expect(delivered).toEqual(minutes.map((time) => `"2026-01-01T${time}Z"`));
    expect(await rig.exists('within')).toBe(false);
    expect(await rig.exists('once')).toBe(false);
    expect(await rig.exists('off')).toBe(true);
    rig.close();
  });
});
