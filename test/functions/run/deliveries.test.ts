// More than one delivery of the same Perform, and one that ends after its time: one effect, and the truth in the store (L3, L4).
import { describe, expect, test } from 'vitest';
import { TryAgain } from '../../../functions/core/base/errors.ts';
import type { ToolReport } from '../../../functions/ports/tool.ts';
import { perform } from '../../../functions/run/perform.ts';
import { sweepActions } from '../../../functions/sweep/actions.ts';
import { answered, context, openPerformRig, type PerformRig, replyLost } from './perform-rig.ts';

const many = 20;

test('twenty deliveries at once: one sends, the others look', async () => {
  const rig = await openPerformRig();
  await Promise.all(Array.from({ length: many }, () => rig.perform()));
  expect(rig.effects).toHaveLength(1);
  expect(await rig.action()).toMatchObject({ effect: 'confirmed', attempts: 1 });
});

test('twenty deliveries at once with a guard that lets everybody in: still one', async () => {
  const rig = await openPerformRig();
  const world: typeof rig.world = {
    ...rig.world,
    guarded: async (_key, _context, send) => {
      await send();
      return 'ran';
    },
  };
  await Promise.all(Array.from({ length: many }, () => perform(world, rig.input, context)));
  expect(rig.effects).toHaveLength(1);
  expect((await rig.journal()).attempts).toHaveLength(1);
});

test('a Perform that ends after its time: first undetermined, then its late word counts', async () => {
  const rig = await openPerformRig();
  let release: (report: ToolReport) => void = () => undefined;
  rig.seen.after = () =>
    new Promise<ToolReport>((done) => {
      release = done;
    });
  const first = rig.perform();
  await expect.poll(() => rig.effects).toHaveLength(1);
  expect(await rig.perform()).toMatchObject({ outcome: 'wait' });
  rig.seen.aheadMs += 30_000;
  await rig.perform();
  expect(await rig.action()).toMatchObject({ effect: 'undetermined' });
  release(await answered({} as never));
  await first;
  expect(await rig.action()).toMatchObject({ effect: 'confirmed', attempts: 1 });
  expect(rig.effects).toHaveLength(1);
});

test('an invocation that comes to its first byte after the stored deadline sends nothing', async () => {
  const rig = await openPerformRig();
  const { send } = rig.world.carrier;
  const world: typeof rig.world = {
    ...rig.world,
    carrier: {
      send: (call) => {
        rig.seen.aheadMs += 30_000;
        return send(call);
      },
    },
  };
  await perform(world, rig.input, context);
  expect(rig.effects).toHaveLength(0);
  expect(await rig.action()).toMatchObject({ effect: 'not_performed', attempts: 1 });
});

test('the answer of the engaging transaction is lost: nothing is sent, and nobody engages it again', async () => {
  const rig = await openPerformRig();
  const { store } = rig.world;
  const world: typeof rig.world = {
    ...rig.world,
    decide: async (deciding) => {
      const decided = await deciding.round();
      if (decided.kind === 'answer') return decided.answer;
      await store.commit(decided.change);
      throw Object.assign(new Error('The connection was closed.'), { $metadata: {} });
    },
  };
  await expect(perform(world, rig.input, context)).rejects.toThrow();
  expect(await rig.perform()).toMatchObject({ outcome: 'wait' });
  rig.seen.aheadMs += 30_000;
  await rig.perform();
  expect(rig.effects).toHaveLength(0);
  expect(await rig.action()).toMatchObject({ effect: 'undetermined', attempts: 1 });
});

test('the settling cannot be written: the attempt stays engaged, and its evidence is found later', async () => {
  const rig = await openPerformRig();
  rig.seen.after = replyLost;
  let refusing = false;
  rig.seen.failing = (operation) => refusing && operation === 'TransactWriteItems';
  const { after } = rig.seen;
  rig.seen.after = (call) => {
    refusing = true;
    return after(call);
  };
  await rig.perform();
  expect(await rig.action()).toMatchObject({ effect: 'engaged' });
  refusing = false;
  rig.seen.aheadMs += 30_000;
  await rig.perform();
  expect(rig.effects).toHaveLength(1);
  expect(await rig.action()).toMatchObject({ effect: 'undetermined', attempts: 1 });
});

/** A Perform whose settling always loses against other writers of its conversation. */
const losing = (rig: PerformRig): PerformRig['world'] => {
  let decisions = 0;
  return {
    ...rig.world,
    decide: async (deciding) => {
      decisions += 1;
      if (decisions === 1) return rig.world.decide(deciding);
      await deciding.round();
      throw new TryAgain('Lost too often.');
    },
  };
};
const sweptBy = ({ world, seen }: PerformRig) => {
  const recoverMachine = {
    start: async () => undefined,
    describe: async () => undefined,
    answer: async () => 'gone' as const,
  };
  seen.aheadMs += 60_000;
  return sweepActions({ ...world, recoverMachine });
};

describe('a late word that cannot be settled', () => {
  /** The attempt is closed as lost; then its reply comes, and is stored without its conversation. */
  const storedAlone = async () => {
    const rig = await openPerformRig();
    let release: (report: ToolReport) => void = () => undefined;
    rig.seen.after = () =>
      new Promise<ToolReport>((done) => {
        release = done;
      });
    const first = perform(losing(rig), rig.input, context);
    await expect.poll(() => rig.effects).toHaveLength(1);
    rig.seen.aheadMs += 30_000;
    await rig.perform();
    const before = await rig.action();
    release(await answered({} as never));
    await first;
    return { rig, before };
  };

  test('is numbered in the journal, changes no effect, and takes an older authorisation back', async () => {
    const { rig, before } = await storedAlone();
    const after = await rig.action();
    expect(before).toMatchObject({ effect: 'undetermined' });
    expect(after).toMatchObject({ effect: 'undetermined', unfolded: before.head + 1 });
    expect(after.head).toBe(before.head + 1);
    const { attempts, ends, observations } = await rig.journal();
    const entries = [...attempts, ...ends, ...observations].map(({ entry }) => entry);
    expect(new Set(entries).size).toBe(entries.length);
    expect(Math.max(...entries)).toBe(after.head);
  });

  test('is found by the sweep and folded, with its event, and the recovery it settles is closed', async () => {
    const { rig } = await storedAlone();
    const before = await rig.journal();
    expect(await sweptBy(rig)).toBe(1);
    const action = await rig.action();
    expect(action).toMatchObject({ effect: 'confirmed', attempts: 1 });
    expect(await rig.journal()).toEqual(before);
    expect(action.unfolded).toBeUndefined();
    expect(action.recovering).toBeUndefined();
    const events = await rig.world.store.eventsAfter(action.conversationId, 0, 1_000);
    expect(events.at(-1)?.body).toMatchObject({ type: 'action.confirmed' });
    expect(await sweptBy(rig)).toBe(0);
  });

  test('is folded also when the action is settled otherwise: evidence that agrees changes nothing', async () => {
    const { rig } = await storedAlone();
    const action = await rig.action();
    const found = await rig.world.store.read({
      actions: [action.actionId],
      conversation: action.conversationId,
    });
    const [stored] = found.actions;
    if (!stored || !found.conversation) throw new Error('The action is gone.');
    const settled = { ...stored.item, effect: 'confirmed' as const, head: stored.item.head + 1 };
    await rig.world.store.commit({
      conversation: found.conversation,
      events: [],
      writes: [{ do: 'replace', kind: 'action', item: settled, rev: stored.rev }],
    });
    expect(await sweptBy(rig)).toBe(1);
    const after = await rig.action();
    expect(after).toMatchObject({ effect: 'confirmed', contradicted: false });
    expect(after.unfolded).toBeUndefined();
  });
});
