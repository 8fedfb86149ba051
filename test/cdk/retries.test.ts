// S10: a retry in a state machine's definition must never repeat a call that may have run.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { root } from './root.ts';

describe('retries in the definitions', () => {
  const State: z.ZodType<{ [key: string]: unknown }> = z.record(z.string(), z.unknown());
  const Retry = z.array(z.looseObject({ ErrorEquals: z.array(z.string()) })).default([]);
  /** Lambda refused before it ran anything; the handler says that it sent nothing. */
  const provenBefore = ['Lambda.TooManyRequestsException', 'TryAgain'];

  const statesIn = (value: unknown): { name: string; state: { [key: string]: unknown } }[] => {
    if (typeof value !== 'object' || value === null) return [];
    return Object.entries(value).flatMap(([key, inner]) =>
      key === 'States' && typeof inner === 'object' && inner !== null
        ? Object.entries(inner).flatMap(([name, state]) => [
            { name, state: State.parse(state) },
            ...statesIn(state),
          ])
        : statesIn(inner),
    );
  };
  const files = readdirSync(join(root, 'statemachines')).filter((file) =>
    file.endsWith('.asl.json'),
  );

  test.each(files)('%s repeats perform only when it certainly did not run', (file) => {
    const states = statesIn(JSON.parse(readFileSync(join(root, 'statemachines', file), 'utf8')));
    const performing = states.filter(({ state }) =>
      JSON.stringify(state.Arguments ?? {}).includes('PerformFunctionArn'),
    );
    expect(performing.length).toBeGreaterThan(0);
    for (const { name, state } of performing) {
      const repeated = Retry.parse(state.Retry).flatMap(({ ErrorEquals }) => ErrorEquals);
      expect(
        repeated.filter((error) => !provenBefore.includes(error)),
        name,
      ).toEqual([]);
    }
    for (const { name, state } of states.filter(({ state }) => state.Type === 'Map'))
      expect(state, name).not.toHaveProperty('Retry');
  });
});
