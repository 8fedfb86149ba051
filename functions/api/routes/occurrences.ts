// A routine's occurrences: what will be due, what was and what became of it, one more now, and a failed one again.
// Laws: L19 (a retry is an occurrence of its own, linked to the one it repeats).
// Tested in test/routines/desk.test.ts.
import { z } from 'zod';
import { Defect } from '../../core/base/errors.ts';
import { OccurrenceId, RoutineId } from '../../core/base/ids.ts';
import { zoneOf } from '../../core/base/zone.ts';
import type { Occurrence } from '../../core/records/routine.ts';
import type { Run } from '../../core/records/run.ts';
import { warningsOf } from '../../core/routines/clock-changes.ts';
import type { Wanted } from '../../core/routines/routine.ts';
import { fireOccurrence } from '../../routine/firing.ts';
import type { ApiWorld } from '../../wiring/api.ts';
import { cursorIn, cursorOut } from '../http/cursor.ts';
import { type Route, reading, route } from '../http/operation.ts';
import type { Caller } from '../identity/identity.ts';
import { problem } from '../problems/problems.ts';
import type { NotRetryable } from '../problems/words.ts';
import { anchorOf, scheduleFor } from '../registry/routine-checks.ts';
import { scheduleWords, warningWords } from '../registry/schedule-words.ts';
import { inOccurrence, OccurrenceView, Preview, PreviewBody } from '../schemas/routines.ts';
import { none, PageQuery, pageOf } from '../schemas/schemas.ts';
import { routineFor } from './routines.ts';

const one = z.strictObject({ routineId: RoutineId });

/** Why a further try would not be one; undefined when it may be tried again. */
const against = ({ outcome }: Occurrence, run: Run | undefined): NotRetryable | undefined => {
  if (outcome.kind === 'missed') return undefined;
  if (outcome.kind === 'skipped') return 'skipped';
  if (run?.state.status !== 'finished') return 'run_active';
  return ['done', 'step_limit'].includes(run.state.reason) ? 'run_succeeded' : undefined;
};

const views = async (
  world: ApiWorld,
  occurrences: readonly Occurrence[],
): Promise<OccurrenceView[]> => {
  const ids = occurrences.flatMap(({ outcome }) => (outcome.kind === 'fired' ? outcome.runId : []));
  const runs = new Map((await world.people.runs(ids)).map((run) => [run.runId, run]));
  return occurrences.map(({ schema: _schema, workspace: _workspace, ...shown }) => {
    const { outcome } = shown;
    const run = outcome.kind === 'fired' ? runs.get(outcome.runId) : undefined;
    return {
      ...shown,
      ...(run === undefined ? {} : { run: { runId: run.runId, state: run.state } }),
      retryable: against({ schema: 1, workspace: '', ...shown }, run) === undefined,
    };
  });
};

const viewOf = async (world: ApiWorld, occurrence: Occurrence): Promise<OccurrenceView> => {
  const [view] = await views(world, [occurrence]);
  if (view === undefined) throw new Defect('One occurrence has one view.');
  return view;
};

const fireNow = async (
  world: ApiWorld,
  caller: Caller,
  routineId: RoutineId,
  wanted: Omit<Wanted, 'by'>,
): Promise<OccurrenceView> => {
  const made = await fireOccurrence(world, routineId, { ...wanted, by: caller.author });
  if (made === undefined) throw problem('not-found', {});
  return viewOf(world, made);
};

const history = reading(
  {
    operationId: 'listOccurrences',
    method: 'get',
    path: '/v1/routines/{routineId}/occurrences',
    tag: 'routines',
    summary:
      'Every occurrence of a routine with its run or the reason why it has none, newest first',
    params: one,
    query: PageQuery,
    answers: { 200: { description: 'A page.', schema: pageOf(OccurrenceView) } },
    problems: ['invalid-query', 'bad-cursor'],
  },
  async ({ world, caller, params, query }) => {
    const { routineId } = params;
    await routineFor(world, caller, routineId);
    const list = `occurrences ${routineId}`;
    const cursor = cursorIn(list, caller.workspace, query.cursor);
    const page = await world.routines.history(routineId, query.limit, cursor);
    const next = page.next && cursorOut(list, caller.workspace, page.next);
    return { status: 200, body: { items: await views(world, page.items), next } };
  },
);

const runNow = route(
  {
    operationId: 'runRoutine',
    method: 'post',
    path: '/v1/routines/{routineId}/run',
    tag: 'routines',
    summary: 'Run a routine now, also a paused one',
    description:
      'An occurrence like any other: where the run before is still in progress, the routine’s own rule for overlaps decides. A repeat with the same key answers with the same occurrence, whatever became of its run.',
    params: one,
    query: none,
    body: none,
    answers: { 200: { description: 'What became of it.', schema: OccurrenceView } },
  },
  async ({ world, caller, params, suffix }) => {
    await routineFor(world, caller, params.routineId);
    const occurrenceId = OccurrenceId.parse(`occ_${suffix}`);
    const wanted = { occurrenceId, cause: 'now', dueMs: world.clock.now() } as const;
    return { status: 200, body: await fireNow(world, caller, params.routineId, wanted) };
  },
);

const retry = route(
  {
    operationId: 'retryOccurrence',
    method: 'post',
    path: '/v1/routines/{routineId}/occurrences/{occurrenceId}/retry',
    tag: 'routines',
    summary: 'Try a failed occurrence again, as a new run',
    description:
      'For one whose run failed or was stopped, or that was missed. The new occurrence names the one it repeats. Nothing of the earlier run is replayed.',
    params: inOccurrence,
    query: none,
    body: none,
    answers: { 200: { description: 'What became of it.', schema: OccurrenceView } },
    problems: ['occurrence-not-retryable'],
  },
  async ({ world, caller, params, suffix }) => {
    const { routineId, occurrenceId: retryOf } = params;
    await routineFor(world, caller, routineId);
    const [failed] = await world.routines.records(routineId, [retryOf]);
    if (failed === undefined) throw problem('not-found', {});
    const { outcome } = failed;
    const [run] = outcome.kind === 'fired' ? await world.people.runs([outcome.runId]) : [];
    const hindrance = against(failed, run);
    if (hindrance !== undefined)
      throw problem('occurrence-not-retryable', { hindrance }, { members: { because: hindrance } });
    const occurrenceId = OccurrenceId.parse(`occ_${suffix}`);
    const dueMs = world.clock.now();
    const wanted = { occurrenceId, cause: 'retry', dueMs, retryOf } as const;
    return { status: 200, body: await fireNow(world, caller, routineId, wanted) };
  },
);

const occurrencesMax = 50;

const preview = route(
  {
    operationId: 'previewSchedule',
    method: 'post',
    path: '/v1/routines/preview',
    tag: 'routines',
    summary: 'When a schedule would be due, in words and in times',
    description:
      'By the rules of EventBridge Scheduler: a local time that does not exist is skipped, one that happens twice fires the first time, and day of week 1 is Sunday. Warns of changes of the clocks within a year.',
    params: none,
    query: none,
    body: PreviewBody,
    answers: { 200: { description: 'The next occurrences.', schema: Preview } },
    example: { schedule: 'cron(30 2 * * ? *)', zone: 'Europe/Paris', count: 5 },
  },
  async ({ world, body }) => {
    const nowMs = world.clock.now();
    const schedule = scheduleFor(body, anchorOf(body, nowMs));
    const zone = zoneOf(body.zone);
    const farMs = Number.MAX_SAFE_INTEGER;
    const due = schedule.timetable.between(nowMs, farMs, Math.min(body.count, occurrencesMax));
    const about = { expression: body.schedule, zone: body.zone };
    const answer: Preview = {
      occurrences: due.map((atMs) => ({
        at: new Date(atMs).toISOString(),
        local: new Date(zone.wallAt(atMs)).toISOString().slice(0, 19),
      })),
      words: scheduleWords(body.schedule),
      warnings: warningsOf(schedule, about, nowMs).map((warning) => ({
        code: warning.code,
        words: warningWords(warning),
      })),
    };
    return { status: 200, body: answer };
  },
);

/** The preview's address comes before that of a routine with such an id. */
export const occurrenceRoutes: readonly Route[] = [preview, history, runNow, retry];
