// kill -9 at many moments: after each restart the execution goes on from what is stored, until it ends as it should.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { realClock } from '../../../local/base/clock.ts';
import { openStepFunctionsTwin } from '../../../local/stepfunctions/twin.ts';
import { echo, openRig, type Rig, until } from './rig.ts';

const steps = 40;

/** Counts to `steps`; each count is a call, three of them at a time in a Map on every tenth. */
const counting = {
  QueryLanguage: 'JSONata',
  StartAt: 'Count',
  States: {
    Count: {
      Type: 'Task',
      Resource: echo,
      Arguments: { n: '{% $states.input.n %}' },
      Output: { n: '{% $states.result.n + 1 %}' },
      Retry: [
        {
          ErrorEquals: ['Lambda.Unknown'],
          IntervalSeconds: 1,
          BackoffRate: 1,
          MaxAttempts: 99,
          MaxDelaySeconds: 2,
          JitterStrategy: 'FULL',
        },
      ],
      Next: 'Fork',
    },
    Fork: {
      Type: 'Choice',
      Choices: [
        { Condition: `{% $states.input.n >= ${steps} %}`, Next: 'End' },
        { Condition: '{% $states.input.n % 10 = 0 %}', Next: 'Three' },
      ],
      Default: 'Count',
    },
    Three: {
      Type: 'Map',
      Items: '{% [1, 2, 3] %}',
      ItemSelector: { n: '{% $states.input.n %}', part: '{% $states.context.Map.Item.Value %}' },
      ItemProcessor: {
        StartAt: 'Part',
        States: {
          Part: {
            Type: 'Task',
            Resource: echo,
            Catch: [
              { ErrorEquals: ['Lambda.Unknown'], Output: '{% $states.input %}', Next: 'Lost' },
            ],
            End: true,
          },
          Lost: { Type: 'Pass', End: true },
        },
      },
      Output: { n: '{% $states.result[0].n %}' },
      Next: 'Count',
    },
    End: { Type: 'Succeed' },
  },
};

const folders: string[] = [];
const children: ChildProcess[] = [];

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const program = join(import.meta.dirname, 'crashing.ts');

/** Kills the process a moment after it has written `lines` more to its journal; true when the execution ended first. */
const runUntil = (folder: string, lines: number): Promise<boolean> =>
  new Promise((resolve) => {
    const journal = join(folder, 'journal');
    const child = spawn(process.execPath, [
      program,
      join(folder, 'db'),
      journal,
      JSON.stringify(counting),
    ]);
    children.push(child);
    const before = linesIn(journal);
    let isEnded = false;
    const look = setInterval(() => {
      if (linesIn(journal) - before < lines) return;
      clearInterval(look);
      setTimeout(() => child.kill('SIGKILL'), lines % 3);
    }, 1);
    child.stdout.on('data', (text: Buffer) => {
      if (!text.toString().includes('ended') && !text.toString().includes('started 400')) return;
      isEnded = true;
      child.kill('SIGKILL');
    });
    child.on('exit', () => {
      clearInterval(look);
      resolve(isEnded);
    });
  });

const linesIn = (file: string): number => {
  try {
    return readFileSync(file, 'utf8').split('\n').length - 1;
  } catch {
    return 0;
  }
};

it('an execution that is killed again and again ends right, with a history without gap', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'reprise-crash-'));
  folders.push(folder);
  let kills = 0;
  for (let lines = 1; !(await runUntil(folder, lines)); lines = (lines % 7) + 2) kills += 1;
  expect(kills).toBeGreaterThan(5);
  const twin = openStepFunctionsTwin({
    file: join(folder, 'db'),
    clock: realClock(),
    invokeLambda: () => Promise.reject(new Error('Nothing is left to call.')),
    callDynamoDb: async () => ({}),
  });
  twin.start();
  const executionArn = 'arn:aws:states:us-east-1:000000000000:execution:m:run';
  const { body: shown } = await twin.handle('DescribeExecution', { executionArn });
  expect(shown).toMatchObject({ status: 'SUCCEEDED', output: `{"n":${steps}}` });
  const { body } = await twin.handle('GetExecutionHistory', { executionArn, maxResults: 1000 });
  const { events } = body as { events: { id: number; previousEventId: number; type: string }[] };
  expect(events.map(({ id }) => id)).toEqual(events.map((_, index) => index + 1));
  expect(events.every(({ id, previousEventId }) => previousEventId < id)).toBe(true);
  const scheduled = events.filter(({ type }) => type === 'LambdaFunctionScheduled').length;
  const settled = events.filter(({ type }) =>
    /^LambdaFunction(Succeeded|Failed)$/.test(type),
  ).length;
  expect(settled).toBe(scheduled);
  await twin.close();
}, 120_000);

const lost = async (rig: Rig, Resource: string, Arguments: object): Promise<unknown> => {
  rig.lambda = () => new Promise(() => undefined);
  let isOut = false;
  rig.table = () => {
    isOut = true;
    return new Promise(() => undefined);
  };
  const state = { Type: 'Task', Resource, Arguments, End: true };
  const arn = await rig.start(await rig.machine({ StartAt: 'T', States: { T: state } }));
  await until(() => isOut || rig.invoked.length > 0);
  await rig.reopen();
  const { error, cause } = await rig.ended(arn);
  expect(cause).toContain('whether it took effect is unknown');
  return error;
};

it.each([
  [echo, {}, 'Lambda.Unknown'],
  ['arn:aws:states:::lambda:invoke', { FunctionName: 'f' }, 'Lambda.Unknown'],
  ['arn:aws:states:::lambda:invoke.waitForTaskToken', { FunctionName: 'f' }, 'Lambda.Unknown'],
  ['arn:aws:states:::aws-sdk:dynamodb:putItem', {}, 'DynamoDb.SdkClientException'],
  [
    'arn:aws:states:::aws-sdk:dynamodb:updateItem.waitForTaskToken',
    {},
    'DynamoDb.SdkClientException',
  ],
  ['arn:aws:states:::dynamodb:putItem', {}, 'DynamoDB.SdkClientException'],
])(
  'a call of %s that was out when the process ended is told as failed, not made again',
  async (resource, parameters, error) => {
    const rig = openRig();
    expect(await lost(rig, resource, parameters)).toBe(error);
    expect(rig.invoked.length).toBeLessThan(2);
  },
);

it('waits and back-offs go on after a restart with the times they had', async () => {
  const rig = openRig();
  const arn = await rig.start(
    await rig.machine({ StartAt: 'W', States: { W: { Type: 'Wait', Seconds: 100, End: true } } }),
  );
  await rig.clock.advance(60_000);
  await rig.reopen();
  await rig.clock.advance(39_999);
  expect(await rig.describe(arn)).toMatchObject({ status: 'RUNNING' });
  await rig.clock.advance(1);
  expect((await rig.ended(arn)).status).toBe('SUCCEEDED');
});

it('what fell due while the twin was away happens when it comes back', async () => {
  const rig = openRig();
  const arn = await rig.start(
    await rig.machine({ StartAt: 'W', States: { W: { Type: 'Wait', Seconds: 100, End: true } } }),
  );
  await rig.twin.close();
  await rig.clock.advance(200_000);
  await rig.reopen();
  await rig.clock.advance(0);
  expect((await rig.ended(arn)).status).toBe('SUCCEEDED');
});
