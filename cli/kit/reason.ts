// What was taken away or given back, and why: the reason on the command line, and the changes as the API tells them.
// Owns: the option --reason, the words of a change. A change without a reason is refused before anything is asked (L13).
import { z } from 'zod';
import { type Given, neededText, type Place } from './command.ts';
import { cut, table } from './table.ts';

export const reasonOption = {
  reason: {
    type: 'string',
    value: 'TEXT',
    en: 'Why (kept, and shown to others)',
    fr: 'Pourquoi (gardé, et montré aux autres)',
  },
} as const;

/** Throws UsageError when it is missing. */
export const reasonFrom = (given: Given, place: Place): { readonly reason: string } => ({
  reason: neededText(
    given,
    place,
    'reason',
    place.say('"The customer withdrew."', '"Le client s’est retiré."'),
  ),
});

export const By = z.looseObject({ kind: z.string(), name: z.string() });
type By = z.infer<typeof By>;

/** A machine's decision is shown as one. */
export const byWhom = ({ kind, name }: By): string =>
  cut(kind === 'person' ? name : `${name} (${kind})`, 40);

export const Change = z.looseObject({
  what: z.string(),
  at: z.string(),
  by: By,
  reason: z.string(),
});
type Change = z.infer<typeof Change>;

const whatWords: ReadonlyMap<string, readonly [en: string, fr: string]> = new Map([
  ['barred', ['barred', 'interdit']],
  ['unbarred', ['let again', 'permis à nouveau']],
  ['revoked', ['revoked', 'révoquée']],
  ['restored', ['restored', 'rétablie']],
]);

/** That it stood so already: since when, by whom and why; a further reason is not kept. */
export const alreadyWords = (state: string, last: Change | undefined, { say }: Place): string => {
  const since =
    last === undefined
      ? ''
      : say(
          `, since ${last.at}, by ${byWhom(last.by)}: ${cut(last.reason, 200)}`,
          `, depuis ${last.at}, par ${byWhom(last.by)} : ${cut(last.reason, 200)}`,
        );
  return say(
    `It is ${state} already${since}. Nothing was changed; your reason was not kept.`,
    `Déjà ${state}${since}. Rien n’a été changé ; votre motif n’a pas été gardé.`,
  );
};

/** When, what, who and why: oldest first, one a line. */
export const changeRows = (changes: readonly Change[], place: Place): string =>
  table(
    changes.map(({ what, at, by, reason }) => {
      const words = whatWords.get(what);
      return [at, words === undefined ? what : place.say(...words), byWhom(by), cut(reason, 120)];
    }),
  );
