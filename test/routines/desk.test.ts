// Routines by the API: made, changed, paused, run now, tried again, previewed; and the Scheduler kept in step with them.
import { describe, expect, test } from 'vitest';
import { OccurrenceView, Preview, RoutineView } from '../../functions/api/schemas/routines.ts';
import type { RoutineId } from '../../functions/core/base/ids.ts';
import { keep } from '../../functions/routine/keeping.ts';
import type { MemorySchedules } from '../fakes/memory-schedules.ts';
import { routineOf } from '../functions/api/problems/routine-cases.ts';
import type { Rig } from '../functions/api/rig.ts';
import { converse } from '../functions/api/story.ts';
import { daily, deliver, finish, firedRun, historyOf, openAt, turnTo } from './story.ts';

const post = async (rig: Rig, path: string, body: object = {}) => {
  const reply = await rig.call({ method: 'POST', path, body });
  expect(reply.status, reply.text).toBeLessThan(300);
  return reply.body;
};
const of = (routineId: RoutineId, what = ''): string =>
  `/v1/routines/${routineId}${what === '' ? '' : `/${what}`}`;
const view = async (rig: Rig, routineId: RoutineId): Promise<RoutineView> =>
  RoutineView.parse((await rig.call({ path: of(routineId) })).body);
const scheduler = (rig: Rig): MemorySchedules => rig.schedules;

describe('the Scheduler', () => {
  test('is told of each change at once: made, changed, paused, resumed, deleted', async () => {
    const ground = await openAt('2026-06-01T05:00:00Z');
    const { rig, agentId } = ground;
    const routineId = await daily(ground, { endsAt: '2026-07-01T00:00:00Z' });
    const told = () => scheduler(rig).told.get(routineId);
    expect(told()).toMatchObject({
      expression: 'cron(0 8 * * ? *)',
      zone: 'Europe/Paris',
      enabled: true,
      startMs: undefined,
      endMs: Date.parse('2026-07-01T00:00:00Z'),
    });
    await post(rig, of(routineId, 'pause'));
    expect(told()?.enabled).toBe(false);
    await post(rig, of(routineId, 'resume'));
    expect(told()?.enabled).toBe(true);
    const { rev } = await view(rig, routineId);
    await post(rig, of(routineId), { ...routineOf(agentId), zone: 'America/Sao_Paulo', rev });
    expect(told()).toMatchObject({ zone: 'America/Sao_Paulo', endMs: undefined });
    await rig.call({ method: 'DELETE', path: of(routineId) });
    expect(told()).toBeUndefined();
    expect((await rig.call({ path: of(routineId) })).status).toBe(404);
    rig.close();
  });

  test('that does not answer is told by the sweep, and what somebody changed there is put right', async () => {
    const ground = await openAt('2026-06-01T05:00:00Z');
    const { rig } = ground;
    const schedules = scheduler(rig);
    schedules.down = true;
    const routineId = await daily(ground);
    expect((await view(rig, routineId)).scheduled).toBe(false);
    schedules.down = false;
    await keep(rig.world, routineId);
    expect((await view(rig, routineId)).scheduled).toBe(true);
    const told = schedules.told.get(routineId);
    if (told === undefined) throw new Error('It was not told.');
    await schedules.put({ ...told, zone: 'UTC' });
    await keep(rig.world, routineId);
    expect(schedules.told.get(routineId)?.zone).toBe('Europe/Paris');
    await schedules.remove(routineId);
    await keep(rig.world, routineId);
    expect(schedules.told.has(routineId)).toBe(true);
    // A delivery that is not due makes the sweep look.
    await deliver(rig, routineId, '2026-06-01T05:03:00Z');
    const stored = await rig.world.routines.read(routineId);
    expect(stored?.clock.item.lookAtMs).toBeLessThanOrEqual(rig.now());
    rig.close();
  });

  test('gets a rate’s next time as its start, so that the rate goes on counting from where it did', async () => {
    const ground = await openAt('2026-06-01T05:00:30Z');
    const { rig } = ground;
    const routineId = await daily(ground, { schedule: 'rate(2 hours)', zone: 'UTC' });
    const start = () => new Date(scheduler(rig).told.get(routineId)?.startMs ?? 0).toISOString();
    expect(start()).toBe('2026-06-01T05:01:00.000Z');
    turnTo(rig, '2026-06-01T08:30:00Z');
    await post(rig, of(routineId, 'pause'));
    await post(rig, of(routineId, 'resume'));
    expect(start()).toBe('2026-06-01T09:01:00.000Z');
    rig.close();
  });
});

describe('a change', () => {
  test('lets what was due before happen as it was, and what is due after as it is', async () => {
    const ground = await openAt('2026-06-01T05:59:00Z');
    const { rig, agentId } = ground;
    const routineId = await daily(ground);
    turnTo(rig, '2026-06-01T06:01:00Z');
    await post(rig, of(routineId), {
      ...routineOf(agentId),
      schedule: 'cron(0 9 * * ? *)',
      message: 'Another report.',
      rev: 1,
    });
    await deliver(rig, routineId, '2026-06-01T06:00:00Z');
    turnTo(rig, '2026-06-01T07:00:00Z');
    await deliver(rig, routineId, '2026-06-01T07:00:00Z');
    expect(await historyOf(rig, routineId)).toEqual([
      '06-01T06:00 fired started',
      '06-01T07:00 skipped run_active',
    ]);
    const { items } = await rig.world.routines.history(routineId, 10);
    const { conversationId } = firedRun(items.at(-1));
    const [message] = await rig.world.store.messagesOf(conversationId);
    expect(message).toMatchObject({
      text: 'Write the report.',
      author: { kind: 'routine', subject: routineId, name: 'Morning report' },
    });
    rig.close();
  });

  test('a pause leaves nothing that was due without its reason', async () => {
    const ground = await openAt('2026-06-01T05:59:00Z');
    const { rig } = ground;
    const routineId = await daily(ground);
    turnTo(rig, '2026-06-01T06:00:30Z');
    await post(rig, of(routineId, 'pause'));
    turnTo(rig, '2026-06-03T07:00:00Z');
    await post(rig, of(routineId, 'resume'));
    expect(await historyOf(rig, routineId)).toEqual(['06-01T06:00 skipped paused']);
    expect((await view(rig, routineId)).nextAt).toBe('2026-06-04T06:00:00.000Z');
    rig.close();
  });

  test.each(['pause', 'resume later'] as const)(
    'a change after a long silence leaves nothing that was due without its record (%s)',
    async (when) => {
      const ground = await openAt('2026-06-01T06:00:30Z');
      const { rig } = ground;
      const routineId = await daily(ground, { schedule: 'cron(* * * * ? *)' });
      // Nothing was delivered and nobody swept: more than one look settles.
      turnTo(rig, '2026-06-01T18:00:30Z');
      await post(rig, of(routineId, 'pause'));
      if (when === 'resume later') await post(rig, of(routineId, 'resume'));
      const { items } = await rig.world.routines.history(routineId, 1_000);
      expect(items).toHaveLength(12 * 60);
      const late = items.filter(({ outcome }) => outcome.kind === 'missed');
      expect(late).toHaveLength(12 * 60 - 5);
      rig.close();
    },
  );

  const wrong: [string, object, string, string][] = [
    ['a schedule that is none', { schedule: 'daily' }, 'schedule', 'unknown_form'],
    ['a zone that is none', { zone: 'Europe/Atlantis' }, 'zone', 'unknown_zone'],
    ['a time that has passed', { schedule: 'at(2026-01-01T00:00:00)' }, 'schedule', 'never_due'],
    ['an end that has passed', { endsAt: '2026-01-01T00:00:00Z' }, 'schedule', 'never_due'],
    [
      'an end before its start',
      { startsAt: '2026-07-02T00:00:00Z', endsAt: '2026-07-01T00:00:00Z' },
      'endsAt',
      'ends_before_start',
    ],
    ['an unknown agent', { agentId: `agt_${'0'.repeat(26)}` }, 'agentId', 'unknown_agent'],
    [
      'an unknown conversation',
      { conversation: { kind: 'fixed', conversationId: `cnv_${'0'.repeat(26)}` } },
      'conversation.conversationId',
      'unknown_conversation',
    ],
  ];
  test.each(wrong)(
    '%s is refused with the field and the reason, in two languages',
    async (_, more, field, code) => {
      const ground = await openAt('2026-06-01T05:00:00Z');
      const body = { ...routineOf(ground.agentId), ...more };
      const said = async (language: string) => {
        const headers = { 'accept-language': language };
        const path = '/v1/routines';
        const reply = await ground.rig.call({ method: 'POST', path, body, headers });
        expect(reply.status).toBe(422);
        const [error] = reply.body.errors as { field: string; code: string; reason: string }[];
        expect(error).toMatchObject({ field, code });
        return error?.reason;
      };
      expect(await said('fr')).not.toBe(await said('en'));
      ground.rig.close();
    },
  );
});

describe('run now and try again', () => {
  test('a paused routine runs when a person says so, and the history says who', async () => {
    const ground = await openAt('2026-06-01T05:00:00Z');
    const { rig } = ground;
    const routineId = await daily(ground);
    await post(rig, of(routineId, 'pause'));
    const made = OccurrenceView.parse(await post(rig, of(routineId, 'run')));
    expect(made).toMatchObject({
      cause: 'now',
      by: { subject: 'ana' },
      outcome: { kind: 'fired', how: 'started' },
      run: { state: { status: 'running' } },
      retryable: false,
    });
    rig.close();
  });

  test('a failed firing is tried again as a new run that names it; the failed one stays as it is', async () => {
    const ground = await openAt('2026-06-01T05:00:00Z');
    const { rig, agentId } = ground;
    const conversation = { kind: 'fixed', conversationId: await converse(rig, agentId) };
    const routineId = await daily(ground, { conversation });
    turnTo(rig, '2026-06-01T06:00:00Z');
    const failed = await deliver(rig, routineId, '2026-06-01T06:00:00Z');
    const first = firedRun(failed);
    await finish(rig, first.runId, 'failed');
    const again = OccurrenceView.parse(
      await post(rig, of(routineId, `occurrences/${failed?.occurrenceId}/retry`)),
    );
    expect(again).toMatchObject({ cause: 'retry', retryOf: failed?.occurrenceId });
    expect(again.run?.runId).not.toBe(first.runId);
    const { body } = await rig.call({ path: of(routineId, 'occurrences') });
    expect(body.items).toMatchObject([
      { occurrenceId: again.occurrenceId, retryable: false },
      {
        occurrenceId: failed?.occurrenceId,
        run: { runId: first.runId, state: { status: 'finished', reason: 'failed' } },
        retryable: true,
      },
    ]);
    rig.close();
  });

  test('a viewer reads only, a member may run and pause, an administrator makes; strangers see nothing', async () => {
    const ground = await openAt('2026-06-01T05:00:00Z');
    const { rig, agentId } = ground;
    const routineId = await daily(ground);
    const may = async (as: 'vera' | 'ben' | 'stranger', method: 'GET' | 'POST', path: string) => {
      const body = path === '/v1/routines' ? { body: routineOf(agentId) } : { body: {} };
      return (await rig.call({ method, path, as, ...(method === 'POST' ? body : {}) })).status;
    };
    expect(await may('vera', 'GET', of(routineId, 'occurrences'))).toBe(200);
    expect(await may('vera', 'POST', of(routineId, 'run'))).toBe(403);
    expect(await may('ben', 'POST', '/v1/routines')).toBe(403);
    expect(await may('ben', 'POST', of(routineId, 'pause'))).toBe(200);
    for (const what of ['', 'occurrences'])
      expect(await may('stranger', 'GET', of(routineId, what))).toBe(404);
    for (const what of ['run', 'pause', 'resume'])
      expect(await may('stranger', 'POST', of(routineId, what))).toBe(404);
    rig.close();
  });
});

test('S65: the preview shows both change days of Paris, in words and with warnings', async () => {
  const { rig } = await openAt('2026-03-27T12:00:00Z');
  const schedule = { schedule: 'cron(30 2 * * ? *)', zone: 'Europe/Paris' };
  const seen = async () =>
    Preview.parse(await post(rig, '/v1/routines/preview', { ...schedule, count: 3 }));
  const spring = await seen();
  expect(spring.occurrences).toEqual([
    { at: '2026-03-28T01:30:00.000Z', local: '2026-03-28T02:30:00' },
    { at: '2026-03-30T00:30:00.000Z', local: '2026-03-30T02:30:00' },
    { at: '2026-03-31T00:30:00.000Z', local: '2026-03-31T02:30:00' },
  ]);
  expect(spring.words).toEqual({ en: 'At 02:30', fr: 'À 02:30' });
  expect(spring.warnings.map(({ code }) => code)).toEqual(['skipped', 'happens_twice', 'skipped']);
  expect(spring.warnings[0]?.words.fr).toContain('29 mars 2026 à 02:30');
  turnTo(rig, '2026-10-24T12:00:00Z');
  expect((await seen()).occurrences.map(({ local }) => local)).toEqual([
    '2026-10-25T02:30:00',
    '2026-10-26T02:30:00',
    '2026-10-27T02:30:00',
  ]);
  rig.close();
});
