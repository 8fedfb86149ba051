// The words of the overview, in French.

import { pluralIn } from '../../base/plural.ts';
import type { overview as english } from '../en/overview.ts';

const plural = pluralIn('fr');

export const overview: typeof english = {
  title: 'Vue d’ensemble',
  period: 'Période',
  days: (count) => `${count} jours`,
  range: (from, to, zone) => `Du ${from} au ${to}, en jours de ${zone}`,
  cutRuns: (from) =>
    `Il y a eu plus d’exécutions qu’une réponse n’en compte : voici toutes celles depuis le ${from}, et aucune d’avant.`,
  cutClosed: (from) => `Les demandes traitées sont comptées depuis le ${from}.`,
  cutOpen: 'Il y a plus de demandes ouvertes qu’il n’en a été compté : voici les plus anciennes.',
  cutUnknown: 'Le bureau en tient plus qu’il n’en a été compté : voici les plus anciennes.',
  runs: 'Exécutions, par motif de fin',
  runsHint: 'Exécutions commencées dans la période ; celles en cours, par leur état actuel.',
  byDay: 'Exécutions, par jour de début',
  byAgent: 'Exécutions, par agent',
  noRuns: 'Aucune exécution n’a commencé dans cette période.',
  noRunsHint: 'Un message à un agent en lance une ; en ligne de commande :',
  state: 'État',
  count: 'Exécutions',
  day: 'Jour',
  agent: 'Agent',
  tool: 'Outil',
  total: 'Total',
  waitingNow: 'Ce qui attend quelqu’un',
  noWaiting: 'Rien n’attend personne.',
  answered: 'Traitées dans la période, par temps d’attente',
  noAnswered: 'Aucune demande n’a été traitée dans cette période.',
  kind: 'Genre',
  requests: 'Demandes',
  median: 'La moitié en',
  ninth: '9 sur 10 en',
  longest: 'La plus longue',
  expired: 'Expirées',
  voided: 'Devenues inutiles',
  toInbox: 'Vers la boîte de réception',
  undetermined: 'Actions indéterminées',
  unknown: 'Actions indéterminées, par outil et âge',
  noUnknown: 'Aucune action n’est indéterminée.',
  ages: {
    underHour: 'Moins d’une heure',
    underDay: 'Moins d’un jour',
    underWeek: 'Moins d’une semaine',
    older: 'Une semaine et plus',
  },
  oldest: 'Plus ancienne depuis',
  aside: (count) =>
    plural(count, {
      one: '# autre a été abandonnée ou réémise, et reste inconnue.',
      other: '# autres ont été abandonnées ou réémises, et restent inconnues.',
    }),
  toDesk: 'Vers le bureau de reprise',
  cost: 'Coût, par agent',
  costByDay: 'Coût, par jour',
  amount: 'Coût',
  tokensIn: 'Jetons lus',
  tokensOut: 'Jetons écrits',
  noPrice: 'sans table de prix',
  unpriced:
    'Sans table de prix, seuls les jetons sont comptés. Un agent en reçoit une avec sa prochaine révision :',
  noCost: 'Aucun modèle n’a servi dans cette période.',
};
