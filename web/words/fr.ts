// The page's words in French. Its type is the English list: a missing word is an error of the compiler.

import { frenchOf } from '../../functions/core/said-fr.ts';
import type { Words } from './en.ts';
import { domain } from './fr-domain.ts';
import { screens } from './fr-screens.ts';
import { signIn } from './fr-sign-in.ts';
import { pluralIn } from './plural.ts';

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
    menu: 'Menu',
    more: 'Plus',
  },
  signIn,
  settings: {
    title: 'Réglages',
    language: 'Langue',
    theme: 'Thème',
    themes: { system: 'Comme le système', light: 'Clair', dark: 'Sombre' },
    times: 'Heures',
    timeStyles: { relative: 'Relatives', local: 'Fuseau local', utc: 'UTC' },
    letterKeys: 'Touches d’une seule lettre',
    on: 'Actives',
    off: 'Inactives',
    account: 'Compte',
    expires: 'Connexion valable jusqu’au',
  },
  keyboard: {
    title: 'Raccourcis clavier',
    open: 'Raccourcis',
    close: 'Fermer',
    send: 'Envoyer le message',
    newConversation: 'Nouvelle conversation',
    search: 'Rechercher une conversation',
    next: 'Conversation suivante',
    previous: 'Conversation précédente',
    composer: 'Écrire un message',
    needsYou: 'Prochaine chose qui vous attend',
    latest: 'Aller à la fin',
    list: 'Cette liste',
    go: (place) => `Aller à : ${place}`,
    leave: 'Quitter un champ, fermer une fenêtre',
    mod: 'Ctrl/Cmd',
    note: 'Les lettres seules ne font rien pendant que vous écrivez, et se désactivent dans les réglages. Approuver et refuser n’ont pas de touche.',
  },
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
    unreachableHint:
      'Ce que vous avez fait n’est pas perdu si c’était confirmé. La page réessaie d’elle-même.',
    retry: 'Réessayer',
    notFound: 'Il n’y a rien ici, ou vous ne pouvez pas le voir.',
    title: 'Cela n’a pas fonctionné',
  },
  loading: 'Chargement…',
  cancel: 'Annuler',
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
