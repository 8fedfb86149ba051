// Retry and Catch of a Task, Map or Parallel.
// Owns: their rules: which errors, in which place, with which limits.
import { isObject } from '../json.ts';
import { catcherFields, refuseUnknown, require, retrierFields } from './fields.ts';
import type { FieldReader } from './reader.ts';
import type { Catcher, Guarded, Retrier } from './types.ts';

const readErrors = (reader: FieldReader, isLast: boolean): readonly string[] => {
  const errors = reader.list('ErrorEquals');
  const names = errors.filter((error): error is string => typeof error === 'string');
  if (names.length !== errors.length || names.length === 0)
    reader.wrong('ErrorEquals', 'Value must be a non-empty array of strings');
  if (names.includes('States.ALL') && (names.length > 1 || !isLast))
    reader.wrong('ErrorEquals', '"States.ALL" must stand alone, in the last place');
  return names;
};

const readRetrier = (reader: FieldReader, isLast: boolean): Retrier => {
  refuseUnknown(reader.fields, retrierFields, reader.location, reader.findings);
  require(reader.fields, ['ErrorEquals'], reader.location, reader.findings);
  const interval = reader.number('IntervalSeconds', 1, 1, 99_999_999, true);
  const jitter = reader.text('JitterStrategy') ?? 'NONE';
  if (jitter !== 'NONE' && jitter !== 'FULL')
    reader.wrong('JitterStrategy', 'Value must be one of [FULL, NONE]');
  const longest = reader.number('MaxDelaySeconds', 0, 1, 31_622_400, true);
  if (reader.fields.MaxDelaySeconds !== undefined && longest <= interval)
    reader.wrong('MaxDelaySeconds', 'Value must be greater than IntervalSeconds');
  return {
    errors: readErrors(reader, isLast),
    intervalSeconds: interval,
    attemptsMax: reader.number('MaxAttempts', 3, 0, 99_999_999, true),
    backoffRate: reader.number('BackoffRate', 2, 1, Number.MAX_SAFE_INTEGER, false),
    delaySecondsMax: reader.fields.MaxDelaySeconds === undefined ? undefined : longest,
    fullJitter: jitter === 'FULL',
  };
};

const readCatcher = (reader: FieldReader, isLast: boolean): Catcher => {
  refuseUnknown(reader.fields, catcherFields, reader.location, reader.findings);
  require(reader.fields, ['ErrorEquals', 'Next'], reader.location, reader.findings);
  return {
    errors: readErrors(reader, isLast),
    next: reader.text('Next') ?? '',
    assign: reader.assign(),
    output: reader.template('Output'),
  };
};

const readEach = <Entry>(
  reader: FieldReader,
  field: string,
  read: (inner: FieldReader, isLast: boolean) => Entry,
): readonly Entry[] =>
  reader.list(field).flatMap((value, index, all) => {
    const place = `${field}[${index}]`;
    if (isObject(value)) return [read(reader.within(value, place), index === all.length - 1)];
    reader.wrong(place, 'Value is not an object');
    return [];
  });

export const readGuards = (reader: FieldReader): Guarded => ({
  retry: readEach(reader, 'Retry', readRetrier),
  catch: readEach(reader, 'Catch', readCatcher),
});
