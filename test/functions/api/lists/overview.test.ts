// The overview of a small workspace, by what really happened in it; and that a bound which is reached is said.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { walk } from '../../../../functions/api/http/walk.ts';
import { overviewOf, pagesMax } from '../../../../functions/api/lists/overview.ts';
import type { Run } from '../../../../functions/core/records/run.ts';
import { agentId, isoAt, nowMs, runWith, workspace } from '../../../core/samples.ts';
import { answerTo, askOne } from '../answers/ask.ts';
import { openRig, type Rig } from '../rig.ts';
import { begin, converse, endRun, loseReply, startRun, takeStep } from '../story.ts';
import { runIdOf } from './large-workspace.ts';

let rig: Rig;
beforeEach(async () => {
  rig = await openRig();
});
afterEach(() => rig.close());

const overview = async () =>
  JSON.parse((await rig.call({ path: '/v1/overview', query: { days: '7' } })).text);

test('money, runs by agent, an answered request and an unknown outcome are in it', async () => {
  const begun = await begin(rig);
  const done = await startRun(rig, begun.conversationId);
  await takeStep(rig, done);
  await endRun(rig, done);
  const asking = await startRun(rig, await converse(rig, begun.agentId));
  const refund = { approve: 'refund', arguments: { payment: 'pay_1', cents: 8_200 } };
  const { requestId } = await askOne(rig, asking, refund);
  rig.turnClock(60_000);
  const answered = await answerTo(rig, requestId, { kind: 'refuse', reason: 'No.' }, 'rob');
  expect(answered.status, answered.text).toBe(200);
  await loseReply(rig, await startRun(rig, await converse(rig, begun.agentId)));

  const { runs, spent, waits, undetermined } = await overview();
  expect(runs).toMatchObject({
    total: 3,
    standings: { done: 1 },
    byAgent: [{ agentId: begun.agentId, name: 'Helper', total: 3, priced: true }],
  });
  expect(runs.byDay).toHaveLength(7);
  expect(spent[0]).toMatchObject({ agentId: begun.agentId, currency: 'EUR' });
  const { answered: waited } = waits.byKind.find(({ on }: { on: string }) => on === 'approval');
  expect(waited.count).toBe(1);
  expect(waited.longestMs).toBeGreaterThanOrEqual(60_000);
  expect(undetermined).toMatchObject({
    more: false,
    byTool: [{ count: 1, byAge: { underHour: 1 } }],
    aside: 0,
  });
});

test('an empty workspace has every day, and nothing in it', async () => {
  const { runs, spent, waits, undetermined } = await overview();
  expect(runs).toMatchObject({ total: 0, byAgent: [] });
  expect(runs.byDay).toHaveLength(7);
  expect(spent).toEqual([]);
  expect(waits).toMatchObject({ moreOpen: false });
  expect(undetermined).toEqual({ more: false, byTool: [], aside: 0 });
});

test('beyond the bound, only whole days are counted and the answer says since when', async () => {
  // One run an hour, ever: each page holds one, and the bound is reached in the middle of a day.
  const runAt = (hoursAgo: number): Run =>
    runWith({ runId: runIdOf(hoursAgo), startedAt: isoAt(nowMs - 1 - hoursAgo * 3_600_000) });
  const nothing = async () => ({ items: [], next: undefined });
  let asked = 0;
  const { runs } = await overviewOf(
    {
      ...rig.world,
      clock: { ...rig.world.clock, now: () => nowMs },
      lists: {
        runs: async () => {
          asked += 1;
          return { items: [runAt(asked - 1)], next: 'more' };
        },
        messages: nothing,
        openRequests: nothing,
        closedRequests: nothing,
      },
    },
    workspace,
    { days: 30, to: '2026-12-31', zone: 'UTC' },
  );
  expect(asked).toBe(pagesMax.runs);
  const whole = Math.floor(pagesMax.runs / 24);
  expect(runs).toMatchObject({ total: whole * 24, byAgent: [{ agentId }] });
  expect(runs.byDay).toHaveLength(whole);
  expect(runs.countedFrom).toBe(runs.byDay[0]?.day);
});

test('a list is read no further once time is up, and where it stopped is known', async () => {
  const read = async (cursor: string | undefined) => {
    const at = Number(cursor ?? 0) + 1;
    return { items: [at], next: String(at) };
  };
  let asked = 0;
  const goOn = (): boolean => {
    asked += 1;
    return asked < 3;
  };
  const walked = await walk(read, { pagesMax: 100, goOn }, (at) => [at]);
  expect(walked).toEqual({ kept: [1, 2, 3], cutAt: 3, next: '3' });
});
