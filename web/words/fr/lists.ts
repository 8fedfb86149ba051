// The words of long lists, in French.

import { pluralIn } from '../../base/plural.ts';
import type { lists as english } from '../en/lists.ts';

const plural = pluralIn('fr');

export const lists: typeof english = {
  nowhere: {
    title: 'Il n’y a rien à cette adresse',
    hint: 'Elle est peut-être mal saisie, ou a été coupée en la copiant.',
  },
  narrow: 'Restreindre la liste',
  kind: 'Genre',
  agent: 'Agent',
  tool: 'Outil',
  state: 'État',
  age: 'Âge',
  ages: {
    '': 'Tous',
    '3600000': 'Plus d’une heure',
    '86400000': 'Plus d’un jour',
    '604800000': 'Plus d’une semaine',
  },
  more: 'Afficher la suite',
  noneFits: 'Rien ne correspond.',
  showAll: 'Tout afficher',
  fresh: (count) => plural(count, { one: '# nouvelle action', other: '# nouvelles actions' }),
  oldest: (count) =>
    plural(count, {
      one: 'La plus ancienne',
      other: 'Les # plus anciennes ; d’autres suivent',
    }),
  atLeast: (count) => plural(count, { one: 'Plus de # demande', other: 'Plus de # demandes' }),
};
