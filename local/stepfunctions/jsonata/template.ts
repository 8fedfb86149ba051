// Templates: JSON in which strings written {% … %} are JSONata expressions. Compiled once, evaluated often.
// Owns: what counts as an expression, where it stands (its location), and the wording of evaluation errors.
import jsonata from 'jsonata';
import { clean, isObject, type Json, typeName } from '../json.ts';
import { addFunctions, type Surroundings } from './functions.ts';

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

/** An expression that cannot be compiled; only at a machine's creation. */
export class ExpressionSyntaxError extends Error {}

/** Ends an expression that would run for ever; AWS ends it after about a second. */
const stepsMax = 2_000_000;

const limitSteps = (expression: jsonata.Expression): void => {
  const steps = { depth: 0, taken: 0 };
  const entry = (): void => {
    steps.depth += 1;
    steps.taken = steps.depth === 1 ? 1 : steps.taken + 1;
    if (steps.taken > stepsMax || steps.depth > 10_000) {
      steps.depth = 0;
      throw new Error('The expression runs too long or too deep.');
    }
  };
  const exit = (): void => {
    steps.depth = Math.max(0, steps.depth - 1);
  };
  // JSONata looks these up by symbol; its types know only names.
  Reflect.apply(expression.assign, expression, [Symbol.for('jsonata.__evaluate_entry'), entry]);
  Reflect.apply(expression.assign, expression, [Symbol.for('jsonata.__evaluate_exit'), exit]);
};

/** Only these can repeat or recurse without end. */
const canLoop = (source: string): boolean => /function|λ|\.\.|\*\*/u.test(source);

/** Compiles one expression; throws ExpressionSyntaxError with JSONata's message. */
const compile = (source: string, surroundings: Surroundings): jsonata.Expression => {
  try {
    const expression = jsonata(source);
    addFunctions(expression, surroundings);
    if (canLoop(source)) limitSteps(expression);
    return expression;
  } catch (error) {
    throw new ExpressionSyntaxError(describe(error));
  }
};

const describe = (error: unknown): string => {
  if (!isObject(error)) return String(error);
  const { code, message } = error;
  const text = typeof message === 'string' ? message : 'The expression failed.';
  return typeof code === 'string' && /^[A-Z]\d+$/.test(code) ? `${code}: ${text}` : text;
};

/** The text between the braces, or undefined: `{%` must be first and `%}` last, with nothing around them. */
export const expressionIn = (text: string): string | undefined =>
  text.length >= 4 && text.startsWith('{%') && text.endsWith('%}')
    ? text.slice(2, -2).trim()
    : undefined;

/** Compiles a JSON value of the definition. Throws ExpressionSyntaxError. */
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
    return { kind: 'expression', source, location, compiled: compile(source, surroundings) };
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
    value = await expression.compiled.evaluate(undefined, bindings);
  } catch (error) {
    throw new EvaluationError(
      expression.location,
      `${said(expression)} threw an error during evaluation. ${describe(error)}`,
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
      `${said(expression)} returned an unsupported result type: function.`,
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
