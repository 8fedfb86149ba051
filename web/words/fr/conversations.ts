// The words of the list of conversations, and of beginning one, in French.

import { pluralIn } from '../../base/plural.ts';
import type { conversations as english } from '../en/conversations.ts';

const plural = pluralIn('fr');

export const conversations: typeof english = {
  title: 'Conversations',
  new: 'Nouvelle conversation',
  search: 'Rechercher',
  searchLabel: 'Chercher une conversation',
  searched:
    'La recherche porte sur les titres, les identifiants, les noms d’agents, ce que les personnes ont dit et ce que les agents ont répondu.',
  answered: (text) => `Agent : ${text}`,
  searchedFrom: (day) => `Cherché jusqu’au ${day}.`,
  searchFurther: 'Chercher plus loin',
  searching: 'Recherche…',
  found: (count) => plural(count, { one: '# trouvée', other: '# trouvées' }),
  noneFound: 'Rien n’a été trouvé.',
  lookedTo: (day) => `Regardé jusqu’au ${day}.`,
  lookFurther: 'Regarder plus loin',
  only: 'Afficher seulement celles de',
  allAgents: 'Tous les agents',
  filterLabel: 'Afficher',
  filters: {
    all: 'Toutes',
    needsYou: 'Vous attend',
    unread: 'Finies en votre absence',
    working: 'Au travail',
  },
  needsYou: (count) => plural(count, { one: 'vous attend', other: 'vous attend (#)' }),
  away: 'finie en votre absence',
  empty: 'Aucune conversation pour l’instant.',
  ordered: 'Les dernières commencées d’abord ; datées de ce qui s’y est passé en dernier.',
  emptyHint: 'Commencez-en une : choisissez un agent et dites ce qu’il faut faire.',
  noneFits: 'Aucune conversation ne correspond.',
  untitled: 'Sans titre',
  working: 'au travail',
  more: 'Afficher des conversations plus anciennes',
  begin: 'Commencer',
  agent: 'Agent',
  firstMessage: 'Que faut-il faire ?',
  noAgents: 'Il n’y a pas encore d’agent. Un administrateur en crée un avec POST /v1/agents.',
  shown: (count) => plural(count, { one: '# conversation', other: '# conversations' }),
  fresh: (count) =>
    plural(count, { one: '# nouvelle conversation', other: '# nouvelles conversations' }),
};
