// Routines on the twin as a whole: its Scheduler, its functions, its clock; down for hours, in another zone, on change days.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  DeleteScheduleCommand,
  GetScheduleCommand,
  SchedulerClient,
} from '@aws-sdk/client-scheduler';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import {
  OccurrenceView,
  Preview,
  RoutineMade,
  RoutineView,
} from '../../functions/api/schemas/routines.ts';
import { pageOf } from '../../functions/api/schemas/schemas.ts';
import { readSchedule } from '../../functions/core/routines/schedule.ts';
import { type SimulatedClock, simulatedClock } from '../../local/base/clock.ts';
import { routineGroup } from '../../local/lambda/environment.ts';
import { startTwin, type Twin } from '../../local/twin.ts';
import { type Client, clientOf } from '../rig/client.ts';
import { until } from '../rig/until.ts';
import { blocked, callAsk } from '../scenario/people/parts.ts';

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

interface Up {
  readonly twin: Twin;
  readonly client: Client;
  readonly clock: SimulatedClock;
  readonly scheduler: SchedulerClient;
}

const turn = (): Promise<void> => new Promise((done) => setImmediate(done));

/** A twin at that instant, on a folder. The sweep comes when the test calls it, not each minute. */
const upAt = async (iso: string, dataDir: string): Promise<Up> => {
  const twins: Twin[] = [];
  // Quiet: no execution has a call out and no stream record waits. Only then may time go on.
  const quiet = async (): Promise<void> => {
    for (let turns = 0; turns < 3; turns += 1) {
      await turn();
      for (const each of twins) {
        await each.settled();
        while (each.stepFunctions.residents() > 0) await turn();
      }
    }
  };
  const clock = simulatedClock(Date.parse(iso), quiet);
  const twin = await startTwin({
    dataDir,
    port: 0,
    clock,
    synchronous: 'NORMAL',
    processEnvironment: {},
    scripts: {
      report: { scenes: [{ when: {}, turns: [{ say: 'Here it is.' }] }] },
      asking: {
        scenes: [
          {
            when: { matches: '^Ask' },
            turns: [{ call: [callAsk('Which colour?')] }, { say: 'Good.' }],
          },
          { when: {}, turns: [{ say: 'Here it is.' }] },
        ],
      },
    },
  });
  twins.push(twin);
  onTestFinished(() => twin.close());
  const scheduler = new SchedulerClient({ ...twin.substrate('api').aws('scheduler') });
  await scheduler.send(new DeleteScheduleCommand({ Name: 'sweep', GroupName: 'reprise-system' }));
  return { twin, clock, scheduler, client: clientOf(twin.url, await twin.token('ana')) };
};

const newFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'reprise-routines-'));
  folders.push(folder);
  return folder;
};

const makeAgent = ({ client }: Up, script = 'report'): Promise<string> =>
  client.makeAgent({
    name: 'Reporter',
    prompt: 'You report.',
    model: { provider: 'scripted', script },
    tools: [],
  });

const make = async ({ client }: Up, agentId: string, more: object): Promise<string> => {
  const body = { name: 'Report', agentId, message: 'Report.', zone: 'UTC', ...more };
  const answer = await client.send('POST', '/v1/routines', body);
  return RoutineMade.parse(answer.body).routineId;
};

const get = async ({ client }: Up, routineId: string): Promise<RoutineView> =>
  RoutineView.parse((await client.send('GET', `/v1/routines/${routineId}`)).body);

/** Oldest first. */
const occurrences = async ({ client }: Up, routineId: string): Promise<OccurrenceView[]> => {
  const { body } = await client.send('GET', `/v1/routines/${routineId}/occurrences?limit=100`);
  return pageOf(OccurrenceView).parse(body).items.toReversed();
};
const told = async (up: Up, routineId: string): Promise<string[]> =>
  (await occurrences(up, routineId)).map(
    ({ dueAt, outcome }) => `${dueAt.slice(5, 16)} ${outcome.kind}`,
  );

/** Turns the clock to that instant, and waits until as many occurrences have their record and none of the runs goes on. */
const turnTo = async (up: Up, iso: string, routineId: string, count: number): Promise<void> => {
  await up.clock.advance(Date.parse(iso) - up.clock.now());
  await until(`${count} occurrences at ${iso}`, async () => {
    await up.clock.advance(0);
    const all = await occurrences(up, routineId);
    const isOver = all.every(({ run }) => run === undefined || run.state.status === 'finished');
    return all.length === count && isOver ? true : undefined;
  });
};

const saoPaulo = { zone: 'America/Sao_Paulo' };

test('S63: restarted at 17:12 São Paulo, the jobs of 21:00 and 08:00 do not fire; at 21:00 one does', async () => {
  const folder = await newFolder();
  const before = await upAt('2026-06-01T11:30:00Z', folder);
  const agentId = await makeAgent(before);
  const evening = await make(before, agentId, { ...saoPaulo, schedule: 'cron(0 21 * * ? *)' });
  const morning = await make(before, agentId, { ...saoPaulo, schedule: 'cron(0 8 * * ? *)' });
  await before.twin.close();

  const up = await upAt('2026-06-01T20:12:00Z', folder);
  await up.twin.invoke('sweep', {});
  await up.clock.advance(60_000);
  expect([await told(up, evening), await told(up, morning)]).toEqual([[], []]);
  expect((await get(up, evening)).nextAt).toBe('2026-06-02T00:00:00.000Z');
  expect((await get(up, morning)).nextAt).toBe('2026-06-02T11:00:00.000Z');
  await turnTo(up, '2026-06-02T00:00:01Z', evening, 1);
  expect(await told(up, evening)).toEqual(['06-02T00:00 fired']);
  expect(await told(up, morning)).toEqual([]);
});

test('S64: on a machine that moved to another zone the routine is due at the same instants', async () => {
  const folder = await newFolder();
  const zoneBefore = process.env.TZ;
  onTestFinished(() => {
    if (zoneBefore === undefined) delete process.env.TZ;
    else process.env.TZ = zoneBefore;
  });
  process.env.TZ = 'America/New_York';
  const before = await upAt('2026-06-01T05:00:00Z', folder);
  const schedule = { zone: 'Europe/Paris', schedule: 'cron(0 8 * * ? *)' };
  const routineId = await make(before, await makeAgent(before), schedule);
  const seen = await get(before, routineId);
  await before.twin.close();

  process.env.TZ = 'Asia/Tokyo';
  const up = await upAt('2026-06-01T05:30:00Z', folder);
  expect(new Date(0).getTimezoneOffset()).toBe(-540);
  expect(await get(up, routineId)).toEqual(seen);
  // One firing at a time: what fires has a time limit on the same clock.
  await turnTo(up, '2026-06-01T06:00:01Z', routineId, 1);
  await turnTo(up, '2026-06-02T06:00:01Z', routineId, 2);
  expect(await told(up, routineId)).toEqual(['06-01T06:00 fired', '06-02T06:00 fired']);
});

test('down for hours: the newest is made up for when the routine says so, and each has its record', async () => {
  const folder = await newFolder();
  const before = await upAt('2026-06-01T05:30:00Z', folder);
  const agentId = await makeAgent(before);
  const hourly = { schedule: 'cron(0 * * * ? *)' };
  const missed = { policy: 'one', windowMs: 7_200_000 };
  const makesUp = await make(before, agentId, { ...hourly, missed });
  const lets = await make(before, agentId, hourly);
  await before.twin.close();

  const up = await upAt('2026-06-01T09:20:00Z', folder);
  await up.twin.invoke('sweep', {});
  await turnTo(up, '2026-06-01T09:21:00Z', makesUp, 4);
  await turnTo(up, '2026-06-01T09:21:30Z', lets, 4);
  const hours = ['06', '07', '08'].map((hour) => `06-01T${hour}:00 missed`);
  expect(await told(up, makesUp)).toEqual([...hours, '06-01T09:00 fired']);
  expect(await told(up, lets)).toEqual([...hours, '06-01T09:00 missed']);
});

test('queued behind a run that waits for a person, each firing has its own run once that one has ended, in order', async () => {
  const up = await upAt('2026-06-01T05:30:00Z', await newFolder());
  const { client } = up;
  const agentId = await makeAgent(up, 'asking');
  const conversationId = await client.begin(agentId);
  const { runId } = await client.say(conversationId, 'Ask me.');
  const [question] = await blocked(client, runId, 1);
  const routineId = await make(up, agentId, {
    schedule: 'cron(0 * * * ? *)',
    overlap: 'queue',
    conversation: { kind: 'fixed', conversationId },
  });
  await turnTo(up, '2026-06-01T06:00:01Z', routineId, 1);
  await turnTo(up, '2026-06-01T07:00:01Z', routineId, 2);
  const queued = await occurrences(up, routineId);
  expect(queued.map(({ outcome }) => outcome)).toMatchObject([
    { kind: 'fired', how: 'queued' },
    { kind: 'fired', how: 'queued' },
  ]);
  expect(await client.runs(conversationId)).toHaveLength(1);
  await client.answer(question?.requestId ?? '', { kind: 'answer', answer: { text: 'Blue.' } });
  const named = queued.flatMap(({ outcome }) => (outcome.kind === 'fired' ? outcome.runId : []));
  await until('all runs are over', async () => {
    const runs = await client.runs(conversationId);
    const isOver = runs.every(({ state }) => state.status === 'finished');
    return isOver && runs.length === 3 ? true : undefined;
  });
  const runs = (await client.runs(conversationId)).toReversed();
  expect(runs.map((run) => run.runId)).toEqual([runId, ...named]);
  const fates = (await client.messages(conversationId)).map(({ text, fate }) => [
    text,
    'runId' in fate ? fate.runId : fate.fate,
  ]);
  expect(fates).toEqual([
    ['Ask me.', runId],
    ['Report.', named[0]],
    ['Report.', named[1]],
  ]);
});

/** What is sent to AWS: the schedule as the API's client made it. */
const sent = async ({ scheduler }: Up, Name: string) =>
  scheduler.send(new GetScheduleCommand({ Name, GroupName: routineGroup }));

const changeDays: [string, string, string, string][] = [
  ['Europe/Paris', 'cron(30 2 * * ? *)', '2026-03-28T00:00:00Z', '2026-03-30T06:00:00Z'],
  ['Europe/Paris', 'cron(30 2 * * ? *)', '2026-10-24T12:00:00Z', '2026-10-26T06:00:00Z'],
  ['America/Sao_Paulo', 'cron(30 0 * * ? *)', '2018-11-03T00:00:00Z', '2018-11-05T12:00:00Z'],
  ['Australia/Lord_Howe', 'cron(15 2 * * ? *)', '2026-10-02T12:00:00Z', '2026-10-05T12:00:00Z'],
  ['Australia/Lord_Howe', 'cron(45 1 * * ? *)', '2026-04-03T20:00:00Z', '2026-04-05T20:00:00Z'],
];
test.each(changeDays)(
  'S65: in %s, %s from %s: preview, twin and the schedule sent to AWS agree',
  async (zone, schedule, from, to) => {
    const up = await upAt(from, await newFolder());
    const asked = { zone, schedule };
    const preview = Preview.parse(
      (await up.client.send('POST', '/v1/routines/preview', { ...asked, count: 10 })).body,
    );
    const expected = preview.occurrences.map(({ at }) => at).filter((at) => at <= to);
    expect(expected.length).toBeGreaterThan(0);
    const routineId = await make(up, await makeAgent(up), asked);
    const { ScheduleExpression, ScheduleExpressionTimezone, State, Target } = await sent(
      up,
      routineId,
    );
    expect({ ScheduleExpression, ScheduleExpressionTimezone, State }).toEqual({
      ScheduleExpression: schedule,
      ScheduleExpressionTimezone: zone,
      State: 'ENABLED',
    });
    expect(JSON.parse(Target?.Input ?? '')).toEqual({
      schema: 1,
      routineId,
      scheduledTime: '<aws.scheduler.scheduled-time>',
    });
    const read = readSchedule({ expression: schedule, zone, anchorMs: 0 });
    if (read.kind === 'invalid') throw new Error(read.fault.code);
    const byAws = read.timetable.between(Date.parse(from), Date.parse(to), 10);
    expect(byAws.map((ms) => new Date(ms).toISOString())).toEqual(expected);
    for (const [index, at] of expected.entries())
      await turnTo(up, new Date(Date.parse(at) + 1_000).toISOString(), routineId, index + 1);
    await turnTo(up, to, routineId, expected.length);
    const fired = await occurrences(up, routineId);
    expect(fired.map(({ dueAt, outcome }) => `${dueAt} ${outcome.kind}`)).toEqual(
      expected.map((at) => `${at} fired`),
    );
  },
);
