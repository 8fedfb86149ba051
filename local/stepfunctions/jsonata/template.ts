// Templates: JSON in which strings written {% … %} are JSONata expressions. Compiled once, evaluated often.
// Owns: what counts as an expression, where it stands (its location), and the wording of evaluation errors.
import jsonata from 'jsonata';
import { clean, isObject, type Json, typeName } from '../json.ts';
import { addFunctions, type Surroundings } from './functions.ts';
import { forbiddenReference } from './references.ts';

export type Template =
  | { readonly kind: 'literal'; readonly value: Json }
  | Expression
  | { readonly kind: 'object'; readonly entries: readonly (readonly [string, Template])[] }
  | { readonly kind: 'array'; readonly items: readonly Template[] };

export interface Expression {
  readonly kind: 'expression';
  /** Without the braces, trimmed: as error messages show it. */
  readonly source: string;
  /** The field it was written in, relative to the state: `Output/a/b[0]`. */
  readonly location: string;
  readonly compiled: jsonata.Expression;
}

/** The variables of an expression, without the leading `$`. */
export type Bindings = Readonly<Record<string, unknown>>;

/** An expression failed. `reason` is the sentence after "An error occurred while executing the state …". */
export class EvaluationError extends Error {
  readonly location: string;
  readonly reason: string;

  constructor(location: string, reason: string) {
    super(reason);
    this.name = 'EvaluationError';
    this.location = location;
    this.reason = reason;
  }
}

/** An expression that cannot be compiled or refers to what is not there; only at a machine's creation. */
export class ExpressionRefused extends Error {
  readonly code: 'INVALID_JSONATA_EXPRESSION' | 'UNSUPPORTED_JSONATA_EXPRESSION';
  readonly location: string;

  constructor(code: ExpressionRefused['code'], location: string, message: string) {
    super(message);
    this.code = code;
    this.location = location;
  }
}

/** The deepest nesting that the service evaluates. */
const depthMax = 100;
/** Ends an expression that would run for ever; the service ends it by a clock. */
const stepsMax = 500_000;

/** Where an evaluation keeps its own count, so that evaluations of one expression can interleave. */
const countName = '\u0000count';

const enter = (_: unknown, __: unknown, environment: Environment): void => {
  const count = environment.lookup(countName);
  if (!(count instanceof Count)) return;
  count.depth += 1;
  count.steps += 1;
  if (count.depth > depthMax)
    throw new Error(
      'Stack overflow error: Check for non-terminating recursive function. ' +
        `Consider rewriting as tail-recursive. Depth=${count.depth} max=${depthMax}`,
    );
  if (count.steps > stepsMax)
    throw new Error('Expression evaluation timeout: Check for infinite loop');
};

const exit = (_: unknown, __: unknown, environment: Environment): void => {
  const count = environment.lookup(countName);
  if (count instanceof Count) count.depth -= 1;
};

class Count {
  depth = 0;
  steps = 0;
}

interface Environment {
  lookup(name: string): unknown;
}

const bound = (expression: jsonata.Expression): void => {
  // JSONata looks these up by symbol; its types know only names.
  Reflect.apply(expression.assign, expression, [Symbol.for('jsonata.__evaluate_entry'), enter]);
  Reflect.apply(expression.assign, expression, [Symbol.for('jsonata.__evaluate_exit'), exit]);
};

const parse = (source: string, location: string): jsonata.Expression => {
  try {
    return jsonata(source);
  } catch (error) {
    throw new ExpressionRefused('INVALID_JSONATA_EXPRESSION', location, describe(error));
  }
};

const compile = (
  source: string,
  location: string,
  surroundings: Surroundings,
): jsonata.Expression => {
  const expression = parse(source, location);
  const forbidden = forbiddenReference(expression.ast(), location);
  if (forbidden !== undefined)
    throw new ExpressionRefused('UNSUPPORTED_JSONATA_EXPRESSION', location, forbidden);
  addFunctions(expression, surroundings);
  bound(expression);
  return expression;
};

/** JSONata's own errors have a code, as `T1006`. */
const isCoded = (error: unknown): boolean =>
  isObject(error) && typeof error.code === 'string' && /^[A-Z]\d{4}$/.test(error.code);

const describe = (error: unknown): string => {
  if (!isObject(error)) return String(error);
  const text = typeof error.message === 'string' ? error.message : 'The expression failed.';
  return isCoded(error) ? `${String(error.code)}: ${text}` : text;
};

/** The text between the braces, or undefined: `{%` must be first and `%}` last, with nothing around them. */
export const expressionIn = (text: string): string | undefined =>
  text.length >= 4 && text.startsWith('{%') && text.endsWith('%}')
    ? text.slice(2, -2).trim()
    : undefined;

/** Compiles a JSON value of the definition. Throws ExpressionRefused. */
export const templateOf = (
  value: Json,
  location: string,
  surroundings: Surroundings,
  isJsonata: boolean,
): Template => {
  if (!isJsonata) return { kind: 'literal', value };
  if (typeof value === 'string') {
    const source = expressionIn(value);
    if (source === undefined) return { kind: 'literal', value };
    return {
      kind: 'expression',
      source,
      location,
      compiled: compile(source, location, surroundings),
    };
  }
  if (Array.isArray(value)) {
    const items = value.map((item: Json, index) =>
      templateOf(item, `${location}[${index}]`, surroundings, true),
    );
    return items.every((item) => item.kind === 'literal')
      ? { kind: 'literal', value }
      : { kind: 'array', items };
  }
  if (!isObject(value)) return { kind: 'literal', value };
  const entries = Object.entries(value).map(
    ([key, inner]) => [key, templateOf(inner, `${location}/${key}`, surroundings, true)] as const,
  );
  return entries.every(([, inner]) => inner.kind === 'literal')
    ? { kind: 'literal', value }
    : { kind: 'object', entries };
};

/** Enough of an expression to speak of it. */
type Mentioned = Pick<Expression, 'kind' | 'source' | 'location'>;

const said = (expression: Mentioned): string =>
  `The JSONata expression '${expression.source}' specified for the field '${expression.location}'`;

const evaluateExpression = async (expression: Expression, bindings: Bindings): Promise<Json> => {
  let value: unknown;
  try {
    const counted = { ...bindings, [countName]: new Count() };
    value = await expression.compiled.evaluate(undefined, counted);
  } catch (error) {
    throw new EvaluationError(
      expression.location,
      `${said(expression)} threw an error during evaluation${isCoded(error) ? '.' : ':'} ${describe(error)}`,
    );
  }
  if (value === undefined)
    throw new EvaluationError(
      expression.location,
      `${said(expression)} returned nothing (undefined).`,
    );
  if (typeof value === 'function' || (isObject(value) && value._jsonata_lambda === true))
    throw new EvaluationError(
      expression.location,
      `The JSONata expression '${expression.source}' for the field '${expression.location}' returned an unsupported result type.`,
    );
  return clean(value);
};

/** The template's value. Throws EvaluationError. */
export const evaluate = async (template: Template, bindings: Bindings): Promise<Json> => {
  switch (template.kind) {
    case 'literal':
      return template.value;
    case 'expression':
      return evaluateExpression(template, bindings);
    case 'array': {
      const list: Json[] = [];
      for (const item of template.items) list.push(await evaluate(item, bindings));
      return list;
    }
    case 'object': {
      const entries: [string, Json][] = [];
      for (const [key, inner] of template.entries)
        entries.push([key, await evaluate(inner, bindings)]);
      return Object.fromEntries(entries);
    }
  }
};

/** Says that a value has the wrong type, in AWS's words. */
export const unexpectedType = (
  template: Template | Mentioned,
  expected: string,
  value: Json,
): Error => {
  const shown = `Expected '${expected}', but was '${typeName(value)}' for value: ${JSON.stringify(value)}`;
  if (template.kind !== 'expression')
    return new EvaluationError('', `A field has an unexpected type. ${shown}`);
  return new EvaluationError(
    template.location,
    `${said(template)} returned an unexpected result type. ${shown}`,
  );
};
