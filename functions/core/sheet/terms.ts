// The small words of the recovery sheet: states, kinds and sources, in both languages. Owns: one word for each value that the
// store can hold; a missing one does not compile.
// Tested in test/cli/words/terms.test.ts.

import type { Author } from '../base/author.ts';
import type { Action, Effect, Milestone } from '../records/action.ts';
import type { AttemptEnd, Observation, ObservationSays } from '../records/evidence.ts';
import type { MandateChange } from '../records/mandate.ts';
import type { Run } from '../records/run.ts';
import type { DecisionKind } from '../recover/desk.ts';
import type { Says } from './says.ts';

type Terms<Key extends string> = { readonly [K in Key]: string };

export interface SheetTerms {
  readonly authors: Terms<Author['kind']>;
  readonly kinds: Terms<Action['effectKind']>;
  readonly sources: Terms<Observation['source']>;
  readonly says: Terms<ObservationSays>;
  readonly searches: Terms<NonNullable<Observation['lookUp']>>;
  readonly ends: Terms<AttemptEnd['how']>;
  readonly milestones: Terms<Milestone>;
  readonly repeats: Terms<Says['key']['onRepeat']>;
  readonly runs: Terms<Run['state']['status']>;
  readonly decisions: Terms<DecisionKind>;
  readonly changes: Terms<MandateChange['what']>;
  readonly dispositions: Terms<Action['disposition']['kind']>;
  readonly effects: Terms<Effect>;
}

export const termsEn: SheetTerms = {
  authors: { person: 'person', machine: 'machine', routine: 'routine' },
  kinds: { read: 'read', write: 'write', irreversible: 'cannot be taken back' },
  sources: {
    reply: 'Reply',
    look_up: 'Look-up',
    webhook: 'Report from a program',
    person: 'Person',
    transport: 'Transport',
  },
  says: {
    confirms: 'confirms the effect',
    accepts: 'the destination took it',
    in_progress: 'still in progress',
    asked: 'the tool asked something',
    disproves: 'shows that nothing was done',
    nothing: 'proves nothing',
  },
  searches: {
    hit: 'searched, found by its reference',
    natural_hit: 'searched, something found by name',
    partial: 'searched, a partial match found',
    miss: 'searched, not found',
    failed: 'the search itself failed',
  },
  ends: {
    replied: 'answered',
    not_transmitted: 'not transmitted',
    unknown: 'no usable answer',
    asked: 'asked something',
    lost: 'its owner never reported',
  },
  milestones: {
    prepared: 'prepared',
    transmitted: 'transmitted',
    accepted: 'accepted',
    executed: 'executed',
    confirmed: 'confirmed',
  },
  repeats: {
    returns_first_result: 'returns the first result',
    finishes_failed_work: 'finishes failed work',
    returns_current_state: 'returns the object as it is then, and does nothing again',
    overwrites: 'overwrites what has been changed since',
    error: 'answers with an error',
  },
  runs: {
    running: 'running',
    waiting: 'waiting',
    stopping: 'stopping',
    finished: 'finished',
  },
  decisions: {
    attach: 'attach a result',
    not_performed: 'not performed, with proof',
    repeat: 'repeat with the same key',
    wait: 'wait',
    suspend: 'suspend',
    abandon: 'abandon',
    reissue: 'reissue as a new intention',
  },
  changes: {
    revoked: 'Permission revoked',
    restored: 'Permission restored',
    barred: 'Tool barred',
    unbarred: 'Tool let again',
  },
  dispositions: {
    open: 'nothing decided',
    refused: 'refused',
    stopped: 'stopped before sending',
    suspended: 'suspended',
    abandoned: 'abandoned',
    reissued: 'reissued',
  },
  effects: {
    not_sent: 'not sent',
    engaged: 'attempt committed',
    in_progress: 'still in progress',
    undetermined: 'undetermined',
    accepted: 'accepted',
    confirmed: 'confirmed',
    not_performed: 'not done, with proof',
  },
};

export const termsFr: SheetTerms = {
  authors: { person: 'personne', machine: 'programme', routine: 'routine' },
  kinds: { read: 'lecture', write: 'écriture', irreversible: 'irréversible' },
  sources: {
    reply: 'Réponse',
    look_up: 'Recherche',
    webhook: 'Signalement d’un programme',
    person: 'Personne',
    transport: 'Transport',
  },
  says: {
    confirms: 'confirme l’effet',
    accepts: 'la destination l’a pris en compte',
    in_progress: 'encore en cours',
    asked: 'l’outil a posé une question',
    disproves: 'montre que rien n’a été fait',
    nothing: 'ne prouve rien',
  },
  searches: {
    hit: 'recherché, trouvé par sa référence',
    natural_hit: 'recherché, quelque chose trouvé par le nom',
    partial: 'recherché, correspondance partielle',
    miss: 'recherché, non trouvé',
    failed: 'la recherche elle-même a échoué',
  },
  ends: {
    replied: 'réponse reçue',
    not_transmitted: 'non transmise',
    unknown: 'aucune réponse exploitable',
    asked: 'a posé une question',
    lost: 'son exécutant n’a jamais rendu compte',
  },
  milestones: {
    prepared: 'préparée',
    transmitted: 'transmise',
    accepted: 'acceptée',
    executed: 'exécutée',
    confirmed: 'confirmée',
  },
  repeats: {
    returns_first_result: 'rend le premier résultat',
    finishes_failed_work: 'termine le travail échoué',
    returns_current_state: 'rend l’objet tel qu’il est alors, sans rien refaire',
    overwrites: 'écrase ce qui a été modifié depuis',
    error: 'répond par une erreur',
  },
  runs: {
    running: 'en cours',
    waiting: 'en attente',
    stopping: 'en cours d’arrêt',
    finished: 'terminée',
  },
  decisions: {
    attach: 'rattacher un résultat',
    not_performed: 'non effectué, avec preuve',
    repeat: 'répéter avec la même clé',
    wait: 'attendre',
    suspend: 'suspendre',
    abandon: 'abandonner',
    reissue: 'émettre une nouvelle intention',
  },
  changes: {
    revoked: 'Permission révoquée',
    restored: 'Permission rétablie',
    barred: 'Outil interdit',
    unbarred: 'Outil permis à nouveau',
  },
  dispositions: {
    open: 'rien de décidé',
    refused: 'refusée',
    stopped: 'arrêtée avant l’envoi',
    suspended: 'suspendue',
    abandoned: 'abandonnée',
    reissued: 'réémise',
  },
  effects: {
    not_sent: 'non envoyé',
    engaged: 'tentative engagée',
    in_progress: 'encore en cours',
    undetermined: 'indéterminé',
    accepted: 'accepté',
    confirmed: 'confirmé',
    not_performed: 'non effectué, avec preuve',
  },
};

/** A person by name; anything else is shown as what it is. */
export const whoIn =
  ({ authors }: SheetTerms) =>
  ({ kind, name }: Author): string =>
    kind === 'person' ? name : `${name} (${authors[kind]})`;
