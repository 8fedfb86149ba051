// How many actions the recovery desk has: counted by the server, narrowed as the list is, up to a bound that is told.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ActionId } from '../../../../functions/core/base/ids.ts';
import type { Action } from '../../../../functions/core/records/action.ts';
import { isoAt, undetermined } from '../../../core/samples.ts';
import { claimIt } from '../problems/desk-cases.ts';
import { openRig, type PersonName, type Rig } from '../rig.ts';
import { begin, engageIt, loseReply, sendCall, startRun, takeStep } from '../story.ts';

let rig: Rig;
beforeEach(async () => {
  rig = await openRig();
});
afterEach(() => rig.close());

const idOf = (number: number) => ActionId.parse(`act_${String(number).padStart(26, '0')}`);
const many = (count: number, changes: (number: number) => Partial<Action> = () => ({})): void => {
  const beganMs = rig.now() - 86_400_000;
  rig.putMany(
    'action',
    Array.from({ length: count }, (_, number) =>
      undetermined({
        actionId: idOf(number),
        firstEngagedAt: isoAt(beganMs + number * 1_000),
        ...changes(number),
      }),
    ),
  );
};
const count = async (query: Record<string, string> = {}, as: PersonName = 'rob') => {
  const { status, body, text } = await rig.call({ path: '/v1/desk/summary', query, as });
  expect(status, text).toBe(200);
  return body;
};

test('every action is counted once, and those apart whose effect is undetermined', async () => {
  many(1_200, (number) => (number % 3 === 0 ? { effect: 'in_progress' } : {}));
  rig.queries();
  expect(await count()).toEqual({ total: 1_200, undetermined: 800, more: false });
  expect(rig.queries()).toBeLessThanOrEqual(8);
  expect(await count({ state: 'in_progress' })).toMatchObject({ total: 400, undetermined: 0 });
  expect(await count({ part: 'aside' })).toEqual({ total: 0, undetermined: 0, more: false });
  expect(await count({}, 'stranger')).toMatchObject({ total: 0, more: false });
});

test('what is beyond the bound is told as more, with a bounded number of queries', async () => {
  many(2_001);
  rig.queries();
  expect(await count()).toEqual({ total: 2_000, undetermined: 2_000, more: true });
  expect(rig.queries()).toBeLessThanOrEqual(9);
  expect(await count({ tool: 'no_such_tool' })).toEqual({ total: 0, undetermined: 0, more: true });
});

test('exactly as many as are looked at are all there are', async () => {
  many(2_000);
  expect(await count()).toEqual({ total: 2_000, undetermined: 2_000, more: false });
});

test('it counts what the list lists: stranded attempts too, by owner, without what is settled', async () => {
  const { conversationId } = await begin(rig);
  const runId = await startRun(rig, conversationId);
  const lost = await loseReply(rig, runId);
  await loseReply(rig, runId);
  await sendCall(rig, runId, 'confirmed');
  const call = { tool: 'note', arguments: { payment: 'p', cents: 1 } };
  const { actionId } = await takeStep(rig, runId, call);
  await engageIt(rig, runId, actionId);
  expect(await count()).toMatchObject({ total: 2, undetermined: 2 });
  rig.turnClock(600_000);
  await claimIt(rig, lost);
  for (const query of [
    {},
    { owner: 'me' },
    { owner: 'none' },
    { owner: 'ana' },
    { tool: 'note' },
  ]) {
    const { body } = await rig.call({ path: '/v1/desk', query, as: 'rob' });
    const listed = body.items as { readonly effect: string }[];
    expect(await count(query), JSON.stringify(query)).toEqual({
      total: listed.length,
      undetermined: listed.filter(({ effect }) => effect === 'undetermined').length,
      more: false,
    });
  }
  expect(await count()).toMatchObject({ total: 3, undetermined: 2 });
  expect(await count({ owner: 'me' })).toMatchObject({ total: 1 });
});

test('a narrowing that is none is refused', async () => {
  for (const query of [{ state: 'lost' }, { part: 'all' }, { cursor: 'x' }]) {
    const { status } = await rig.call({ path: '/v1/desk/summary', query });
    expect(status, JSON.stringify(query)).toBe(400);
  }
});
