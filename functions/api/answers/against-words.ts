// What stands against an approval, and what looks like its action, in words: what, since when, and what is known of it.
// Owns: those sentences, in both languages, for every face alike. Laws: L14, L16 (facts), L20 (both are named, not only numbered).
// Tested in test/scenario/people/stands-against.test.ts.

import type { Against, AgainstKind } from '../../core/answers/against.ts';
import type { Action, Effect } from '../../core/records/action.ts';
import { when } from '../problems/kind.ts';
import type { Language } from '../problems/language.ts';

type Words = { readonly [L in Language]: string };

const sentences: { readonly [Kind in AgainstKind]: Words } = {
  permission_revoked: {
    en: 'The agent’s permission to use this tool was revoked: nothing would be sent.',
    fr: 'La permission de l’agent d’utiliser cet outil a été révoquée : rien ne partirait.',
  },
  tool_barred: {
    en: 'The tool is barred: nothing would be sent.',
    fr: 'L’outil est interdit : rien ne partirait.',
  },
  approval_revoked: {
    en: 'The approval was taken back: nothing is sent under it.',
    fr: 'L’approbation a été retirée : rien ne part en son nom.',
  },
  approval_expired: {
    en: 'The approval’s time is over: nothing is sent under it.',
    fr: 'Le délai de l’approbation est passé : rien ne part en son nom.',
  },
  run_stopping: {
    en: 'The run is being stopped: nothing new is sent.',
    fr: 'L’exécution est en train d’être arrêtée : rien de nouveau ne part.',
  },
  run_over: {
    en: 'The run is over: nothing is sent for it any more.',
    fr: 'L’exécution est terminée : plus rien ne part pour elle.',
  },
  claimed: {
    en: 'Somebody has claimed the action: it is theirs to decide.',
    fr: 'Quelqu’un a pris l’action en charge : c’est à cette personne de décider.',
  },
  content_changed: {
    en: 'What is stored is not what this request shows: it is not sent.',
    fr: 'Ce qui est stocké n’est pas ce que montre cette demande : rien ne part.',
  },
  look_alike: {
    en: 'Another action that looks alike has come up since this was asked: both must be looked at.',
    fr: 'Une action semblable est apparue depuis cette demande : il faut regarder les deux.',
  },
};

const since: { readonly [L in Language]: (at: string) => string } = {
  en: (at) => `Since ${when('en', at)} UTC.`,
  fr: (at) => `Depuis le ${when('fr', at)} UTC.`,
};

/** One sentence for what stands against it, with who did it and why. */
export const againstSays = ({ kind, at, by, reason }: Against, language: Language): string =>
  [
    sentences[kind][language],
    ...(at === undefined ? [] : [since[language](at)]),
    ...(by === undefined && reason === undefined
      ? []
      : [[by?.name, reason].filter((part) => part !== undefined).join(': ')]),
  ].join(' ');

const outcomes: { readonly [E in Effect]: Words } = {
  not_sent: { en: 'not sent yet', fr: 'pas encore envoyée' },
  engaged: { en: 'sent, no answer yet', fr: 'envoyée, pas encore de réponse' },
  accepted: {
    en: 'accepted: that it was carried out is supposed',
    fr: 'acceptée : son exécution est supposée',
  },
  in_progress: { en: 'still in progress', fr: 'encore en cours' },
  undetermined: {
    en: 'undetermined: it is not known whether it was carried out',
    fr: 'indéterminée : on ne sait pas si elle a été exécutée',
  },
  confirmed: { en: 'confirmed: it was carried out', fr: 'confirmée : elle a été exécutée' },
  not_performed: { en: 'not done, with proof', fr: 'non faite, preuve à l’appui' },
};

const dated: { readonly [L in Language]: (action: Action) => string } = {
  en: ({ firstEngagedAt, plannedAt }) =>
    firstEngagedAt === undefined
      ? `asked for on ${when('en', plannedAt)} UTC`
      : `sent on ${when('en', firstEngagedAt)} UTC`,
  fr: ({ firstEngagedAt, plannedAt }) =>
    firstEngagedAt === undefined
      ? `demandée le ${when('fr', plannedAt)} UTC`
      : `envoyée le ${when('fr', firstEngagedAt)} UTC`,
};

const endOf = ({ effect, disposition }: Action, language: Language): string => {
  if (effect === 'not_sent' && disposition.kind === 'refused')
    return language === 'fr' ? 'refusée, rien n’est parti' : 'refused, nothing was sent';
  if (effect === 'not_sent' && disposition.kind === 'stopped')
    return language === 'fr' ? 'arrêtée, rien n’est parti' : 'stopped, nothing was sent';
  return outcomes[effect][language];
};

export const isBarring = ({ kind }: Against): boolean => kind !== 'look_alike';

/** A look-alike as one line: which, when, and what is known of it. */
export const alikeSays = (action: Action, language: Language): string =>
  `${action.tool.name} (${action.actionId}), ${dated[language](action)}${language === 'fr' ? ' :' : ':'} ${endOf(action, language)}.`;
