// EventBridge event patterns: does an event match? Owns: the comparison operators. Pure.
import { AwsFault } from '../base/wire.ts';

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const comparisons: Readonly<Record<string, (left: number, right: number) => boolean>> = {
  '<': (left, right) => left < right,
  '<=': (left, right) => left <= right,
  '=': (left, right) => left === right,
  '>': (left, right) => left > right,
  '>=': (left, right) => left >= right,
};

const numericMatches = (terms: readonly unknown[], value: unknown): boolean => {
  if (typeof value !== 'number') return false;
  for (let at = 0; at < terms.length; at += 2) {
    const compare = comparisons[String(terms[at])];
    if (compare === undefined || !compare(value, Number(terms[at + 1]))) return false;
  }
  return true;
};

const wildcardMatches = (pattern: string, value: string): boolean => {
  const parts = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's').test(value);
};

type TextTest = (wanted: string, value: string) => boolean;
const textTests: Readonly<Record<string, TextTest>> = {
  prefix: (wanted, value) => value.startsWith(wanted),
  suffix: (wanted, value) => value.endsWith(wanted),
  'equals-ignore-case': (wanted, value) => value.toLowerCase() === wanted.toLowerCase(),
  wildcard: wildcardMatches,
};

const operatorMatches = (operator: Fields, value: unknown): boolean => {
  const [name = '', operand] = Object.entries(operator)[0] ?? [];
  if (name === 'exists') return (value !== undefined) === operand;
  if (name === 'anything-but') {
    const refused = isFields(operand) ? [operand] : [operand].flat();
    return value !== undefined && !refused.some((each) => leafMatches(each, value));
  }
  if (name === 'numeric' && Array.isArray(operand)) return numericMatches(operand, value);
  const test = Object.hasOwn(textTests, name) ? textTests[name] : undefined;
  return (
    test !== undefined &&
    typeof operand === 'string' &&
    typeof value === 'string' &&
    test(operand, value)
  );
};

const leafMatches = (wanted: unknown, value: unknown): boolean =>
  isFields(wanted) ? operatorMatches(wanted, value) : wanted === value;

const anyMatches = (wanted: readonly unknown[], value: unknown): boolean => {
  const values = Array.isArray(value) ? value : [value];
  return wanted.some((each) => values.some((one) => leafMatches(each, one)));
};

/** Whether the event fits the pattern. A field of the pattern that the event lacks does not match, save `exists: false`. */
export const matches = (pattern: Fields, event: unknown): boolean =>
  Object.entries(pattern).every(([name, wanted]) => {
    if (name === '$or' && Array.isArray(wanted))
      return wanted.some((each) => isFields(each) && matches(each, event));
    const value = isFields(event) && Object.hasOwn(event, name) ? event[name] : undefined;
    if (Array.isArray(wanted)) return anyMatches(wanted, value);
    return isFields(wanted) && matches(wanted, value);
  });

const checkFields = (pattern: Fields, path: string): void => {
  for (const [name, wanted] of Object.entries(pattern)) {
    if (Array.isArray(wanted) && wanted.length > 0) continue;
    if (isFields(wanted) && Object.keys(wanted).length > 0) checkFields(wanted, `${path}${name}.`);
    else
      throw new AwsFault(
        'InvalidEventPatternException',
        `Event pattern is not valid. Reason: "${path}${name}" must be an object or an array`,
      );
  }
};

/** Reads a pattern's JSON text. Throws InvalidEventPatternException. */
export const readPattern = (text: string): Fields => {
  let pattern: unknown;
  try {
    pattern = JSON.parse(text);
  } catch {
    pattern = undefined;
  }
  if (!isFields(pattern) || Object.keys(pattern).length === 0)
    throw new AwsFault('InvalidEventPatternException', 'Event pattern is not valid JSON.');
  checkFields(pattern, '');
  return pattern;
};
