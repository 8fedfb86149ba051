// Waiting for a task token: answers in every order, clocks, errors, and what a restart keeps.
import { expect, it } from 'vitest';
import { openRig, outline, type Rig, until } from './rig.ts';

const invokeWithToken = 'arn:aws:states:::lambda:invoke.waitForTaskToken';

/** A machine that gives its token to a function and waits. */
const waiting = (rig: Rig, extra: object = {}): Promise<string> =>
  rig.machine({
    StartAt: 'Ask',
    States: {
      Ask: {
        Type: 'Task',
        Resource: invokeWithToken,
        Arguments: { FunctionName: 'f', Payload: '{% $states.context.Task.Token %}' },
        ...extra,
        End: true,
      },
    },
  });

const lastToken = (rig: Rig): string => String(rig.invoked.at(-1)?.payload);

const isSubmitted = async (rig: Rig, arn: string): Promise<boolean> =>
  (await rig.history(arn)).some(({ type }) => type === 'TaskSubmitted');

const asked = async (rig: Rig, extra: object = {}): Promise<{ arn: string; taskToken: string }> => {
  const arn = await rig.start(await waiting(rig, extra));
  await until(() => isSubmitted(rig, arn));
  return { arn, taskToken: lastToken(rig) };
};

const refusal = async (rig: Rig, operation: string, body: object): Promise<unknown> => {
  const { status, body: answer } = await rig.raw(operation, body);
  expect(status).toBe(400);
  return (answer as { __type: string }).__type;
};

it('the answer is the result of the task, after the call that carried the token', async () => {
  const rig = openRig();
  const { arn, taskToken } = await asked(rig);
  expect(rig.twin.residents()).toBe(0);
  await rig.call('SendTaskSuccess', { taskToken, output: '{"yes":true}' });
  const { history, output } = await rig.ended(arn);
  expect(output).toEqual({ yes: true });
  expect(outline(history)).toEqual([
    '1<0 ExecutionStarted',
    '2<0 TaskStateEntered',
    '3<2 TaskScheduled',
    '4<3 TaskStarted',
    '5<4 TaskSubmitted',
    '6<5 TaskSucceeded',
    '7<6 TaskStateExited',
    '8<7 ExecutionSucceeded',
  ]);
  expect(history[2]?.details).toMatchObject({
    resource: 'invoke.waitForTaskToken',
    resourceType: 'lambda',
  });
  expect(history[5]?.details).toMatchObject({
    output: '{"yes":true}',
    resource: 'invoke.waitForTaskToken',
  });
});

it.each(['success', 'failure'])(
  'an early %s, given before the call has returned, counts when it returns',
  async (kind) => {
    const rig = openRig();
    let answered: () => void = () => undefined;
    rig.lambda = () =>
      new Promise<string>((done) => {
        answered = () => done('late');
      });
    const arn = await rig.start(await waiting(rig));
    await until(() => rig.invoked.length === 1);
    const taskToken = lastToken(rig);
    if (kind === 'success') await rig.call('SendTaskSuccess', { taskToken, output: '1' });
    else await rig.call('SendTaskFailure', { taskToken, error: 'No' });
    expect(await refusal(rig, 'SendTaskSuccess', { taskToken, output: '2' })).toBe('TaskTimedOut');
    expect(await rig.describe(arn)).toMatchObject({ status: 'RUNNING' });
    answered();
    const ended = await rig.ended(arn);
    expect(kind === 'success' ? ended.output : ended.error).toBe(kind === 'success' ? 1 : 'No');
    expect(ended.history.map(({ type }) => type)).toContain('TaskSubmitted');
  },
);

it('a failure fails the task; without an error its parts are null to the machine and missing in the history', async () => {
  const rig = openRig();
  const plain = await asked(rig);
  await rig.call('SendTaskFailure', { taskToken: plain.taskToken, error: 'E', cause: 'C' });
  expect(await rig.ended(plain.arn)).toMatchObject({ status: 'FAILED', error: 'E', cause: 'C' });
  const machine = await rig.machine({
    StartAt: 'Ask',
    States: {
      Ask: {
        Type: 'Task',
        Resource: invokeWithToken,
        Arguments: { FunctionName: 'f', Payload: '{% $states.context.Task.Token %}' },
        Catch: [{ ErrorEquals: ['States.ALL'], Next: 'Rest' }],
        End: true,
      },
      Rest: { Type: 'Pass', End: true },
    },
  });
  const arn = await rig.start(machine);
  await until(() => isSubmitted(rig, arn));
  await rig.call('SendTaskFailure', { taskToken: lastToken(rig) });
  const { output, history } = await rig.ended(arn);
  expect(output).toEqual({ Error: null, Cause: null });
  expect(history.find(({ type }) => type === 'TaskFailed')?.details).toEqual({
    resource: 'invoke.waitForTaskToken',
    resourceType: 'lambda',
  });
});

it('tells a made-up token, a spent one, and an output that is no JSON apart', async () => {
  const rig = openRig();
  const { arn, taskToken } = await asked(rig);
  const made = Buffer.from('1.0.abc.def').toString('base64');
  expect(await refusal(rig, 'SendTaskSuccess', { taskToken: made, output: '1' })).toBe(
    'InvalidToken',
  );
  expect(await refusal(rig, 'SendTaskHeartbeat', { taskToken: 'x' })).toBe('InvalidToken');
  expect(await refusal(rig, 'SendTaskSuccess', { taskToken, output: 'yes' })).toBe('InvalidOutput');
  expect(await refusal(rig, 'SendTaskSuccess', { taskToken })).toBe('ValidationException');
  await rig.call('SendTaskSuccess', { taskToken, output: '1' });
  await rig.ended(arn);
  for (const operation of ['SendTaskSuccess', 'SendTaskFailure', 'SendTaskHeartbeat'])
    expect(await refusal(rig, operation, { taskToken, output: '1' })).toBe('TaskTimedOut');
});

it('a token dies with a timeout, a stop, and a retry, which makes a new one', async () => {
  const rig = openRig();
  const timed = await asked(rig, {
    TimeoutSeconds: 10,
    Retry: [{ ErrorEquals: ['States.Timeout'], IntervalSeconds: 1, MaxAttempts: 1 }],
  });
  await rig.clock.advance(10_000);
  expect(await refusal(rig, 'SendTaskSuccess', { taskToken: timed.taskToken, output: '1' })).toBe(
    'TaskTimedOut',
  );
  await rig.clock.advance(1000);
  await until(() => rig.invoked.length === 2);
  const fresh = lastToken(rig);
  expect(fresh).not.toBe(timed.taskToken);
  await rig.call('StopExecution', { executionArn: timed.arn });
  expect(await refusal(rig, 'SendTaskSuccess', { taskToken: fresh, output: '1' })).toBe(
    'TaskTimedOut',
  );
});

it('heartbeats keep a task alive from when the call has returned; a missed one is States.Timeout', async () => {
  const rig = openRig();
  const { arn, taskToken } = await asked(rig, { HeartbeatSeconds: 5, TimeoutSeconds: 600 });
  for (let beat = 0; beat < 3; beat += 1) {
    await rig.clock.advance(4000);
    await rig.call('SendTaskHeartbeat', { taskToken });
  }
  await rig.clock.advance(4999);
  expect(await rig.describe(arn)).toMatchObject({ status: 'RUNNING' });
  await rig.clock.advance(1);
  const { error, history } = await rig.ended(arn);
  expect(error).toBe('States.Timeout');
  expect(outline(history).slice(4)).toEqual([
    '5<4 TaskSubmitted',
    '6<5 TaskTimedOut',
    '7<6 ExecutionFailed',
  ]);
  expect(history[2]?.details).toMatchObject({ heartbeatInSeconds: 5, timeoutInSeconds: 600 });
  expect(history[5]?.details).toEqual({
    error: 'States.Timeout',
    resource: 'invoke.waitForTaskToken',
    resourceType: 'lambda',
  });
});

it('a missed heartbeat is also caught by its own name, a passed timeout is not', async () => {
  const rig = openRig();
  const machine = await rig.machine({
    StartAt: 'Ask',
    States: {
      Ask: {
        Type: 'Task',
        Resource: invokeWithToken,
        Arguments: { FunctionName: 'f', Payload: '{% $states.context.Task.Token %}' },
        HeartbeatSeconds: '{% $states.input.beat %}',
        TimeoutSeconds: 20,
        Catch: [{ ErrorEquals: ['States.HeartbeatTimeout'], Output: 'beat', Next: 'Rest' }],
        End: true,
      },
      Rest: { Type: 'Pass', End: true },
    },
  });
  const beat = await rig.start(machine, { beat: 5 });
  const late = await rig.start(machine, { beat: 30 });
  await rig.clock.advance(20_000);
  expect((await rig.ended(beat)).output).toBe('beat');
  expect((await rig.ended(late)).error).toBe('States.Timeout');
});

it('the token reaches a table through the SDK integration, in either order with the answer', async () => {
  const rig = openRig();
  const stored: string[] = [];
  rig.table = async (_, parameters) => {
    const values = parameters.ExpressionAttributeValues as { ':t': { S: string } };
    stored.push(values[':t'].S);
    if (stored.length === 2)
      await rig.call('SendTaskSuccess', { taskToken: values[':t'].S, output: '"first"' });
    return {};
  };
  const machine = await rig.machine({
    StartAt: 'Bind',
    States: {
      Bind: {
        Type: 'Task',
        Resource: 'arn:aws:states:::aws-sdk:dynamodb:updateItem.waitForTaskToken',
        Arguments: {
          TableName: 'Requests',
          ExpressionAttributeValues: { ':t': { S: '{% $states.context.Task.Token %}' } },
        },
        TimeoutSeconds: '{% $max([1, $floor(60.5)]) %}',
        End: true,
      },
    },
  });
  const tokenFirst = await rig.start(machine);
  await until(() => isSubmitted(rig, tokenFirst));
  await rig.call('SendTaskSuccess', { taskToken: stored[0], output: '"then"' });
  expect((await rig.ended(tokenFirst)).output).toBe('then');
  const answerFirst = await rig.ended(await rig.start(machine));
  expect(answerFirst.output).toBe('first');
  expect(answerFirst.history.map(({ type }) => type)).toContain('TaskSubmitted');
});

it('a restart keeps waiting tokens, their clocks, and early answers', async () => {
  const rig = openRig();
  const { arn, taskToken } = await asked(rig, { TimeoutSeconds: 60 });
  const other = await asked(rig, { TimeoutSeconds: 60 });
  rig.lambda = () => new Promise(() => undefined);
  const early = await rig.start(await waiting(rig));
  await until(() => rig.invoked.length === 3);
  await rig.call('SendTaskSuccess', { taskToken: lastToken(rig), output: '"early"' });
  await rig.reopen();
  expect((await rig.ended(early)).output).toBe('early');
  await rig.call('SendTaskSuccess', { taskToken, output: '"kept"' });
  expect((await rig.ended(arn)).output).toBe('kept');
  await rig.clock.advance(60_000);
  expect((await rig.ended(other.arn)).error).toBe('States.Timeout');
});
