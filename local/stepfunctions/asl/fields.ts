// Which fields of the Amazon States Language the twin implements, for each kind of object, as data.
// Owns: the refusal of everything else. A field that is missing here is refused at creation with its path.
import { isObject } from '../json.ts';
import type { Findings } from './findings.ts';

export const stateTypes = [
  'Task',
  'Pass',
  'Choice',
  'Wait',
  'Succeed',
  'Fail',
  'Map',
  'Parallel',
] as const;
export type StateType = (typeof stateTypes)[number];

const always = ['Type', 'Comment', 'QueryLanguage'];
const flowing = [...always, 'Next', 'End', 'Assign', 'Output'];
const guarded = [...flowing, 'Retry', 'Catch'];

/** Of a state in JSONata mode. */
export const jsonataFields: Readonly<Record<StateType, readonly string[]>> = {
  Task: [...guarded, 'Resource', 'Arguments', 'TimeoutSeconds', 'HeartbeatSeconds'],
  Pass: flowing,
  Choice: [...always, 'Choices', 'Default', 'Assign', 'Output'],
  Wait: [...flowing, 'Seconds', 'Timestamp'],
  Succeed: [...always, 'Output'],
  Fail: [...always, 'Error', 'Cause'],
  Map: [
    ...guarded,
    'Items',
    'ItemSelector',
    'ItemProcessor',
    'Iterator',
    'MaxConcurrency',
    'ToleratedFailureCount',
    'ToleratedFailurePercentage',
  ],
  Parallel: [...guarded, 'Branches', 'Arguments'],
};

/** Of a state in JSONPath mode: only what has one meaning without any path. */
export const pathlessFields: Readonly<Partial<Record<StateType, readonly string[]>>> = {
  Pass: [...always, 'Next', 'End', 'Result'],
  Wait: [...always, 'Next', 'End', 'Seconds', 'Timestamp'],
  Succeed: always,
  Fail: [...always, 'Error', 'Cause'],
};

export const machineFields = [
  'Comment',
  'QueryLanguage',
  'StartAt',
  'States',
  'TimeoutSeconds',
  'Version',
];
export const blockFields = ['Comment', 'StartAt', 'States', 'ProcessorConfig'];
export const ruleFields = ['Comment', 'Condition', 'Next', 'Assign', 'Output'];
export const retrierFields = [
  'Comment',
  'ErrorEquals',
  'IntervalSeconds',
  'MaxAttempts',
  'BackoffRate',
  'MaxDelaySeconds',
  'JitterStrategy',
];
export const catcherFields = ['Comment', 'ErrorEquals', 'Next', 'Assign', 'Output'];

const jsonPathOnly = new Set([
  'InputPath',
  'OutputPath',
  'ResultPath',
  'Parameters',
  'ResultSelector',
  'Result',
  'ItemsPath',
  'SecondsPath',
  'TimestampPath',
  'TimeoutSecondsPath',
  'HeartbeatSecondsPath',
  'MaxConcurrencyPath',
  'ErrorPath',
  'CausePath',
  'Variable',
]);

/** Refuses every field of `value` that is not among `known`. */
export const refuseUnknown = (
  value: Readonly<Record<string, unknown>>,
  known: readonly string[],
  location: string,
  findings: Findings,
): void => {
  for (const field of Object.keys(value)) {
    if (known.includes(field)) continue;
    const why = jsonPathOnly.has(field)
      ? `The QueryLanguage is set to 'JSONata', but field '${field}' is only supported for the 'JSONPath' QueryLanguage`
      : `Field '${field}' is not supported`;
    findings.schema(`${location}/${field}`, why);
  }
};

/** Refuses the machine that lacks one of these. */
export const require = (
  value: Readonly<Record<string, unknown>>,
  fields: readonly string[],
  location: string,
  findings: Findings,
): void => {
  const missing = fields.filter((field) => value[field] === undefined);
  if (missing.length > 0)
    findings.schema(location, `These fields are required: [${missing.join(', ')}]`);
};

/** The object at a field, or undefined with a finding. */
export const objectAt = (
  value: unknown,
  location: string,
  findings: Findings,
): Record<string, unknown> | undefined => {
  if (isObject(value)) return value;
  findings.schema(location, 'Value is not an object');
  return undefined;
};
