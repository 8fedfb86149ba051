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
