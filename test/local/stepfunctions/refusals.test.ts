// What is wrong with a definition is refused at creation, with the field's path.
import { expect, it } from 'vitest';
import { done, echo, openRig } from './rig.ts';

const machine = (states: object, more: object = {}): object => ({
  QueryLanguage: 'JSONata',
  StartAt: 'A',
  States: states,
  ...more,
});
const one = (state: object): object => machine({ A: state });
const task = { Type: 'Task', Resource: echo, End: true };
const body = { StartAt: 'I', States: { I: { Type: 'Pass', End: true } } };

const schema = (message: string, at: string): string =>
  `SCHEMA_VALIDATION_FAILED: ${message} at ${at}`;

const table: readonly (readonly [string, unknown, string])[] = [
  ['nothing', {}, schema('These fields are required: [States, StartAt]', '/')],
  ['no states', { StartAt: 'A' }, schema('These fields are required: [States]', '/')],
  ['a list', [], schema('Definition must be a valid JSON object', '/')],
  [
    'an unknown field at the top',
    machine({ A: done }, { Foo: 1 }),
    schema("Field 'Foo' is not supported", '/Foo'),
  ],
  [
    'an unknown field of a state',
    one({ ...done, Foo: 1 }),
    schema("Field 'Foo' is not supported", '/States/A/Foo'),
  ],
  [
    'credentials',
    one({ ...task, Credentials: {} }),
    schema("Field 'Credentials' is not supported", '/States/A/Credentials'),
  ],
  [
    'an unknown type',
    one({ Type: 'Dance' }),
    schema(
      'Value must be one of [Task, Pass, Choice, Wait, Succeed, Fail, Map, Parallel]',
      '/States/A/Type',
    ),
  ],
  ['no type', one({}), schema('These fields are required: [Type]', '/States/A')],
  [
    'JSONPath fields',
    one({ Type: 'Pass', InputPath: '$', End: true }),
    schema(
      "The QueryLanguage is set to 'JSONata', but field 'InputPath' is only supported for the 'JSONPath' QueryLanguage",
      '/States/A/InputPath',
    ),
  ],
  [
    'a JSONPath state in a JSONata machine',
    one({ Type: 'Pass', QueryLanguage: 'JSONPath', End: true }),
    schema(
      "'QueryLanguage' can not be 'JSONPath' if set to 'JSONata' for whole state machine",
      '/States/A',
    ),
  ],
  [
    'a JSONPath task',
    { StartAt: 'A', States: { A: task } },
    schema(
      'A Task state in JSONPath mode is not supported; set "QueryLanguage": "JSONata"',
      '/States/A',
    ),
  ],
  [
    'both Next and End',
    machine({ A: { Type: 'Pass', Next: 'B', End: true }, B: done }),
    schema('Only one of these fields is allowed: [Next, End]', '/States/A'),
  ],
  [
    'neither Next nor End',
    one({ Type: 'Pass' }),
    schema('One of these fields is required: [Next, End]', '/States/A'),
  ],
  ['End false', one({ Type: 'Pass', End: false }), schema('Value must be true', '/States/A/End')],
  [
    'a missing start',
    machine({ B: done }),
    "MISSING_TRANSITION_TARGET: Missing 'Next' target: A at /StartAt",
  ],
  [
    'a missing target',
    machine({ A: { Type: 'Pass', Next: 'B' }, C: done }),
    "MISSING_TRANSITION_TARGET: Missing 'Next' target: B at /States/A/Next",
  ],
  [
    'a missing catch target',
    one({ ...task, Catch: [{ ErrorEquals: ['E'], Next: 'X' }] }),
    "MISSING_TRANSITION_TARGET: Missing 'Next' target: X at /States/A/Catch[0]/Next",
  ],
  [
    'a missing default',
    machine({
      A: { Type: 'Choice', Choices: [{ Condition: '{% true %}', Next: 'B' }], Default: 'X' },
      B: done,
    }),
    "MISSING_TRANSITION_TARGET: Missing 'Next' target: X at /States/A/Default",
  ],
  [
    'an unreachable state',
    machine({ A: done, B: done }),
    'MISSING_TRANSITION_TARGET: State "B" is not reachable. at /States/B',
  ],
  [
    'no end',
    machine({ A: { Type: 'Pass', Next: 'A' } }),
    'MISSING_END_STATE: Workflow has no terminal state at /States',
  ],
  [
    'a name used twice',
    one({ Type: 'Parallel', Branches: [{ StartAt: 'A', States: { A: done } }], End: true }),
    'DUPLICATE_STATE_NAME: Duplicate State name: A at /States/A/Branches[0]/States/A',
  ],
  [
    'an unknown resource',
    one({ ...task, Resource: 'arn:aws:states:::sqs:sendMessage' }),
    schema(
      'The resource "arn:aws:states:::sqs:sendMessage" is not supported',
      '/States/A/Resource',
    ),
  ],
  [
    'a sync start',
    one({ ...task, Resource: 'arn:aws:states:::states:startExecution.sync:2' }),
    schema(
      'The resource "arn:aws:states:::states:startExecution.sync:2" is not supported',
      '/States/A/Resource',
    ),
  ],
  [
    'a heartbeat as long as the timeout',
    one({ ...task, TimeoutSeconds: 5, HeartbeatSeconds: 5 }),
    schema('Value must be smaller than TimeoutSeconds', '/States/A/HeartbeatSeconds'),
  ],
  [
    'a timeout of nothing',
    one({ ...task, TimeoutSeconds: 0 }),
    schema(
      'Value must be a positive integer (at most 99999999) or a JSONata expression',
      '/States/A/TimeoutSeconds',
    ),
  ],
  [
    'a bad expression',
    one({ Type: 'Pass', Output: { a: ['{% 1 + %}'] }, End: true }),
    'INVALID_JSONATA_EXPRESSION: S0207: Unexpected end of expression at /States/A/Output/a[0]',
  ],
  [
    'States.ALL in company',
    one({ ...task, Retry: [{ ErrorEquals: ['States.ALL', 'E'] }] }),
    schema('"States.ALL" must stand alone, in the last place', '/States/A/Retry[0]/ErrorEquals'),
  ],
  [
    'an unknown field of a retrier',
    one({ ...task, Retry: [{ ErrorEquals: ['E'], Foo: 1 }] }),
    schema("Field 'Foo' is not supported", '/States/A/Retry[0]/Foo'),
  ],
  [
    'a back-off below one',
    one({ ...task, Retry: [{ ErrorEquals: ['E'], BackoffRate: 0.5 }] }),
    schema(
      `Value must be a number from 1 to ${Number.MAX_SAFE_INTEGER}`,
      '/States/A/Retry[0]/BackoffRate',
    ),
  ],
  [
    'another jitter',
    one({ ...task, Retry: [{ ErrorEquals: ['E'], JitterStrategy: 'SOME' }] }),
    schema('Value must be one of [FULL, NONE]', '/States/A/Retry[0]/JitterStrategy'),
  ],
  [
    'a condition that is a number',
    machine({ A: { Type: 'Choice', Choices: [{ Condition: 1, Next: 'B' }] }, B: done }),
    schema('Value must be a boolean or a JSONata expression', '/States/A/Choices[0]/Condition'),
  ],
  [
    'no choices',
    one({ Type: 'Choice', Choices: [] }),
    schema('Value must be a non-empty array', '/States/A/Choices'),
  ],
  [
    'two times to wait',
    one({ Type: 'Wait', Seconds: 1, Timestamp: '2027-01-01T00:00:00Z', End: true }),
    schema('Exactly one of these fields is required: [Seconds, Timestamp]', '/States/A'),
  ],
  [
    'Assign in Succeed',
    one({ ...done, Assign: { a: 1 } }),
    schema("Field 'Assign' is not supported", '/States/A/Assign'),
  ],
  [
    'a bad variable name',
    one({ Type: 'Pass', Assign: { 'a-b': 1 }, End: true }),
    schema('"a-b" is not a variable name', '/States/A/Assign/a-b'),
  ],
  [
    'the variable states',
    one({ Type: 'Pass', Assign: { states: 1 }, End: true }),
    schema('"states" is not a variable name', '/States/A/Assign/states'),
  ],
  [
    'a distributed map',
    one({
      Type: 'Map',
      ItemProcessor: { ...body, ProcessorConfig: { Mode: 'DISTRIBUTED' } },
      End: true,
    }),
    schema('Only the mode INLINE is supported', '/States/A/ItemProcessor/ProcessorConfig/Mode'),
  ],
  [
    'an item reader',
    one({ Type: 'Map', ItemProcessor: body, ItemReader: {}, End: true }),
    schema("Field 'ItemReader' is not supported", '/States/A/ItemReader'),
  ],
  [
    'an object as items',
    one({ Type: 'Map', Items: { a: 1 }, ItemProcessor: body, End: true }),
    schema('Value must be an array or a JSONata expression', '/States/A/Items'),
  ],
  [
    'an outer variable reused inside',
    machine({
      A: { Type: 'Pass', Assign: { x: 1 }, Next: 'M' },
      M: {
        Type: 'Map',
        ItemProcessor: {
          StartAt: 'I',
          States: { I: { Type: 'Pass', Assign: { x: 2 }, End: true } },
        },
        End: true,
      },
    }),
    schema(
      'The variable "x" is already defined in an outer scope',
      '/States/M/ItemProcessor/States/I',
    ),
  ],
];

it.each(table)('refuses %s', async (_, definition, message) => {
  const rig = openRig();
  const text = JSON.stringify(definition);
  const answer = await rig.raw('CreateStateMachine', { name: 'm', definition: text, roleArn: 'r' });
  expect(answer).toMatchObject({ status: 400, body: { __type: 'InvalidDefinition' } });
  expect((answer.body as { message: string }).message).toContain(message);
  const checked = await rig.call('ValidateStateMachineDefinition', { definition: text });
  expect(checked).toMatchObject({ result: 'FAIL', truncated: false });
});

it('refuses what is no JSON', async () => {
  const rig = openRig();
  const answer = await rig.raw('CreateStateMachine', {
    name: 'm',
    definition: 'not json',
    roleArn: 'r',
  });
  expect(answer).toMatchObject({ status: 400, body: { __type: 'InvalidDefinition' } });
  expect(
    await rig.call('ValidateStateMachineDefinition', { definition: 'not json' }),
  ).toMatchObject({
    diagnostics: [{ code: 'INVALID_JSON_DESCRIPTION', severity: 'ERROR' }],
  });
});

it('names everything that is wrong at once', async () => {
  const rig = openRig();
  const definition = JSON.stringify(one({ Type: 'Pass', Foo: 1, Bar: 2 }));
  const { diagnostics } = await rig.call('ValidateStateMachineDefinition', { definition });
  expect((diagnostics as { location: string }[]).map(({ location }) => location)).toEqual([
    '/States/A/Foo',
    '/States/A/Bar',
    '/States/A',
  ]);
});

it('accepts what it runs', async () => {
  const rig = openRig();
  const definition = JSON.stringify(one({ ...task, Comment: 'fine' }));
  expect(await rig.call('ValidateStateMachineDefinition', { definition })).toEqual({
    result: 'OK',
    diagnostics: [],
    truncated: false,
  });
});
