// The live log: every event once, in order, whatever happens to the connection (S41, S59, L17).
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { servingOver } from '../../../../functions/api/stream.ts';
import type { RunId } from '../../../../functions/core/base/ids.ts';
import type { EventBody } from '../../../../functions/core/records/event.ts';
import { simulatedClock } from '../../../../local/base/clock.ts';
import { openRig, type Request, type Rig } from '../rig.ts';
import {
  askApproval,
  type Begun,
  begin,
  commit,
  endRun,
  here,
  startRun,
  takeStep,
} from '../story.ts';
import { shown, streamWorld, type Viewer, watch, watchOn } from './viewer.ts';

let rig: Rig;
let begun: Begun;
let runId: RunId;
beforeEach(async () => {
  rig = await openRig();
  begun = await begin(rig);
  runId = await startRun(rig, begun.conversationId);
});
afterEach(() => rig.close());

const path = (): string => `/v1/conversations/${begun.conversationId}/events`;
const resumed = (last: number): Request => ({
  path: path(),
  headers: { 'Last-Event-ID': String(last) },
});

const emit = async (events: readonly EventBody[]): Promise<void> =>
  commit(rig, { conversation: (await here(rig, runId)).conversation, events, writes: [] });
const delta = (step: number, attempt: string, text: string): EventBody => ({
  type: 'text.delta',
  runId,
  step,
  attempt,
  text,
});
const reset = (step: number, attempt: string): EventBody => ({
  type: 'text.reset',
  runId,
  step,
  attempt,
});

/** What an agent says in two and a half steps, with a model attempt that fails on the way. */
const scenes = (): readonly (() => Promise<unknown>)[] => [
  () => emit([delta(1, 'm0', 'I will ')]),
  () => emit([delta(1, 'm0', 'try')]),
  () => emit([reset(1, 'm0')]),
  () => emit([delta(1, 'm1', 'Step ')]),
  () => emit([delta(1, 'm1', '1.')]),
  () => takeStep(rig, runId),
  () => emit([delta(2, 'm2', 'Step ')]),
  () => askApproval(rig, runId),
  () => emit([delta(3, 'm3', 'And ')]),
  () => emit([delta(3, 'm3', 'so on')]),
];

const numbers = ({ events }: Viewer): number[] => events.map(({ number }) => number);
const countFrom = (first: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => first + index);
const texts = (viewer: Viewer): unknown =>
  [...shown(runId, viewer.snapshots[0], viewer.events)].map(([, step]) => step);
const all = (): Promise<readonly { number: number }[]> =>
  rig.world.store.eventsAfter(begun.conversationId, 0, 1_000);

const readAll = async (request: Request, last: number): Promise<Viewer> => {
  const viewer = watch(rig, request);
  await viewer.until(() => numbers(viewer).at(-1) === last);
  viewer.leave();
  await viewer.ended;
  return viewer;
};

test('a reader that leaves at every possible event and resumes sees the same text', async () => {
  for (const scene of scenes()) await scene();
  const last = (await all()).length;
  const whole = await readAll({ path: path(), query: { after: '0' } }, last);
  expect(numbers(whole)).toEqual(countFrom(1, last));
  expect(whole.snapshots).toEqual([]);
  expect(texts(whole)).toEqual([
    { step: 1, attempt: 'm1', text: 'Step 1.', stored: true },
    { step: 2, attempt: 'm2', text: 'Step 2.', stored: true },
    { step: 3, attempt: 'm3', text: 'And so on', stored: false },
  ]);
  for (let left = 0; left < last; left += 1) {
    const before = whole.events.slice(0, left);
    const after = await readAll(resumed(left), last);
    expect(numbers(after)).toEqual(countFrom(left + 1, last - left));
    expect([...shown(runId, undefined, [...before, ...after.events])]).toEqual([
      ...shown(runId, undefined, whole.events),
    ]);
  }
});

test('a reader that comes at every possible moment sees the same text, from a snapshot on', async () => {
  const early: Viewer[] = [];
  for (const scene of scenes()) {
    await scene();
    const viewer = watch(rig, { path: path() });
    await viewer.until(() => viewer.snapshots.length === 1);
    early.push(viewer);
  }
  const last = (await all()).length;
  const whole = await readAll({ path: path(), query: { after: '0' } }, last);
  for (const viewer of early) {
    const from = viewer.snapshots[0]?.number ?? 0;
    await viewer.until(() => from === last || numbers(viewer).at(-1) === last);
    expect(numbers(viewer)).toEqual(countFrom(from + 1, last - from));
    expect(texts(viewer)).toEqual(texts(whole));
    viewer.leave();
    await viewer.ended;
  }
});

test('readers that come while much is written miss nothing and see nothing twice', async () => {
  const writing = (async () => {
    for (let round = 1; round <= 5; round += 1) {
      for (let piece = 0; piece < 8; piece += 1)
        await emit([delta(round, `m${round}`, `${piece} `)]);
      await takeStep(rig, runId);
    }
    await endRun(rig, runId);
  })();
  const viewers: Viewer[] = [];
  let isWriting = true;
  void writing.finally(() => {
    isWriting = false;
  });
  while (isWriting) {
    const viewer = watch(rig, { path: path() });
    await viewer.until(() => viewer.snapshots.length === 1);
    viewers.push(viewer);
  }
  await writing;
  const last = (await all()).length;
  expect(viewers.length).toBeGreaterThan(5);
  for (const viewer of viewers) {
    const [snapshot] = viewer.snapshots;
    const from = snapshot?.number ?? 0;
    await viewer.until(() => from === last || numbers(viewer).at(-1) === last);
    viewer.leave();
    await viewer.ended;
    expect(numbers(viewer)).toEqual(countFrom(from + 1, last - from));
    // Where the run was over before the reader came, the snapshot holds no run.
    const steps = [...shown(runId, snapshot, viewer.events).values()];
    if (snapshot?.run !== undefined)
      expect(steps.map(({ text }) => text)).toEqual(countFrom(1, 5).map((step) => `Step ${step}.`));
  }
});

test('a snapshot says what the run waits for, and who asks', async () => {
  const { requestId } = await askApproval(rig, runId);
  const viewer = watch(rig, { path: path(), as: 'rob' });
  await viewer.until(() => viewer.snapshots.length === 1);
  viewer.leave();
  await viewer.ended;
  expect(viewer.head.headers['content-type']).toBe('text/event-stream; charset=utf-8');
  expect(viewer.snapshots[0]).toMatchObject({
    conversation: { marks: { needsYou: 1 }, state: { status: 'waiting' } },
    run: { runId, steps: { taken: 1, limit: 5 } },
    requests: [{ requestId, on: 'approval' }],
  });
});

test('a stream stays open across runs', async () => {
  const viewer = watch(rig, { path: path() });
  await viewer.until(() => viewer.snapshots.length === 1);
  await endRun(rig, runId);
  await startRun(rig, begun.conversationId);
  await viewer.until(
    () => viewer.events.filter(({ body }) => body.type === 'run.started').length === 1,
  );
  viewer.leave();
  await viewer.ended;
  expect(viewer.events.map(({ body }) => body.type)).toContain('run.finished');
});

test('a number that was never given out begins anew with a snapshot', async () => {
  const viewer = watch(rig, resumed(9_999));
  await viewer.until(() => viewer.snapshots.length === 1);
  viewer.leave();
  await viewer.ended;
});

describe('time', () => {
  const turned = () => {
    const clock = simulatedClock(rig.now());
    const pause = (ms: number) =>
      new Promise<void>((done) => void clock.at(clock.now() + ms, done));
    return { clock, pausing: { now: clock.now, pause } };
  };

  test('a quiet stream says something every 15 seconds and ends before the limit', async () => {
    const { clock, pausing } = turned();
    const serving = servingOver(streamWorld(rig, { clock: pausing }));
    const viewer = watchOn(serving, { path: path() }, 70_000);
    let over = false;
    void viewer.ended.then(() => {
      over = true;
    });
    await viewer.until(() => viewer.snapshots.length === 1);
    for (let second = 0; second < 70 && !over; second += 1) await clock.advance(1_000);
    await viewer.ended;
    expect(viewer.comments.filter((comment) => comment === 'still here').length).toBe(3);
    expect(viewer.comments.at(-1)).toBe('connect again');
    expect(viewer.text().endsWith('retry: 1000\n\n')).toBe(true);
  });

  test('a stream ends with its token', async () => {
    const { clock, pausing } = turned();
    const serving = servingOver(streamWorld(rig, { clock: pausing }));
    const event = { path: path(), expiresAtMs: rig.now() + 20_000 };
    const viewer = watchOn(serving, event, 600_000);
    await viewer.until(() => viewer.snapshots.length === 1);
    for (let second = 0; second < 25; second += 1) await clock.advance(1_000);
    await viewer.ended;
    expect(viewer.comments.at(-1)).toBe('connect again');
  });

  test('a nudge brings an event at once, without a look in between', async () => {
    const { pausing } = turned();
    const nudges: (() => void)[] = [];
    const viewer = watch(
      rig,
      { path: path() },
      { clock: pausing, nudge: () => new Promise((done) => void nudges.push(done)) },
    );
    await viewer.until(() => viewer.snapshots.length === 1);
    await emit([delta(1, 'm1', 'Now')]);
    for (let turn = 0; turn < 20 && viewer.events.length === 0; turn += 1) {
      for (const nudge of nudges.splice(0)) nudge();
      await new Promise((done) => setImmediate(done));
    }
    await viewer.until(() => viewer.events.length === 1);
    viewer.leave();
    for (const nudge of nudges) nudge();
    await viewer.ended;
  });
});

describe('pages and refusals', () => {
  const json = (request: Partial<Request>) =>
    watch(rig, {
      path: path(),
      ...request,
      headers: { accept: 'application/json', ...request.headers },
    });

  test('a poller gets pages', async () => {
    for (const scene of scenes()) await scene();
    const viewer = json({ query: { after: '3' } });
    await viewer.ended;
    const page = JSON.parse(viewer.text());
    const last = (await all()).length;
    expect(page.events.map(({ number }: { number: number }) => number)).toEqual(
      countFrom(4, last - 3),
    );
    expect(page.next).toBe(last);
    const rest = json({ query: { after: String(last) } });
    await rest.ended;
    expect(JSON.parse(rest.text())).toEqual({ events: [], next: last });
  });

  test('a reader beyond the cap gets a page and can come back', async () => {
    const serving = servingOver(streamWorld(rig, { streamsMax: 1 }));
    const first = watchOn(serving, { path: path() });
    await first.until(() => first.snapshots.length === 1);
    const second = watchOn(serving, { path: path() });
    await second.ended;
    expect(second.head.headers['content-type']).toBe('application/json');
    expect(JSON.parse(second.text()).events.length).toBeGreaterThan(0);
    first.leave();
    await first.ended;
    const third = watchOn(serving, { path: path() });
    await third.until(() => third.snapshots.length === 1);
    third.leave();
    await third.ended;
  });

  test.each([
    [401, { as: null }],
    [404, { as: 'stranger' }],
    [404, { path: '/v1/conversations/cnv_nothing/events' }],
    [400, { query: { after: 'never' } }],
    [400, { query: { after: '9999' } }],
    [400, { headers: { 'last-event-id': '-1' } }],
  ] as const)('%i for %j', async (status, request) => {
    const viewer = json(request);
    await viewer.ended;
    expect(viewer.head.status).toBe(status);
    expect(viewer.head.headers['content-type']).toBe('application/problem+json');
    const problem = JSON.parse(viewer.text());
    expect(problem.status).toBe(status);
    if (status === 400) expect(problem.errors).toMatchObject([{ field: 'after' }]);
  });
});
