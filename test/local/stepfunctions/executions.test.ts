// Executions through the API: names, stop, lists, pages of history, redrive, status events.
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openStepFunctionsTwin } from '../../../local/stepfunctions/twin.ts';
import { done, echo, openRig, outline, type Rig, Thrown, until } from './rig.ts';

const waits = { StartAt: 'W', States: { W: { Type: 'Wait', Seconds: 100, End: true } } };
const passes = { StartAt: 'S', States: { S: done } };

const refused = async (rig: Rig, operation: string, body: object): Promise<unknown> => {
  const { status, body: answer } = await rig.raw(operation, body);
  expect(status).toBe(400);
  return answer;
};

it('a name starts once: the same start while it runs is the same execution, anything else is refused', async () => {
  const rig = openRig();
  const stateMachineArn = await rig.machine(waits);
  const body = { stateMachineArn, name: 'one', input: '{"a":1}' };
  const both = await Promise.all([1, 2, 3].map(() => rig.call('StartExecution', body)));
  expect(new Set(both.map(({ executionArn }) => executionArn)).size).toBe(1);
  const { executions } = await rig.call('ListExecutions', { stateMachineArn });
  expect(executions).toHaveLength(1);
  const other = await refused(rig, 'StartExecution', { ...body, input: '{"a":2}' });
  expect(other).toMatchObject({ __type: 'ExecutionAlreadyExists' });
  const executionArn = String(both[0]?.executionArn);
  await rig.call('StopExecution', { executionArn });
  expect(await refused(rig, 'StartExecution', body)).toEqual({
    __type: 'ExecutionAlreadyExists',
    message: `Execution Already Exists: '${executionArn}'`,
  });
});

it.each(['', 'a b', 'a/b', 'a:b', 'a*', '<a>', 'é\u0007', 'x'.repeat(81)])(
  'refuses the name %j',
  async (name) => {
    const rig = openRig();
    const stateMachineArn = await rig.machine(passes);
    expect(await refused(rig, 'StartExecution', { stateMachineArn, name })).toMatchObject({
      __type: 'InvalidName',
    });
  },
);

it.each([
  ['not json', 'InvalidExecutionInput'],
  ['', 'InvalidExecutionInput'],
  [`"${'x'.repeat(262_144)}"`, 'ValidationException'],
])('refuses an input', async (input, type) => {
  const rig = openRig();
  const stateMachineArn = await rig.machine(passes);
  expect(await refused(rig, 'StartExecution', { stateMachineArn, input })).toMatchObject({
    __type: type,
  });
});

it('a stop aborts with error and cause, and stopping again changes nothing', async () => {
  const rig = openRig();
  const executionArn = await rig.start(await rig.machine(waits));
  await rig.call('StopExecution', { executionArn, error: 'E', cause: 'C' });
  await rig.call('StopExecution', { executionArn, error: 'Later' });
  const ended = await rig.ended(executionArn);
  expect(ended).toMatchObject({ status: 'ABORTED', error: 'E', cause: 'C' });
  expect(outline(ended.history)).toEqual([
    '1<0 ExecutionStarted',
    '2<0 WaitStateEntered',
    '3<0 ExecutionAborted',
  ]);
  await rig.clock.advance(200_000);
  expect(await rig.history(executionArn)).toHaveLength(3);
});

it('an answer that comes after the stop changes nothing', async () => {
  const rig = openRig();
  let answer: (value: string) => void = () => undefined;
  rig.lambda = () =>
    new Promise<string>((settle) => {
      answer = settle;
    });
  const task = { Type: 'Task', Resource: echo, End: true };
  const executionArn = await rig.start(await rig.machine({ StartAt: 'T', States: { T: task } }));
  await until(() => rig.invoked.length === 1);
  await rig.call('StopExecution', { executionArn });
  answer('late');
  await until(() => rig.twin.residents() === 0);
  expect((await rig.ended(executionArn)).status).toBe('ABORTED');
});

it('lists newest first, by status, in pages', async () => {
  const rig = openRig();
  const stateMachineArn = await rig.machine(waits);
  const arns: string[] = [];
  for (let no = 0; no < 5; no += 1) {
    arns.push(await rig.start(stateMachineArn, {}, `e${no}`));
    if (no % 2 === 0) await rig.clock.advance(10);
  }
  await rig.call('StopExecution', { executionArn: arns[3] });
  const seen: unknown[] = [];
  let nextToken: unknown;
  do {
    const page = await rig.call('ListExecutions', {
      stateMachineArn,
      maxResults: 2,
      ...(nextToken ? { nextToken } : {}),
    });
    seen.push(...(page.executions as { name: string }[]).map(({ name }) => name));
    nextToken = page.nextToken;
  } while (nextToken !== undefined);
  expect(seen).toEqual(['e4', 'e3', 'e2', 'e1', 'e0']);
  const aborted = await rig.call('ListExecutions', { stateMachineArn, statusFilter: 'ABORTED' });
  expect(aborted.executions).toMatchObject([{ name: 'e3', status: 'ABORTED' }]);
});

it('a history pages in both directions and can leave the data out', async () => {
  const rig = openRig();
  const { executionArn, history } = await rig.run(passes, { a: 1 });
  const ids = async (query: object): Promise<number[]> => {
    const found: number[] = [];
    let nextToken: unknown;
    do {
      const body = { executionArn, maxResults: 3, ...query, ...(nextToken ? { nextToken } : {}) };
      const page = await rig.call('GetExecutionHistory', body);
      found.push(...(page.events as { id: number }[]).map(({ id }) => id));
      nextToken = page.nextToken;
    } while (nextToken !== undefined);
    return found;
  };
  const all = history.map(({ id }) => id);
  expect(await ids({})).toEqual(all);
  expect(await ids({ reverseOrder: true })).toEqual(all.toReversed());
  const bare = await rig.call('GetExecutionHistory', { executionArn, includeExecutionData: false });
  expect(JSON.stringify(bare)).not.toContain('\\"a\\"');
  expect(JSON.stringify(bare)).toContain('inputDetails');
});

it('a redrive runs the failed task again with fresh retries, a count in the context and in the API', async () => {
  const rig = openRig();
  let isBroken = true;
  rig.lambda = (payload) => {
    if (isBroken) throw new Thrown('E', 'No.');
    return payload;
  };
  const T = {
    Type: 'Task',
    Resource: echo,
    Arguments: '{% $states.context.Execution.RedriveCount %}',
    Retry: [{ ErrorEquals: ['E'], IntervalSeconds: 1, MaxAttempts: 1 }],
    End: true,
  };
  const executionArn = await rig.start(
    await rig.machine({
      StartAt: 'P',
      States: { P: { Type: 'Pass', Assign: { kept: 1 }, Next: 'T' }, T },
    }),
  );
  expect(await refused(rig, 'RedriveExecution', { executionArn })).toMatchObject({
    __type: 'ExecutionNotRedrivable',
  });
  await rig.clock.advance(1000);
  expect((await rig.ended(executionArn)).status).toBe('FAILED');
  expect(await rig.describe(executionArn)).toMatchObject({
    redriveStatus: 'REDRIVABLE',
    redriveCount: 0,
  });
  await rig.call('RedriveExecution', { executionArn });
  await rig.clock.advance(1000);
  expect((await rig.ended(executionArn)).status).toBe('FAILED');
  isBroken = false;
  await rig.call('RedriveExecution', { executionArn });
  const { output, history, status } = await rig.ended(executionArn);
  expect({ output, status }).toEqual({ output: 2, status: 'SUCCEEDED' });
  const second = history.findLastIndex(({ type }) => type === 'ExecutionRedriven');
  expect(history[second]?.details).toEqual({ redriveCount: 2 });
  expect(history.slice(second).map(({ type }) => type)).toEqual([
    'ExecutionRedriven',
    'LambdaFunctionScheduled',
    'LambdaFunctionStarted',
    'LambdaFunctionSucceeded',
    'TaskStateExited',
    'ExecutionSucceeded',
  ]);
  expect(await rig.describe(executionArn)).toMatchObject({
    redriveCount: 2,
    redriveStatus: 'NOT_REDRIVABLE',
    redriveStatusReason: 'Execution is SUCCEEDED and cannot be redriven',
  });
});

it('a redrive of a Map runs only the iterations that did not succeed', async () => {
  const rig = openRig();
  const broken = new Set<unknown>([1]);
  rig.lambda = (payload) => {
    if (broken.has(payload)) throw new Thrown('E', 'No.');
    return payload;
  };
  const body = { StartAt: 'T', States: { T: { Type: 'Task', Resource: echo, End: true } } };
  const map = { Type: 'Map', MaxConcurrency: 1, ItemProcessor: body, End: true };
  const executionArn = await rig.start(
    await rig.machine({ StartAt: 'M', States: { M: map } }),
    [0, 1, 2],
  );
  await rig.ended(executionArn);
  broken.clear();
  await rig.reopen();
  await rig.call('RedriveExecution', { executionArn });
  expect((await rig.ended(executionArn)).output).toEqual([0, 1, 2]);
  expect(rig.invoked.map(({ payload }) => payload)).toEqual([0, 1, 1, 2]);
});

it.each(['stopped', 'timed out'])('a redrive takes up a %s wait again', async (how) => {
  const rig = openRig();
  const executionArn = await rig.start(await rig.machine({ ...waits, TimeoutSeconds: 50 }));
  if (how === 'stopped') await rig.call('StopExecution', { executionArn });
  else await rig.clock.advance(50_000);
  await rig.call('RedriveExecution', { executionArn });
  await rig.clock.advance(49_999);
  expect(await rig.describe(executionArn)).toMatchObject({ status: 'RUNNING' });
  await rig.clock.advance(1);
  expect((await rig.ended(executionArn)).status).toBe('TIMED_OUT');
});

it('two weeks after its end an execution cannot be redriven', async () => {
  const rig = openRig();
  const executionArn = await rig.start(await rig.machine(waits));
  await rig.call('StopExecution', { executionArn });
  await rig.clock.advance(14 * 24 * 3_600_000 + 1);
  const answer = await refused(rig, 'RedriveExecution', { executionArn });
  expect(answer).toMatchObject({ message: expect.stringContaining('redrive period exceeded') });
});

it('every change of status is told, with dates in milliseconds', async () => {
  const rig = openRig();
  const { executionArn } = await rig.run(passes, { a: 1 });
  expect(rig.changes.map(({ status }) => status)).toEqual(['RUNNING', 'SUCCEEDED']);
  expect(rig.changes.at(-1)).toMatchObject({
    executionArn,
    status: 'SUCCEEDED',
    input: '{"a":1}',
    output: '{"a":1}',
    startDate: rig.clock.now(),
    stopDate: rig.clock.now(),
  });
  const waiting = await rig.start(await rig.machine(waits));
  expect(rig.changes.at(-1)).toMatchObject({
    executionArn: waiting,
    status: 'RUNNING',
    stopDate: null,
  });
});

it.each([
  ['DescribeExecution', 'ExecutionDoesNotExist'],
  ['StopExecution', 'ExecutionDoesNotExist'],
  ['GetExecutionHistory', 'ExecutionDoesNotExist'],
  ['RedriveExecution', 'ExecutionDoesNotExist'],
  ['DescribeStateMachineForExecution', 'ExecutionDoesNotExist'],
])('%s of an unknown execution is %s, of a bad ARN InvalidArn', async (operation, type) => {
  const rig = openRig();
  const executionArn = 'arn:aws:states:us-east-1:000000000000:execution:m:e';
  expect(await refused(rig, operation, { executionArn })).toEqual({
    __type: type,
    message: `Execution Does Not Exist: '${executionArn}'`,
  });
  expect(await refused(rig, operation, { executionArn: 'e' })).toMatchObject({
    __type: 'InvalidArn',
  });
});

it('before the start machines can be made and nothing runs; after the close nothing is answered', async () => {
  const rig = openRig();
  const twin = openStepFunctionsTwin({
    file: join(rig.folder, 'other.sqlite'),
    clock: rig.clock,
    invokeLambda: () => Promise.reject(new Error('Nothing runs.')),
    callDynamoDb: () => Promise.reject(new Error('Nothing runs.')),
  });
  const definition = JSON.stringify({ QueryLanguage: 'JSONata', ...passes });
  const made = await twin.handle('CreateStateMachine', { name: 'm', definition, roleArn: 'r' });
  expect(made.status).toBe(200);
  const { stateMachineArn } = made.body as { stateMachineArn: string };
  expect((await twin.handle('StartExecution', { stateMachineArn })).status).toBe(503);
  twin.start();
  expect((await twin.handle('StartExecution', { stateMachineArn })).status).toBe(200);
  await twin.close();
  expect((await twin.handle('ListStateMachines', {})).status).toBe(503);
});
