// The one form language of questions: the MCP elicitation subset of JSON Schema, a flat object of texts, numbers, yes/no and
// choices, with defaults. Owns: what a form may be, and whether an answer fits it. Laws: L13 (an answer is checked before it
// counts).
// Tested in test/scenario/people/many.test.ts.
import { z } from 'zod';
import type { Json, JsonObject } from './json.ts';

const described = { title: z.string().optional(), description: z.string().optional() };
const Titled = z.strictObject({ const: z.string(), title: z.string() });

const Text = z.strictObject({
  type: z.literal('string'),
  ...described,
  minLength: z.int().nonnegative().optional(),
  maxLength: z.int().positive().max(10_000).optional(),
  format: z.enum(['email', 'uri', 'date', 'date-time']).optional(),
  default: z.string().optional(),
});
const Choice = z.strictObject({
  type: z.literal('string'),
  ...described,
  enum: z.array(z.string()).min(1).max(100).optional(),
  enumNames: z.array(z.string()).optional(),
  oneOf: z.array(Titled).min(1).max(100).optional(),
  default: z.string().optional(),
});
const Several = z.strictObject({
  type: z.literal('array'),
  ...described,
  minItems: z.int().nonnegative().optional(),
  maxItems: z.int().positive().optional(),
  items: z.strictObject({
    type: z.literal('string').optional(),
    enum: z.array(z.string()).min(1).max(100).optional(),
    anyOf: z.array(Titled).min(1).max(100).optional(),
  }),
  default: z.array(z.string()).optional(),
});
const Amount = z.strictObject({
  type: z.enum(['number', 'integer']),
  ...described,
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  default: z.number().optional(),
});
const YesNo = z.strictObject({
  type: z.literal('boolean'),
  ...described,
  default: z.boolean().optional(),
});

export const Field = z.union([Text, Choice, Several, Amount, YesNo]);
export type Field = z.infer<typeof Field>;

export const Form = z
  .strictObject({
    type: z.literal('object'),
    properties: z.record(z.string().min(1).max(128), Field),
    required: z.array(z.string()).optional(),
    title: z.string().optional(),
    description: z.string().optional(),
  })
  .refine((form) => Object.keys(form.properties).length > 0, {
    message: 'A form must ask for something.',
    params: { fr: 'Un formulaire doit demander quelque chose.' },
  })
  .refine((form) => (form.required ?? []).every((name) => Object.hasOwn(form.properties, name)), {
    message: 'A required field is not among the properties.',
    params: { fr: 'Un champ requis ne figure pas parmi les propriétés.' },
  });
export type Form = z.infer<typeof Form>;

export type Problem = { readonly field: string; readonly problem: ProblemKind };
export type ProblemKind =
  | 'missing'
  | 'unknown'
  | 'not_text'
  | 'too_short'
  | 'too_long'
  | 'bad_format'
  | 'not_a_choice'
  | 'not_a_list'
  | 'too_few'
  | 'too_many'
  | 'not_a_number'
  | 'not_whole'
  | 'too_small'
  | 'too_big'
  | 'not_yes_or_no';

/** The values a choice allows; undefined for a free text. */
export const choicesOf = (field: Field): readonly string[] | undefined => {
  if (field.type === 'array')
    return field.items.enum ?? field.items.anyOf?.map((choice) => choice.const);
  if (field.type !== 'string') return undefined;
  if ('enum' in field && field.enum) return field.enum;
  return 'oneOf' in field && field.oneOf ? field.oneOf.map((choice) => choice.const) : undefined;
};

const formats: { readonly [format: string]: z.ZodType<string> } = {
  email: z.email(),
  uri: z.url(),
  date: z.iso.date(),
  'date-time': z.iso.datetime({ offset: true }),
};

const textProblem = (field: Field, value: Json): ProblemKind | undefined => {
  if (typeof value !== 'string') return 'not_text';
  const choices = choicesOf(field);
  if (choices) return choices.includes(value) ? undefined : 'not_a_choice';
  if ('minLength' in field && field.minLength !== undefined && value.length < field.minLength)
    return 'too_short';
  const longest = ('maxLength' in field ? field.maxLength : undefined) ?? 10_000;
  if (value.length > longest) return 'too_long';
  const format = 'format' in field && field.format ? formats[field.format] : undefined;
  return format && !format.safeParse(value).success ? 'bad_format' : undefined;
};

const listProblem = (field: z.infer<typeof Several>, value: Json): ProblemKind | undefined => {
  if (!Array.isArray(value)) return 'not_a_list';
  const list: readonly Json[] = value;
  const choices = choicesOf(field);
  const allowed = (entry: Json): boolean =>
    typeof entry === 'string' && (choices === undefined || choices.includes(entry));
  if (!list.every(allowed) || new Set(list).size !== list.length) return 'not_a_choice';
  if (field.minItems !== undefined && list.length < field.minItems) return 'too_few';
  return field.maxItems !== undefined && list.length > field.maxItems ? 'too_many' : undefined;
};

const numberProblem = (field: z.infer<typeof Amount>, value: Json): ProblemKind | undefined => {
  if (typeof value !== 'number' || !Number.isFinite(value)) return 'not_a_number';
  if (field.type === 'integer' && !Number.isSafeInteger(value)) return 'not_whole';
  if (field.minimum !== undefined && value < field.minimum) return 'too_small';
  return field.maximum !== undefined && value > field.maximum ? 'too_big' : undefined;
};

const valueProblem = (field: Field, value: Json): ProblemKind | undefined => {
  switch (field.type) {
    case 'string':
      return textProblem(field, value);
    case 'array':
      return listProblem(field, value);
    case 'number':
    case 'integer':
      return numberProblem(field, value);
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'not_yes_or_no';
  }
};

/** The answer with its defaults filled in, or what is wrong with it, field by field. */
export const checkAnswer = (
  form: Form,
  answer: JsonObject,
):
  | { readonly kind: 'fits'; readonly answer: JsonObject }
  | { readonly kind: 'misfits'; readonly problems: readonly Problem[] } => {
  const filled: Record<string, Json> = {};
  const problems: Problem[] = Object.keys(answer)
    .filter((name) => !Object.hasOwn(form.properties, name))
    .map((field) => ({ field, problem: 'unknown' }));
  for (const [name, field] of Object.entries(form.properties)) {
    const given = Object.hasOwn(answer, name) ? answer[name] : field.default;
    if (given === undefined) {
      if (form.required?.includes(name)) problems.push({ field: name, problem: 'missing' });
      continue;
    }
    const problem = valueProblem(field, given);
    if (problem) problems.push({ field: name, problem });
    else filled[name] = given;
  }
  return problems.length > 0 ? { kind: 'misfits', problems } : { kind: 'fits', answer: filled };
};

/** The answer that is made of defaults alone, if every required field has one. */
export const defaultAnswer = (form: Form): JsonObject | undefined => {
  const checked = checkAnswer(form, {});
  return checked.kind === 'fits' ? checked.answer : undefined;
};
