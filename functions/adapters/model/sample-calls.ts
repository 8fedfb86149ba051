// How a person would write a call of each tool, from the tools' own schemas. Owns: those lines.
// Tested in test/functions/adapters/scripted-model.test.ts.
import { at, type Json, JsonObject } from '../../core/base/json.ts';
import { isBuiltIn } from '../../core/registry/tool.ts';
import type { ModelTool } from '../../ports/model.ts';

const toolsMax = 12;

/** A value that shows what kind is wanted. */
const sampleOf = (schema: Json): Json => {
  const given = at(schema, 'const') ?? at(schema, 'enum.0') ?? at(schema, 'default');
  if (given !== undefined) return given;
  switch (at(schema, 'type')) {
    case 'integer':
    case 'number':
      return at(schema, 'minimum') ?? 1;
    case 'boolean':
      return true;
    case 'array':
      return [];
    case 'object':
      return sampleArguments(schema);
    default:
      return '…';
  }
};

/** What is required; where nothing is, the first property, so that the form is seen. */
const sampleArguments = (schema: Json): JsonObject => {
  const properties = JsonObject.safeParse(at(schema, 'properties')).data ?? {};
  const required = at(schema, 'required');
  const names = Array.isArray(required) ? required : Object.keys(properties).slice(0, 1);
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, property]) =>
      names.includes(name) ? [[name, sampleOf(property)]] : [],
    ),
  );
};

/** One line for each tool that somebody registered; a line that shows the form where there is none. */
export const sampleCalls = (tools: readonly ModelTool[]): string => {
  const own = tools.filter(({ name }) => !isBuiltIn(name)).slice(0, toolsMax);
  if (own.length === 0) return 'call NAME {"argument": "value"}';
  return own
    .map(({ name, arguments: schema }) => `call ${name} ${JSON.stringify(sampleArguments(schema))}`)
    .join('\n');
};
