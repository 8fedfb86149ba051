// An MCP tool that answers `input_required`: its requests as one question of the same action.
// Owns: reading them. What is no form (a URL to visit, a sampling request) is left to a person at the recovery desk.
import { z } from 'zod';
import { type Field, Form } from './form.ts';
import type { Json } from './json.ts';
import type { PersonRequest } from './request.ts';

const Elicitations = z.record(
  z.string(),
  z.looseObject({
    method: z.literal('elicitation/create'),
    params: z.looseObject({ message: z.string(), requestedSchema: z.looseObject({}) }),
  }),
);

export type Asked = Pick<Extract<PersonRequest, { on: 'question' }>, 'message' | 'form' | 'asked'>;

/** Undefined when a request is no form of the elicitation subset. */
export const questionFrom = (
  inputRequests: Json,
  requestState: string | undefined,
): Asked | undefined => {
  const parsed = Elicitations.safeParse(inputRequests);
  if (!parsed.success || Object.keys(parsed.data).length === 0) return undefined;
  const entries = Object.entries(parsed.data);
  const properties: Record<string, Field> = {};
  const required: string[] = [];
  const parts: Record<string, Record<string, string>> = {};
  for (const [name, { params }] of entries) {
    const { $schema: _dialect, additionalProperties: _open, ...schema } = params.requestedSchema;
    const form = Form.safeParse(schema);
    if (!form.success) return undefined;
    const keyOf = (field: string): string => (entries.length === 1 ? field : `${name}.${field}`);
    const fields: Record<string, string> = {};
    for (const [field, asked] of Object.entries(form.data.properties)) {
      properties[keyOf(field)] = asked;
      fields[field] = keyOf(field);
    }
    parts[name] = fields;
    required.push(...(form.data.required ?? []).map(keyOf));
  }
  return {
    message: entries.map(([, { params }]) => params.message).join('\n'),
    form: { type: 'object', properties, ...(required.length > 0 ? { required } : {}) },
    asked: { parts, ...(requestState === undefined ? {} : { requestState }) },
  };
};
