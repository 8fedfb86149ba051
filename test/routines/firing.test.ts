// L19: an occurrence runs at most once, and every occurrence has a run or a recorded reason, whatever is delivered how often.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lateMs, occurrenceIdOf } from '../../functions/core/routines/routine.ts';
import { fireOccurrence } from '../../functions/routine/firing.ts';
import { keep } from '../../functions/routine/keeping.ts';
import { routineOf } from '../functions/api/problems/routine-cases.ts';
import { converse, here, say } from '../functions/api/story.ts';
import { daily, deliver, finish, firedRun, historyOf, openAt, runsIn, turnTo } from './story.ts';

const eight = '2026-06-01T06:00:00Z'; // 08:00 in Paris.

describe('L19: one occurrence', () => {
  test('delivered twenty times at once is one run and one message', async () => {
    const ground = await openAt('2026-06-01T05:00:00Z');
    const { rig } = ground;
    const routineId = await daily(ground);
    turnTo(rig, eight);
    const all = await Promise.all(Array.from({ length: 20 }, () => deliver(rig, routineId, eight)));
    const { runId, conversationId } = firedRun(all[0]);
    expect(new Set(all.map((each) => firedRun(each).runId))).toEqual(new Set([runId]));
    expect(await runsIn(rig)).toEqual([runId]);
    expect(await rig.world.store.messagesOf(conversationId)).toHaveLength(1);
    expect(await historyOf(rig, routineId)).toEqual(['06-01T06:00 fired started']);
    rig.close();
  });

  test('is the same one when its process died in the middle and it is delivered again', async () => {
    const ground = await openAt('2026-06-01T05:00:00Z');
    const { rig } = ground;
    const routineId = await daily(ground);
    turnTo(rig, eight);
    for (const point of ['fire.before', 'fire.conversation-made', 'fire.stored'] as const) {
      const dies = (at: string): void => {
        if (at === point) throw new Error(`Died at ${point}.`);
      };
      const delivery = deliver(rig, routineId, eight, { crash: { at: dies } });
      await expect(delivery).rejects.toThrow(point);
    }
    const { conversationId } = firedRun(await deliver(rig, routineId, eight));
    expect(await runsIn(rig)).toHaveLength(1);
    const { items } = await rig.world.store.conversationsOf('acme', 10);
    expect(items.map((each) => each.conversationId).toSorted()).toEqual(
      [ground.conversationId, conversationId].toSorted(),
    );
    rig.close();
  });

  test('delivered again after its time was moved by a minute is the one that ran, and no other runs', async () => {
    const ground = await openAt('2026-06-01T06:00:30Z');
    const { rig, agentId } = ground;
    const routineId = await daily(ground, { schedule: 'cron(1 8 * * ? *)' });
    const before = '2026-06-01T06:01:00Z';
    turnTo(rig, before);
    const { runId } = firedRun(await deliver(rig, routineId, before));
    turnTo(rig, '2026-06-01T06:01:30Z');
    const moved = { ...routineOf(agentId), schedule: 'cron(0 8 * * ? *)', rev: 1 };
    const path = `/v1/routines/${routineId}`;
    expect((await rig.call({ method: 'POST', path, body: moved })).status).toBe(200);
    expect(firedRun(await deliver(rig, routineId, before)).runId).toBe(runId);
    // Nor does the new time, which was over when it was named.
    await deliver(rig, routineId, '2026-06-01T06:00:00Z');
    expect(await runsIn(rig)).toEqual([runId]);
    expect(await historyOf(rig, routineId)).toEqual([
      '06-01T06:00 skipped not_due',
      '06-01T06:01 fired started',
    ]);
    rig.close();
  });

  test('that fell into a pause does not run, though it is delivered after the pause', async () => {
    const ground = await openAt('2026-06-01T05:59:00Z');
    const { rig } = ground;
    const routineId = await daily(ground);
    for (const [what, iso] of [
      ['pause', '2026-06-01T05:59:30Z'],
      ['resume', '2026-06-01T06:00:30Z'],
    ] as const) {
      turnTo(rig, iso);
      const path = `/v1/routines/${routineId}/${what}`;
      expect((await rig.call({ method: 'POST', path, body: {} })).status).toBe(200);
    }
    await deliver(rig, routineId, eight);
    expect(await historyOf(rig, routineId)).toEqual(['06-01T06:00 skipped not_due']);
    expect(await runsIn(rig)).toEqual([]);
    rig.close();
  });

  test('named a few seconds beside its time is still that one', async () => {
    const ground = await openAt('2026-06-01T05:00:00Z');
    const { rig } = ground;
    const routineId = await daily(ground);
    turnTo(rig, eight);
    await deliver(rig, routineId, '2026-06-01T06:00:07Z');
    await deliver(rig, routineId, eight);
    expect(await historyOf(rig, routineId)).toEqual(['06-01T06:00 fired started']);
    rig.close();
  });

  test('whatever is delivered, in whatever order and how often: one record each, and no run twice', async () => {
    const minutes = Array.from({ length: 6 }, (_, at) => `2026-06-01T06:0${at}:00Z`);
    const property = fc.asyncProperty(
      fc.array(fc.constantFrom(...minutes), { maxLength: 14 }),
      fc.constantFrom('skip', 'steer', 'queue'),
      async (deliveries, overlap) => {
        const ground = await openAt('2026-06-01T05:59:30Z');
        const { rig, conversationId } = ground;
        const routineId = await daily(ground, {
          schedule: 'cron(0/1 * * * ? *)',
          endsAt: '2026-06-01T06:05:00Z',
          overlap,
          conversation: { kind: 'fixed', conversationId },
        });
        turnTo(rig, '2026-06-01T06:04:00Z');
        await Promise.all(deliveries.map((time) => deliver(rig, routineId, time)));
        turnTo(rig, '2026-06-01T06:30:00Z');
        await keep(rig.world, routineId);
        const { items } = await rig.world.routines.history(routineId, 100);
        expect(items.map(({ dueAt }) => `${dueAt.slice(0, 19)}Z`).toReversed()).toEqual(minutes);
        const started = items.flatMap(({ outcome }) =>
          outcome.kind === 'fired' && outcome.how === 'started' ? outcome.runId : [],
        );
        expect(await runsIn(rig)).toEqual(started);
        const said = items.filter(({ outcome }) => outcome.kind === 'fired');
        expect(await rig.world.store.messagesOf(conversationId)).toHaveLength(said.length);
        rig.close();
      },
    );
    await fc.assert(property, { numRuns: 12 });
  });
});

describe('overlap with the run before', () => {
  const fixedOn = async (overlap: string) => {
    const ground = await openAt('2026-06-01T05:00:00Z');
    const { rig, conversationId } = ground;
    const conversation = { kind: 'fixed', conversationId };
    const routineId = await daily(ground, { overlap, conversation });
    await say(rig, conversationId, 'Something long.');
    turnTo(rig, eight);
    const occurrence = await deliver(rig, routineId, eight);
    return { ...ground, routineId, occurrence };
  };
  const active = async (ground: Awaited<ReturnType<typeof fixedOn>>) => {
    const { conversationId, rig } = ground;
    return (await rig.world.store.read({ conversation: conversationId })).conversation?.item;
  };

  test('skip: it is recorded with the run that was in progress, and told in the conversation', async () => {
    const ground = await fixedOn('skip');
    const { rig, occurrence, conversationId } = ground;
    const runId = (await active(ground))?.activeRun;
    expect(occurrence?.outcome).toEqual({ kind: 'skipped', because: 'run_active', runId });
    const events = await rig.world.store.eventsAfter(conversationId, 0, 100);
    expect(events.at(-1)?.body).toEqual({
      type: 'routine.skipped',
      occurrence: occurrence?.occurrenceId,
      because: 'run_active',
    });
    expect(await runsIn(rig)).toHaveLength(1);
    rig.close();
  });

  test('steer: its message goes to the run in progress', async () => {
    const ground = await fixedOn('steer');
    const conversation = await active(ground);
    expect(ground.occurrence?.outcome).toMatchObject({
      kind: 'fired',
      how: 'steered',
      runId: conversation?.activeRun,
    });
    expect(conversation?.pending).toHaveLength(2);
    expect(await runsIn(ground.rig)).toHaveLength(1);
    ground.rig.close();
  });

  test.each(['done', 'failed'] as const)(
    'queue: its run begins when the one before is %s, with its own message',
    async (reason) => {
      const ground = await fixedOn('queue');
      const { rig, occurrence } = ground;
      const before = await active(ground);
      const { runId, messageId, how } = firedRun(occurrence);
      expect(how).toBe('queued');
      expect(before?.pending).not.toContain(messageId);
      expect(await runsIn(rig)).toHaveLength(1);
      await finish(rig, before?.activeRun ?? '', reason);
      expect(await active(ground)).toMatchObject({
        activeRun: runId,
        pending: [messageId],
        queued: [],
      });
      const { run } = await here(rig, runId);
      expect(run.item.firstMessageId).toBe(messageId);
      const events = await rig.world.store.eventsAfter(ground.conversationId, 0, 100);
      expect(events.map(({ body }) => body.type).slice(-3)).toEqual([
        'run.finished',
        'run.started',
        'routine.fired',
      ]);
      rig.close();
    },
  );

  test('in conversations of their own, the firing before is what overlaps', async () => {
    const ground = await openAt('2026-06-01T05:00:00Z');
    const { rig } = ground;
    const routineId = await daily(ground);
    const days = [1, 2, 3].map((day) => `2026-06-0${day}T06:00:00Z`);
    const [first = '', second = '', third = ''] = days;
    turnTo(rig, first);
    const { runId, conversationId } = firedRun(await deliver(rig, routineId, first));
    turnTo(rig, second);
    const skipped = await deliver(rig, routineId, second);
    expect(skipped?.outcome).toMatchObject({ kind: 'skipped', runId });
    await finish(rig, runId);
    turnTo(rig, third);
    const last = firedRun(await deliver(rig, routineId, third));
    expect(last.conversationId).not.toBe(conversationId);
    rig.close();
  });
});

describe('occurrences that did not arrive in time', () => {
  const hourly = { schedule: 'cron(0 * * * ? *)' };
  const down = async (missed: object, until: string) => {
    const ground = await openAt('2026-06-01T05:30:00Z');
    const routineId = await daily(ground, { ...hourly, missed });
    turnTo(ground.rig, until);
    return { ...ground, routineId };
  };

  test('skip: each is recorded as missed, and nothing runs', async () => {
    const { rig, routineId } = await down({ policy: 'skip' }, '2026-06-01T09:20:00Z');
    await keep(rig.world, routineId);
    expect(await historyOf(rig, routineId)).toEqual(
      ['06', '07', '08', '09'].map((hour) => `06-01T${hour}:00 missed`),
    );
    expect(await runsIn(rig)).toEqual([]);
    rig.close();
  });

  test('one: the newest within the window runs, once, though the sweep and a late delivery both find it', async () => {
    const window = { policy: 'one', windowMs: 3_600_000 };
    const { rig, routineId } = await down(window, '2026-06-01T09:20:00Z');
    await Promise.all([
      keep(rig.world, routineId),
      deliver(rig, routineId, '2026-06-01T09:00:00Z'),
      keep(rig.world, routineId),
    ]);
    await keep(rig.world, routineId);
    expect(await historyOf(rig, routineId)).toEqual([
      ...['06', '07', '08'].map((hour) => `06-01T${hour}:00 missed`),
      '06-01T09:00 fired started',
    ]);
    expect(await runsIn(rig)).toHaveLength(1);
    rig.close();
  });

  test('one: outside the window none runs', async () => {
    const window = { policy: 'one', windowMs: 600_000 };
    const { rig, routineId } = await down(window, '2026-06-01T09:20:00Z');
    await keep(rig.world, routineId);
    expect(await runsIn(rig)).toEqual([]);
    rig.close();
  });

  test('three days of every five minutes are recorded over several sweeps, none left out', async () => {
    const ground = await openAt('2026-06-01T05:30:00Z');
    const { rig } = ground;
    const routineId = await daily(ground, { schedule: 'cron(0/5 * * * ? *)' });
    turnTo(rig, '2026-06-04T05:36:00Z');
    let recorded = 0;
    for (let sweeps = 0; sweeps < 4; sweeps += 1) recorded += await keep(rig.world, routineId);
    expect(recorded).toBe((3 * 24 * 60) / 5);
    rig.close();
  });

  test('the sweep waits for the Scheduler as long as it may take, and leaves what has its record', async () => {
    const ground = await openAt('2026-06-01T05:00:00Z');
    const { rig } = ground;
    const routineId = await daily(ground);
    turnTo(rig, eight);
    rig.turnClock(lateMs - 1_000);
    await keep(rig.world, routineId);
    expect(await historyOf(rig, routineId)).toEqual([]);
    await deliver(rig, routineId, eight);
    rig.turnClock(3_600_000);
    await keep(rig.world, routineId);
    expect(await historyOf(rig, routineId)).toEqual(['06-01T06:00 fired started']);
    rig.close();
  });
});

describe('what is delivered though it is not due', () => {
  test('while paused, after deletion, or at another time than the schedule’s, has its reason', async () => {
    const ground = await openAt('2026-06-01T05:00:00Z');
    const { rig } = ground;
    const routineId = await daily(ground);
    await deliver(rig, routineId, '2026-06-01T05:10:00Z');
    const post = (what: string) =>
      rig.call({ method: 'POST', path: `/v1/routines/${routineId}/${what}`, body: {} });
    await post('pause');
    turnTo(rig, eight);
    await deliver(rig, routineId, eight);
    await post('resume');
    await rig.call({ method: 'DELETE', path: `/v1/routines/${routineId}` });
    turnTo(rig, '2026-06-02T06:00:00Z');
    await deliver(rig, routineId, '2026-06-02T06:00:00Z');
    expect(await historyOf(rig, routineId)).toEqual([
      '06-01T05:10 skipped not_due',
      '06-01T06:00 skipped paused',
      '06-02T06:00 skipped deleted',
    ]);
    expect(await runsIn(rig)).toEqual([]);
    rig.close();
  });

  test('nothing is due after its end', async () => {
    const ground = await openAt('2026-06-01T05:00:00Z');
    const { rig } = ground;
    const routineId = await daily(ground, { endsAt: '2026-06-02T00:00:00Z' });
    turnTo(rig, '2026-06-02T06:00:00Z');
    await deliver(rig, routineId, '2026-06-02T06:00:00Z');
    rig.turnClock(86_400_000);
    await keep(rig.world, routineId);
    expect(await historyOf(rig, routineId)).toEqual([
      '06-01T06:00 missed',
      '06-02T06:00 skipped not_due',
    ]);
    rig.close();
  });
});

test('S19: a key whose run failed gives that run again, by message, by routine, run now, and many at once', async () => {
  const ground = await openAt('2026-06-01T05:00:00Z');
  const { rig, agentId } = ground;
  const key = 'the-same-key';
  const conversationId = await converse(rig, agentId);
  const said = await say(rig, conversationId, 'Do it.', key);
  await finish(rig, String(said.body.runId), 'failed');
  await rig.forgetAnswers();
  expect((await say(rig, conversationId, 'Do it.', key)).body.runId).toBe(said.body.runId);

  const routineId = await daily(ground);
  turnTo(rig, eight);
  const due = firedRun(await deliver(rig, routineId, eight));
  await finish(rig, due.runId, 'failed');
  expect(firedRun(await deliver(rig, routineId, eight)).runId).toBe(due.runId);
  const wanted = {
    occurrenceId: occurrenceIdOf(routineId, Date.parse(eight)),
    cause: 'due',
  } as const;
  const again = await fireOccurrence(rig.world, routineId, { ...wanted, dueMs: Date.parse(eight) });
  expect(firedRun(again).runId).toBe(due.runId);

  const now = () =>
    rig.call({ method: 'POST', path: `/v1/routines/${routineId}/run`, body: {}, key });
  const ran = await now();
  const { runId } = ran.body.run as { runId: string };
  await finish(rig, runId, 'failed');
  await rig.forgetAnswers();
  const batch = await Promise.all(Array.from({ length: 5 }, now));
  const answered = batch.filter(({ status }) => status === 200);
  expect(answered.length).toBeGreaterThan(0);
  for (const { body } of answered) expect(body.run).toMatchObject({ runId });
  for (const { status } of batch) expect([200, 409]).toContain(status);
  expect(await runsIn(rig)).toHaveLength(3);
  rig.close();
});
