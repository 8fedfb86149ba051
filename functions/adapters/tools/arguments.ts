// Arguments against a tool's JSON Schema (2020-12). Owns: the validator, its words for the model, and which schemas are
// taken at all: a schema is data from outside, so its size, depth, references and patterns are bounded.
// Tested in test/functions/adapters/registration.test.ts.
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Json, JsonObject } from '../../core/base/json.ts';
import { explodes } from '../../core/base/pattern.ts';

const schemaCharactersMax = 64 * 1024;
const schemaDepthMax = 32;
const patternCharactersMax = 512;
const problemsShownMax = 8;
const compiledMax = 500;

const compiled = new Map<string, ValidateFunction>();

/** Throws Ajv's error for a schema it cannot compile. */
const compile = (schema: JsonObject): ValidateFunction => {
  const { $schema: _draft, ...rest } = schema;
  // One validator per schema: a shared one would remember ids and definitions of others.
  const ajv = new Ajv2020({ strict: false, allErrors: true, logger: false });
  addFormats.default(ajv);
  return ajv.compile(rest);
};

const validatorOf = (schema: JsonObject): ValidateFunction => {
  const text = JSON.stringify(schema);
  const known = compiled.get(text);
  if (known !== undefined) return known;
  const validate = compile(schema);
  if (compiled.size >= compiledMax) compiled.clear();
  compiled.set(text, validate);
  return validate;
};

const pathOf = ({ instancePath }: ErrorObject): string =>
  instancePath === ''
    ? 'The arguments'
    : instancePath.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~');

const wordsOf = (error: ErrorObject): string => {
  const { params, message = 'are not valid' } = error;
  const more =
    'additionalProperty' in params
      ? ` ("${params.additionalProperty}")`
      : 'allowedValues' in params
        ? ` (${JSON.stringify(params.allowedValues)})`
        : 'allowedValue' in params
          ? ` (${JSON.stringify(params.allowedValue)})`
          : '';
  return `${pathOf(error)} ${message}${more}`;
};

/** What is wrong with arguments, in words for the model; undefined when nothing is. */
export const argumentProblems = (schema: JsonObject, args: JsonObject): string | undefined => {
  try {
    const validate = validatorOf(schema);
    if (validate(args) === true) return undefined;
    const words = (validate.errors ?? []).map(wordsOf);
    const shown = [...new Set(words)].slice(0, problemsShownMax);
    const left = words.length - shown.length;
    return `${shown.join('; ')}${left > 0 ? `; and ${left} more` : ''}.`;
  } catch (error) {
    const why = error instanceof RangeError ? 'it refers to itself without end' : 'it is not valid';
    return `The arguments could not be checked against the tool’s schema: ${why}.`;
  }
};

const patternProblem = (pattern: string): string | undefined => {
  if (pattern.length > patternCharactersMax)
    return `A pattern is longer than ${patternCharactersMax}.`;
  return explodes(pattern) ? `The pattern "${pattern}" could take for ever to match.` : undefined;
};

const keywordProblem = (key: string, value: Json): string | undefined => {
  if (key === '$ref' && (typeof value !== 'string' || !value.startsWith('#'))) {
    return 'A $ref must stay within the schema ("#/$defs/…").';
  }
  if (key === '$id' || key === '$anchor' || key.startsWith('$dynamic')) {
    return `"${key}" is not taken. Use $defs and $ref.`;
  }
  if (key === 'pattern' && typeof value === 'string') return patternProblem(value);
  if (key !== 'patternProperties' || typeof value !== 'object' || value === null) return undefined;
  return Object.keys(value).map(patternProblem).find(Boolean);
};

/** Keywords whose keys are names that the author chose, not keywords. */
const named = new Set([
  'properties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'patternProperties',
]);
/** Keywords that hold plain values. */
const valued = new Set(['const', 'enum', 'default', 'examples']);

const walk = (value: Json, keysAreNames: boolean, depth: number): readonly string[] => {
  if (depth > schemaDepthMax) return [`The schema is nested deeper than ${schemaDepthMax} levels.`];
  if (value === null || typeof value !== 'object') return [];
  if (Array.isArray(value)) return value.flatMap((one: Json) => walk(one, false, depth + 1));
  return Object.entries(value as JsonObject).flatMap(([key, inner]) => {
    if (keysAreNames) return walk(inner, false, depth + 1);
    if (valued.has(key)) return [];
    const problem = keywordProblem(key, inner);
    return problem === undefined ? walk(inner, named.has(key), depth + 1) : [problem];
  });
};

/** Why a schema cannot be a tool's; empty when it can. */
export const schemaProblems = (schema: JsonObject): readonly string[] => {
  if (schema.type !== 'object') return ['The schema must be of type "object" at the top.'];
  const size = JSON.stringify(schema).length;
  if (size > schemaCharactersMax) {
    return [`The schema has ${size} characters; at most ${schemaCharactersMax} are taken.`];
  }
  const problems = [...new Set(walk(schema, false, 0))];
  if (problems.length > 0) return problems;
  try {
    validatorOf(schema)({});
    return [];
  } catch (error) {
    if (error instanceof RangeError) return ['The schema refers to itself without end.'];
    const why = error instanceof Error ? error.message.slice(0, 300) : 'unknown reason';
    return [`The schema is not valid JSON Schema 2020-12: ${why}`];
  }
};
