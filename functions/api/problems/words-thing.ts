// Problems of the things a request is about: tools, messages, runs, people's requests. Owns: their words.
import { kind, when } from './kind.ts';

interface Decided {
  readonly by: string;
  readonly at: string;
  readonly decision: Decision;
}
const decisions = {
  approved: { en: 'approved it', fr: 'l’a approuvée' },
  refused: { en: 'refused it', fr: 'l’a refusée' },
  changes_requested: { en: 'asked for changes', fr: 'a demandé des modifications' },
  answered: { en: 'answered it', fr: 'y a répondu' },
  granted: { en: 'granted it', fr: 'l’a accordée' },
  declined: { en: 'declined to answer', fr: 'a décliné d’y répondre' },
  settled: { en: 'settled it', fr: 'l’a réglée' },
  expired: { en: 'closed it because it had expired', fr: 'l’a close car elle avait expiré' },
  voided: { en: 'voided it', fr: 'l’a annulée' },
} as const;
export type Decision = keyof typeof decisions;

export const thingProblems = {
  'invalid-contract': kind(
    422,
    ['Contract contradicts itself', () => '"errors" names each field and the reason.'],
    ['Contrat contradictoire', () => '« errors » nomme chaque champ et la raison.'],
  ),
  'already-exists': kind<{ name: string }>(
    409,
    [
      'Exists already',
      ({ name }) => `There is a tool named "${name}" already. Register a new version of it.`,
    ],
    [
      'Existe déjà',
      ({ name }) => `Il existe déjà un outil « ${name} ». Enregistrez-en une nouvelle version.`,
    ],
  ),
  'too-many-messages-waiting': kind<{ max: number }>(
    409,
    [
      'Too many messages waiting',
      ({ max }) => `${max} messages wait to be read. Wait for the agent, or withdraw some.`,
    ],
    [
      'Trop de messages en attente',
      ({ max }) => `${max} messages attendent d’être lus. Attendez l’agent, ou retirez-en.`,
    ],
  ),
  'message-taken': kind(
    409,
    ['Already read', () => 'The agent has read the message; it can no longer be withdrawn.'],
    ['Déjà lu', () => 'L’agent a lu ce message ; il ne peut plus être retiré.'],
  ),
  'message-of-another': kind(
    403,
    ['Not your message', () => 'Only its sender can withdraw a message.'],
    ['Message d’autrui', () => 'Seul son auteur peut retirer un message.'],
  ),
  'run-finished': kind<{ reason: string }>(
    409,
    ['Run is over', ({ reason }) => `The run has finished already (${reason}).`],
    ['Exécution terminée', ({ reason }) => `L’exécution est déjà terminée (${reason}).`],
  ),
  'run-not-continuable': kind(
    409,
    [
      'Cannot be continued',
      () =>
        'Only a conversation’s last run can be continued, and only after the step limit or where no whole answer came.',
    ],
    [
      'Ne peut être continuée',
      () =>
        'Seule la dernière exécution d’une conversation peut être continuée, et seulement après la limite d’étapes ou sans réponse entière.',
    ],
  ),
  'already-answered': kind<Decided>(
    409,
    [
      'Already answered',
      ({ by, at, decision }) => `${by} ${decisions[decision].en} on ${when('en', at)} UTC.`,
    ],
    [
      'Déjà répondu',
      ({ by, at, decision }) => `${by} ${decisions[decision].fr} le ${when('fr', at)} UTC.`,
    ],
  ),
  'request-expired': kind<{ at: string }>(
    409,
    ['Expired', ({ at }) => `The request expired on ${when('en', at)} UTC.`],
    ['Expirée', ({ at }) => `La demande a expiré le ${when('fr', at)} UTC.`],
  ),
  'digest-changed': kind<{ digest: string }>(
    409,
    [
      'Not what you saw',
      ({ digest }) => `The action’s digest is ${digest}. Look at it again before you approve.`,
    ],
    [
      'Contenu différent',
      ({ digest }) => `L’empreinte de l’action est ${digest}. Relisez-la avant d’approuver.`,
    ],
  ),
  'answer-does-not-fit': kind<{ on: string }>(
    409,
    ['Answer does not fit', ({ on }) => `This request is of kind "${on}"; answer it as such.`],
    [
      'Réponse inadaptée',
      ({ on }) => `Cette demande est de type « ${on} » ; répondez-y comme telle.`,
    ],
  ),
  'no-result-yet': kind(
    409,
    ['No result yet', () => 'The agent has not been told a result of this action yet.'],
    ['Pas encore de résultat', () => 'L’agent n’a pas encore reçu de résultat de cette action.'],
  ),
};
