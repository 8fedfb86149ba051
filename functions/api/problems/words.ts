// Every problem the API can answer, by its name. A missing French text does not compile.
// Owns: the table. docs/problems.md lists the same; a test holds one against the other.
// Tested in test/functions/api/problems/problems.test.ts.

import { type Kind, kind, when } from './kind.ts';
import { type Language, languages } from './language.ts';
import { deskProblems } from './words-desk.ts';

// Problems of people's requests: voided ones, answers without a name, what may not be remembered.

const against = {
  irreversible: {
    en: 'It cannot be taken back, so each such call is approved by itself.',
    fr: 'Cette action est irréversible : chacune doit être approuvée pour elle-même.',
  },
  look_alike: {
    en: 'It looks like another action, so it is approved by itself.',
    fr: 'Elle ressemble à une autre action : elle doit être approuvée pour elle-même.',
  },
  contract: {
    en: 'The tool’s contract lets no approval be remembered (policy.remember: never).',
    fr: 'Le contrat de l’outil ne laisse mémoriser aucune approbation (policy.remember : never).',
  },
  contract_run_only: {
    en: 'The tool’s contract lets it be remembered within its run only (policy.remember: run).',
    fr: 'Le contrat de l’outil ne laisse mémoriser que pour l’exécution en cours (policy.remember : run).',
  },
} as const;

const peopleProblems = {
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
  'cannot-run-now': kind<{ en: string; fr: string }>(
    409,
    ['Nothing could be sent now', ({ en }) => `${en} It was not approved; the request stays open.`],
    [
      'Rien ne pourrait partir',
      ({ fr }) => `${fr} Elle n’a pas été approuvée ; la demande reste ouverte.`,
    ],
  ),
  'look-alike-found': kind<{ en: string; fr: string }>(
    409,
    [
      'Another one looks alike',
      ({ en }) =>
        `Since this was asked, another action that looks alike has come up: ${en} The request shows it now. Look at both, then approve again.`,
    ],
    [
      'Une autre lui ressemble',
      ({ fr }) =>
        `Depuis cette demande, une action semblable est apparue : ${fr} La demande la montre maintenant. Regardez les deux, puis approuvez de nouveau.`,
    ],
  ),
  'skill-changed': kind<{ name: string; was: number; version?: number }>(
    409,
    [
      'The skill has changed since',
      ({ name, was, version }) =>
        version === undefined
          ? `Since version ${was} of the skill "${name}" was asked for, it was taken out of the agent. It was not granted; the request stays open. Refuse it, or put the skill back first.`
          : `Version ${was} of the skill "${name}" was asked for, and the agent has version ${version} by now. It was not granted; the request shows version ${version}. Look at it, then grant again.`,
    ],
    [
      'La compétence a changé depuis',
      ({ name, was, version }) =>
        version === undefined
          ? `Depuis que la version ${was} de la compétence « ${name} » a été demandée, elle a été retirée de l’agent. Elle n’a pas été accordée ; la demande reste ouverte. Refusez-la, ou remettez d’abord la compétence.`
          : `La version ${was} de la compétence « ${name} » était demandée, et l’agent a maintenant la version ${version}. Elle n’a pas été accordée ; la demande montre la version ${version}. Regardez-la, puis accordez de nouveau.`,
    ],
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

// Problems of a request as such: who sends it, its form, its key.

const requestProblems = {
  unauthenticated: kind(
    401,
    ['Not signed in', () => 'No valid token came with the request. Sign in and send it again.'],
    [
      'Non authentifié',
      () => 'La requête ne porte aucun jeton valable. Connectez-vous, puis renvoyez-la.',
    ],
  ),
  forbidden: kind<{ role: string }>(
    403,
    ['Not allowed', ({ role }) => `This needs the role "${role}". Ask an administrator for it.`],
    [
      'Non autorisé',
      ({ role }) => `Il faut pour cela le rôle « ${role} ». Demandez-le à un administrateur.`,
    ],
  ),
  'not-found': kind(
    404,
    ['Not found', () => 'There is no such thing in this workspace. Check the address.'],
    ['Introuvable', () => 'Rien de tel n’existe dans cet espace de travail. Vérifiez l’adresse.'],
  ),
  'method-not-allowed': kind<{ allowed: string }>(
    405,
    ['Method not allowed', ({ allowed }) => `This address answers to ${allowed} only.`],
    ['Méthode non autorisée', ({ allowed }) => `Cette adresse n’accepte que ${allowed}.`],
  ),
  'body-too-large': kind<{ bytesMax: number }>(
    413,
    ['Body too large', ({ bytesMax }) => `At most ${bytesMax} bytes are taken. Send less.`],
    [
      'Corps trop volumineux',
      ({ bytesMax }) => `Au plus ${bytesMax} octets sont acceptés. Envoyez-en moins.`,
    ],
  ),
  'unsupported-media-type': kind(
    415,
    ['Unsupported media type', () => 'Send the body as application/json.'],
    ['Type de média non pris en charge', () => 'Envoyez le corps en application/json.'],
  ),
  'invalid-json': kind(
    400,
    ['Invalid JSON', () => 'The body is not valid JSON in UTF-8. Correct it and send it again.'],
    [
      'JSON invalide',
      () => 'Le corps n’est pas du JSON valable en UTF-8. Corrigez-le, puis renvoyez-le.',
    ],
  ),
  'too-deep': kind<{ depthMax: number }>(
    400,
    ['JSON nested too deeply', ({ depthMax }) => `At most ${depthMax} levels are taken.`],
    ['JSON trop imbriqué', ({ depthMax }) => `Au plus ${depthMax} niveaux sont acceptés.`],
  ),
  'invalid-body': kind(
    422,
    ['Invalid content', () => 'Some fields are not as they must be; "errors" names each.'],
    [
      'Contenu invalide',
      () => 'Certains champs ne sont pas conformes ; « errors » nomme chacun d’eux.',
    ],
  ),
  'invalid-query': kind(
    400,
    ['Invalid query', () => 'Some query parameters are not as they must be; see "errors".'],
    [
      'Paramètres invalides',
      () => 'Certains paramètres de la requête ne sont pas conformes ; voir « errors ».',
    ],
  ),
  'bad-cursor': kind(
    400,
    [
      'Unknown cursor',
      () => 'The cursor is not one that this list gave out. Start again without it.',
    ],
    ['Curseur inconnu', () => 'Ce curseur ne vient pas de cette liste. Recommencez sans curseur.'],
  ),
  'idempotency-key-missing': kind(
    400,
    [
      'Idempotency-Key missing',
      () => 'Give each new request a key of its own in "Idempotency-Key"; repeat it on a retry.',
    ],
    [
      'Idempotency-Key absente',
      () =>
        'Donnez à chaque nouvelle requête sa propre clé dans « Idempotency-Key » ; répétez-la pour un nouvel essai.',
    ],
  ),
  'idempotency-key-invalid': kind(
    400,
    ['Idempotency-Key invalid', () => 'The key must be 1 to 255 visible ASCII characters.'],
    ['Idempotency-Key invalide', () => 'La clé doit compter de 1 à 255 caractères ASCII visibles.'],
  ),
  'request-in-flight': kind(
    409,
    [
      'Still being handled',
      () => 'A request with the same key is being handled. Send it again in a moment.',
    ],
    [
      'Déjà en cours',
      () => 'Une requête portant la même clé est en cours. Renvoyez-la dans un instant.',
    ],
  ),
  'idempotency-key-reused': kind(
    422,
    [
      'Idempotency-Key reused',
      () => 'This key came with other content before. Use a new key for a new request.',
    ],
    [
      'Idempotency-Key réutilisée',
      () =>
        'Cette clé a déjà servi avec un autre contenu. Prenez une nouvelle clé pour une nouvelle requête.',
    ],
  ),
  busy: kind(
    503,
    ['Too busy', () => 'Others are changing the same thing. Nothing was done; try again.'],
    ['Trop sollicité', () => 'D’autres modifient la même chose. Rien n’a été fait ; réessayez.'],
  ),
  internal: kind(
    500,
    [
      'Internal error',
      () =>
        'The request could not be handled. Send it again with the same key; tell us if it stays.',
    ],
    [
      'Erreur interne',
      () =>
        'La requête n’a pas pu être traitée. Renvoyez-la avec la même clé ; signalez-le si cela persiste.',
    ],
  ),
};

// Problems of the things a request is about: tools, messages, runs, people's requests.

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

const thingProblems = {
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

// Problems of routines and their occurrences.

const notRetryable = {
  run_active: {
    en: 'Its run has not ended.',
    fr: 'Son exécution n’est pas terminée.',
  },
  run_succeeded: {
    en: 'Its run did not fail; run the routine now for another one.',
    fr: 'Son exécution n’a pas échoué ; lancez la routine pour en obtenir une autre.',
  },
  skipped: {
    en: 'It was skipped, so there is nothing to try again; run the routine now.',
    fr: 'Elle a été omise : il n’y a rien à retenter ; lancez la routine maintenant.',
  },
} as const;
export type NotRetryable = keyof typeof notRetryable;

const routineProblems = {
  'routine-changed': kind<{ rev: number }>(
    409,
    [
      'Somebody else changed it',
      ({ rev }) => `The routine is now at revision ${rev}. Read it again before you change it.`,
    ],
    [
      'Modifiée par autrui',
      ({ rev }) => `La routine en est à la révision ${rev}. Relisez-la avant de la modifier.`,
    ],
  ),
  'occurrence-not-retryable': kind<{ hindrance: NotRetryable }>(
    409,
    ['Nothing to try again', ({ hindrance }) => notRetryable[hindrance].en],
    ['Rien à retenter', ({ hindrance }) => notRetryable[hindrance].fr],
  ),
};

// Problems of marking a tool call as faulty.

const faultProblems = {
  'no-such-call': kind<{ step: number; call: number }>(
    422,
    [
      'No such call',
      ({ step, call }) =>
        `The run has no call ${call} in step ${step}. Calls count from 0; read the run’s steps again.`,
    ],
    [
      'Appel inexistant',
      ({ step, call }) =>
        `L’exécution n’a pas d’appel ${call} à l’étape ${step}. Les appels se comptent à partir de 0 ; relisez les étapes.`,
    ],
  ),
  'fault-mark-of-another': kind<{ by: string }>(
    403,
    [
      'Not your mark',
      ({ by }) => `Only ${by} or an administrator can change it. Mark the call yourself instead.`,
    ],
    [
      'Signalement d’autrui',
      ({ by }) =>
        `Seule la personne qui l’a fait (${by}) ou un administrateur peut le modifier. Signalez l’appel vous-même.`,
    ],
  ),
  'fault-mark-taken-back': kind(
    409,
    ['Taken back', () => 'The mark was taken back. Mark the call again instead.'],
    ['Signalement retiré', () => 'Ce signalement a été retiré. Signalez l’appel à nouveau.'],
  ),
};

export const problems = {
  ...requestProblems,
  ...thingProblems,
  ...deskProblems,
  ...peopleProblems,
  ...routineProblems,
  ...faultProblems,
};
export type ProblemSlug = keyof typeof problems;
export type GivenOf<Slug extends ProblemSlug> =
  (typeof problems)[Slug] extends Kind<infer Given> ? Given : never;

export const problemSlugs = Object.keys(problems).filter(
  (slug): slug is ProblemSlug => slug in problems,
);

/** Status and words of one problem in one language. */
export const wordsOf = <Slug extends ProblemSlug>(
  slug: Slug,
  given: GivenOf<Slug>,
): { readonly status: number } & {
  readonly [L in Language]: { readonly title: string; readonly detail: string };
} => {
  const table: { readonly [S in ProblemSlug]: Kind<GivenOf<S>> } = problems;
  const entry: Kind<GivenOf<Slug>> = table[slug];
  const said = (language: Language) => ({
    title: entry[language].title,
    detail: entry[language].detail(given),
  });
  const [en, fr] = languages;
  return { status: entry.status, [en]: said(en), [fr]: said(fr) };
};
