// Words of the matter itself, in French.
import type { domain as english } from '../en/domain.ts';

export const domain: typeof english = {
  effects: {
    not_sent: 'planifié',
    engaged: 'tentative engagée',
    in_progress: 'encore en cours',
    undetermined: 'indéterminé',
    accepted: 'accepté',
    confirmed: 'confirmé',
    not_performed: 'non effectué, avec preuve',
  },
  effectMeans: {
    not_sent: 'Rien n’a encore été envoyé.',
    engaged: 'L’appel est écrit et peut être en route. Personne d’autre ne peut l’envoyer.',
    in_progress: 'La destination dit que ce n’est pas terminé.',
    undetermined: 'On ne sait pas si cela a eu lieu. On ne répète ni ne suppose rien.',
    accepted: 'La destination l’a accepté ; l’exécution est supposée, non prouvée.',
    confirmed: 'Des preuves montrent l’effet.',
    not_performed: 'Des preuves montrent que rien n’a eu lieu.',
  },
  dispositions: {
    open: 'rien de décidé',
    refused: 'refusé',
    stopped: 'arrêté avant l’envoi',
    suspended: 'suspendu',
    abandoned: 'abandonné',
    reissued: 'réémis',
  },
  waitingForPerson: 'planifié, attend quelqu’un',
  unsentEnds: { answered: 'répondu', no_result: 'sans résultat' },
  nothingSent: 'Rien n’a été envoyé.',
  contradicted: 'contredit',
  contradictedMeans: 'Les preuves se contredisent. Quelqu’un doit regarder.',
  runStatus: {
    running: 'en cours',
    waiting: 'en attente',
    stopping: 's’arrête',
    finished: 'terminée',
  },
  runEnds: {
    done: 'terminée',
    step_limit: 'limite d’étapes atteinte',
    stopped: 'arrêtée',
    failed: 'échouée',
    cut_off: 'réponse coupée',
    withheld: 'réponse retenue',
    no_answer: 'sans réponse',
    withdrawn: 'message retiré',
  },
  waitsFor: {
    approval: 'une approbation',
    question: 'une réponse',
    skill: 'une compétence',
    recovery: 'une décision de reprise',
  },
  idle: 'aucune exécution',
};
