// Problems of people's requests: voided ones, answers without a name, what may not be remembered. Owns: their words.
import { kind, when } from './kind.ts';

const against = {
  irreversible: {
    en: 'It cannot be taken back, so each such call is approved by itself.',
    fr: 'Cette action est irréversible : chacune doit être approuvée pour elle-même.',
  },
  look_alike: {
    en: 'It looks like another action, so it is approved by itself.',
    fr: 'Elle ressemble à une autre action : elle doit être approuvée pour elle-même.',
  },
} as const;

export const peopleProblems = {
  'request-voided': kind<{ because: string; at: string }>(
    409,
    [
      'Voided',
      ({ because, at }) => `Nobody can answer it any more since ${when('en', at)} UTC. ${because}`,
    ],
    [
      'Annulée',
      ({ because, at }) =>
        `Plus personne ne peut y répondre depuis le ${when('fr', at)} UTC. Raison : ${because}`,
    ],
  ),
  'several-open': kind<{ count: number }>(
    409,
    [
      'Name the request',
      ({ count }) =>
        `${count} requests are open here; answer one of "requests" by its own address.`,
    ],
    [
      'Précisez la demande',
      ({ count }) =>
        `${count} demandes sont ouvertes ici ; répondez à l’une de « requests » à sa propre adresse.`,
    ],
  ),
  'nothing-open': kind(
    409,
    ['Nothing to answer', () => 'No request is open in this conversation.'],
    ['Rien à répondre', () => 'Aucune demande n’est ouverte dans cette conversation.'],
  ),
  'not-rememberable': kind<{ why: keyof typeof against }>(
    409,
    ['Cannot be remembered', ({ why }) => `${against[why].en} Approve it without "remember".`],
    ['Ne peut être mémorisée', ({ why }) => `${against[why].fr} Approuvez-la sans « remember ».`],
  ),
  'skill-exists': kind<{ name: string }>(
    409,
    [
      'Exists already',
      ({ name }) => `There is a skill named "${name}" already. Register a new version of it.`,
    ],
    [
      'Existe déjà',
      ({ name }) =>
        `Il existe déjà une compétence « ${name} ». Enregistrez-en une nouvelle version.`,
    ],
  ),
};
