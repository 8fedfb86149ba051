// Ce qui accompagne une demande, en français.
import type { again as english } from '../en/again.ts';

export const again: typeof english = {
  reissued: {
    label: 'Nouvelle intention',
    waits:
      'Une nouvelle intention de même contenu attend une approbation ; rien n’en a été envoyé :',
    stands: 'Une nouvelle intention de même contenu la remplace :',
  },
  against: {
    asked: 'Voici ce qui est demandé. En l’état rien ne partirait :',
  },
  barredTool: {
    approving:
      'Tant qu’il est interdit, approuver n’enverrait rien. Refusez, ou permettez d’abord l’outil à nouveau.',
    unsent: 'L’approbation a été donnée, mais rien n’a été envoyé : l’outil est interdit.',
    open: 'La page de l’outil',
  },
};
