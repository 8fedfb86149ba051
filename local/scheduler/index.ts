// EventBridge Scheduler on one machine: its REST API, and one timer for the schedule that is due next. Owns: firing.
// An occurrence and the schedule's next time are one transaction, so each occurrence is stored for delivery once; of
// several that passed while the twin was down, the newest is delivered.
import type { DatabaseSync } from 'node:sqlite';
import type { CancelTimer, TwinClock } from '../base/clock.ts';
import { transaction } from '../base/database.ts';
import { attemptsMaxFor, type Deliveries } from '../base/deliveries.ts';
import { type Place, scheduleArn } from '../base/names.ts';
import type { WireService } from '../base/wire.ts';
import { timetableFor } from './expressions.ts';
import { nextOf } from './occurrences.ts';
import { schedulerRoutes } from './routes.ts';
import { openScheduleStore, type StoredSchedule } from './store.ts';

export interface SchedulerTwin {
  readonly service: WireService;
  /** Starts the timer. */
  start(): void;
  close(): void;
}

export interface SchedulerParts {
  readonly database: DatabaseSync;
  readonly clock: TwinClock;
  readonly place: Place;
  readonly deliveries: Deliveries;
}

const retriesDefault = 185;
const ageSecondsDefault = 86_400;
const troubleMs = 1000;

const inputOf = (arn: string, schedule: StoredSchedule, dueAtMs: number): string => {
  const attributes: Readonly<Record<string, string>> = {
    '<aws.scheduler.schedule-arn>': arn,
    '<aws.scheduler.scheduled-time>': new Date(dueAtMs).toISOString().replace(/\.\d+Z$/, 'Z'),
    '<aws.scheduler.execution-id>': crypto.randomUUID(),
    '<aws.scheduler.attempt-number>': '1',
  };
  const input = schedule.given.Target.Input ?? '{}';
  return input.replace(/<aws\.scheduler\.[a-z-]+>/g, (name) => attributes[name] ?? name);
};

export const openSchedulerTwin = (parts: SchedulerParts): SchedulerTwin => {
  const { database, clock, place, deliveries } = parts;
  const store = openScheduleStore(database);
  let cancel: CancelTimer = () => undefined;
  let started = false;

  const fireOne = (schedule: StoredSchedule, nowMs: number): void => {
    const { given, groupName, name, createdAtMs } = schedule;
    const dueAtMs = timetableFor(given, createdAtMs).latest(schedule.nextAtMs ?? nowMs, nowMs);
    const policy = given.Target.RetryPolicy;
    deliveries.add({
      target: given.Target.Arn,
      input: inputOf(scheduleArn(place, groupName, name), schedule, dueAtMs),
      attemptsMax: attemptsMaxFor(
        given.Target.Arn,
        (policy?.MaximumRetryAttempts ?? retriesDefault) + 1,
      ),
      ageMsMax: (policy?.MaximumEventAgeInSeconds ?? ageSecondsDefault) * 1000,
    });
    const nextAtMs = nextOf(given, createdAtMs, Math.max(nowMs, dueAtMs));
    if (nextAtMs === null && given.ActionAfterCompletion === 'DELETE') store.drop(groupName, name);
    else store.put({ ...schedule, nextAtMs });
  };
  const fire = (): void => {
    try {
      const nowMs = clock.now();
      transaction(database, () => {
        for (const schedule of store.due(nowMs)) fireOne(schedule, nowMs);
      });
      deliveries.wake();
      arm();
    } catch {
      // The disk refused; nothing was stored, so the occurrence is still due.
      cancel = clock.at(clock.now() + troubleMs, fire);
    }
  };
  const arm = (): void => {
    cancel();
    const atMs = started ? store.nextAtMs() : undefined;
    if (atMs !== undefined) cancel = clock.at(atMs, fire);
  };
  return {
    service: schedulerRoutes({ store, database, clock, place, changed: arm }),
    start: () => {
      started = true;
      arm();
    },
    close: () => {
      started = false;
      cancel();
    },
  };
};
