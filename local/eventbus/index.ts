// EventBridge on one machine: events come in, rules that match send them on through the durable deliveries. Owns: the
// bus operations and the last events, kept in memory for inspection.
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import type { TwinClock } from '../base/clock.ts';
import { transaction } from '../base/database.ts';
import { attemptsMaxFor, type Deliveries } from '../base/deliveries.ts';
import type { Place } from '../base/names.ts';
import { AwsFault, type JsonAnswer } from '../base/wire.ts';
import { busNameOf, parameters } from './parameters.ts';
import { matches, readPattern } from './patterns.ts';
import { type RuleParts, ruleOperations } from './rules.ts';
import { type BusStore, openBusStore } from './store.ts';

/** An event as a target receives it. */
export interface BusEvent {
  readonly version: '0';
  readonly id: string;
  readonly 'detail-type': string;
  readonly source: string;
  readonly account: string;
  /** ISO 8601, whole seconds. */
  readonly time: string;
  readonly region: string;
  readonly resources: readonly string[];
  readonly detail: unknown;
}

export interface EventBusTwin {
  handle(operation: string, body: Record<string, unknown>): JsonAnswer;
  /** Puts an event of an AWS service on the default bus. */
  emit(event: Pick<BusEvent, 'source' | 'detail-type' | 'resources' | 'detail'>): void;
  /** The newest events of a bus, oldest first. */
  recent(bus: string): readonly BusEvent[];
}

const recentMax = 1000;
const entryBytesMax = 1_048_576;
const dayMs = 86_400_000;

const entry = z.object({
  Source: z.string().optional(),
  DetailType: z.string().optional(),
  Detail: z.string().optional(),
  EventBusName: z.string().optional(),
  Resources: z.array(z.string()).optional(),
  Time: z.union([z.number(), z.string()]).optional(),
});
type Entry = z.infer<typeof entry>;
const putEvents = z.object({ Entries: z.array(entry).min(1).max(10) });

const detailOf = (given: Entry): unknown => {
  for (const field of ['Source', 'DetailType', 'Detail'] as const)
    if (given[field] === undefined || given[field] === '')
      throw new AwsFault(
        'InvalidArgument',
        `Parameter ${field} is not valid. Reason: ${field} is a required argument.`,
      );
  if (given.Source?.startsWith('aws.'))
    throw new AwsFault('NotAuthorizedForSource', 'Not authorized for the source.');
  try {
    const detail: unknown = JSON.parse(given.Detail ?? '');
    if (typeof detail === 'object' && detail !== null && !Array.isArray(detail)) return detail;
  } catch {
    // Told below: not an object either.
  }
  throw new AwsFault('MalformedDetail', 'Detail is malformed.');
};

const timeOf = (time: Entry['Time'], nowMs: number): string => {
  const ms = time === undefined ? nowMs : typeof time === 'number' ? time * 1000 : Date.parse(time);
  return new Date(Number.isFinite(ms) ? ms : nowMs).toISOString().replace(/\.\d+Z$/, 'Z');
};

interface Parts {
  readonly store: BusStore;
  readonly deliveries: Deliveries;
  readonly recent: Map<string, BusEvent[]>;
}

/** Remembers the event and stores a delivery for every target of every matching rule. */
const publish = ({ store, deliveries, recent }: Parts, bus: string, event: BusEvent): void => {
  for (const rule of store.rules(bus)) {
    if (rule.state !== 'ENABLED' || !matches(readPattern(rule.pattern), event)) continue;
    for (const { arn, input } of store.targets(bus, rule.name))
      deliveries.add({
        target: arn,
        input: input ?? JSON.stringify(event),
        attemptsMax: attemptsMaxFor(arn, 185),
        ageMsMax: dayMs,
      });
  }
  const kept = recent.get(bus) ?? [];
  kept.push(event);
  if (kept.length > recentMax) kept.shift();
  recent.set(bus, kept);
};

export const openEventBusTwin = (options: {
  readonly database: DatabaseSync;
  readonly clock: TwinClock;
  readonly place: Place;
  readonly deliveries: Deliveries;
}): EventBusTwin => {
  const { database, clock, place, deliveries } = options;
  const store = openBusStore(database);
  const parts: Parts = { store, deliveries, recent: new Map() };
  const eventOf = (given: Entry): BusEvent => ({
    version: '0',
    id: crypto.randomUUID(),
    'detail-type': given.DetailType ?? '',
    source: given.Source ?? '',
    account: place.account,
    time: timeOf(given.Time, clock.now()),
    region: place.region,
    resources: given.Resources ?? [],
    detail: detailOf(given),
  });
  const putOne = (given: Entry): object => {
    try {
      const event = eventOf(given);
      const bus = busNameOf(given.EventBusName);
      if (store.hasBus(bus)) publish(parts, bus, event);
      return { EventId: event.id };
    } catch (cause) {
      if (cause instanceof AwsFault) return { ErrorCode: cause.code, ErrorMessage: cause.message };
      throw cause;
    }
  };
  const put = (body: unknown): unknown => {
    const { Entries } = parameters(putEvents, body);
    if (JSON.stringify(Entries).length > entryBytesMax)
      throw new AwsFault(
        'ValidationException',
        'Total size of the entries in the request is over the limit.',
      );
    const results = transaction(database, () => Entries.map(putOne));
    deliveries.wake();
    const FailedEntryCount = results.filter((result) => 'ErrorCode' in result).length;
    return { FailedEntryCount, Entries: results };
  };
  const rules: RuleParts = { store, place };
  return {
    handle: (operation, body) => {
      if (operation === 'PutEvents') return { status: 200, body: put(body) };
      const run = Object.hasOwn(ruleOperations, operation) ? ruleOperations[operation] : undefined;
      if (run === undefined)
        throw new AwsFault(
          'UnknownOperationException',
          `The twin has no ${operation} of EventBridge.`,
        );
      return { status: 200, body: run(rules, body) ?? {} };
    },
    emit: (event) => {
      const time = timeOf(undefined, clock.now());
      const id = crypto.randomUUID();
      const whole: BusEvent = { version: '0', id, ...place, time, ...event };
      transaction(database, () => publish(parts, 'default', whole));
      deliveries.wake();
    },
    recent: (bus) => parts.recent.get(bus) ?? [],
  };
};
