// AWS's limits on size and history, and many executions that wait at once.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { done, echo, openRig, turns, until } from './rig.ts';

const large = 'x'.repeat(262_144);

it('a task result over 256 KiB fails the task under States.DataLimitExceeded, which States.ALL catches', async () => {
  const rig = openRig();
  rig.lambda = () => large;
  const { output, history } = await rig.run({
    StartAt: 'T',
    States: {
      T: {
        Type: 'Task',
        Resource: echo,
        Catch: [{ ErrorEquals: ['States.ALL'], Next: 'S' }],
        End: true,
      },
      S: done,
    },
  });
  const Cause = `The state/task '${echo}' returned a result with a size exceeding the maximum number of bytes service limit.`;
  expect(output).toEqual({ Error: 'States.DataLimitExceeded', Cause });
  expect(history.find(({ type }) => type === 'LambdaFunctionFailed')?.details).toEqual({
    error: 'States.DataLimitExceeded',
    cause: Cause,
  });
});

it.each([
  ['an output', { Output: '{% $pad("", 262144, "x") %}' }],
  ['a variable', { Assign: { big: '{% $pad("", 262144, "x") %}' } }],
  ['an output of wide characters', { Output: '{% $pad("", 90000, "€") %}' }],
])('%s over 256 KiB fails the state', async (_, fields) => {
  const rig = openRig();
  const { error } = await rig.run({
    StartAt: 'A',
    States: { A: { Type: 'Pass', ...fields, End: true } },
  });
  expect(error).toBe('States.DataLimitExceeded');
});

it('the last event of a full history says so, and nothing catches it', async () => {
  const rig = openRig();
  const loop = { Type: 'Pass', Next: 'C' };
  const body = {
    StartAt: 'L',
    States: {
      L: loop,
      C: { Type: 'Choice', Choices: [{ Condition: '{% true %}', Next: 'L' }], Default: 'E' },
      E: done,
    },
  };
  const catchAll = [{ ErrorEquals: ['States.ALL'], Next: 'S' }];
  const P = {
    Type: 'Parallel',
    Branches: [body],
    Catch: catchAll,
    Retry: [{ ErrorEquals: ['States.ALL'] }],
    Next: 'S',
  };
  const arn = await rig.start(await rig.machine({ StartAt: 'P', States: { P, S: done } }));
  await until(async () => (await rig.describe(arn)).status !== 'RUNNING');
  const shown = await rig.describe(arn);
  expect(shown).toMatchObject({
    status: 'FAILED',
    error: 'States.Runtime',
    cause: 'The execution reached the maximum number of history events (25000).',
    redriveStatus: 'NOT_REDRIVABLE',
  });
  const { events } = await rig.call('GetExecutionHistory', {
    executionArn: arn,
    reverseOrder: true,
    maxResults: 2,
  });
  expect(events).toMatchObject([{ id: 25_000, type: 'ExecutionFailed' }, { id: 24_999 }]);
});

it('thousands of executions that wait keep nothing in memory and one timer between them', async () => {
  const rig = openRig();
  const machine = await rig.machine({
    StartAt: 'W',
    States: {
      W: { Type: 'Wait', Seconds: '{% $states.input.s %}', Next: 'T' },
      T: {
        Type: 'Task',
        Resource: 'arn:aws:states:::aws-sdk:dynamodb:putItem.waitForTaskToken',
        Arguments: { Token: '{% $states.context.Task.Token %}' },
        End: true,
      },
    },
  });
  const tokens: string[] = [];
  rig.table = (_, parameters) => {
    tokens.push(String(parameters.Token));
    return {};
  };
  const count = 2000;
  for (let no = 0; no < count; no += 100)
    await Promise.all(
      Array.from({ length: 100 }, (_, at) => rig.start(machine, { s: 1 + ((no + at) % 7) })),
    );
  expect(rig.twin.residents()).toBe(0);
  const first = rig.clock.nextAtMs() ?? 0;
  expect(first - rig.clock.now()).toBe(1000);
  for (let second = 0; second < 7; second += 1) {
    await rig.clock.advance(1000);
    await until(() => rig.twin.residents() === 0);
  }
  await until(() => tokens.length === count);
  await turns(50);
  expect(rig.twin.residents()).toBe(0);
  for (let no = 0; no < count; no += 100)
    await Promise.all(
      tokens
        .slice(no, no + 100)
        .map((taskToken) => rig.call('SendTaskSuccess', { taskToken, output: '1' })),
    );
  expect(rig.changes.filter(({ status }) => status === 'SUCCEEDED')).toHaveLength(count);
  expect(statSync(join(rig.folder, 'states.sqlite')).size).toBeGreaterThan(0);
});
