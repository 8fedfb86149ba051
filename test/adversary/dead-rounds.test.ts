// A recovery's execution that died after a person had decided: the sweep starts another round. Laws: L12, L14.
import { expect, test } from 'vitest';
import type { Action } from '../../functions/core/records/action.ts';
import { sweepActions } from '../../functions/sweep/actions.ts';
import type { EventsWorld } from '../../functions/wiring/events.ts';
import { anAction, at, startMs } from '../core/parts.ts';
import { memoryDeliveries } from '../fakes/memory-deliveries.ts';
import { keep, memoryStore } from '../fakes/memory-store.ts';
import { aConversation, aRun } from './parts.ts';

const hour = 3_600_000;

/** The rounds that were ordered by sweeping now and then once more. */
const roundsOf = async (
  more: Partial<Action>,
  state: 'running' | 'succeeded' | 'failed' | 'stopped',
  nowMs = startMs + hour,
): Promise<number[]> => {
  const minted: string[] = [];
  const rounds: number[] = [];
  const store = memoryStore({
    clock: { now: () => nowMs },
    minter: { suffix: () => `c${minted.push('')}`.padStart(26, '0') },
    onOutbox: ({ recoveries }) => void rounds.push(...recoveries.map(({ round }) => round)),
  });
  const action = anAction({
    attempts: 1,
    head: 6,
    round: 1,
    effect: 'undetermined',
    firstEngagedAt: at(startMs),
    ...more,
  });
  keep(store.memory, 'conversation', aConversation().item, 1);
  keep(store.memory, 'run', aRun().item, 1);
  keep(store.memory, 'action', action, 1);
  const world: Partial<EventsWorld> = {
    store,
    deliveries: memoryDeliveries(store.memory, new Map()),
    clock: { now: () => nowMs, pause: async () => undefined },
    recoverMachine: {
      describe: async (name) => (name === `${action.actionId}-r1` ? state : 'running'),
      start: async () => undefined,
      answer: async () => 'sent',
    },
  };
  await sweepActions(world as EventsWorld);
  await sweepActions(world as EventsWorld);
  return rounds;
};

const repeat: Partial<Action> = {
  authorised: {
    head: 6,
    attempt: 2,
    authorisation: { by: 'decision', decisionId: 'dec', claimFence: 1 },
  },
};

test('a repeat that was decided is taken up once when its execution died', async () => {
  expect(await roundsOf(repeat, 'failed')).toEqual([2]);
  expect(await roundsOf(repeat, 'stopped')).toEqual([2]);
});

test('one that is being carried out, or that ended and said why, is left alone', async () => {
  expect(await roundsOf(repeat, 'running')).toEqual([]);
  expect(await roundsOf(repeat, 'succeeded')).toEqual([]);
});

test('a look that a person put off is made when its time comes, though its execution died', async () => {
  const put = { nextCheckAtMs: startMs + 2 * hour };
  expect(await roundsOf(put, 'stopped')).toEqual([]);
  expect(await roundsOf(put, 'stopped', startMs + 3 * hour)).toEqual([2]);
});
