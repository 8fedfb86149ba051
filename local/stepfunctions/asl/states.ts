// Parses one state. Owns: the rules of each state type, as a table of readers.
import { isObject, isTimestamp, type Json } from '../json.ts';
import type { Template } from '../jsonata/template.ts';
import { refuseUnknown, require, ruleFields, type StateType } from './fields.ts';
import { readGuards } from './guards.ts';
import type { FieldReader } from './reader.ts';
import { resourceOf } from './resource.ts';
import type { Block, ChoiceRule, State, Transition } from './types.ts';

/** Parses the states inside a Map or Parallel. */
export type ReadBlock = (value: unknown, location: string, isMapBody: boolean) => Block | undefined;

type ReadState = (reader: FieldReader, name: string, readBlock: ReadBlock) => State | undefined;

const readTransition = (reader: FieldReader): Transition => {
  const { Next: next, End: end } = reader.fields;
  if (end !== undefined && end !== true) reader.wrong('End', 'Value must be true');
  if (next !== undefined && end !== undefined)
    reader.findings.schema(reader.location, 'Only one of these fields is allowed: [Next, End]');
  if (next === undefined && end === undefined)
    reader.findings.schema(reader.location, 'One of these fields is required: [Next, End]');
  if (next === undefined) return { kind: 'end' };
  return { kind: 'next', state: reader.text('Next') ?? '' };
};

const outcome = (
  reader: FieldReader,
): { readonly assign: Template | undefined; readonly output: Template | undefined } => ({
  assign: reader.assign(),
  output: reader.template('Output'),
});

const readPass: ReadState = (reader, name) => ({
  type: 'Pass',
  name,
  ...outcome(reader),
  transition: readTransition(reader),
  result: reader.fields.Result === undefined ? undefined : { value: reader.fields.Result as Json },
});

const readSucceed: ReadState = (reader, name) => ({
  type: 'Succeed',
  name,
  assign: undefined,
  output: reader.template('Output'),
});

const isText = (value: unknown): boolean => typeof value === 'string';

const readFail: ReadState = (reader, name) => ({
  type: 'Fail',
  name,
  assign: undefined,
  output: undefined,
  error: reader.typed('Error', isText, 'a string or a JSONata expression'),
  cause: reader.typed('Cause', isText, 'a string or a JSONata expression'),
});

const readRule = (reader: FieldReader): ChoiceRule | undefined => {
  refuseUnknown(reader.fields, ruleFields, reader.location, reader.findings);
  require(reader.fields, ['Condition', 'Next'], reader.location, reader.findings);
  const condition = reader.typed(
    'Condition',
    (value) => typeof value === 'boolean',
    'a boolean or a JSONata expression',
  );
  if (condition === undefined) return undefined;
  return { condition, next: reader.text('Next') ?? '', ...outcome(reader) };
};

const readChoice: ReadState = (reader, name) => {
  require(reader.fields, ['Choices'], reader.location, reader.findings);
  const rules = reader.list('Choices').flatMap((value, index) => {
    const place = `Choices[${index}]`;
    if (!isObject(value)) return reader.wrong(place, 'Value is not an object') ?? [];
    return readRule(reader.within(value, place)) ?? [];
  });
  if (reader.fields.Choices !== undefined && reader.list('Choices').length === 0)
    reader.wrong('Choices', 'Value must be a non-empty array');
  return { type: 'Choice', name, ...outcome(reader), rules, otherwise: reader.text('Default') };
};

const readWait: ReadState = (reader, name) => {
  const given = ['Seconds', 'Timestamp'].filter((field) => reader.fields[field] !== undefined);
  if (given.length !== 1)
    reader.findings.schema(
      reader.location,
      'Exactly one of these fields is required: [Seconds, Timestamp]',
    );
  return {
    type: 'Wait',
    name,
    ...outcome(reader),
    transition: readTransition(reader),
    seconds: reader.typed(
      'Seconds',
      (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 99_999_999,
      'an integer from 0 to 99999999 or a JSONata expression',
    ),
    timestamp: reader.typed(
      'Timestamp',
      (value) => typeof value === 'string' && isTimestamp(value),
      'an RFC 3339 timestamp or a JSONata expression',
    ),
  };
};

const checkClocks = (reader: FieldReader): void => {
  const { TimeoutSeconds: timeout, HeartbeatSeconds: heartbeat } = reader.fields;
  if (typeof timeout === 'number' && typeof heartbeat === 'number' && heartbeat >= timeout)
    reader.wrong('HeartbeatSeconds', 'Value must be smaller than TimeoutSeconds');
};

const readTask: ReadState = (reader, name) => {
  require(reader.fields, ['Resource'], reader.location, reader.findings);
  checkClocks(reader);
  const arn = reader.text('Resource');
  const resource = arn === undefined ? undefined : resourceOf(arn);
  if (arn !== undefined && resource === undefined)
    reader.wrong('Resource', `The resource "${arn}" is not supported`);
  const common = {
    ...outcome(reader),
    ...readGuards(reader),
    transition: readTransition(reader),
    arguments: reader.template('Arguments'),
    timeoutSeconds: reader.positiveInteger('TimeoutSeconds'),
    heartbeatSeconds: reader.positiveInteger('HeartbeatSeconds'),
  };
  return resource === undefined ? undefined : { type: 'Task', name, resource, ...common };
};

const isCount = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0;

const readMap: ReadState = (reader, name, readBlock) => {
  const field = reader.fields.Iterator === undefined ? 'ItemProcessor' : 'Iterator';
  require(reader.fields, [field], reader.location, reader.findings);
  const body = readBlock(reader.fields[field], `${reader.location}/${field}`, true);
  const common = {
    ...outcome(reader),
    ...readGuards(reader),
    transition: readTransition(reader),
    items: reader.typed('Items', Array.isArray, 'an array or a JSONata expression'),
    itemSelector: reader.template('ItemSelector'),
    concurrencyMax: reader.typed('MaxConcurrency', isCount, 'an integer from 0'),
    toleratedFailureCount: reader.typed('ToleratedFailureCount', isCount, 'an integer from 0'),
    toleratedFailurePercentage: reader.typed(
      'ToleratedFailurePercentage',
      (value) => typeof value === 'number' && value >= 0 && value <= 100,
      'a number from 0 to 100',
    ),
  };
  return body === undefined ? undefined : { type: 'Map', name, body, ...common };
};

const readParallel: ReadState = (reader, name, readBlock) => {
  require(reader.fields, ['Branches'], reader.location, reader.findings);
  const branches = reader
    .list('Branches')
    .flatMap(
      (value, index) => readBlock(value, `${reader.location}/Branches[${index}]`, false) ?? [],
    );
  if (reader.fields.Branches !== undefined && reader.list('Branches').length === 0)
    reader.wrong('Branches', 'Value must be a non-empty array');
  return {
    type: 'Parallel',
    name,
    ...outcome(reader),
    ...readGuards(reader),
    transition: readTransition(reader),
    arguments: reader.template('Arguments'),
    branches,
  };
};

export const readers: Readonly<Record<StateType, ReadState>> = {
  Task: readTask,
  Pass: readPass,
  Choice: readChoice,
  Wait: readWait,
  Succeed: readSucceed,
  Fail: readFail,
  Map: readMap,
  Parallel: readParallel,
};
