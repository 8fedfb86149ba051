// S10: what may repeat a call of Perform, read from the definitions; and that everybody gives up in the right order.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { reserveMs } from '../../../functions/core/base/limits.ts';
import { toolTimeoutMsMax } from '../../../functions/core/registry/contract.ts';
import { functions } from '../../../functions/manifest.ts';

const folder = join(import.meta.dirname, '..', '..', '..', 'statemachines');
const files = readdirSync(folder).filter((name) => name.endsWith('.asl.json'));

const State = z.looseObject({
  Type: z.string(),
  TimeoutSeconds: z.unknown().optional(),
  Retry: z.array(z.looseObject({ ErrorEquals: z.array(z.string()) })).default([]),
  Arguments: z.looseObject({ FunctionName: z.string().optional() }).optional(),
});

/** Every state of a definition, those inside a Map or Parallel too. */
const statesIn = (value: unknown): z.infer<typeof State>[] => {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    name === 'States'
      ? Object.values(inner).flatMap((state) => [State.parse(state), ...statesIn(state)])
      : statesIn(inner),
  );
};
const all = files.flatMap((file) => statesIn(JSON.parse(readFileSync(join(folder, file), 'utf8'))));
const performing = all.filter((state) =>
  state.Arguments?.FunctionName?.includes('PerformFunctionArn'),
);

test('L1 S10 no timeout and no unknown error makes a machine invoke Perform again by itself', () => {
  expect(performing.length).toBeGreaterThan(0);
  const repeated = performing.flatMap(({ Retry }) =>
    Retry.flatMap(({ ErrorEquals }) => ErrorEquals),
  );
  // Lambda says so before it has started the function.
  expect(new Set(repeated)).toEqual(new Set(['Lambda.TooManyRequestsException']));
  for (const state of all.filter(({ Type }) => Type === 'Map' || Type === 'Parallel'))
    expect(state.Retry).toEqual([]);
});

test('L3 S10 the tool’s time ends before the function’s, and the function’s before the machine’s', () => {
  expect(toolTimeoutMsMax + reserveMs).toBeLessThan(functions.perform.timeoutMs);
  for (const { TimeoutSeconds } of performing)
    expect(Number(TimeoutSeconds) * 1_000).toBeGreaterThan(functions.perform.timeoutMs);
});
