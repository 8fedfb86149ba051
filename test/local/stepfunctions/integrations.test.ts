// Service integrations of Task states: what they pass on, what they answer, how their errors are named.
import { expect, it } from 'vitest';
import { done, invoke, openRig, SdkError, Thrown } from './rig.ts';

const block = (states: Record<string, object>): object => ({
  StartAt: Object.keys(states)[0],
  States: states,
});

it('the optimised Lambda integration adds HTTP metadata, names versions, and passes qualifiers on', async () => {
  const rig = openRig();
  const Arguments = { FunctionName: 'f', Qualifier: 'live', Payload: { a: 1 } };
  const { output } = await rig.run(
    block({ T: { Type: 'Task', Resource: invoke, Arguments, End: true } }),
  );
  expect(rig.invoked).toEqual([{ functionName: 'f:live', payload: { a: 1 } }]);
  expect(output).toMatchObject({
    ExecutedVersion: '$LATEST',
    Payload: { a: 1 },
    SdkHttpMetadata: {
      AllHttpHeaders: { 'Content-Length': ['7'], 'X-Amz-Executed-Version': ['$LATEST'] },
      HttpHeaders: { 'Content-Length': '7', 'Content-Type': 'application/json' },
      HttpStatusCode: 200,
    },
    StatusCode: 200,
  });
});

it.each([
  [
    'a function that throws',
    invoke,
    () => {
      throw new Thrown('Bad', 'x');
    },
    'Bad',
    '{"errorType":"Bad","errorMessage":"x","trace":[]}',
  ],
  [
    'a function that does not exist',
    invoke,
    () => {
      throw new SdkError('ResourceNotFoundException', 'Function not found: f', 404);
    },
    'Lambda.ResourceNotFoundException',
    /^Function not found: f \(Service: AWSLambda; Status Code: 404; Error Code: ResourceNotFoundException; Request ID: .+; Proxy: null\)$/,
  ],
  [
    'a network failure',
    invoke,
    () => {
      throw new Error('socket hang up');
    },
    'Lambda.SdkClientException',
    'socket hang up',
  ],
])('%s fails the task under its name', async (_, Resource, lambda, error, cause) => {
  const rig = openRig();
  rig.lambda = lambda;
  const ended = await rig.run(
    block({ T: { Type: 'Task', Resource, Arguments: { FunctionName: 'f' }, End: true } }),
  );
  expect(ended.error).toBe(error);
  if (typeof cause === 'string') expect(ended.cause).toBe(cause);
  else expect(ended.cause).toMatch(cause);
});

it.each([
  [
    'aws-sdk:dynamodb:putItem',
    'ConditionalCheckFailedException',
    'DynamoDb.ConditionalCheckFailedException',
  ],
  ['aws-sdk:dynamodb:putItem', 'ValidationException', 'DynamoDb.DynamoDbException'],
  ['aws-sdk:dynamodb:putItem', 'InternalServerError', 'DynamoDb.InternalServerErrorException'],
  [
    'dynamodb:putItem',
    'ConditionalCheckFailedException',
    'DynamoDB.ConditionalCheckFailedException',
  ],
])('%s spells %s as %s', async (resource, name, error) => {
  const rig = openRig();
  rig.table = () => {
    throw new SdkError(name, 'No.');
  };
  const state = {
    Type: 'Task',
    Resource: `arn:aws:states:::${resource}`,
    Arguments: { TableName: 't' },
    End: true,
  };
  const ended = await rig.run(block({ T: state }));
  expect(ended.error).toBe(error);
  expect(ended.cause).toMatch(/^No\. \(Service: /);
});

it('a machine starts another one, and fails under the name of what refuses it', async () => {
  const rig = openRig();
  const child = await rig.machine(block({ S: done }), 'child');
  const parent = await rig.machine(
    block({
      T: {
        Type: 'Task',
        Resource: 'arn:aws:states:::states:startExecution',
        Arguments: { StateMachineArn: child, Name: 'once', Input: { a: 1 } },
        Output: '{% $states.result.ExecutionArn %}',
        End: true,
      },
    }),
  );
  const first = await rig.ended(await rig.start(parent));
  expect(await rig.describe(String(first.output))).toMatchObject({
    name: 'once',
    input: '{"a":1}',
  });
  await rig.ended(String(first.output));
  const second = await rig.ended(await rig.start(parent));
  expect(second.error).toBe('StepFunctions.ExecutionAlreadyExistsException');
});
