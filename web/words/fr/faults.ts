// The page's words in French: tool calls marked as faulty.

import { pluralIn } from '../../base/plural.ts';
import type { faults as english } from '../en/faults.ts';

const plural = pluralIn('fr');

export const faults: typeof english = {
  title: 'Appels signalés comme fautifs',
  mark: 'Signaler comme fautif…',
  marked: 'Signalé comme fautif',
  marks: (count) => plural(count, { one: '# signalement', other: '# signalements' }),
  column: 'Fautes',
  formOf: (tool) => `Signaler ${tool} comme fautif`,
  should: 'Qu’aurait dû faire l’agent ?',
  kind: 'Qu’est-ce qui n’allait pas ?',
  noKind: 'Non précisé',
  kinds: {
    wrong_tool: 'Mauvais outil',
    wrong_arguments: 'Mauvais arguments',
    unneeded: 'Inutile',
    too_early: 'Trop tôt : autre chose devait venir avant',
    misread_result: 'Son résultat a été mal lu',
    other: 'Autre chose',
  },
  hint: 'Une note pour qui améliore l’agent. Elle ne change rien à cette exécution.',
  save: 'Signaler comme fautif',
  edit: 'Reformuler',
  changed: 'reformulé',
  takeBackAsk: 'Retirer…',
  takeBack: 'Retirer',
  erase: 'Retirer et effacer la note',
  takeBackHint:
    'Le signalement disparaît de toutes les listes. Qui a signalé l’appel, et quand, est conservé.',
  call: (step, call) => `Étape ${step}, appel ${call}`,
  agentHint:
    'Là où les lecteurs de ses exécutions ont vu cet agent se tromper, le plus récent d’abord.',
  empty: 'Personne n’a signalé d’appel de cet agent.',
};
