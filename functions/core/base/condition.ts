// A condition over a call's arguments, in JSONata: whether it may be stored, and whether it holds. It is written by people and runs
// wherever a call is checked, so it must come to an end: what could run on for ever or grow without bound is not taken.
// Owns: that bound. What fails to evaluate throws; the caller then asks a person.
import jsonata from 'jsonata';
import type { JsonObject } from './json.ts';
import { BoundedPattern, explodes } from './pattern.ts';

/** Evaluations of a part of the expression; the largest arguments there are need fewer. */
const stepsMax = 100_000;

/** A part that can repeat itself or multiply: functions of one's own, names for values, ranges, changed copies. */
const unboundedTypes = new Set(['lambda', 'bind', 'transform']);
const unboundedFunctions = new Set(['eval', 'pad']);

const isUnbounded = (node: object): boolean => {
  const type = 'type' in node ? node.type : undefined;
  const value = 'value' in node ? node.value : undefined;
  if (type === 'regex') return value instanceof RegExp && explodes(value.source);
  if (typeof type !== 'string' || typeof value === 'object') return false;
  if (type === 'binary') return value === '..';
  if (type === 'variable') return unboundedFunctions.has(String(value));
  return unboundedTypes.has(type);
};

/** The library makes its regular expressions with this; its types say that it were one itself. */
const options: object = { RegexEngine: BoundedPattern };
const expressionOf = (condition: string): jsonata.Expression => jsonata(condition, options);

/** In place of the library's, whose pictures of dates become regular expressions: ISO 8601 alone. */
const millisOf = (text: string): number => {
  if (!/^\d{4}-\d\d(?:-\d\d(?:T[\d:.]{5,20}(?:Z|[+-]\d\d:?\d\d)?)?)?$/.test(text))
    throw new Error('The time is not ISO 8601.');
  return Date.parse(text);
};

const someNode = (
  node: unknown,
  holds: (node: object) => boolean,
  seen = new Set<object>(),
): boolean => {
  if (typeof node !== 'object' || node === null || seen.has(node)) return false;
  seen.add(node);
  return holds(node) || Object.values(node).some((part) => someNode(part, holds, seen));
};

export type ConditionProblem = 'does_not_parse' | 'has_no_bound';

/** Why it may not be stored; undefined when it may. */
export const conditionProblem = (condition: string): ConditionProblem | undefined => {
  try {
    return someNode(expressionOf(condition).ast(), isUnbounded) ? 'has_no_bound' : undefined;
  } catch {
    return 'does_not_parse';
  }
};

/** Whether it names one of the arguments: one that names none holds for whatever is called, or for nothing. */
export const namesArgument = (condition: string, names: ReadonlySet<string>): boolean => {
  try {
    return someNode(
      expressionOf(condition).ast(),
      (node) =>
        'type' in node &&
        node.type === 'name' &&
        'value' in node &&
        typeof node.value === 'string' &&
        names.has(node.value),
    );
  } catch {
    return false;
  }
};

/** What it comes to for these arguments. Throws when it cannot be evaluated, or not within bounds. */
export const evaluateCondition = async (condition: string, args: JsonObject): Promise<unknown> => {
  if (conditionProblem(condition) === 'has_no_bound')
    throw new Error('The condition could run on for ever.');
  const expression = expressionOf(condition);
  let steps = 0;
  const count = (): void => {
    steps += 1;
    if (steps > stepsMax) throw new Error('The condition takes too many steps.');
  };
  expression.registerFunction('toMillis', millisOf, '<s-:n>');
  // The library's own hook before each step, whose name is a symbol, which its types do not know.
  Reflect.apply(expression.assign, expression, [Symbol.for('jsonata.__evaluate_entry'), count]);
  return expression.evaluate(args);
};
