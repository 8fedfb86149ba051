// Each state type does what the Amazon States Language says, in JSONata.
import { expect, it } from 'vitest';
import { done, echo, openRig, outline, startMs, turns, until } from './rig.ts';

const block = (states: Record<string, object>): object => ({
  StartAt: Object.keys(states)[0],
  States: states,
});

it('Assign and Output both see the variables as they were when the state was entered', async () => {
  const rig = openRig();
  const { output } = await rig.run(
    block({
      A: { Type: 'Pass', Assign: { n: 1 }, Next: 'B' },
      B: { Type: 'Pass', Assign: { n: '{% $n + 1 %}' }, Output: { before: '{% $n %}' }, Next: 'C' },
      C: {
        Type: 'Pass',
        Output: { before: '{% $states.input.before %}', after: '{% $n %}' },
        End: true,
      },
    }),
  );
  expect(output).toEqual({ before: 1, after: 2 });
});

it('Succeed ends with its Output; a Choice without match and Default fails', async () => {
  const rig = openRig();
  const fine = await rig.run(
    block({ S: { Type: 'Succeed', Output: { x: '{% $states.input.a %}' } } }),
    { a: 1 },
  );
  expect(fine.output).toEqual({ x: 1 });
  expect(outline(fine.history).slice(1)).toEqual([
    '2<0 SucceedStateEntered',
    '3<2 SucceedStateExited',
    '4<3 ExecutionSucceeded',
  ]);
  const choice = { Type: 'Choice', Choices: [{ Condition: '{% false %}', Next: 'S' }] };
  const none = await rig.run(block({ C: choice, S: done }));
  expect(none.error).toBe('States.Runtime');
  expect(none.cause).toContain('The state does not point to a next state.');
});

it('a Choice whose condition is no boolean fails', async () => {
  const rig = openRig();
  const choice = {
    Type: 'Choice',
    Choices: [{ Condition: "{% 'yes' %}", Next: 'S' }],
    Default: 'S',
  };
  const { error, cause } = await rig.run(block({ C: choice, S: done }));
  expect(error).toBe('States.QueryEvaluationError');
  expect(cause).toContain(
    `field 'Choices[0]/Condition' returned an unexpected result type. Expected 'boolean', but was 'string' for value: "yes"`,
  );
});

it('a year passes in a Wait, and the execution goes on to the second', async () => {
  const rig = openRig();
  const seconds = 364 * 24 * 3600;
  const arn = await rig.start(
    await rig.machine(block({ W: { Type: 'Wait', Seconds: seconds, End: true } })),
  );
  await rig.clock.advance(seconds * 1000 - 1);
  expect(await rig.describe(arn)).toMatchObject({ status: 'RUNNING' });
  expect(rig.twin.residents()).toBe(0);
  await rig.clock.advance(1);
  const { history } = await rig.ended(arn);
  expect(history.at(-1)?.timestamp).toBe(startMs / 1000 + seconds);
});

it('a Wait until a time passes then, and at once when the time is over', async () => {
  const rig = openRig();
  const machine = await rig.machine(
    block({ W: { Type: 'Wait', Timestamp: '{% $states.input.at %}', End: true } }),
  );
  expect((await rig.ended(await rig.start(machine, { at: '2020-01-01T00:00:00Z' }))).status).toBe(
    'SUCCEEDED',
  );
  const arn = await rig.start(machine, { at: '2027-01-01T01:00:00Z' });
  await rig.clock.advance(3_600_000);
  expect((await rig.ended(arn)).status).toBe('SUCCEEDED');
  expect((await rig.ended(await rig.start(machine, { at: 'soon' }))).error).toBe(
    'States.QueryEvaluationError',
  );
});

it('an execution longer than a year times out, and so does one longer than its machine allows', async () => {
  const rig = openRig();
  const wait = { W: { Type: 'Wait', Seconds: 99_999_999, End: true } };
  const long = await rig.start(await rig.machine(block(wait)));
  const short = await rig.start(await rig.machine({ ...block(wait), TimeoutSeconds: 60 }));
  await rig.clock.advance(60_000);
  const ended = await rig.ended(short);
  expect(ended.status).toBe('TIMED_OUT');
  expect(outline(ended.history)).toEqual([
    '1<0 ExecutionStarted',
    '2<0 WaitStateEntered',
    '3<0 ExecutionTimedOut',
  ]);
  await rig.clock.advance(365 * 24 * 3_600_000);
  expect((await rig.ended(long)).status).toBe('TIMED_OUT');
});

it('a Map hands each iteration its selected input, counts context, and keeps order', async () => {
  const rig = openRig();
  const order: unknown[] = [];
  const waiting: (() => void)[] = [];
  rig.lambda = (payload) => {
    order.push(payload);
    return new Promise((answer) => waiting.push(() => answer(payload)));
  };
  const arn = await rig.start(
    await rig.machine(
      block({
        M: {
          Type: 'Map',
          Items: '{% $states.input.list %}',
          ItemSelector: {
            i: '{% $states.context.Map.Item.Index %}',
            v: '{% $states.context.Map.Item.Value %}',
            all: '{% $count($states.input.list) %}',
          },
          MaxConcurrency: '{% 2 %}',
          ItemProcessor: block({
            T: { Type: 'Task', Resource: echo, Arguments: '{% $states.input %}', End: true },
          }),
          Output: { got: '{% $states.result.v %}' },
          End: true,
        },
      }),
    ),
    { list: ['a', 'b', 'c'] },
  );
  await until(() => waiting.length === 2);
  await turns();
  expect(order).toEqual([
    { i: 0, v: 'a', all: 3 },
    { i: 1, v: 'b', all: 3 },
  ]);
  waiting[1]?.();
  await until(() => waiting.length === 3);
  waiting[2]?.();
  waiting[0]?.();
  expect((await rig.ended(arn)).output).toEqual({ got: ['a', 'b', 'c'] });
});

it('a Map over nothing succeeds with an empty list', async () => {
  const rig = openRig();
  const map = { Type: 'Map', ItemProcessor: block({ P: { Type: 'Pass', End: true } }), End: true };
  const { output, history } = await rig.run(block({ M: map }), []);
  expect(output).toEqual([]);
  expect(outline(history).slice(2)).toEqual([
    '3<2 MapStateStarted',
    '4<3 MapStateSucceeded',
    '5<3 MapStateExited',
    '6<5 ExecutionSucceeded',
  ]);
});

it('Parallel gives every branch the same input and collects their outputs in order; inner variables vanish', async () => {
  const rig = openRig();
  const branch = (name: string, output: string): object =>
    block({ [name]: { Type: 'Pass', Assign: { inner: 1 }, Output: output, End: true } });
  const { output, history } = await rig.run(
    block({
      Set: { Type: 'Pass', Assign: { outer: 10 }, Next: 'P' },
      P: {
        Type: 'Parallel',
        Arguments: { n: 5 },
        Branches: [
          branch('A', '{% $states.input.n + $outer %}'),
          branch('B', '{% $states.input.n - 1 %}'),
        ],
        Assign: { sum: '{% $sum($states.result) %}' },
        Next: 'Look',
      },
      Look: {
        Type: 'Pass',
        Output: { list: '{% $states.input %}', sum: '{% $sum %}', inner: '{% $exists($inner) %}' },
        End: true,
      },
    }),
  );
  expect(output).toMatchObject({ list: [15, 4], inner: false });
  const joined = history.filter(({ type }) => /^Parallel|PassStateExited/.test(type));
  const [succeeded, exited] = joined.filter(({ type }) =>
    /ParallelState(Succeeded|Exited)/.test(type),
  );
  expect(succeeded?.previousEventId).toBe(exited?.previousEventId);
});

it('the context object names execution, state and machine', async () => {
  const rig = openRig();
  const machine = await rig.machine(
    block({ A: { Type: 'Pass', Output: '{% $states.context %}', End: true } }),
    'named',
  );
  const { output } = await rig.ended(await rig.start(machine, { a: 1 }, 'first'));
  expect(output).toEqual({
    Execution: {
      Id: 'arn:aws:states:us-east-1:000000000000:execution:named:first',
      Input: { a: 1 },
      Name: 'first',
      RoleArn: 'arn:aws:iam::0:role/r',
      StartTime: '2027-01-01T00:00:00.000Z',
      RedriveCount: 0,
    },
    State: { EnteredTime: '2027-01-01T00:00:00.000Z', Name: 'A' },
    StateMachine: { Id: machine, Name: 'named' },
  });
});

it('a Map inside a Map sees the items of the inner one, and the variables of both', async () => {
  const rig = openRig();
  const inner = {
    Type: 'Map',
    ItemProcessor: block({
      P: {
        Type: 'Pass',
        Output: '{% $string($states.context.Map.Item.Index) & $states.input & $up %}',
        End: true,
      },
    }),
    End: true,
  };
  const { output } = await rig.run(
    block({
      M: {
        Type: 'Map',
        ItemProcessor: block({ S: { Type: 'Pass', Assign: { up: '!' }, Next: 'I' }, I: inner }),
        End: true,
      },
    }),
    [['a', 'b'], ['c']],
  );
  expect(output).toEqual([['0a!', '1b!'], ['0c!']]);
});

it('a machine that is JSONPath by default runs states without paths beside JSONata ones', async () => {
  const rig = openRig();
  const { output } = await rig.run({
    QueryLanguage: 'JSONPath',
    StartAt: 'A',
    States: {
      A: { Type: 'Pass', Result: { a: '{% 1 %}' }, Next: 'W' },
      W: { Type: 'Wait', Seconds: 0, Next: 'B' },
      B: {
        Type: 'Pass',
        QueryLanguage: 'JSONata',
        Output: { got: '{% $states.input.a %}' },
        Next: 'S',
      },
      S: { Type: 'Succeed' },
    },
  });
  expect(output).toEqual({ got: '{% 1 %}' });
});

it('a Choice without a way on inside a branch ends the whole execution, past every Catch', async () => {
  const rig = openRig();
  const stuck = block({
    C: { Type: 'Choice', Choices: [{ Condition: '{% false %}', Next: 'X' }] },
    X: done,
  });
  const { history, status } = await rig.run(
    block({
      P: {
        Type: 'Parallel',
        Branches: [stuck],
        Catch: [{ ErrorEquals: ['States.ALL'], Next: 'S' }],
        End: true,
      },
      S: done,
    }),
  );
  expect(status).toBe('FAILED');
  expect(outline(history).slice(2)).toEqual([
    '3<2 ParallelStateStarted',
    '4<3 ChoiceStateEntered',
    '5<4 ExecutionFailed',
  ]);
});

it('states inside a Map have the language of the machine, not of the Map', async () => {
  const rig = openRig();
  const inner = { P: { Type: 'Pass', Result: '{% 1 %}', End: true } };
  const { output } = await rig.run(
    {
      QueryLanguage: 'JSONPath',
      ...block({
        M: { Type: 'Map', QueryLanguage: 'JSONata', ItemProcessor: block(inner), End: true },
      }),
    },
    [0],
  );
  expect(output).toEqual(['{% 1 %}']);
});
