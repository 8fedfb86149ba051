// A problem as the API answers it: RFC 9457, with a stable type and words in the caller's language.
// Owns: the wire form. Nothing of an error's own message or stack ever gets into it.
import { z } from 'zod';
import type { Json } from '../../core/base/json.ts';
import { type Language, languages } from './language.ts';
import { type GivenOf, type ProblemSlug, wordsOf } from './words.ts';

/** Stable; the page behind it explains the problem. */
export const problemTypeBase = 'https://reprise.dev/problems/';
export const problemTypeOf = (slug: ProblemSlug): string => `${problemTypeBase}${slug}`;

/** One field that is not as it must be. `field` is a dotted path into the body; empty for the whole. */
export const FieldError = z.strictObject({
  field: z.string(),
  /** Stable word for the kind of mistake. */
  code: z.string(),
  reason: z.string(),
});
export type FieldError = z.infer<typeof FieldError>;

export const ProblemBody = z.looseObject({
  type: z.url(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  instance: z.string(),
  errors: z.array(FieldError).optional(),
});
export type ProblemBody = z.infer<typeof ProblemBody>;

interface Extras {
  /** Members beside the standard ones. */
  readonly members?: { readonly [name: string]: Json };
  /** Field errors, worded when the caller's language is known. */
  readonly errors?: (language: Language) => readonly FieldError[];
  readonly headers?: { readonly [name: string]: string };
}

type Said = { readonly [L in Language]: { readonly title: string; readonly detail: string } };

/** Thrown to answer with a problem; never leaves the API. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly slug: ProblemSlug;
  readonly status: number;
  readonly said: Said;
  readonly extras: Extras;

  constructor(slug: ProblemSlug, status: number, said: Said, extras: Extras) {
    super(said.en.detail);
    this.slug = slug;
    this.status = status;
    this.said = said;
    this.extras = extras;
  }
}

export const problem = <Slug extends ProblemSlug>(
  slug: Slug,
  given: GivenOf<Slug>,
  extras: Extras = {},
): Problem => {
  const { status, ...said } = wordsOf(slug, given);
  return new Problem(slug, status, said, extras);
};

const defaultHeaders: { readonly [Slug in ProblemSlug]?: { readonly [name: string]: string } } = {
  unauthenticated: { 'www-authenticate': 'Bearer' },
  'request-in-flight': { 'retry-after': '1' },
  busy: { 'retry-after': '1' },
};

/** Status, headers and body of a problem. `instance` is the path of the request. */
export const problemAnswer = (
  of: Problem,
  language: Language,
  instance: string,
): { status: number; headers: { readonly [name: string]: string }; body: ProblemBody } => {
  const errors = of.extras.errors?.(language);
  return {
    status: of.status,
    headers: {
      'content-type': 'application/problem+json',
      'content-language': language,
      ...defaultHeaders[of.slug],
      ...of.extras.headers,
    },
    body: {
      ...of.extras.members,
      type: problemTypeOf(of.slug),
      title: of.said[language].title,
      status: of.status,
      detail: of.said[language].detail,
      instance,
      ...(errors === undefined ? {} : { errors: [...errors] }),
    },
  };
};

export { languages };
