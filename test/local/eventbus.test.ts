// EventBridge: which events a pattern matches, and that what matches arrives.
import { describe, expect, it } from 'vitest';
import { matches, readPattern } from '../../local/eventbus/patterns.ts';
import { eventually, handling, testFunction, twinForTest } from './twin-for-tests.ts';

const event = {
  source: 'aws.states',
  resources: ['arn:one', 'arn:two'],
  detail: { status: 'FAILED', retries: 3, name: 'Run-7', nothing: null, more: { deep: true } },
};

describe('a pattern', () => {
  const cases: [string, object, boolean][] = [
    ['any of the values', { source: ['other', 'aws.states'] }, true],
    ['all of the fields', { source: ['aws.states'], detail: { status: ['SUCCEEDED'] } }, false],
    ['one element of a list', { resources: ['arn:two'] }, true],
    ['null', { detail: { nothing: [null] } }, true],
    ['prefix', { detail: { name: [{ prefix: 'Run-' }] } }, true],
    ['suffix', { detail: { name: [{ suffix: '-8' }] } }, false],
    ['equals-ignore-case', { detail: { name: [{ 'equals-ignore-case': 'rUN-7' }] } }, true],
    ['wildcard', { resources: [{ wildcard: 'arn:*' }] }, true],
    ['anything-but one', { detail: { status: [{ 'anything-but': 'FAILED' }] } }, false],
    ['anything-but a list', { detail: { status: [{ 'anything-but': ['A', 'B'] }] } }, true],
    ['anything-but prefix', { detail: { name: [{ 'anything-but': { prefix: 'Run' } }] } }, false],
    ['numeric range', { detail: { retries: [{ numeric: ['>', 0, '<=', 3] }] } }, true],
    ['numeric outside', { detail: { retries: [{ numeric: ['>', 3] }] } }, false],
    ['exists', { detail: { status: [{ exists: true }] } }, true],
    ['exists not', { detail: { absent: [{ exists: false }] } }, true],
    ['an absent field', { detail: { absent: ['x'] } }, false],
    ['$or', { $or: [{ source: ['x'] }, { detail: { more: { deep: [true] } } }] }, true],
  ];
  it.each(cases)('%s', (_title, pattern, expected) => {
    expect(matches(readPattern(JSON.stringify(pattern)), event)).toBe(expected);
  });

  it('that is no pattern is refused', () => {
    for (const text of ['', '[]', '{}', '{"source":"aws"}', '{"detail":{}}'])
      expect(() => readPattern(text), text).toThrow();
  });
});

describe('a rule', () => {
  it('sends matching events of its bus to its functions, and is deleted only without targets', async () => {
    const received: unknown[] = [];
    const twin = await twinForTest({
      functions: { hears: testFunction() },
      handlers: { hears: handling((heard) => void received.push(heard)) },
    });
    const { bus } = twin;
    const on = { EventBusName: 'reprise' };
    const EventPattern = JSON.stringify({ 'detail-type': [{ prefix: 'run.' }] });
    bus.handle('PutRule', { Name: 'runs', EventPattern, ...on });
    const Arn = 'arn:aws:lambda:us-east-1:000000000000:function:hears';
    bus.handle('PutTargets', { Rule: 'runs', Targets: [{ Id: 'a', Arn }], ...on });
    const entry = { Source: 'reprise', Detail: '{"n":1}', ...on };
    bus.handle('PutEvents', {
      Entries: [
        { ...entry, DetailType: 'run.finished' },
        { ...entry, DetailType: 'request.opened' },
        { ...entry, DetailType: 'run.finished', EventBusName: 'default' },
        { ...entry, DetailType: 'run.finished', EventBusName: 'no-such-bus' },
      ],
    });
    await eventually(() => received.length > 0);
    expect(received).toHaveLength(1);
    expect(received[0]).toMatchObject({
      'detail-type': 'run.finished',
      source: 'reprise',
      detail: { n: 1 },
    });
    expect(() => bus.handle('DeleteRule', { Name: 'runs', ...on })).toThrow('targets');
    bus.handle('RemoveTargets', { Rule: 'runs', Ids: ['a'], ...on });
    bus.handle('DeleteRule', { Name: 'runs', ...on });
    expect(JSON.stringify(bus.handle('ListRules', on).body)).not.toContain('rule/reprise/runs');
  });

  it('tells execution-ended when an execution of the run machine dies', async () => {
    const received: unknown[] = [];
    const twin = await twinForTest({
      handlers: { 'execution-ended': handling((heard) => void received.push(heard)) },
    });
    const started = await twin.stepFunctions.handle('StartExecution', {
      stateMachineArn: twin.machineArns.run,
      input: '{}',
    });
    const { executionArn } = started.body as { executionArn: string };
    await twin.stepFunctions.handle('StopExecution', { executionArn });
    await eventually(() => received.length > 0);
    expect(received[0]).toMatchObject({
      source: 'aws.states',
      'detail-type': 'Step Functions Execution Status Change',
      resources: [executionArn],
      detail: { executionArn },
    });
  });
});
