// What zod found wrong, as field errors in the caller's language. Owns: that translation.
import { z } from 'zod';
import type { Language } from './language.ts';
import type { FieldError } from './problems.ts';

const wordings = { en: z.locales.en().localeError, fr: z.locales.fr().localeError } as const;

const isObject = (value: unknown): value is { readonly [key: PropertyKey]: unknown } =>
  typeof value === 'object' && value !== null;

/** What stands at that path of the input, for wordings that name what was received. */
const inputAt = (input: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((here, key) => (isObject(here) ? here[key] : undefined), input);

const reasonOf = (issue: z.core.$ZodIssue, input: unknown, language: Language): string => {
  // A refinement has its own words, and may bring the French ones along.
  if (issue.code === 'custom') {
    const french = issue.params?.fr;
    return language === 'fr' && typeof french === 'string' ? french : issue.message;
  }
  const said = wordings[language]({
    ...issue,
    input: inputAt(input, issue.path),
  } as z.core.$ZodRawIssue);
  const text = typeof said === 'string' ? said : said?.message;
  return text ?? issue.message;
};

/** More of them help nobody, and an answer has its limit. */
const errorsMax = 50;
const charactersMax = 1_000;

const short = (text: string): string =>
  text.length <= charactersMax ? text : `${text.slice(0, charactersMax).toWellFormed()}…`;

/** The first ones. */
export const fieldErrorsOf =
  (error: z.ZodError, input: unknown) =>
  (language: Language): readonly FieldError[] =>
    error.issues.slice(0, errorsMax).map((issue) => ({
      field: short(issue.path.map(String).join('.')),
      code: issue.code,
      reason: short(reasonOf(issue, input, language)),
    }));
