// Comparisons, conditions and sizes as AWS computes them, where dynalite differs: equality of
// lists, maps and sets, binary prefixes, `size()` in UTF-8 bytes, item sizes in UTF-8 bytes.
// Owns: the replacements of dynalite's helpers of the same names (installed in replacements.ts).

import { Refusal } from './answers.ts';
import { helpers } from './dynalite.ts';
import { valueAt } from './paths.ts';
import type {
  AttributeValue,
  Expression,
  Item,
  LegacyConditions,
  Operand,
  RequestData,
} from './values.ts';
import { typeOf } from './values.ts';

type Value = AttributeValue | null | undefined;

const bytes = (base64: string): Buffer => Buffer.from(base64, 'base64');
const zero = /^-?0*\.?0*$/;

/**
 * Numbers were normalised when they were accepted, so that equal ones have equal text (but for -0).
 */
const sameNumber = (one: string, other: string): boolean =>
  one === other || (zero.test(one) && zero.test(other));

const sameSet = (one: readonly string[], other: readonly string[]): boolean => {
  if (one.length !== other.length) return false;
  const members = new Set(one);
  return other.every((member) => members.has(member));
};

const sameMap = (one: Item, other: Item): boolean => {
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && sameValue(one[name], other[name]))
  );
};

const sameList = (one: readonly AttributeValue[], other: readonly AttributeValue[]): boolean =>
  one.length === other.length && one.every((value, at) => sameValue(value, other[at]));

/** Deep equality of two values of the service. */
export const sameValue = (one: Value, other: Value): boolean => {
  if (!one || !other) return false;
  const type = typeOf(one);
  if (type === undefined || type !== typeOf(other)) return false;
  if (one.M && other.M) return sameMap(one.M, other.M);
  if (one.L && other.L) return sameList(one.L, other.L);
  if (one.N !== undefined && other.N !== undefined) return sameNumber(one.N, other.N);
  const sets = [one.SS ?? one.NS ?? one.BS, other.SS ?? other.NS ?? other.BS] as const;
  if (sets[0] && sets[1]) return sameSet(sets[0], sets[1]);
  return one[type] === other[type];
};

const byteOrder = (one: string, other: string): number => {
  // UTF-16 order is UTF-8 order unless surrogates take part.
  if (one === other) return 0;
  return /[\ud800-\udfff]/.test(one + other)
    ? Buffer.compare(Buffer.from(one), Buffer.from(other))
    : one < other
      ? -1
      : 1;
};

const numberOrder = (one: string, other: string): number => {
  const a = helpers.toLexiStr(one, 'N');
  const b = helpers.toLexiStr(other, 'N');
  return a < b ? -1 : a > b ? 1 : 0;
};

/**
 * Negative, zero or positive; undefined when the two have no order (other types, sets, documents).
 */
const order = (one: Value, other: Value): number | undefined => {
  if (!one || !other) return undefined;
  if (one.S !== undefined && other.S !== undefined) return byteOrder(one.S, other.S);
  if (one.N !== undefined && other.N !== undefined) return numberOrder(one.N, other.N);
  if (one.B !== undefined && other.B !== undefined)
    return Buffer.compare(bytes(one.B), bytes(other.B));
  return undefined;
};

const beginsWith = (value: Value, prefix: Value): boolean => {
  if (value?.S !== undefined && prefix?.S !== undefined) return value.S.startsWith(prefix.S);
  if (value?.B === undefined || prefix?.B === undefined) return false;
  const start = bytes(prefix.B);
  return bytes(value.B).subarray(0, start.length).equals(start);
};

const contains = (value: Value, part: Value): boolean => {
  if (!value || !part) return false;
  if (value.S !== undefined) return part.S !== undefined && value.S.includes(part.S);
  if (value.B !== undefined) return part.B !== undefined && bytes(value.B).includes(bytes(part.B));
  if (value.L) return value.L.some((member) => sameValue(member, part));
  if (value.SS) return part.S !== undefined && value.SS.includes(part.S);
  if (value.BS) return part.B !== undefined && value.BS.includes(part.B);
  const { N } = part;
  return value.NS !== undefined && N !== undefined && value.NS.some((one) => sameNumber(one, N));
};

type Test = (value: Value, operands: readonly Value[]) => boolean;

const ordered =
  (holds: (difference: number) => boolean): Test =>
  (value, [other]) => {
    const difference = order(value, other);
    return difference !== undefined && holds(difference);
  };

const equal: Test = (value, [other]) => sameValue(value, other);
const unequal: Test = (value, [other]) => !sameValue(value, other);
const less = ordered((difference) => difference < 0);
const atMost = ordered((difference) => difference <= 0);
const greater = ordered((difference) => difference > 0);
const atLeast = ordered((difference) => difference >= 0);
const exists: Test = (value) => value !== null && value !== undefined;
const missing: Test = (value) => value === null || value === undefined;
const holdsPart: Test = (value, [part]) => contains(value, part);
const lacksPart: Test = (value, [part]) => !contains(value, part);
const startsWith: Test = (value, [prefix]) => beginsWith(value, prefix);
const oneOf: Test = (value, operands) => operands.some((operand) => sameValue(value, operand));
const between: Test = (value, [low, high]) => atLeast(value, [low]) && atMost(value, [high]);

const tests: Readonly<Record<string, Test>> = {
  '=': equal,
  EQ: equal,
  '<>': unequal,
  NE: unequal,
  '<': less,
  LT: less,
  '<=': atMost,
  LE: atMost,
  '>': greater,
  GT: greater,
  '>=': atLeast,
  GE: atLeast,
  attribute_exists: exists,
  NOT_NULL: exists,
  attribute_not_exists: missing,
  NULL: missing,
  contains: holdsPart,
  CONTAINS: holdsPart,
  NOT_CONTAINS: lacksPart,
  begins_with: startsWith,
  BEGINS_WITH: startsWith,
  in: oneOf,
  IN: oneOf,
  between,
  BETWEEN: between,
  attribute_type: (value, [type]) => !!value && typeOf(value) === type?.S,
};

/** Replaces dynalite's `compare`: does `value` stand in this relation to the operands? */
export const compare: typeof helpers.compare = (operator, value, operands) => {
  const test = tests[operator];
  if (test === undefined) throw new Error(`the twin does not know the comparison ${operator}`);
  return test(value, Array.isArray(operands) ? operands : [operands as AttributeValue]);
};

const sizeOf = (value: Value): AttributeValue | undefined => {
  if (!value) return undefined;
  const { S, B, SS, NS, BS, L, M } = value;
  if (S !== undefined) return { N: String(Buffer.byteLength(S)) };
  if (B !== undefined) return { N: String(bytes(B).length) };
  const members = SS ?? NS ?? BS ?? L ?? (M && Object.keys(M));
  return members && { N: String(members.length) };
};

const isExpression = (operand: Operand): operand is Expression =>
  !Array.isArray(operand) && 'type' in operand;

const resolve = (operand: Operand, item: Item): AttributeValue | undefined => {
  if (Array.isArray(operand)) return valueAt(operand, item);
  if (!isExpression(operand)) return operand as AttributeValue;
  const [inner] = operand.args;
  return inner === undefined ? undefined : sizeOf(resolve(inner, item));
};

/** Does the item satisfy a parsed condition or filter? */
export const satisfies = (item: Item, expression: Expression): boolean => {
  const { type, name, args } = expression;
  const part = (at: number): boolean => satisfies(item, args[at] as Expression);
  if (type === 'and') return part(0) && part(1);
  if (type === 'or') return part(0) || part(1);
  if (type === 'not') return !part(0);
  const [value, ...operands] = args.map((operand) => resolve(operand, item));
  const test = tests[type === 'function' ? (name ?? '') : type];
  if (test === undefined) throw new Error(`the twin does not know the comparison ${type}`);
  return test(value, operands);
};

/** Does the item satisfy conditions in the old form (`Expected`, `QueryFilter`, `ScanFilter`)? */
export const satisfiesLegacy = (
  item: Item,
  conditions: LegacyConditions,
  operator?: string,
): boolean => {
  const holds = ([name, condition]: [string, LegacyConditions[string]]): boolean => {
    const { Exists, ComparisonOperator, AttributeValueList, Value } = condition;
    const test = Exists === undefined ? (ComparisonOperator ?? 'EQ') : Exists ? 'EQ' : 'NULL';
    return compare(test, item[name], AttributeValueList ?? (Value ? [Value] : []));
  };
  const all = Object.entries(conditions);
  return operator === 'OR' ? all.some(holds) : all.every(holds);
};

/** Replaces dynalite's `checkConditional`: undefined when the write may go on. */
export const checkCondition = (
  data: RequestData,
  existing: Item | undefined,
): Error | undefined => {
  const item = existing ?? {};
  const holds = data._condition
    ? satisfies(item, data._condition.expression)
    : !data.Expected || satisfiesLegacy(item, data.Expected, data.ConditionalOperator);
  return holds
    ? undefined
    : new Refusal('ConditionalCheckFailedException', 'The conditional request failed');
};
