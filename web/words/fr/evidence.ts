// Words of what a journal, a decided request and a contract tell, in French.
import type { evidence as english } from '../en/evidence.ts';

export const evidence: typeof english = {
  requestKinds: {
    approval: 'Approbation',
    question: 'Question',
    skill: 'Compétence',
    recovery: 'Reprise',
  },
  requestDecisions: {
    approved: 'approuvée',
    refused: 'refusée',
    changes_requested: 'modifications demandées',
    answered: 'répondue',
    declined: 'déclinée',
    granted: 'accordée',
    settled: 'réglée',
    expired: 'expirée',
    voided: 'annulée',
  },
  decisions: {
    attach: 'Résultat rattaché',
    not_performed: 'Non effectué',
    repeat: 'Répétition avec la même clé',
    wait: 'Attente',
    suspend: 'Suspendue',
    abandon: 'Abandonnée',
    reissue: 'Réémise comme nouvelle intention',
  },
  ends: {
    replied: 'la destination a répondu',
    not_transmitted: 'rien n’a été transmis',
    unknown: 'aucune réponse concluante',
    asked: 'la destination demande davantage',
    lost: 'son détenteur n’a jamais rendu compte',
  },
  milestones: {
    prepared: 'préparé',
    transmitted: 'transmis',
    accepted: 'accepté',
    executed: 'exécuté',
    confirmed: 'confirmé',
  },
  says: {
    confirms: 'confirme l’effet',
    accepts: 'accepte l’appel',
    in_progress: 'dit que c’est encore en cours',
    asked: 'demande davantage',
    disproves: 'réfute l’effet',
    nothing: 'ne prouve rien',
  },
  sources: {
    reply: 'Réponse',
    look_up: 'Recherche',
    webhook: 'Webhook',
    person: 'Parole d’une personne',
    transport: 'Transport',
  },
  toolEffects: {
    read: 'lit seulement',
    write: 'écrit',
    irreversible: 'irréversible',
  },
};
