// Which of our languages a caller reads. Owns: the choice from `Accept-Language`.
// Tested in test/functions/api/problems/problems.test.ts.
import { parseAccept } from 'hono/utils/accept';

export const languages = ['en', 'fr'] as const;
export type Language = (typeof languages)[number];

/** The caller's first language that we speak, by quality; English when there is none. */
export const languageOf = (acceptLanguage: string | undefined): Language => {
  if (acceptLanguage === undefined) return 'en';
  const wanted = parseAccept(acceptLanguage).toSorted((a, b) => b.q - a.q);
  for (const { type, q } of wanted) {
    const primary = type.split('-', 1)[0]?.toLowerCase();
    const spoken = languages.find((language) => language === primary);
    if (spoken !== undefined && q > 0) return spoken;
  }
  return 'en';
};
