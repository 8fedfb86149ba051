// What of a client's posted messages is taken: the newest one of the person, and only its text. All before it is the client's
// own display; our log is what counts. Owns: reading it. Laws: L11 (a message said twice under one id is one message).
// Tested in test/functions/api/clients/strand.test.ts.
import { z } from 'zod';
import type { Language } from '../problems/language.ts';
import { type Problem, problem } from '../problems/problems.ts';

/** An id that a client gives: a thread, a message. Ours derive from it. */
export const ClientId = z.string().min(1).max(512);

const words = {
  only_text: {
    en: 'Only text is taken: put the content of a file into words, or give a tool access to it.',
    fr: 'Seul le texte est accepté : décrivez le fichier, ou donnez-y accès à un outil.',
  },
  nothing_new: {
    en: 'There is nothing new here: the newest message must be a person’s, or an answer must be given.',
    fr: 'Rien de nouveau ici : le dernier message doit venir d’une personne, ou une réponse doit être donnée.',
  },
  id_reused: {
    en: 'This message id came with another text before. Give each message an id of its own; what was said stays as it is.',
    fr: 'Cet identifiant de message a déjà servi avec un autre texte. Donnez à chaque message le sien ; ce qui a été dit reste tel quel.',
  },
  edited_arguments: {
    en: 'What runs is exactly what was shown. Refuse it or ask for changes; the agent then proposes a new action.',
    fr: 'Ce qui s’exécute est exactement ce qui a été montré. Refusez ou demandez des modifications ; l’agent proposera une nouvelle action.',
  },
  not_shown: {
    en: 'The call that was answered is not the one that was asked about.',
    fr: 'L’appel auquel il est répondu n’est pas celui de la demande.',
  },
  misfits: {
    en: 'The answer does not have the form that was asked for.',
    fr: 'La réponse n’a pas la forme demandée.',
  },
  answered_twice: {
    en: 'One request is answered twice here, in two ways. Give one answer.',
    fr: 'Une demande reçoit ici deux réponses différentes. N’en donnez qu’une.',
  },
  decided_at_the_desk: {
    en: 'Whether it was carried out is decided at the recovery desk, by whoever claims it.',
    fr: 'C’est au bureau de reprise que l’on décide si elle a eu lieu, par qui en prend la charge.',
  },
} as const satisfies { readonly [code: string]: { readonly [L in Language]: string } };

export const misfit = (field: string, code: keyof typeof words): Problem =>
  problem(
    'invalid-body',
    {},
    { errors: (language) => [{ field, code, reason: words[code][language] }] },
  );

const Part = z.looseObject({ type: z.string(), text: z.string().optional() });

/** The text of a message's parts. Throws the problem for a part that holds something else. */
export const textOfParts = (parts: unknown, field: string, ignored: RegExp = /^$/): string => {
  const read = z.array(Part).safeParse(parts);
  if (!read.success) throw misfit(field, 'only_text');
  return read.data
    .flatMap(({ type, text }) => {
      if (type === 'text' && text !== undefined) return [text];
      if (ignored.test(type)) return [];
      throw misfit(field, 'only_text');
    })
    .join('\n');
};
