// The page's words in French. Its type is the English list: a missing word is an error of the compiler.

import { frenchOf } from '../../../functions/core/french/said.ts';
import { pluralIn } from '../../base/plural.ts';
import type { Words } from '../en/first.ts';
import { domain } from './domain.ts';
import { screens } from './screens.ts';
import { signIn } from './sign-in.ts';

const plural = pluralIn('fr');

export const fr: Words = {
  language: 'Français',
  ...domain,
  ...screens,
  said: frenchOf,
  skip: 'Aller au contenu',
  nav: {
    label: 'Principale',
    conversations: 'Conversations',
    inbox: 'Réception',
    desk: 'Bureau de reprise',
    routines: 'Routines',
    agents: 'Agents',
    tools: 'Outils',
    skills: 'Compétences',
    overview: 'Vue d’ensemble',
    audit: 'Journal d’audit',
    settings: 'Réglages',
  },
  signIn,
  openKeys: 'Raccourcis',
  copy: {
    id: 'Copier l’identifiant',
    link: 'Copier le lien',
    json: 'Copier en JSON',
    markdown: 'Copier en Markdown',
    curl: 'Copier en curl',
    text: 'Copier',
    done: 'Copié',
    failed: 'Le navigateur a refusé la copie',
    menu: (what) => `Copier ${what} en…`,
  },
  problem: {
    unreachable: 'Le serveur est injoignable.',
    unreachableHint: 'La page redemande d’elle-même.',
    noAnswer: 'aucune réponse n’est venue. On ne sait pas si l’envoi est arrivé.',
    onceHint:
      'Rien ne repart de soi-même. Appuyez de nouveau sur le même bouton : cela ne compte qu’une fois.',
    lost: 'Connexion perdue ; nouveaux essais.',
    datesFrom: 'Ce qui est affiché date de',
    comesLater: 'Ceci s’affichera dès que la connexion reviendra.',
    retry: 'Réessayer',
    notFound: 'Il n’y a rien ici, ou vous ne pouvez pas le voir.',
    title: 'Cela n’a pas fonctionné',
    part: 'Cette partie de la page n’a pas pu être chargée ou affichée.',
    reload: 'Recharger la page',
  },
  loading: 'Chargement…',
  cancel: 'Annuler',
  sending: 'Envoi…',
  save: 'Enregistrer',
  more: 'Afficher plus',
  all: 'Tout',
  none: 'Aucun',
  unknown: 'Inconnu',
  elapsed: (length) => `depuis ${length}`,
  colon: ' : ',
  by: (name) => `par ${name}`,
  bytes: (count) => plural(count, { one: '# octet', many: '# d’octets', other: '# octets' }),
  steps: (count) => plural(count, { one: '# étape', other: '# étapes' }),
  attempts: (count) => plural(count, { one: '# tentative', other: '# tentatives' }),
};
