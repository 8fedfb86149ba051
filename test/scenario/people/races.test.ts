// A thousand answers, by the hundred, at the worst instants: before the wait is bound, while it is bound, and as the request expires. Each request
// gets one outcome, each run moves once, nobody waits for ever. Laws: L12, L13, L16.
import { afterEach, expect, test } from 'vitest';
import { simulatedClock } from '../../../local/base/clock.ts';
import { type Client, clientOf } from '../../rig/client.ts';
import { openRig, type Rig, talk } from '../../rig/rig.ts';
import { until } from '../../rig/until.ts';
import { blocked, callAsk } from './parts.ts';

/** Questions of one step, and runs of one test: 1,008 answers in the three. */
const questions = 16;
const runs = 21;
const waitMs = 240_000;

let rig: Rig;
afterEach(() => rig.close());

const script = (more = {}) => ({
  asking: {
    scenes: [
      {
        when: {},
        turns: [
          { call: Array.from({ length: questions }, (_, n) => callAsk(`Question ${n}?`, more)) },
          { say: 'Thank you.' },
        ],
      },
    ],
  },
});

const isBusy = (status: number): boolean => status === 503;

/** Answers, and again while others are changing the same conversation. */
const answerTo = async (client: Client, requestId: string): Promise<number> => {
  const body = { kind: 'answer', answer: { text: requestId } };
  for (;;) {
    const { status } = await client.send('POST', `/v1/requests/${requestId}/answer`, body);
    if (!isBusy(status)) return status;
  }
};

const openOf = async (client: Client, runId: string): Promise<string[]> => {
  const actions = await client.actions(runId);
  return actions.flatMap(({ requestId }) => requestId ?? []);
};

/** One outcome for each call, the run's second step, and no request closed twice. */
const expectMovedOnce = async (
  client: Client,
  { runId, conversationId }: { readonly runId: string; readonly conversationId: string },
  statusOf: ReadonlyMap<string, number>,
): Promise<void> => {
  const run = await client.run(runId);
  expect(run.state).toMatchObject({ status: 'finished', reason: 'done' });
  expect(run.steps.taken).toBe(2);
  const actions = await client.actions(runId);
  expect(actions).toHaveLength(questions);
  for (const { requestId = '', told } of actions) {
    const answered = statusOf.get(requestId) === 200;
    expect(told?.text.includes(requestId), `${requestId}: ${told?.text}`).toBe(answered);
    if (!answered) expect(told?.text).toContain('in time');
  }
  const closed = (await client.events(conversationId)).flatMap(({ body }) =>
    body.type === 'request.closed' ? [body.requestId] : [],
  );
  expect(closed).toHaveLength(questions);
  expect(new Set(closed).size).toBe(questions);
};

const endOf = (client: Client, runId: string) =>
  until(
    `run ${runId} ends`,
    async () => ((await client.run(runId)).state.status === 'finished' ? true : undefined),
    waitMs,
  );

/** Answers whatever is open and was not answered before; gives the answers that are under way. */
const answering = (client: Client, statusOf: Map<string, number>) => {
  const taken = new Set<string>();
  return async (): Promise<Promise<void>[]> => {
    const open = (await client.openRequests()).filter(({ requestId }) => !taken.has(requestId));
    for (const { requestId } of open) taken.add(requestId);
    return open.map(async ({ requestId }) => {
      statusOf.set(requestId, await answerTo(client, requestId));
    });
  };
};

test.each([
  ['before any wait is bound', 'think.step-stored', true],
  ['while the waits are being bound', 'perform.read', false],
] as const)(
  'L13 S33 answers given %s, by the hundred, are recorded and consumed',
  async (_when, at, isAwaited) => {
    const statusOf = new Map<string, number>();
    const under: Promise<void>[] = [];
    let answerAll: (() => Promise<Promise<void>[]>) | undefined;
    rig = await openRig({
      scripts: script(),
      twin: {
        crash: {
          at: async (point) => {
            if (point !== at || answerAll === undefined) return;
            const answers = answerAll()
              .then((all) => Promise.all(all))
              .then(() => undefined);
            under.push(answers);
            if (isAwaited) await answers;
          },
        },
      },
    });
    const { client } = rig;
    answerAll = answering(client, statusOf);
    const agentId = await rig.agent('asking', { tools: [] });
    const talks = await Promise.all(
      Array.from({ length: runs }, () => talk(client, agentId, 'Ask.')),
    );
    for (const { runId } of talks) await endOf(client, runId);
    await Promise.all(under);
    for (const one of talks) await expectMovedOnce(client, one, statusOf);
    expect(statusOf.size).toBe(runs * questions);
    expect(new Set(statusOf.values())).toEqual(new Set([200]));
  },
  300_000,
);

test('L13 answers by the hundred in the tick in which their requests expire: each is answered or expired, never both or neither', async () => {
  const startMs = Date.parse('2026-12-01T09:00:00Z');
  const expiresInMs = 3_600_000;
  let racing = false;
  const quiet = async (): Promise<void> => {
    if (rig === undefined) return;
    for (let turns = 0; turns < 3; turns += 1) {
      await new Promise<void>((done) => setImmediate(done));
      // While the answers race with the clock it does not wait for them.
      if (!racing) await rig.twin.settled();
    }
  };
  const clock = simulatedClock(startMs, quiet);
  rig = await openRig({
    scripts: script({ expiresInMs, onExpiry: 'continue' }),
    twin: { clock, schedules: false },
  });
  const { client } = rig;
  const agentId = await rig.agent('asking', { tools: [] });
  const talks = [];
  for (let n = 0; n < runs; n += 1) talks.push(await talk(client, agentId, 'Ask.'));
  for (const { runId } of talks) await blocked(client, runId, questions, waitMs);
  await quiet();
  const statusOf = new Map<string, number>();
  const ids = (await Promise.all(talks.map(({ runId }) => openOf(client, runId)))).flat();
  await clock.advance(startMs + expiresInMs - 1 - clock.now());
  const answers = ids.map(async (requestId) => {
    statusOf.set(requestId, await answerTo(client, requestId));
  });
  // The requests expire, each in its own millisecond, while the answers are on their way.
  const passing = async (): Promise<void> => {
    racing = true;
    while (statusOf.size < questions) await new Promise<void>((done) => setImmediate(done));
    for (let n = 0; n < 40; n += 1) await clock.advance(25);
    racing = false;
  };
  await Promise.all([...answers, passing()]);
  const later = clientOf(rig.twin.url, await rig.twin.token('ana'));
  for (const { runId } of talks)
    await until(
      `run ${runId} ends`,
      async () => {
        await clock.advance(1_000);
        return (await later.run(runId)).state.status === 'finished' ? true : undefined;
      },
      waitMs,
    );
  for (const one of talks) await expectMovedOnce(later, one, statusOf);
  const statuses = [...statusOf.values()];
  expect(statuses).toHaveLength(runs * questions);
  expect(new Set(statuses)).toEqual(new Set([200, 409]));
}, 300_000);
