// How one problem is written down: a status and its words in every language. Owns: that form, and how an instant is said.
// Tested in test/functions/api/problems/problems.test.ts.
import { frenchDate } from '../../core/french/date.ts';
import type { Language } from './language.ts';

interface Words<Given> {
  readonly title: string;
  readonly detail: (given: Given) => string;
}
export type Kind<Given> = { readonly status: number } & { readonly [L in Language]: Words<Given> };

export const kind = <Given = Record<never, never>>(
  status: number,
  en: readonly [title: string, detail: (given: Given) => string],
  fr: readonly [title: string, detail: (given: Given) => string],
): Kind<Given> => ({
  status,
  en: { title: en[0], detail: en[1] },
  fr: { title: fr[0], detail: fr[1] },
});

/** An instant as people read it, in UTC: the API does not know where its reader is. */
export const when = (language: Language, iso: string): string => {
  const formatted = new Intl.DateTimeFormat(language === 'fr' ? 'fr-FR' : 'en-GB', {
    dateStyle: 'long',
    timeStyle: 'medium',
    timeZone: 'UTC',
  }).format(new Date(iso));
  return language === 'fr' ? frenchDate(formatted) : formatted;
};
