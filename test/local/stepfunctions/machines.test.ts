// State machines, versions, aliases and tags through the API.
import { expect, it } from 'vitest';
import { openRig, type Rig } from './rig.ts';

const definition = (output: number): string =>
  JSON.stringify({
    QueryLanguage: 'JSONata',
    StartAt: 'S',
    States: { S: { Type: 'Succeed', Output: output } },
  });

const roleArn = 'arn:aws:iam::0:role/r';

const refusal = async (rig: Rig, operation: string, body: object): Promise<unknown> =>
  (await rig.raw(operation, body)).body;

const create = async (rig: Rig, name = 'm', output = 1): Promise<string> =>
  String(
    (await rig.call('CreateStateMachine', { name, definition: definition(output), roleArn }))
      .stateMachineArn,
  );

it('creates a machine once; the same again is the same, another under its name is refused', async () => {
  const rig = openRig();
  const body = { name: 'm', definition: definition(1), roleArn };
  const first = await rig.call('CreateStateMachine', body);
  await rig.clock.advance(1000);
  expect(await rig.call('CreateStateMachine', body)).toEqual(first);
  const stateMachineArn = 'arn:aws:states:us-east-1:000000000000:stateMachine:m';
  expect(first).toEqual({ stateMachineArn, creationDate: (rig.clock.now() - 1000) / 1000 });
  expect(await refusal(rig, 'CreateStateMachine', { ...body, definition: definition(2) })).toEqual({
    __type: 'StateMachineAlreadyExists',
    message: `State Machine Already Exists: '${stateMachineArn}'`,
  });
  expect(await rig.call('DescribeStateMachine', { stateMachineArn })).toEqual({
    stateMachineArn,
    name: 'm',
    status: 'ACTIVE',
    type: 'STANDARD',
    definition: definition(1),
    roleArn,
    creationDate: first.creationDate,
    loggingConfiguration: { level: 'OFF', includeExecutionData: false },
    tracingConfiguration: { enabled: false },
  });
});

it('an update makes a new revision; executions that run keep their definition', async () => {
  const rig = openRig();
  const wait = {
    QueryLanguage: 'JSONata',
    StartAt: 'W',
    States: { W: { Type: 'Wait', Seconds: 10, Output: 'old', End: true } },
  };
  const stateMachineArn = await rig.machine(wait, 'w');
  const running = await rig.start(stateMachineArn);
  const { revisionId } = await rig.call('UpdateStateMachine', {
    stateMachineArn,
    definition: definition(2),
  });
  expect(await rig.call('DescribeStateMachine', { stateMachineArn })).toMatchObject({
    revisionId,
    definition: definition(2),
  });
  expect((await rig.ended(await rig.start(stateMachineArn))).output).toBe(2);
  await rig.reopen();
  await rig.clock.advance(10_000);
  expect((await rig.ended(running)).output).toBe('old');
  const shown = await rig.call('DescribeStateMachineForExecution', { executionArn: running });
  expect(JSON.parse(String(shown.definition))).toEqual(wait);
  expect(await refusal(rig, 'UpdateStateMachine', { stateMachineArn })).toMatchObject({
    __type: 'MissingRequiredParameter',
  });
});

it('a deleted machine is gone and its executions end', async () => {
  const rig = openRig();
  const stateMachineArn = await rig.machine(
    { StartAt: 'W', States: { W: { Type: 'Wait', Seconds: 10, End: true } } },
    'w',
  );
  const executionArn = await rig.start(stateMachineArn);
  await rig.call('DeleteStateMachine', { stateMachineArn });
  await rig.call('DeleteStateMachine', { stateMachineArn });
  expect((await rig.ended(executionArn)).status).toBe('ABORTED');
  for (const operation of ['DescribeStateMachine', 'StartExecution', 'ListExecutions'])
    expect(await refusal(rig, operation, { stateMachineArn })).toEqual({
      __type: 'StateMachineDoesNotExist',
      message: `State Machine Does Not Exist: '${stateMachineArn}'`,
    });
});

it('lists machines in pages', async () => {
  const rig = openRig();
  for (const name of ['a', 'b', 'c']) await create(rig, name);
  const first = await rig.call('ListStateMachines', { maxResults: 2 });
  const second = await rig.call('ListStateMachines', { maxResults: 2, nextToken: first.nextToken });
  const names = [first, second].flatMap((page) =>
    (page.stateMachines as { name: string }[]).map(({ name }) => name),
  );
  expect(names).toEqual(['a', 'b', 'c']);
  expect(second.nextToken).toBeUndefined();
});

it('versions are numbered per revision, started by their ARN, and kept from change', async () => {
  const rig = openRig();
  const stateMachineArn = await create(rig);
  const one = await rig.call('PublishStateMachineVersion', {
    stateMachineArn,
    description: 'first',
  });
  expect(one.stateMachineVersionArn).toBe(`${stateMachineArn}:1`);
  expect(await rig.call('PublishStateMachineVersion', { stateMachineArn })).toEqual(one);
  const update = { stateMachineArn, definition: definition(2), publish: true };
  expect(await rig.call('UpdateStateMachine', update)).toMatchObject({
    stateMachineVersionArn: `${stateMachineArn}:2`,
  });
  const stale = { stateMachineArn, revisionId: 'INITIAL' };
  expect(await refusal(rig, 'PublishStateMachineVersion', stale)).toMatchObject({
    __type: 'ConflictException',
  });
  const started = await rig.start(`${stateMachineArn}:1`);
  const { output, history } = await rig.ended(started);
  expect(output).toBe(1);
  expect(history[0]?.details).toMatchObject({ stateMachineVersionArn: `${stateMachineArn}:1` });
  expect(await rig.describe(started)).toMatchObject({
    stateMachineArn,
    stateMachineVersionArn: `${stateMachineArn}:1`,
  });
  const { stateMachineVersions } = await rig.call('ListStateMachineVersions', { stateMachineArn });
  expect(stateMachineVersions).toMatchObject([
    { stateMachineVersionArn: `${stateMachineArn}:2` },
    { stateMachineVersionArn: `${stateMachineArn}:1` },
  ]);
  expect(
    await rig.call('DescribeStateMachine', { stateMachineArn: `${stateMachineArn}:1` }),
  ).toMatchObject({
    definition: definition(1),
    description: 'first',
  });
  await rig.call('DeleteStateMachineVersion', { stateMachineVersionArn: `${stateMachineArn}:1` });
  expect(
    await refusal(rig, 'StartExecution', { stateMachineArn: `${stateMachineArn}:1` }),
  ).toMatchObject({
    __type: 'StateMachineDoesNotExist',
  });
});

it('an alias routes by weight at the start and is recorded with the execution', async () => {
  const rig = openRig();
  const stateMachineArn = await create(rig);
  await rig.call('PublishStateMachineVersion', { stateMachineArn });
  await rig.call('UpdateStateMachine', {
    stateMachineArn,
    definition: definition(2),
    publish: true,
  });
  const routing = (one: number, two: number): object[] => [
    { stateMachineVersionArn: `${stateMachineArn}:1`, weight: one },
    { stateMachineVersionArn: `${stateMachineArn}:2`, weight: two },
  ];
  expect(
    await refusal(rig, 'CreateStateMachineAlias', {
      name: 'live',
      routingConfiguration: routing(60, 60),
    }),
  ).toMatchObject({
    __type: 'ValidationException',
  });
  const { stateMachineAliasArn } = await rig.call('CreateStateMachineAlias', {
    name: 'live',
    routingConfiguration: routing(90, 10),
  });
  expect(stateMachineAliasArn).toBe(`${stateMachineArn}:live`);
  const outputAt = async (fraction: number): Promise<unknown> => {
    rig.random = () => fraction;
    return (await rig.ended(await rig.start(String(stateMachineAliasArn)))).output;
  };
  expect(await outputAt(0.89)).toBe(1);
  expect(await outputAt(0.9)).toBe(2);
  await rig.call('UpdateStateMachineAlias', {
    stateMachineAliasArn,
    routingConfiguration: routing(100, 0).slice(0, 1),
  });
  expect(await outputAt(0.99)).toBe(1);
  const listed = await rig.call('ListExecutions', { stateMachineArn: stateMachineAliasArn });
  expect(listed.executions).toHaveLength(3);
  expect(listed.executions).toMatchObject([{ stateMachineAliasArn, stateMachineArn }, {}, {}]);
  expect(await rig.call('DescribeStateMachineAlias', { stateMachineAliasArn })).toMatchObject({
    name: 'live',
  });
  expect(await rig.call('ListStateMachineAliases', { stateMachineArn })).toMatchObject({
    stateMachineAliases: [{ stateMachineAliasArn }],
  });
  const used = { stateMachineVersionArn: `${stateMachineArn}:1` };
  expect(await refusal(rig, 'DeleteStateMachineVersion', used)).toMatchObject({
    __type: 'ConflictException',
  });
  await rig.call('DeleteStateMachineAlias', { stateMachineAliasArn });
  expect(await refusal(rig, 'DescribeStateMachineAlias', { stateMachineAliasArn })).toMatchObject({
    __type: 'ResourceNotFound',
  });
});

it('keeps tags', async () => {
  const rig = openRig();
  const resourceArn = await create(rig);
  await rig.call('TagResource', {
    resourceArn,
    tags: [
      { key: 'b', value: '2' },
      { key: 'a', value: '1' },
    ],
  });
  await rig.call('UntagResource', { resourceArn, tagKeys: ['b'] });
  expect(await rig.call('ListTagsForResource', { resourceArn })).toEqual({
    tags: [{ key: 'a', value: '1' }],
  });
});

it.each([
  ['CreateStateMachine', { name: 'a b', definition: definition(1), roleArn }, 'InvalidName'],
  ['CreateStateMachine', { definition: definition(1), roleArn }, 'ValidationException'],
  [
    'CreateStateMachine',
    { name: 'm', definition: definition(1), roleArn, type: 'EXPRESS' },
    'StateMachineTypeNotSupported',
  ],
  ['DescribeStateMachine', { stateMachineArn: 'm' }, 'InvalidArn'],
  ['ListStateMachines', { nextToken: 'x' }, 'InvalidToken'],
  ['MakeCoffee', {}, 'UnknownOperationException'],
  ['toString', {}, 'UnknownOperationException'],
])('%s refuses %j with %s', async (operation, body, type) => {
  const rig = openRig();
  expect(await rig.raw(operation, body)).toMatchObject({ status: 400, body: { __type: type } });
});
