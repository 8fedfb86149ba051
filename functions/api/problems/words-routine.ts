// Problems of routines and their occurrences. Owns: their words.
import { kind } from './kind.ts';

const notRetryable = {
  run_active: {
    en: 'Its run has not ended.',
    fr: 'Son exécution n’est pas terminée.',
  },
  run_succeeded: {
    en: 'Its run did not fail; run the routine now for another one.',
    fr: 'Son exécution n’a pas échoué ; lancez la routine pour en obtenir une autre.',
  },
  skipped: {
    en: 'It was skipped, so there is nothing to try again; run the routine now.',
    fr: 'Elle a été omise : il n’y a rien à retenter ; lancez la routine maintenant.',
  },
} as const;
export type NotRetryable = keyof typeof notRetryable;

export const routineProblems = {
  'routine-changed': kind<{ rev: number }>(
    409,
    [
      'Somebody else changed it',
      ({ rev }) => `The routine is now at revision ${rev}. Read it again before you change it.`,
    ],
    [
      'Modifiée par autrui',
      ({ rev }) => `La routine en est à la révision ${rev}. Relisez-la avant de la modifier.`,
    ],
  ),
  'occurrence-not-retryable': kind<{ hindrance: NotRetryable }>(
    409,
    ['Nothing to try again', ({ hindrance }) => notRetryable[hindrance].en],
    ['Rien à retenter', ({ hindrance }) => notRetryable[hindrance].fr],
  ),
};
