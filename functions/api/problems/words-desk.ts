// Problems of the recovery desk: claims and decisions. A refused decision says the fact and the date behind it.
// Owns: their words.
// Tested in test/functions/api/desk/desk.test.ts.
import type { Forbidden } from '../../core/recover/desk.ts';
import { termsEn, termsFr } from '../../core/sheet/terms.ts';
import { kind, when } from './kind.ts';
import type { Language } from './language.ts';

type Because = Forbidden['because'];

/** A state of the ledger in the sheet's own words. */
const termOf = (language: Language, fact: string): string => {
  const { effects, dispositions } = language === 'fr' ? termsFr : termsEn;
  const words: Readonly<Record<string, string>> = { ...effects, ...dispositions };
  return words[fact] ?? fact;
};
type Reason = (given: Forbidden, at: string, until: string) => string;

const reasons: { readonly [B in Because]: { readonly [L in Language]: Reason } } = {
  not_claimed: {
    en: () => 'Nobody holds the claim. Take it, then decide.',
    fr: () => 'Personne n’a pris ce cas en charge. Prenez-le, puis décidez.',
  },
  claimed_by_other: {
    en: ({ fact }, _at, until) => `${fact} holds the claim until ${until}.`,
    fr: ({ fact }, _at, until) => `${fact} a pris ce cas en charge jusqu’au ${until}.`,
  },
  look_first: {
    en: (_given, at) =>
      `You took this over on ${at} from somebody whose claim lapsed. Add your own observation first.`,
    fr: (_given, at) =>
      `Vous avez repris ce cas le ${at}, la prise en charge précédente ayant expiré. Ajoutez d’abord votre propre observation.`,
  },
  attempt_running: {
    en: (_given, _at, until) => `An attempt may be under way until ${until}. Decide then.`,
    fr: (_given, _at, until) =>
      `Une tentative peut être en cours jusqu’au ${until}. Décidez ensuite.`,
  },
  nothing_sent: {
    en: () => 'Nothing was sent, so there is nothing to recover.',
    fr: () => 'Rien n’a été envoyé ; il n’y a donc rien à reprendre.',
  },
  already_settled: {
    en: ({ fact }, at) => `The effect is "${termOf('en', fact)}" since ${at}; it is settled.`,
    fr: ({ fact }, at) => `L’effet est « ${termOf('fr', fact)} » depuis le ${at} ; il est réglé.`,
  },
  already_disposed: {
    en: ({ fact }, at) => `The action is "${termOf('en', fact)}" since ${at}.`,
    fr: ({ fact }, at) => `L’action est « ${termOf('fr', fact)} » depuis le ${at}.`,
  },
  no_key: {
    en: () => 'The destination promises nothing about repeats: a second call could act twice.',
    fr: () =>
      'La destination ne promet rien sur les répétitions : un second appel pourrait agir deux fois.',
  },
  key_retention_passed: {
    en: (_given, at) => `The destination remembered the key until ${at}; a repeat could act twice.`,
    fr: (_given, at) =>
      `La destination a retenu la clé jusqu’au ${at} ; une répétition pourrait agir deux fois.`,
  },
  mandate_revoked: {
    en: (_given, at) => `The mandate was revoked on ${at}.`,
    fr: (_given, at) => `Le mandat a été révoqué le ${at}.`,
  },
  mandate_expired: {
    en: (_given, at) => `The approval expired on ${at}.`,
    fr: (_given, at) => `L’approbation a expiré le ${at}.`,
  },
  tool_barred: {
    en: ({ fact }, at) => `The tool "${fact}" is barred since ${at}.`,
    fr: ({ fact }, at) => `L’outil « ${fact} » est interdit depuis le ${at}.`,
  },
  recovery_over: {
    en: (_given, at) => `The recovery ended on ${at}.`,
    fr: (_given, at) => `La reprise s’est terminée le ${at}.`,
  },
};

/** The sentence behind a refused decision, for whoever shows one. */
export const reasonOf = (given: Forbidden, language: Language): string => {
  const said = (iso: string | undefined): string =>
    iso === undefined ? '?' : `${when(language, iso)} UTC`;
  return reasons[given.because][language](given, said(given.at), said(given.until));
};

export const deskProblems = {
  'decision-not-allowed': kind<Forbidden>(
    409,
    ['Not allowed now', (given) => reasonOf(given, 'en')],
    ['Impossible pour l’instant', (given) => reasonOf(given, 'fr')],
  ),
  'journal-moved': kind<{ head: number }>(
    409,
    [
      'Something new is known',
      ({ head }) => `The action’s journal is now at entry ${head}. Read it before you decide.`,
    ],
    [
      'Du nouveau est connu',
      ({ head }) => `Le journal de l’action en est à l’entrée ${head}. Lisez-le avant de décider.`,
    ],
  ),
  'claim-moved': kind<{ fence: number }>(
    409,
    [
      'The claim has changed hands',
      ({ fence }) => `The claim is now number ${fence}. Read the action again before you decide.`,
    ],
    [
      'La prise en charge a changé',
      ({ fence }) =>
        `La prise en charge porte à présent le numéro ${fence}. Relisez l’action avant de décider.`,
    ],
  ),
  'claim-held': kind<{ by: string; until: string }>(
    409,
    [
      'Claimed by somebody else',
      ({ by, until }) => `${by} holds it until ${when('en', until)} UTC.`,
    ],
    [
      'Pris en charge par autrui',
      ({ by, until }) => `${by} l’a pris en charge jusqu’au ${when('fr', until)} UTC.`,
    ],
  ),
  'claim-not-held': kind(
    409,
    ['You do not hold the claim', () => 'The claim has lapsed, ended, or is somebody else’s.'],
    [
      'Vous ne l’avez pas pris en charge',
      () => 'La prise en charge a expiré, a pris fin, ou est celle d’autrui.',
    ],
  ),
  'not-affirmed': kind(
    409,
    [
      'Affirm it first',
      () =>
        'This long after the first attempt, affirm that recipient, content and permission still stand.',
    ],
    [
      'À confirmer d’abord',
      () =>
        'Si longtemps après la première tentative, confirmez que destinataire, contenu et autorisation restent valables.',
    ],
  ),
  'no-look-up': kind<{ tool: string }>(
    409,
    [
      'No look-up declared',
      ({ tool }) =>
        `The contract of "${tool}" declares no look-up. Look yourself, then add your observation.`,
    ],
    [
      'Aucune recherche déclarée',
      ({ tool }) =>
        `Le contrat de « ${tool} » ne déclare aucune recherche. Contrôlez vous-même, puis ajoutez votre observation.`,
    ],
  ),
  'approval-not-given': kind(
    409,
    [
      'Nothing to take back',
      () => 'This request was never approved, so no permission rests on it.',
    ],
    [
      'Rien à reprendre',
      () => 'Cette demande n’a jamais été approuvée ; aucune permission ne repose sur elle.',
    ],
  ),
  'wait-not-later': kind(
    409,
    ['Not a time to wait for', () => 'The time must be later than now and within a year.'],
    [
      'Échéance impossible',
      () => 'L’échéance doit être postérieure à maintenant et se situer dans l’année.',
    ],
  ),
};
