// The words of each screen, in French.

import { pluralIn } from '../../base/plural.ts';
import type { screens as english } from '../en/screens.ts';
import { conversations } from './conversations.ts';

const plural = pluralIn('fr');

const thread: (typeof english)['thread'] = {
  label: 'Fil',
  back: 'Toutes les conversations',
  empty: 'Rien n’a encore été dit.',
  you: 'vous',
  run: (number) => `Exécution ${number}`,
  step: (step) => `Étape ${step}`,
  earlier: 'Afficher les exécutions précédentes',
  newItems: (count) => plural(count, { one: '# nouveauté', other: '# nouveautés' }),
  toLatest: 'Aller à la fin',
  writing: 'L’agent écrit…',
  thinking: 'L’agent réfléchit…',
  fates: {
    waiting: 'en file : lu à la prochaine étape',
    started: 'a lancé l’exécution',
    held: 'retenu : l’exécution attendue a pris fin',
    withdrawn: 'retiré',
    sending: 'envoi…',
  },
  takenAt: (step) => `lu à l’étape ${step}`,
  withdraw: 'Retirer',
  edit: 'Modifier',
  sendAgain: 'L’envoyer maintenant',
  facts: 'Faits communiqués à l’agent',
  told: 'Ce que l’agent a appris',
  neverAction: 'Cet appel n’est jamais devenu une action ; rien n’a été envoyé.',
  openRun: 'Voir l’exécution',
  connection: {
    connecting: 'Connexion…',
    live: 'En direct',
    polling: 'Lecture chaque seconde',
    lost: 'Connexion perdue ; nouvel essai',
    gone: 'Plus suivie',
  },
};

const composer: (typeof english)['composer'] = {
  label: 'Message',
  placeholder: 'Dites ce qu’il faut faire…',
  placeholderSteer: 'Écrivez à l’agent au travail ; il vous lira à sa prochaine étape…',
  send: 'Envoyer',
  steer: 'Le dire à l’agent',
  hint: 'Ctrl/Cmd + Entrée',
  stop: 'Arrêter',
  stopping: 'Arrêt en cours…',
  tooLong: (max) => `${max.toLocaleString('fr')} caractères au plus.`,
};

const runLine: (typeof english)['runLine'] = {
  running: (step, limit) => `Au travail, étape ${step} sur ${limit} au plus`,
  waitingFor: (what) => `Attend ${what}`,
  goesOn: 'Décidé : l’exécution reprend.',
  stopping: 'S’arrête : rien de nouveau n’est envoyé ; ce qui est parti est attendu.',
  review: 'Examiner',
  answer: 'Répondre',
  grant: 'Accorder ou refuser',
  recover: 'Décider',
  doneDetail: (steps, time) => `${steps}, ${time}`,
  goOn: 'Lui demander de continuer',
  stoppedEffects: 'Ce qui a eu lieu avant l’arrêt :',
  stoppedNothing: 'Rien n’avait été envoyé.',
  seeWhy: 'Voir ce qui l’a bloquée',
  unresolved: (count) =>
    plural(count, { one: '# action n’est pas réglée', other: '# actions ne sont pas réglées' }),
  usage: (input, output) => `${input} jetons lus, ${output} écrits`,
};

const call: (typeof english)['call'] = {
  destination: 'Destination',
  account: 'Compte',
  apiVersion: 'Version de l’API',
  tool: 'Outil',
  version: (version) => `version ${version}`,
  arguments: 'Arguments',
  result: 'Résultat',
  error: 'Erreur',
  noResult: 'Aucun résultat pour l’instant.',
  reference: 'Référence chez la destination',
  id: 'Action',
  digest: 'Empreinte',
  journal: 'Journal',
  planned: 'Planifiée et écrite',
  wholeResult: 'Afficher le résultat entier',
  cutCopy: (bytes) => `L’agent a reçu une copie coupée ; l’ensemble fait ${bytes}.`,
  attempt: (attempt) => `Tentative ${attempt}`,
  engaged: 'engagée',
  deadline: 'peut être en route jusqu’au',
  authorised: {
    plan: 'autorisée par le plan',
    approval: 'autorisée par une approbation',
    verdict: 'autorisée par un verdict',
    decision: 'autorisée par une décision',
    answer: 'autorisée par une réponse',
  },
  covered: 'Couverture',
  seenAt: 'Référence',
  assertion: 'Affirmation de l’agent ; les preuves sont dans les appels ci-dessus.',
  asText: 'Texte exact',
  hidden: (code) => `caractère caché ${code}`,
  shownOf: (shown, all) => `${shown} caractères affichés sur ${all}`,
  because: 'Raison',
  openAction: 'Page de l’action',
};

const inbox: (typeof english)['inbox'] = {
  title: 'Boîte de réception',
  empty: 'Rien ne vous attend.',
  emptyHint:
    'Les questions, approbations, demandes de compétence et actions indéterminées de toutes les conversations paraissent ici.',
  open: 'Ouvrir dans le fil',
  count: (count) => plural(count, { one: '# demande ouverte', other: '# demandes ouvertes' }),
  fresh: (count) => plural(count, { one: '# nouvelle demande', other: '# nouvelles demandes' }),
};

export const screens: typeof english = {
  conversations,
  thread,
  composer,
  runLine,
  call,
  inbox,
};
