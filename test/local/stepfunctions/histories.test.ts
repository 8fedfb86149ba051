// Histories have the event types, ids, previous ids and details that AWS records for the same kinds of machine.
import { expect, it } from 'vitest';
import { echo, invoke, type Line, openRig, outline, Thrown } from './rig.ts';

const detail = (history: readonly Line[], id: number): Readonly<Record<string, unknown>> =>
  history.find((line) => line.id === id)?.details ?? {};

const failing = (): never => {
  throw new Thrown('Boom', 'It went wrong.');
};

it('a Task with a function ARN passes literals as they are, and expressions only when nothing stands around them', async () => {
  const rig = openRig();
  const Arguments = {
    none: null,
    n: 0.5,
    flag: true,
    list: [1, ' {% 1 %} '],
    text: '$states.input',
  };
  const states = { Say: { Type: 'Task', Resource: echo, Arguments, End: true } };
  const { history, output } = await rig.run({ StartAt: 'Say', States: states }, { a: 1 });
  expect(output).toEqual(Arguments);
  expect(outline(history)).toEqual([
    '1<0 ExecutionStarted',
    '2<0 TaskStateEntered',
    '3<2 LambdaFunctionScheduled',
    '4<3 LambdaFunctionStarted',
    '5<4 LambdaFunctionSucceeded',
    '6<5 TaskStateExited',
    '7<6 ExecutionSucceeded',
  ]);
  expect(detail(history, 3)).toEqual({
    input: JSON.stringify(Arguments),
    inputDetails: { truncated: false },
    resource: echo,
  });
  expect(detail(history, 4)).toEqual({});
  expect(detail(history, 6)).toEqual({
    name: 'Say',
    output: JSON.stringify(Arguments),
    outputDetails: { truncated: false },
  });
});

it('a Map with one iteration at a time chains each iteration to the end of the one before', async () => {
  const rig = openRig();
  const inner = { Each: { Type: 'Pass', Assign: { seen: '{% $limit %}' }, End: true } };
  const { history, output } = await rig.run({
    StartAt: 'Set',
    States: {
      Set: { Type: 'Pass', Assign: { limit: 42, list: ['a', 'b'] }, Next: 'All' },
      All: {
        Type: 'Map',
        Items: '{% $list %}',
        MaxConcurrency: 1,
        ItemProcessor: { ProcessorConfig: { Mode: 'INLINE' }, StartAt: 'Each', States: inner },
        End: true,
      },
    },
  });
  expect(output).toEqual(['a', 'b']);
  expect(outline(history)).toEqual([
    '1<0 ExecutionStarted',
    '2<0 PassStateEntered',
    '3<2 PassStateExited',
    '4<3 MapStateEntered',
    '5<4 MapStateStarted',
    '6<5 MapIterationStarted',
    '7<6 PassStateEntered',
    '8<7 PassStateExited',
    '9<8 MapIterationSucceeded',
    '10<8 MapIterationStarted',
    '11<10 PassStateEntered',
    '12<11 PassStateExited',
    '13<12 MapIterationSucceeded',
    '14<13 MapStateSucceeded',
    '15<13 MapStateExited',
    '16<15 ExecutionSucceeded',
  ]);
  expect(detail(history, 3)).toMatchObject({
    assignedVariables: { limit: '42', list: '["a","b"]' },
    assignedVariablesDetails: { truncated: false },
  });
  expect(detail(history, 5)).toEqual({ length: 2 });
  expect(detail(history, 10)).toEqual({ name: 'All', index: 1 });
});

it('an unbounded Map starts all iterations, schedules all their tasks, then starts them', async () => {
  const rig = openRig();
  const { history } = await rig.run(
    {
      StartAt: 'All',
      States: {
        All: {
          Type: 'Map',
          ItemProcessor: {
            StartAt: 'Call',
            States: {
              Call: { Type: 'Task', Resource: invoke, Arguments: { FunctionName: 'f' }, End: true },
            },
          },
          End: true,
        },
      },
    },
    [1, 2],
  );
  expect(outline(history).slice(2, 11)).toEqual([
    '3<2 MapStateStarted',
    '4<3 MapIterationStarted',
    '5<3 MapIterationStarted',
    '6<4 TaskStateEntered',
    '7<6 TaskScheduled',
    '8<5 TaskStateEntered',
    '9<8 TaskScheduled',
    '10<7 TaskStarted',
    '11<9 TaskStarted',
  ]);
});

it('the rule that matches in a Choice assigns; the state itself assigns only for its Default', async () => {
  const rig = openRig();
  const definition = {
    StartAt: 'Pick',
    States: {
      Pick: {
        Type: 'Choice',
        Choices: [{ Condition: '{% $states.input.yes %}', Next: 'Fine', Assign: { way: 'rule' } }],
        Default: 'Fine',
        Assign: { way: 'default' },
      },
      Fine: { Type: 'Pass', Output: '{% $way %}', End: true },
    },
  };
  const yes = await rig.run(definition, { yes: true });
  expect(outline(yes.history)).toEqual([
    '1<0 ExecutionStarted',
    '2<0 ChoiceStateEntered',
    '3<2 ChoiceStateExited',
    '4<3 PassStateEntered',
    '5<4 PassStateExited',
    '6<5 ExecutionSucceeded',
  ]);
  expect(detail(yes.history, 3).assignedVariables).toEqual({ way: '"rule"' });
  expect((await rig.run(definition, { yes: false })).output).toBe('default');
});

it('a failed invocation that is caught leaves the state with the error as output', async () => {
  const rig = openRig();
  rig.lambda = failing;
  const { history, output } = await rig.run(
    {
      StartAt: 'Call',
      States: {
        Call: {
          Type: 'Task',
          Resource: invoke,
          Arguments: { FunctionName: '{% $states.input.name %}', Payload: { a: 1 } },
          Catch: [
            {
              ErrorEquals: ['States.ALL'],
              Assign: { e: '{% $states.errorOutput %}' },
              Next: 'Rest',
            },
          ],
          End: true,
        },
        Rest: { Type: 'Pass', Output: '{% $e.Error %}', End: true },
      },
    },
    { name: 'f' },
  );
  expect(output).toBe('Boom');
  expect(outline(history).slice(2, 6)).toEqual([
    '3<2 TaskScheduled',
    '4<3 TaskStarted',
    '5<4 TaskFailed',
    '6<5 TaskStateExited',
  ]);
  expect(detail(history, 3)).toEqual({
    parameters: '{"FunctionName":"f","Payload":{"a":1}}',
    region: 'us-east-1',
    resource: 'invoke',
    resourceType: 'lambda',
  });
  const cause = '{"errorType":"Boom","errorMessage":"It went wrong.","trace":[]}';
  expect(detail(history, 5)).toEqual({
    error: 'Boom',
    cause,
    resource: 'invoke',
    resourceType: 'lambda',
  });
  const assigned = { e: JSON.stringify({ Error: 'Boom', Cause: cause }) };
  expect(detail(history, 6).assignedVariables).toEqual(assigned);
});

it.each([
  ['Output', { Output: '{% $nothing %}' }],
  ['Output/deep/list[1]', { Output: { deep: { list: [1, '{% $nothing %}'] } } }],
  ['Assign/x', { Assign: { x: '{% $nothing %}' } }],
])(
  'an undefined result in %s fails the evaluation, from where the state was entered',
  async (location, fields) => {
    const rig = openRig();
    const { history, error, cause } = await rig.run({
      StartAt: 'A',
      States: { A: { Type: 'Pass', Next: 'B' }, B: { Type: 'Pass', ...fields, End: true } },
    });
    expect(outline(history).slice(3)).toEqual([
      '4<3 PassStateEntered',
      '5<3 EvaluationFailed',
      '6<5 ExecutionFailed',
    ]);
    const said =
      "An error occurred while executing the state 'B' (entered at the event id #4). The JSONata expression " +
      `'$nothing' specified for the field '${location}' returned nothing (undefined).`;
    expect({ error, cause }).toEqual({ error: 'States.QueryEvaluationError', cause: said });
    expect(detail(history, 5)).toEqual({ error, cause, location, state: 'B' });
  },
);

it('an expression that throws says what JSONata says', async () => {
  const rig = openRig();
  const { cause } = await rig.run({
    StartAt: 'A',
    States: { A: { Type: 'Pass', Output: { r: '{% $strange(1) %}' }, End: true } },
  });
  expect(cause).toBe(
    "An error occurred while executing the state 'A' (entered at the event id #2). The JSONata expression " +
      "'$strange(1)' specified for the field 'Output/r' threw an error during evaluation. " +
      'T1006: Attempted to invoke a non-function',
  );
});

it('a Map over something that is no array fails before it starts', async () => {
  const rig = openRig();
  const { history, cause } = await rig.run({
    StartAt: 'All',
    States: {
      All: {
        Type: 'Map',
        Items: "{% {'a': 1} %}",
        ItemProcessor: { StartAt: 'P', States: { P: { Type: 'Pass', End: true } } },
        End: true,
      },
    },
  });
  expect(outline(history)).toEqual([
    '1<0 ExecutionStarted',
    '2<0 MapStateEntered',
    '3<0 EvaluationFailed',
    '4<3 MapStateFailed',
    '5<4 ExecutionFailed',
  ]);
  expect(cause).toContain(
    "returned an unexpected result type. Expected 'array', but was 'object' for value: {\"a\":1}",
  );
});

it('retries schedule the task again, each from the failure before', async () => {
  const rig = openRig();
  rig.lambda = failing;
  const arn = await rig.start(
    await rig.machine({
      StartAt: 'Call',
      States: {
        Call: {
          Type: 'Task',
          Resource: invoke,
          Arguments: { FunctionName: 'f' },
          Retry: [{ ErrorEquals: ['States.ALL'], IntervalSeconds: 1, MaxAttempts: 1 }],
          Catch: [
            {
              ErrorEquals: ['Boom'],
              Output: { said: '{% $states.errorOutput.Error %}' },
              Next: 'Rest',
            },
          ],
          End: true,
        },
        Rest: { Type: 'Pass', End: true },
      },
    }),
  );
  await rig.clock.advance(1000);
  const { history, output } = await rig.ended(arn);
  expect(output).toEqual({ said: 'Boom' });
  expect(outline(history).slice(2)).toEqual([
    '3<2 TaskScheduled',
    '4<3 TaskStarted',
    '5<4 TaskFailed',
    '6<5 TaskScheduled',
    '7<6 TaskStarted',
    '8<7 TaskFailed',
    '9<8 TaskStateExited',
    '10<9 PassStateEntered',
    '11<10 PassStateExited',
    '12<11 ExecutionSucceeded',
  ]);
});

it('a Wait of no seconds passes at once; a Fail fails with what its expressions say', async () => {
  const rig = openRig();
  const { history } = await rig.run(
    {
      StartAt: 'W',
      States: {
        W: { Type: 'Wait', Seconds: '{% $states.input.s %}', Next: 'F' },
        F: { Type: 'Fail', Error: '{% $states.input.e %}' },
      },
    },
    { s: 0, e: 'Chosen' },
  );
  expect(outline(history)).toEqual([
    '1<0 ExecutionStarted',
    '2<0 WaitStateEntered',
    '3<2 WaitStateExited',
    '4<3 FailStateEntered',
    '5<4 ExecutionFailed',
  ]);
  expect(detail(history, 5)).toEqual({ error: 'Chosen' });
});

it('DynamoDB through the SDK integration passes parameters and answers on without HTTP metadata', async () => {
  const rig = openRig();
  rig.table = (action, { Key }) => ({
    $metadata: { httpStatusCode: 200 },
    Item: { action: { S: action }, Key },
  });
  const { history, output } = await rig.run({
    StartAt: 'Get',
    States: {
      Get: {
        Type: 'Task',
        Resource: 'arn:aws:states:::aws-sdk:dynamodb:getItem',
        Arguments: { TableName: 't', Key: { id: { S: 'x' } } },
        Output: '{% $states.result.Item %}',
        End: true,
      },
    },
  });
  expect(output).toEqual({ action: { S: 'getItem' }, Key: { id: { S: 'x' } } });
  expect(detail(history, 5)).toMatchObject({
    output: '{"Item":{"action":{"S":"getItem"},"Key":{"id":{"S":"x"}}}}',
    resource: 'getItem',
    resourceType: 'aws-sdk:dynamodb',
  });
});

it('a Parallel whose branch fails is failed, then left when it is caught', async () => {
  const rig = openRig();
  const branch = { StartAt: 'B', States: { B: { Type: 'Fail', Error: 'E', Cause: 'C' } } };
  const { history, output } = await rig.run({
    StartAt: 'P',
    States: {
      P: {
        Type: 'Parallel',
        Branches: [branch],
        Catch: [{ ErrorEquals: ['E'], Next: 'Rest' }],
        End: true,
      },
      Rest: { Type: 'Pass', End: true },
    },
  });
  expect(output).toEqual({ Error: 'E', Cause: 'C' });
  expect(outline(history)).toEqual([
    '1<0 ExecutionStarted',
    '2<0 ParallelStateEntered',
    '3<2 ParallelStateStarted',
    '4<3 FailStateEntered',
    '5<4 ParallelStateFailed',
    '6<5 ParallelStateExited',
    '7<6 PassStateEntered',
    '8<7 PassStateExited',
    '9<8 ExecutionSucceeded',
  ]);
});

it('a Map whose tasks time out fails with one iteration and aborts the others', async () => {
  const rig = openRig();
  rig.lambda = () => new Promise(() => undefined);
  const arn = await rig.start(
    await rig.machine({
      StartAt: 'All',
      States: {
        All: {
          Type: 'Map',
          ItemProcessor: {
            StartAt: 'Call',
            States: {
              Call: {
                Type: 'Task',
                Resource: invoke,
                Arguments: { FunctionName: 'f' },
                TimeoutSeconds: 5,
                End: true,
              },
            },
          },
          End: true,
        },
      },
    }),
    [1, 2],
  );
  await rig.clock.advance(5000);
  const { history, error } = await rig.ended(arn);
  expect(error).toBe('States.Timeout');
  expect(outline(history).slice(9)).toEqual([
    '10<7 TaskStarted',
    '11<9 TaskStarted',
    '12<10 TaskTimedOut',
    '13<11 TaskTimedOut',
    '14<12 MapIterationFailed',
    '15<12 TaskStateAborted',
    '16<12 MapIterationAborted',
    '17<12 TaskStateAborted',
    '18<12 MapStateFailed',
    '19<18 ExecutionFailed',
  ]);
});

it('a Map that retries starts over without having failed', async () => {
  const rig = openRig();
  const arn = await rig.start(
    await rig.machine({
      StartAt: 'All',
      States: {
        All: {
          Type: 'Map',
          ItemProcessor: { StartAt: 'F', States: { F: { Type: 'Fail', Error: 'E' } } },
          Retry: [{ ErrorEquals: ['E'], IntervalSeconds: 1, MaxAttempts: 1 }],
          End: true,
        },
      },
    }),
    [1],
  );
  await rig.clock.advance(1000);
  const { history } = await rig.ended(arn);
  expect(outline(history).slice(2)).toEqual([
    '3<2 MapStateStarted',
    '4<3 MapIterationStarted',
    '5<4 FailStateEntered',
    '6<5 MapIterationFailed',
    '7<5 MapStateStarted',
    '8<7 MapIterationStarted',
    '9<8 FailStateEntered',
    '10<9 MapIterationFailed',
    '11<9 MapStateFailed',
    '12<11 ExecutionFailed',
  ]);
});
