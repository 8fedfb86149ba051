// The counts of the benchmark hold on every run of the tests. Times are not asserted.
import { expect, test } from 'vitest';
import { countRun, limits, plainSteps, type StepCounts, summaryOf } from './counts.ts';

const steps = 20;

const most: StepCounts = {
  transitions: limits.transitionsPerStep,
  historyEvents: limits.historyEventsPerStep,
  writeCalls: limits.dynamodbWriteCallsPerStep,
  itemsWritten: limits.dynamodbItemsWrittenPerStep,
  readCalls: limits.dynamodbReadCallsPerStep,
  lambdaInvocations: limits.lambdaInvocationsPerStep,
  bytesWritten: Number.POSITIVE_INFINITY,
};

test('a step with one tool call stays within its counts, and the last costs what the third did', async () => {
  const counts = await countRun(steps);
  expect(plainSteps(counts)).toHaveLength(steps - 1);
  const names = Object.keys(most) as (keyof StepCounts)[];
  plainSteps(counts).forEach((step, index) => {
    for (const name of names) {
      expect(step[name], `${name} of step ${index + 2}`).toBeGreaterThan(0);
      expect(step[name], `${name} of step ${index + 2}`).toBeLessThanOrEqual(most[name]);
    }
  });
  const { growth, growthItemsWritten, growthReads, growthBytesWritten } = summaryOf(counts);
  expect(growth).toBeLessThanOrEqual(limits.growth);
  expect(growthItemsWritten).toBeLessThanOrEqual(limits.growth);
  expect(growthReads).toBeLessThanOrEqual(limits.growth);
  expect(growthBytesWritten).toBeLessThanOrEqual(limits.growth);
});
