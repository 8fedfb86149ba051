// Routines: made, changed, paused, resumed, deleted, listed. What is stored is the truth; the Scheduler is told of it.
// Laws: L19.
// Tested in test/routines/desk.test.ts.
import { z } from 'zod';
import { TryAgain } from '../../core/base/errors.ts';
import { RoutineId } from '../../core/base/ids.ts';
import type { Versioned } from '../../core/records/change.ts';
import type { Routine, RoutineContent } from '../../core/records/routine.ts';
import { timetableOf } from '../../core/routines/routine.ts';
import type { StoredRoutine } from '../../ports/routines.ts';
import { applySoon, changeRoutine } from '../../routine/changing.ts';
import type { Ending } from '../../routine/keeping.ts';
import type { ApiWorld } from '../../wiring/api.ts';
import { cursorIn, cursorOut, cutToFit } from '../http/cursor.ts';
import { ours } from '../http/found.ts';
import {
  type Again,
  type Answer,
  type Call,
  noIds,
  type Route,
  reading,
  route,
} from '../http/operation.ts';
import type { Caller } from '../identity/identity.ts';
import { problem } from '../problems/problems.ts';
import { anchorOf, checkRoutine } from '../registry/routine-checks.ts';
import { RoutineBody, RoutineChange, RoutineMade, RoutineView } from '../schemas/routines.ts';
import { none, PageQuery, pageOf } from '../schemas/schemas.ts';

const one = z.strictObject({ routineId: RoutineId });

/** The routine if it is the caller's workspace's and was not deleted. Throws the problem `not-found`. */
export const routineFor = async (
  world: ApiWorld,
  caller: Caller,
  routineId: RoutineId,
): Promise<StoredRoutine> => {
  const stored = await world.routines.read(routineId);
  const { item } = ours(caller, stored?.routine);
  if (stored === undefined || item.state === 'deleted') throw problem('not-found', {});
  return stored;
};

export const routineView = ({ routine, clock }: StoredRoutine, nowMs: number): RoutineView => {
  const { schema: _schema, workspace: _workspace, anchorMs: _anchor, ...shown } = routine.item;
  const nextMs = shown.state === 'active' ? timetableOf(routine.item).next(nowMs) : undefined;
  return {
    ...shown,
    rev: routine.rev,
    scheduled: clock.item.applied === clock.item.wanted,
    ...(nextMs === undefined ? {} : { nextAt: new Date(nextMs).toISOString() }),
  };
};

const isoNow = (world: ApiWorld): string => new Date(world.clock.now()).toISOString();

const create = route(
  {
    operationId: 'createRoutine',
    method: 'post',
    path: '/v1/routines',
    tag: 'routines',
    summary: 'Make a routine: a message said on a schedule',
    description:
      'Each due time fires at most once, whatever is repeated or restarted, and leaves a record: the run it became, or why none.',
    params: none,
    query: none,
    body: RoutineBody,
    answers: { 201: { description: 'Made.', schema: RoutineMade } },
    example: {
      name: 'Morning report',
      agentId: 'agt_0000000000000000000000000A',
      message: 'Write the report of yesterday.',
      schedule: 'cron(0 8 ? * MON-FRI *)',
      zone: 'America/Sao_Paulo',
    },
  },
  async ({ world, caller, body, suffix }) => {
    const nowMs = world.clock.now();
    const routineId = RoutineId.parse(`rtn_${suffix}`);
    if ((await world.routines.read(routineId)) !== undefined)
      return { status: 201, body: { routineId } };
    await checkRoutine(world, caller, body, nowMs);
    const at = isoNow(world);
    const { workspace, author } = caller;
    const base = { schema: 1 as const, workspace, routineId };
    const made = await world.routines.commit([
      {
        do: 'put',
        kind: 'routine',
        item: {
          ...base,
          ...body,
          state: 'active',
          anchorMs: anchorOf(body, nowMs),
          createdAt: at,
          createdBy: author,
          changedAt: at,
          changedBy: author,
        },
      },
      {
        do: 'put',
        kind: 'routine-clock',
        item: { ...base, coveredMs: nowMs, lookAtMs: nowMs, wanted: 1, applied: 0 },
      },
    ]);
    // The same post was faster, and its routine is this one; anything else wrote nothing.
    if (made === 'conflict' && (await world.routines.read(routineId)) === undefined)
      throw new TryAgain('The routine could not be written beside others. Nothing was written.');
    await applySoon(world, routineId);
    return { status: 201, body: { routineId } };
  },
);

const list = reading(
  {
    operationId: 'listRoutines',
    method: 'get',
    path: '/v1/routines',
    tag: 'routines',
    summary: 'Routines of the workspace, newest first',
    description: 'A page can hold fewer than `limit` and still have a next one.',
    params: none,
    query: PageQuery,
    answers: { 200: { description: 'A page.', schema: pageOf(RoutineView) } },
    problems: ['invalid-query', 'bad-cursor'],
  },
  async ({ world, caller, query }) => {
    const { workspace } = caller;
    const cursor = cursorIn('routines', workspace, query.cursor);
    const page = cutToFit(
      await world.routines.routinesOf(workspace, query.limit, cursor),
      ({ createdAt, routineId }) => `${createdAt}#${routineId}`,
    );
    const stored = await Promise.all(
      page.items.map(({ routineId }) => world.routines.read(routineId)),
    );
    const nowMs = world.clock.now();
    const items = stored.flatMap((each) =>
      each === undefined || each.routine.item.state === 'deleted' ? [] : [routineView(each, nowMs)],
    );
    const next = page.next && cursorOut('routines', workspace, page.next);
    return { status: 200, body: { items, next } };
  },
);

const get = reading(
  {
    operationId: 'getRoutine',
    method: 'get',
    path: '/v1/routines/{routineId}',
    tag: 'routines',
    summary: 'One routine, and when it is due next',
    params: one,
    query: none,
    answers: { 200: { description: 'The routine.', schema: RoutineView } },
  },
  async ({ world, caller, params }) => ({
    status: 200,
    body: routineView(await routineFor(world, caller, params.routineId), world.clock.now()),
  }),
);

type Naming = Pick<Call<z.infer<typeof one>, unknown, unknown>, 'world' | 'caller' | 'params'>;

const shownNow = async ({ world, caller, params }: Naming): Promise<RoutineView> =>
  routineView(await routineFor(world, caller, params.routineId), world.clock.now());

const routineAgain: Again<Naming, object> = { ids: noIds, read: shownNow };

/** The routine with its new content; a rate goes on counting from where it did, if its schedule is the same. */
const revised = (world: ApiWorld, caller: Caller, before: Routine, content: RoutineContent) => {
  const same = (['schedule', 'zone', 'startsAt'] as const).every(
    (part) => before[part] === content[part],
  );
  const { schema, workspace, routineId, state, createdAt, createdBy } = before;
  const nowMs = world.clock.now();
  return {
    ...content,
    ...{ schema, workspace, routineId, state, createdAt, createdBy },
    anchorMs: same ? before.anchorMs : anchorOf(content, nowMs),
    changedAt: new Date(nowMs).toISOString(),
    changedBy: caller.author,
  };
};

const isSaid = (routine: Routine, content: RoutineContent): boolean =>
  Object.entries(content).every(
    ([part, value]) => JSON.stringify(Reflect.get(routine, part)) === JSON.stringify(value),
  );

const change = route(
  {
    operationId: 'changeRoutine',
    method: 'post',
    path: '/v1/routines/{routineId}',
    tag: 'routines',
    summary: 'Change a routine',
    description:
      'What was due before is settled as the routine was; what is due from now on is as it is now.',
    params: one,
    query: none,
    body: RoutineChange,
    answers: { 200: { description: 'Changed.', schema: RoutineView } },
    problems: ['routine-changed'],
    example: {
      rev: 1,
      name: 'Morning report',
      agentId: 'agt_0000000000000000000000000A',
      message: 'Write the report of yesterday.',
      schedule: 'cron(30 8 ? * MON-FRI *)',
      zone: 'America/Sao_Paulo',
    },
  },
  async ({ world, caller, params, body }) => {
    const { rev, ...content } = body;
    await routineFor(world, caller, params.routineId);
    await checkRoutine(world, caller, content, world.clock.now());
    const changing = ({ item, rev: now }: Versioned<Routine>): Routine | undefined => {
      // A repeat of the same change, whose answer was lost.
      if (now === rev + 1 && isSaid(item, content)) return undefined;
      if (now !== rev || item.state === 'deleted')
        throw problem('routine-changed', { rev: now }, { members: { rev: now } });
      return revised(world, caller, item, content);
    };
    return shown(world, await changeRoutine(world, params.routineId, changing));
  },
  routineAgain,
);

const shown = (world: ApiWorld, stored: StoredRoutine | undefined): Answer => {
  if (stored === undefined) throw problem('not-found', {});
  return { status: 200, body: routineView(stored, world.clock.now()) };
};

/** Sets the state; one that is so already is left. */
const put = async (
  world: ApiWorld,
  caller: Caller,
  routineId: RoutineId,
  state: Routine['state'],
): Promise<Answer> => {
  await routineFor(world, caller, routineId);
  const ending: Ending | undefined = state === 'active' ? undefined : state;
  const changing = ({ item }: Versioned<Routine>): Routine | undefined =>
    item.state === state || item.state === 'deleted'
      ? undefined
      : { ...item, state, changedAt: isoNow(world), changedBy: caller.author };
  return shown(world, await changeRoutine(world, routineId, changing, ending));
};

const switching = (state: 'active' | 'paused'): Route =>
  route(
    {
      operationId: state === 'paused' ? 'pauseRoutine' : 'resumeRoutine',
      method: 'post',
      path: `/v1/routines/{routineId}/${state === 'paused' ? 'pause' : 'resume'}`,
      tag: 'routines',
      summary: state === 'paused' ? 'Pause a routine' : 'Resume a paused routine',
      description:
        state === 'paused'
          ? 'Nothing is due until it is resumed. Runs in progress go on.'
          : 'What would have been due meanwhile is not made up for.',
      params: one,
      query: none,
      body: none,
      answers: { 200: { description: 'It is so now.', schema: RoutineView } },
    },
    ({ world, caller, params }) => put(world, caller, params.routineId, state),
    routineAgain,
  );

const remove = reading(
  {
    operationId: 'deleteRoutine',
    method: 'delete',
    path: '/v1/routines/{routineId}',
    tag: 'routines',
    summary: 'Delete a routine',
    description: 'Nothing of it is due any more. Its runs and conversations stay.',
    params: one,
    query: none,
    answers: { 200: { description: 'Deleted.', schema: RoutineView } },
  },
  ({ world, caller, params }) => put(world, caller, params.routineId, 'deleted'),
);

export const routineRoutes: readonly Route[] = [
  create,
  list,
  get,
  change,
  switching('paused'),
  switching('active'),
  remove,
];
