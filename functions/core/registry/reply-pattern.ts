// What an answer must look like: the one language in which a contract speaks of replies, whatever address they come from.
// Owns: the schema of patterns, and whether an answer fits one. Laws: L1 (what a pattern does not name proves nothing), L22
// (no pattern is a regular expression: the time grows with the answer alone).
// Tested in test/core/perform/reply.test.ts.
import { z } from 'zod';
import { canonicalJson, Json, stepInto } from '../base/json.ts';

export const Path = z
  .string()
  .max(256)
  .describe('Dotted path into the reply body, e.g. "data.id", "items.0.ref", "items.*.ref".');

/** What is said of one value. Every part given must hold; with none, it must be there. `null` is not there. */
const conditions = {
  equals: Json.optional(),
  oneOf: z.array(Json).min(1).optional(),
  exists: z.boolean().optional(),
  notNull: z.literal(true).optional(),
  /** A part of a text, or an element of a list. */
  contains: z.string().min(1).max(1_024).optional(),
  startsWith: z.string().min(1).max(1_024).optional(),
};
const Conditions = z.strictObject(conditions);
type Conditions = z.infer<typeof Conditions>;

/** What a reply must look like. Every part given must hold. An empty pattern is refused: it would match everything. */
export const ReplyPattern = z
  .strictObject({
    status: z.array(z.int().min(100).max(599)).min(1).optional(),
    hasBody: z.boolean().optional(),
    fields: z
      .array(z.strictObject({ path: Path, ...conditions }))
      .min(1)
      .optional(),
    headers: z
      .array(z.strictObject({ name: z.string().min(1).max(128), ...conditions }))
      .min(1)
      .optional(),
  })
  .refine((pattern) => Object.keys(pattern).length > 0, {
    message: 'A reply pattern must name something.',
    params: { fr: 'Un motif de réponse doit nommer quelque chose.' },
  });
export type ReplyPattern = z.infer<typeof ReplyPattern>;

export interface Reply {
  readonly status: number;
  readonly body: Json | undefined;
  /** By names in lower case. */
  readonly headers?: { readonly [name: string]: string };
  /** The answer says of itself that it failed, whatever its status; only a pattern that names this can then prove anything. */
  readonly reportsFailure?: boolean;
}

/** Every value at a path; `*` is any element of a list. */
export const valuesAt = (value: Json | undefined, path: string): readonly Json[] => {
  let here: readonly Json[] = value === undefined ? [] : [value];
  for (const part of path === '' ? [] : path.split('.'))
    here = here.flatMap((one) => {
      if (part === '*' && Array.isArray(one)) return one as readonly Json[];
      const inner = stepInto(one, part);
      return inner === undefined ? [] : [inner];
    });
  return here;
};

const equal = (left: Json, right: Json): boolean => canonicalJson(left) === canonicalJson(right);

const fits = (
  value: Json,
  { equals, oneOf, contains, startsWith, ...said }: Conditions,
): boolean => {
  const isNull = value === null;
  const plain = equals === undefined && oneOf === undefined;
  if (isNull && (said.exists === true || said.notNull === true || plain)) return false;
  if (equals !== undefined && !equal(value, equals)) return false;
  if (oneOf !== undefined && !oneOf.some((allowed) => equal(value, allowed))) return false;
  if (startsWith !== undefined && !(typeof value === 'string' && value.startsWith(startsWith)))
    return false;
  if (contains === undefined) return true;
  return typeof value === 'string' || Array.isArray(value) ? value.includes(contains) : false;
};

/** Of several values, as at `items.*.id`, one must fit. */
const holds = (values: readonly Json[], said: Conditions): boolean => {
  if (said.exists !== false) return values.some((value) => fits(value, said));
  return values.every((value) => value === null);
};

export const matches = (pattern: ReplyPattern, reply: Reply): boolean => {
  if (pattern.status && !pattern.status.includes(reply.status)) return false;
  if (pattern.hasBody !== undefined && pattern.hasBody !== (reply.body !== undefined)) return false;
  const { fields = [], headers = [] } = pattern;
  return (
    fields.every(({ path, ...said }) => holds(valuesAt(reply.body, path), said)) &&
    headers.every(({ name, ...said }) => {
      const value = reply.headers?.[name.toLowerCase()];
      return holds(value === undefined ? [] : [value], said);
    })
  );
};

/** Blanks, comments and declarations of XML before a page begins; bounded, so that no text takes long. */
const beforePage = /^\uFEFF?\s*(?:<!--[\s\S]{0,2000}?-->|<\?[^>]{0,200}\?>)?/;
const preambleMax = 20;

/** A web page where an API's answer was promised: a gateway, a sign-in or a proxy can have written it. */
export const isWebPage = ({ body }: Reply): boolean => {
  if (typeof body !== 'string') return false;
  let rest = body;
  for (let parts = 0; parts < preambleMax; parts += 1) {
    const [before = ''] = beforePage.exec(rest) ?? [];
    if (before === '') break;
    rest = rest.slice(before.length);
  }
  return /^\s*<(?:!doctype\s+html|html|head|body|title)\b/i.test(rest);
};

/** Where an MCP server or a function says in its answer that the call failed. */
const failureField = /^(?:isError|jsonrpcError|functionError)(?:\.|$)/;

const speaksOf = ({ fields = [] }: ReplyPattern, which: (path: string) => boolean): boolean =>
  fields.some(({ path }) => which(path));

/**
 * Whether an answer is one that a pattern takes for proof. More is asked than that it fits: a pattern that names no status speaks
 * of 2xx; one that does not say so speaks neither of answers that report their own failure nor of web pages.
 */
export const proves = (pattern: ReplyPattern, reply: Reply): boolean => {
  if (!matches(pattern, reply)) return false;
  if (pattern.status === undefined && (reply.status < 200 || reply.status > 299)) return false;
  if (reply.reportsFailure === true && !speaksOf(pattern, (path) => failureField.test(path)))
    return false;
  return (
    !isWebPage(reply) || pattern.headers !== undefined || speaksOf(pattern, (path) => path === '')
  );
};

const Answer = z.strictObject({ reply: ReplyPattern, reference: Path.optional() });
const Reason = z.strictObject({ reply: ReplyPattern, because: z.string().min(1).optional() });

/**
 * What the answers of one address may say, each in its patterns. `failed` with `because` proves that nothing was done; without, it
 * says that the work ended and not with what. `nothing` proves neither, whatever else it looks like.
 */
export const AnswerPatterns = z.strictObject({
  succeeded: z.array(Answer).min(1).optional(),
  accepted: z.array(Answer).min(1).optional(),
  running: z
    .array(z.strictObject({ reply: ReplyPattern }))
    .min(1)
    .optional(),
  failed: z.array(Reason).min(1).optional(),
  nothing: z.array(Reason).min(1).optional(),
});
export type AnswerPatterns = z.infer<typeof AnswerPatterns>;
