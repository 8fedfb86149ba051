// The REST API of EventBridge Scheduler. Owns: its paths, parameters, answers and errors.
import type { DatabaseSync } from 'node:sqlite';
import type { TwinClock } from '../base/clock.ts';
import { transaction } from '../base/database.ts';
import { type Place, scheduleArn } from '../base/names.ts';
import {
  AwsFault,
  faultOf,
  faultResponse,
  jsonObjectOf,
  jsonResponse,
  type WireRequest,
  type WireService,
} from '../base/wire.ts';
import { nextOf } from './occurrences.ts';
import {
  type ScheduleGroup,
  type ScheduleInput,
  type ScheduleStore,
  type StoredSchedule,
  scheduleInput,
} from './store.ts';

export interface RouteParts {
  readonly store: ScheduleStore;
  readonly database: DatabaseSync;
  readonly clock: TwinClock;
  readonly place: Place;
  /** Called after a change that may move the next due time. */
  changed(): void;
}

const nameForm = /^[0-9a-zA-Z\-_.]{1,64}$/;
const pageDefault = 100;

const absent = (what: string): AwsFault =>
  new AwsFault('ResourceNotFoundException', `${what} does not exist.`, 404);
const conflict = (what: string): AwsFault =>
  new AwsFault('ConflictException', `${what} already exists.`, 409);

const shown = (place: Place, schedule: StoredSchedule) => {
  const { given, name, groupName, createdAtMs, changedAtMs } = schedule;
  return {
    ...given,
    Name: name,
    GroupName: groupName,
    Arn: scheduleArn(place, groupName, name),
    CreationDate: createdAtMs / 1000,
    LastModificationDate: changedAtMs / 1000,
  };
};

const summary = (place: Place, schedule: StoredSchedule) => {
  const { Arn, Name, GroupName, State, CreationDate, LastModificationDate, Target } = shown(
    place,
    schedule,
  );
  const times = { CreationDate, LastModificationDate };
  return { Arn, Name, GroupName, State, ...times, Target: { Arn: Target.Arn } };
};

const readInput = (request: WireRequest): ScheduleInput => {
  const read = scheduleInput.safeParse(jsonObjectOf(request.body));
  if (read.success) return read.data;
  const wrong = read.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  throw new AwsFault('ValidationException', `Wrong parameters: ${wrong.join('; ')}`);
};

const pageOf = <Entry>(all: readonly Entry[], { query }: WireRequest) => {
  const from = Number(query.get('NextToken') ?? 0);
  const size = Math.min(100, Number(query.get('MaxResults') ?? pageDefault) || pageDefault);
  if (!Number.isInteger(from) || from < 0)
    throw new AwsFault('ValidationException', 'The NextToken is not one of this list.');
  const more = from + size < all.length ? { NextToken: String(from + size) } : {};
  return { entries: all.slice(from, from + size), more };
};

const groupShown = ({ place }: RouteParts, { name, createdAtMs }: ScheduleGroup) => ({
  Arn: `arn:aws:scheduler:${place.region}:${place.account}:schedule-group/${name}`,
  Name: name,
  State: 'ACTIVE',
  CreationDate: createdAtMs / 1000,
  LastModificationDate: createdAtMs / 1000,
});

type Handler = (parts: RouteParts, request: WireRequest, name: string) => unknown;

const put = (parts: RouteParts, request: WireRequest, name: string, isNew: boolean): unknown => {
  const { store, clock, place } = parts;
  const given = readInput(request);
  if (!nameForm.test(name))
    throw new AwsFault('ValidationException', `${name} is no schedule name.`);
  if (!store.groups().some((group) => group.name === given.GroupName))
    throw absent(`Schedule group ${given.GroupName}`);
  const before = store.schedule(given.GroupName, name);
  if (isNew && before !== undefined) throw conflict(`Schedule ${name}`);
  if (!isNew && before === undefined) throw absent(`Schedule ${name}`);
  const nowMs = clock.now();
  const createdAtMs = before?.createdAtMs ?? nowMs;
  // A rate without a start date fires at once; everything else from now on.
  const afterMs = isNew ? nowMs - 1 : nowMs;
  const nextAtMs = nextOf(given, createdAtMs, afterMs);
  store.put({
    groupName: given.GroupName,
    name,
    given,
    createdAtMs,
    changedAtMs: nowMs,
    nextAtMs,
  });
  return { ScheduleArn: scheduleArn(place, given.GroupName, name) };
};

const groupIn = ({ query }: WireRequest): string => query.get('groupName') ?? 'default';

const schedules: Readonly<Record<string, Handler>> = {
  POST: (parts, request, name) => put(parts, request, name, true),
  PUT: (parts, request, name) => put(parts, request, name, false),
  GET: ({ store, place }, request, name) => {
    if (name !== '') {
      const there = store.schedule(groupIn(request), name);
      if (there === undefined) throw absent(`Schedule ${name}`);
      return shown(place, there);
    }
    const { query } = request;
    const group = query.get('ScheduleGroup');
    const state = query.get('State');
    const all = store
      .schedules()
      .filter((each) => group === null || each.groupName === group)
      .filter((each) => state === null || each.given.State === state)
      .filter((each) => each.name.startsWith(query.get('NamePrefix') ?? ''));
    const { entries, more } = pageOf(all, request);
    return { Schedules: entries.map((each) => summary(place, each)), ...more };
  },
  DELETE: ({ store }, request, name) => {
    if (store.schedule(groupIn(request), name) === undefined) throw absent(`Schedule ${name}`);
    store.drop(groupIn(request), name);
    return {};
  },
};

const groups: Readonly<Record<string, Handler>> = {
  POST: (parts, _request, name) => {
    if (!nameForm.test(name))
      throw new AwsFault('ValidationException', `${name} is no group name.`);
    if (parts.store.groups().some((group) => group.name === name))
      throw conflict(`Schedule group ${name}`);
    const group = { name, createdAtMs: parts.clock.now() };
    parts.store.addGroup(group);
    return { ScheduleGroupArn: groupShown(parts, group).Arn };
  },
  GET: (parts, request, name) => {
    if (name === '') {
      const { entries, more } = pageOf(parts.store.groups(), request);
      return { ScheduleGroups: entries.map((group) => groupShown(parts, group)), ...more };
    }
    const there = parts.store.groups().find((group) => group.name === name);
    if (there === undefined) throw absent(`Schedule group ${name}`);
    return groupShown(parts, there);
  },
  DELETE: ({ store }, _request, name) => {
    if (name === 'default') throw new AwsFault('ValidationException', 'The default group stays.');
    if (!store.groups().some((group) => group.name === name))
      throw absent(`Schedule group ${name}`);
    store.dropGroup(name);
    return {};
  },
};

const answer = (parts: RouteParts, request: WireRequest): unknown => {
  const [, kind, name = '', ...rest] = request.path.split('/').map(decodeURIComponent);
  const handlers = kind === 'schedules' ? schedules : kind === 'schedule-groups' ? groups : {};
  const { method } = request;
  const handler = Object.hasOwn(handlers, method) ? handlers[method] : undefined;
  if (handler === undefined || rest.length > 0 || (name === '' && method !== 'GET'))
    throw new AwsFault(
      'UnknownOperationException',
      `The twin's Scheduler has no ${request.method} ${request.path}.`,
      404,
    );
  if (method === 'GET') return handler(parts, request, name);
  const result = transaction(parts.database, () => handler(parts, request, name));
  parts.changed();
  return result;
};

export const schedulerRoutes =
  (parts: RouteParts): WireService =>
  async (request) => {
    try {
      return jsonResponse(200, answer(parts, request), { 'content-type': 'application/json' });
    } catch (cause) {
      return faultResponse(faultOf(cause));
    }
  };
