// A sweep whose store refuses everything: it ends, says which parts failed, and reports how many, which is what an alarm watches.
import { expect, test } from 'vitest';
import { environmentNames } from '../../functions/manifest.ts';
import type { Figures } from '../../functions/ports/measures.ts';
import { handlerFor } from '../../functions/sweep/sweep.ts';
import type { Substrate } from '../../functions/wiring/substrate.ts';

const refusing = (figures: Figures[], said: string[]): Substrate => ({
  environment: Object.fromEntries(Object.values(environmentNames).map((name) => [name, '1'])),
  clock: { now: () => 0, pause: async () => undefined },
  minter: { suffix: () => '0'.repeat(26), fraction: () => 0 },
  crash: { at: () => undefined },
  log: { info: () => undefined, warn: () => undefined, error: (message) => said.push(message) },
  measures: { put: (figure) => figures.push(figure) },
  open: () => true,
  aws: () => ({
    region: 'eu-west-1',
    plugin: {
      applyToStack: (stack) =>
        stack.add(
          () => async () => {
            throw Object.assign(new Error('Not allowed.'), { name: 'AccessDeniedException' });
          },
          { step: 'initialize', priority: 'high', name: 'refusing' },
        ),
    },
  }),
});

test('every part that fails is counted, and none keeps the others from being tried', async () => {
  const figures: Figures[] = [];
  const said: string[] = [];
  const context: Parameters<ReturnType<typeof handlerFor>>[1] = JSON.parse('{}');
  const swept = await handlerFor(refusing(figures, said))({}, context);
  expect(Object.values(swept)).toEqual(Object.values(swept).map(() => -1));
  expect(said).toHaveLength(Object.keys(swept).length);
  expect(figures).toEqual([{ sweepPartsFailed: Object.keys(swept).length }]);
});
