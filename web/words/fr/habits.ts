// The words of the settings and of the list of keys, and how a quotation is marked, in French.
import type { habits as english } from '../en/habits.ts';

export const habits: typeof english = {
  quotes: ['« ', ' »'],
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
  keys: {
    title: 'Raccourcis clavier',
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
    note: 'Les lettres seules ne font rien pendant que vous écrivez, et se désactivent dans les réglages. Approuver et refuser n’ont pas de touche.',
  },
};
