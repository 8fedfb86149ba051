// More than one delivery of the same Perform, and one that ends after its time: one effect, and the truth in the store (L3, L4).
import { expect, test, vi } from 'vitest';
import type { ToolReport } from '../../../functions/ports/tool.ts';
import { perform } from '../../../functions/run/perform.ts';
import { answered, context, openPerformRig, replyLost } from './perform-rig.ts';

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
  await vi.waitFor(() => expect(rig.effects).toHaveLength(1));
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
