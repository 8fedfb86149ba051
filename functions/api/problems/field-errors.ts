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

type Issue = z.core.$ZodIssue;

const values = (options: readonly unknown[]): string =>
  options.map((option) => `'${String(option)}'`).join(' | ');

/** What zod's own French leaves out of what its English says. */
const frenchOf = (issue: Issue): string | undefined => {
  switch (issue.code) {
    case 'invalid_union':
      if ('options' in issue && Array.isArray(issue.options) && issue.options.length > 0)
        return `Discriminant invalide : une valeur parmi ${values(issue.options)} attendue`;
      return 'inclusive' in issue && issue.inclusive === false
        ? 'Entrée invalide : plusieurs options conviennent'
        : undefined;
    default:
      return undefined;
  }
};

const wordingOf = (issue: Issue, input: unknown, language: Language): string => {
  const said = wordings[language]({
    ...issue,
    input: inputAt(input, issue.path),
  } as z.core.$ZodRawIssue);
  const text = typeof said === 'string' ? said : said?.message;
  return text ?? issue.message;
};

const reasonOf = (issue: Issue, input: unknown, language: Language): string => {
  // A refinement has its own words, and may bring the French ones along.
  if (issue.code === 'custom') {
    const french = issue.params?.fr;
    return language === 'fr' && typeof french === 'string' ? french : issue.message;
  }
  const said =
    (language === 'fr' ? frenchOf(issue) : undefined) ?? wordingOf(issue, input, language);
  const exactly = 'exact' in issue && issue.exact === true && language === 'fr';
  // Zod's French says "at least" or "at most" where exactly so many are meant.
  const whole = exactly ? said.replace(/[<>]=(?=\d)/, 'exactement ') : said;
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    const forms = issue.errors.flatMap(([first]) =>
      first ? reasonOf(first, input, language) : [],
    );
    return [...new Set(forms)].join(language === 'fr' ? ', ou : ' : ', or: ');
  }
  if (issue.code !== 'invalid_key' && issue.code !== 'invalid_element') return whole;
  const within = issue.issues.map((one) => reasonOf(one, undefined, language));
  return [whole, ...within].join(language === 'fr' ? ' : ' : ': ');
};

const under = (path: readonly PropertyKey[], issue: Issue): Issue => ({
  ...issue,
  path: [...path, ...issue.path],
});

/** How many things deep the input went along with a form before it did not. */
const depthOf = (issues: readonly Issue[]): number =>
  Math.max(0, ...issues.map(({ path }) => path.length));

/** What fits none of several forms is told by the one that it came nearest to: "invalid" by itself says nothing. */
const told = (issue: Issue): readonly Issue[] => {
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [issue];
  const forms = issue.errors.map((form) => form.flatMap(told));
  if (forms.every((form) => depthOf(form) === 0)) return [issue];
  const [nearest = [issue]] = forms.toSorted(
    (a, b) => depthOf(b) - depthOf(a) || a.length - b.length,
  );
  return nearest.map((one) => under(issue.path, one));
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
    error.issues
      .flatMap(told)
      .slice(0, errorsMax)
      .map((issue) => ({
        field: short(issue.path.map(String).join('.')),
        code: issue.code,
        reason: short(reasonOf(issue, input, language)),
      }));
