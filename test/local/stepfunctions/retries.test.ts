// Retry and Catch: when, how often, for which errors.
import { expect, it } from 'vitest';
import { invoke, openRig, type Rig, startMs, Thrown } from './rig.ts';

const failWith =
  (name: string): (() => never) =>
  () => {
    throw new Thrown(name, 'No.');
  };

const machineWith = (rig: Rig, task: Readonly<Record<string, unknown>>): Promise<string> => {
  const call = { Type: 'Task', Resource: invoke, Arguments: { FunctionName: 'f' } };
  const caught = { Type: 'Pass', Output: { caught: '{% $states.input.Error %}' }, End: true };
  return rig.machine({
    StartAt: 'T',
    States: { T: { ...call, ...task, End: true }, ...('Catch' in task ? { Caught: caught } : {}) },
  });
};

/** Seconds after the start at which the task was started. */
const startsOf = async (rig: Rig, arn: string): Promise<number[]> =>
  (await rig.history(arn))
    .filter(({ type }) => type === 'TaskStarted')
    .map(({ timestamp }) => timestamp - startMs / 1000);

it.each([
  ['defaults', {}, [0, 1, 3, 7]],
  ['constant', { IntervalSeconds: 5, BackoffRate: 1, MaxAttempts: 2 }, [0, 5, 10]],
  ['growing', { IntervalSeconds: 2, BackoffRate: 3, MaxAttempts: 3 }, [0, 2, 8, 26]],
  [
    'capped',
    { IntervalSeconds: 2, BackoffRate: 3, MaxAttempts: 3, MaxDelaySeconds: 4 },
    [0, 2, 6, 10],
  ],
  ['half by jitter', { IntervalSeconds: 10, MaxAttempts: 2, JitterStrategy: 'FULL' }, [0, 5, 15]],
  ['never', { MaxAttempts: 0 }, [0]],
])('back-off %s starts the task again at the right seconds', async (_, policy, seconds) => {
  const rig = openRig();
  rig.lambda = failWith('E');
  const machine = await machineWith(rig, { Retry: [{ ErrorEquals: ['E'], ...policy }] });
  const arn = await rig.start(machine);
  await rig.clock.advance(60_000);
  expect((await rig.ended(arn)).error).toBe('E');
  expect(await startsOf(rig, arn)).toEqual(seconds);
});

it('retriers count apart, and the context counts all', async () => {
  const rig = openRig();
  const errors = ['A', 'B', 'A', 'B'];
  const seen: unknown[] = [];
  rig.lambda = (payload) => {
    seen.push(payload);
    const error = errors.shift();
    if (error !== undefined) throw new Thrown(error, 'No.');
    return 'fine';
  };
  const policy = { IntervalSeconds: 1, BackoffRate: 1, MaxAttempts: 2 };
  const machine = await machineWith(rig, {
    Arguments: { FunctionName: 'f', Payload: '{% $states.context.State.RetryCount %}' },
    Retry: [
      { ErrorEquals: ['A'], ...policy },
      { ErrorEquals: ['B'], ...policy },
    ],
    Output: '{% $states.result.Payload %}',
  });
  const arn = await rig.start(machine);
  await rig.clock.advance(10_000);
  expect((await rig.ended(arn)).output).toBe('fine');
  expect(seen).toEqual([0, 1, 2, 3, 4]);
});

it.each([
  ['States.ALL', 'Anything', true],
  ['States.TaskFailed', 'Anything', true],
  ['Anything', 'Anything', true],
  ['Other', 'Anything', false],
  ['States.Timeout', 'Anything', false],
  ['States.ALL', 'States.Runtime', false],
])('a catcher of %s %s takes %s: %s', async (name, thrown, isTaken) => {
  const rig = openRig();
  rig.lambda = failWith(thrown);
  const machine = await machineWith(rig, { Catch: [{ ErrorEquals: [name], Next: 'Caught' }] });
  const ended = await rig.ended(await rig.start(machine));
  expect(ended.status).toBe(isTaken ? 'SUCCEEDED' : 'FAILED');
  if (isTaken) expect(ended.output).toEqual({ caught: thrown });
});

it('a timeout is caught as States.Timeout and not as a failed task; its cause is empty', async () => {
  const rig = openRig();
  rig.lambda = () => new Promise(() => undefined);
  const machine = await machineWith(rig, {
    TimeoutSeconds: '{% 2 + 1 %}',
    Catch: [
      { ErrorEquals: ['States.TaskFailed'], Output: 'wrong', Next: 'Caught' },
      { ErrorEquals: ['States.Timeout'], Output: '{% $states.errorOutput %}', Next: 'Caught' },
    ],
  });
  const arn = await rig.start(machine);
  await rig.clock.advance(2999);
  expect(await rig.describe(arn)).toMatchObject({ status: 'RUNNING' });
  await rig.clock.advance(1);
  const { output, history } = await rig.ended(arn);
  expect(output).toEqual({ caught: 'States.Timeout' });
  expect(history.find(({ type }) => type === 'TaskScheduled')?.details).toMatchObject({
    timeoutInSeconds: 3,
  });
  expect(history.find(({ type }) => type === 'TaskStateExited')?.details.output).toBe(
    '{"Error":"States.Timeout","Cause":""}',
  );
});

it.each(['{% 0 %}', '{% 1.5 %}', "{% 'x' %}", '{% -1 %}'])(
  'a TimeoutSeconds of %s fails the evaluation',
  async (TimeoutSeconds) => {
    const rig = openRig();
    const ended = await rig.ended(await rig.start(await machineWith(rig, { TimeoutSeconds })));
    expect(ended.error).toBe('States.QueryEvaluationError');
    expect(ended.cause).toContain("field 'TimeoutSeconds'");
  },
);

it('an evaluation error can be caught, and one inside the catcher is final', async () => {
  const rig = openRig();
  const caught = await machineWith(rig, {
    Output: '{% $nothing %}',
    Catch: [{ ErrorEquals: ['States.QueryEvaluationError'], Next: 'Caught' }],
  });
  expect((await rig.ended(await rig.start(caught))).output).toEqual({
    caught: 'States.QueryEvaluationError',
  });
  const final = await machineWith(rig, {
    Output: '{% $nothing %}',
    Catch: [{ ErrorEquals: ['States.ALL'], Output: '{% $alsoNothing %}', Next: 'Caught' }],
  });
  const ended = await rig.ended(await rig.start(final));
  expect(ended.status).toBe('FAILED');
  expect(ended.cause).toContain("field 'Catch[0]/Output' returned nothing");
});
