// Every problem the API can answer, by its name. A missing French text does not compile.
// Owns: the table. docs/problems.md lists the same; a test holds one against the other.

import type { Kind } from './kind.ts';
import { type Language, languages } from './language.ts';
import { deskProblems } from './words-desk.ts';
import { faultProblems } from './words-faults.ts';
import { peopleProblems } from './words-people.ts';
import { requestProblems } from './words-request.ts';
import { routineProblems } from './words-routine.ts';
import { thingProblems } from './words-thing.ts';

export const problems = {
  ...requestProblems,
  ...thingProblems,
  ...deskProblems,
  ...peopleProblems,
  ...routineProblems,
  ...faultProblems,
};
export type ProblemSlug = keyof typeof problems;
export type GivenOf<Slug extends ProblemSlug> =
  (typeof problems)[Slug] extends Kind<infer Given> ? Given : never;

export const problemSlugs = Object.keys(problems).filter(
  (slug): slug is ProblemSlug => slug in problems,
);

/** Status and words of one problem in one language. */
export const wordsOf = <Slug extends ProblemSlug>(
  slug: Slug,
  given: GivenOf<Slug>,
): { readonly status: number } & {
  readonly [L in Language]: { readonly title: string; readonly detail: string };
} => {
  const table: { readonly [S in ProblemSlug]: Kind<GivenOf<S>> } = problems;
  const entry: Kind<GivenOf<Slug>> = table[slug];
  const said = (language: Language) => ({
    title: entry[language].title,
    detail: entry[language].detail(given),
  });
  const [en, fr] = languages;
  return { status: entry.status, [en]: said(en), [fr]: said(fr) };
};
