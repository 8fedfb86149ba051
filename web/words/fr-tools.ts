// The words of the run view, in French.
import type { definitions as english } from './en-tools.ts';
import { pluralIn } from './plural.ts';

const plural = pluralIn('fr');

export const definitions: typeof english = {
  run: {
    title: (number) => `Exécution ${number}`,
    conversation: 'Conversation',
    state: 'État',
    started: 'Début',
    ended: 'Fin',
    duration: 'Durée',
    revision: 'Révision figée',
    steps: 'Pas',
    stepsOf: (taken, limit) => `${taken} sur ${limit} au plus`,
    usage: 'Consommation',
    input: 'Jetons lus',
    output: 'Jetons écrits',
    cached: 'dont du cache',
    cost: 'Coût',
    noPrice: 'L’agent n’a pas de table de prix.',
    executions: 'Exécutions Step Functions',
    executionsHint: 'Noms des exécutions Step Functions qui ont mené celle-ci.',
    downloadJson: 'Télécharger en JSON',
    downloadMarkdown: 'Télécharger en Markdown',
    timeLine: 'Ligne de temps',
    asBars: 'Barres',
    asList: 'Liste',
    scale: (length) => `La ligne entière dure ${length}.`,
    model: 'Modèle',
    wait: 'Attente',
    call: 'Appel',
    bar: (what, start, length) => `${what} : commence à ${start}, dure ${length}`,
    empty: 'Aucun pas pour l’instant.',
    messages: 'Messages lus',
    took: (count) => plural(count, { one: 'a lu # message', other: 'a lu # messages' }),
    attemptsOf: (count) => plural(count, { one: '# tentative', other: '# tentatives' }),
    event: 'Événement',
    when: 'Quand',
    offset: 'À',
  },
  agents: { revision: (revision) => `Révision ${revision}` },
};
