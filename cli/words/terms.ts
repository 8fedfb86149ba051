// Stored values as their reader calls them: effects, runs' states, what was decided, roles. Owns: that choice; `--json` keeps
// the values, English shows them as they are where they are English already.
import { type SheetTerms, termsEn, termsFr } from '../../functions/core/sheet/terms.ts';
import type { Language } from '../kit/speech.ts';

const rolesFr: Readonly<Record<string, string>> = {
  viewer: 'lecteur',
  member: 'membre',
  approver: 'approbateur',
  recoverer: 'responsable de reprise',
  reporter: 'rapporteur',
  admin: 'administrateur',
};

/** The values of each kind, in French. */
const french = {
  runStatus: {
    running: 'en cours',
    waiting: 'en attente',
    stopping: 's’arrête',
    finished: 'terminée',
  },
  runEnd: {
    done: 'réponse donnée',
    step_limit: 'limite d’étapes atteinte',
    stopped: 'arrêtée',
    failed: 'échouée',
    cut_off: 'réponse coupée',
    withheld: 'réponse retenue',
    no_answer: 'sans réponse',
    withdrawn: 'message retiré',
  },
  waitsFor: {
    approval: 'approbation',
    question: 'question',
    skill: 'compétence',
    recovery: 'reprise',
  },
  decision: {
    approved: 'approuvée',
    refused: 'refusée',
    changes_requested: 'modifications demandées',
    answered: 'répondue',
    declined: 'déclinée',
    granted: 'accordée',
    settled: 'réglée',
    expired: 'expirée',
    voided: 'annulée',
    attach: 'résultat rattaché',
    not_performed: 'non effectué, avec preuve',
    repeat: 'répétition avec la même clé',
    wait: 'attente',
    suspend: 'suspendue',
    abandon: 'abandonnée',
    reissue: 'réémise comme nouvelle intention',
    revoked: 'révoquée',
    restored: 'rétablie',
    barred: 'interdit',
    unbarred: 'permis à nouveau',
    registered: 'enregistré',
    new_version: 'nouvelle version',
    new_revision: 'nouvelle révision',
  },
  contractEffect: { read: 'lecture', write: 'écriture', irreversible: 'irréversible' },
  approvalWhen: { never: 'jamais', always: 'toujours', condition: 'sous condition' },
  routineState: { active: 'active', paused: 'en pause', deleted: 'supprimée' },
  occurrence: {
    due: 'à l’heure',
    now: 'demandée',
    retry: 'nouvel essai',
    fired: 'déclenchée',
    skipped: 'sautée',
    missed: 'manquée',
    run_active: 'une exécution était en cours',
    queue_full: 'la file était pleine',
    too_many_messages: 'trop de messages attendaient',
    paused: 'la routine était en pause',
    deleted: 'la routine était supprimée',
    not_due: 'elle n’était pas due',
    agent_missing: 'l’agent n’existe plus',
    conversation_missing: 'la conversation n’existe plus',
  },
  auditKind: {
    answer: 'réponse',
    decision: 'décision',
    approval: 'approbation',
    grant: 'accord permanent',
    permission: 'permission',
    bar: 'interdiction',
    registration: 'enregistrement',
  },
  faultKind: {
    wrong_tool: 'mauvais outil',
    wrong_arguments: 'mauvais arguments',
    unneeded: 'inutile',
    too_early: 'trop tôt',
    misread_result: 'résultat mal lu',
    other: 'autre',
  },
} as const satisfies { readonly [kind: string]: Readonly<Record<string, string>> };

const termIn = (terms: Readonly<Record<string, string>>, value: string): string =>
  Object.hasOwn(terms, value) ? (terms[value] ?? value) : value;

/** A value in the reader's language; one without a word of its own stays as it is. */
export const wordFor = (kind: keyof typeof french, value: string, language: Language): string =>
  language === 'fr' ? termIn(french[kind], value) : value;

const termsOf = (language: Language): SheetTerms => (language === 'fr' ? termsFr : termsEn);

export const effectWord = (effect: string, language: Language): string =>
  termIn(termsOf(language).effects, effect);

export const dispositionWord = (disposition: string, language: Language): string =>
  termIn(termsOf(language).dispositions, disposition);

/** An effect and, where something was decided, what. */
export const stateWords = (effect: string, disposition: string, language: Language): string => {
  const word = effectWord(effect, language);
  if (disposition === 'open') return word;
  return `${word}, ${dispositionWord(disposition, language)}`;
};

/** A role that somebody made keeps its own name. */
export const roleWord = (role: string, language: Language): string =>
  language === 'fr' ? termIn(rolesFr, role) : role;
