// The words of what people do beyond answering: barring, revoking, restoring; and of the audit, in French.

import { pluralIn } from '../../base/plural.ts';
import type { acts as english } from '../en/acts.ts';

const plural = pluralIn('fr');

export const acts: typeof english = {
  reason: 'Motif (gardé, et montré aux autres)',
  bar: {
    title: 'Interdiction',
    open: 'L’outil n’est pas interdit.',
    barred: (name) => `Interdit par ${name}`,
    bar: 'Interdire cet outil…',
    barNow: 'L’interdire',
    barTitle: (tool) => `Interdire ${tool} à tous ?`,
    barMeans: [
      'Plus aucune tentative de cet outil ne s’ouvre dans cet espace, qui que ce soit qui l’ait approuvée ou décidée : appels d’agents, répétitions et réémissions.',
      'Ce qui a été envoyé n’est pas défait. Les recherches continuent. Un administrateur peut le permettre à nouveau.',
    ],
    unbar: 'Le permettre à nouveau…',
    unbarNow: 'Le permettre',
    unbarTitle: (tool) => `Permettre à nouveau ${tool} ?`,
    unbarMeans: [
      'Des tentatives de cet outil peuvent à nouveau s’ouvrir, sous les permissions en vigueur.',
    ],
    stops:
      'Tant qu’il est interdit, aucune tentative de cet outil ne s’ouvre, qui que ce soit qui l’ait décidée. Ce qui a été envoyé n’est pas défait.',
    what: {
      barred: 'interdit',
      unbarred: 'permis à nouveau',
      revoked: 'révoquée',
      restored: 'rétablie',
    },
    history: 'Changements',
  },
  mandates: {
    title: 'Permissions d’utiliser des outils',
    hint: 'Un agent peut utiliser les outils de sa révision jusqu’à ce que quelqu’un l’en prive.',
    empty: 'Il n’a aucun outil.',
    tool: 'Outil',
    state: 'État',
    stands: 'en vigueur',
    revoked: 'révoquée',
    last: 'Dernier changement',
    never: 'jamais changée',
    act: 'Changer',
    revoke: (tool) => `Révoquer ${tool}…`,
    revokeNow: 'La révoquer',
    revokeTitle: (tool) => `Révoquer la permission d’utiliser ${tool} ?`,
    revokeMeans: [
      'Désormais cet agent n’ouvre plus aucune tentative de cet outil, pas même la répétition d’une tentative envoyée. Les autres agents gardent la leur.',
      'Ce qui a été envoyé n’est pas défait. Un administrateur peut la rétablir.',
    ],
    restore: (tool) => `Rétablir ${tool}…`,
    restoreNow: 'La rétablir',
    restoreTitle: (tool) => `Rétablir la permission d’utiliser ${tool} ?`,
    restoreMeans: ['Des tentatives de cet outil par cet agent peuvent à nouveau s’ouvrir.'],
    endTitle: 'Mettre fin à cette permission permanente ?',
    endMeans: [
      'Les appels semblables demandent à nouveau leur propre approbation, et plus aucune tentative ne s’ouvre sous cette permission.',
      'Ce qui a été envoyé n’est pas défait. Elle ne se rétablit pas : elle se redonne avec une approbation.',
    ],
  },
  taking: {
    take: 'Retirer l’approbation…',
    takeFurther: 'Ne plus permettre de tentative…',
    takeNow: 'La retirer',
    takeTitle: 'Retirer cette approbation ?',
    unused: 'Elle n’a encore servi à aucun envoi, et ne servira à aucun.',
    used: (count) =>
      plural(count, {
        one: '# tentative a été faite sous cette approbation. Ce qui a été envoyé n’est pas rappelé et peut encore avoir son effet.',
        other:
          '# tentatives ont été faites sous cette approbation. Ce qui a été envoyé n’est pas rappelé et peut encore avoir son effet.',
      }),
    further: 'Seules de nouvelles tentatives sont empêchées, répétitions comprises.',
    withGrant: 'Ce qui a été retenu avec elle prend fin aussi.',
    taken: (name) => `Retirée par ${name}`,
  },
  why: {
    title: 'Pourquoi il faut une approbation',
    irreversible: 'C’est irréversible : un tel appel en demande toujours une.',
    always: 'La règle de l’outil en demande une à chaque appel.',
    condition:
      'La règle de l’outil en demande une, sauf si ceci est faux des arguments (aussi quand cela ne peut être calculé) :',
    likeness:
      'Elle ressemble à une action qui peut encore aboutir, ou à une action d’une exécution échouée ou arrêtée.',
    reissue: 'Une personne a décidé de l’envoyer à nouveau, comme nouvelle intention.',
    earlier: 'Ce qui a changé depuis sa proposition précédente',
    earlierHint: 'L’agent a déjà proposé cet outil dans cette exécution, et ce n’est pas passé :',
    wanted: 'Les arguments exacts que vous voulez (JSON, si vous voulez)',
    wantedHint:
      'Envoyés à l’agent comme texte. Il peut les proposer ; vous approuvez alors, ou non, exactement ce qu’il propose.',
    wantedWords: 'Proposez-la à nouveau avec exactement ces arguments :',
    tooLong: (most) => `Au plus ${most} caractères en tout.`,
  },
  audit: {
    title: 'Journal d’audit',
    hint: 'Qui a décidé ou changé quoi, et quand, du plus récent au plus ancien. Il est lu dans les enregistrements mêmes et ne peut être changé.',
    kind: 'Quoi',
    kinds: {
      answer: 'Réponses',
      decision: 'Décisions',
      approval: 'Approbations reprises',
      grant: 'Permissions permanentes',
      permission: 'Permissions d’utiliser des outils',
      bar: 'Outils interdits',
      registration: 'Outils, compétences et agents créés ou changés',
    },
    by: 'Qui',
    anybody: 'Quiconque',
    me: 'Moi',
    tool: 'Outil',
    until: 'Pas après',
    empty: 'Rien n’a encore été décidé ni changé.',
    noneFits: 'Rien ne correspond.',
    noneYet: 'Rien ne correspond dans ce qui a été lu jusqu’ici.',
    further: 'Chercher plus loin',
    fresh: (count) => plural(count, { one: '# nouvelle entrée', other: '# nouvelles entrées' }),
    sentences: {
      answer: {
        approved: (who, what) => `${who} a approuvé ${what}`,
        refused: (who, what) => `${who} a refusé : ${what}`,
        changes_requested: (who, what) => `${who} a demandé de modifier ${what}`,
        answered: (who) => `${who} a répondu à une question`,
        declined: (who) => `${who} n’a pas souhaité répondre à une question`,
        granted: (who) => `${who} a accordé une compétence`,
        settled: (who, what) => `${who} a clos la reprise de ${what} : c’est réglé`,
        expired: (_, what) => `Personne n’a répondu à temps : ${what}`,
        voided: (_, what) => `N’est plus nécessaire : ${what}`,
      },
      decision: {
        attach: (who, what) => `${who} a rattaché un résultat à ${what}`,
        not_performed: (who, what) => `${who} a consigné que ${what} n’a pas eu lieu`,
        repeat: (who, what) => `${who} a fait répéter ${what} avec la même clé`,
        wait: (who, what) => `${who} a décidé d’attendre pour ${what}`,
        suspend: (who, what) => `${who} a suspendu ${what} et laissé l’exécution continuer`,
        abandon: (who, what) => `${who} a abandonné ${what}`,
        reissue: (who, what) =>
          `${who} a demandé un nouvel envoi de ${what}, comme nouvelle intention à approuver`,
      },
      approval: { revoked: (who, what) => `${who} a retiré l’approbation de ${what}` },
      grant: {
        granted: (who, what) => `${who} a permis les appels semblables de ${what}`,
        revoked: (who, what) => `${who} a mis fin à la permission permanente de ${what}`,
      },
      permission: {
        revoked: (who, what) => `${who} a révoqué la permission d’utiliser ${what}`,
        restored: (who, what) => `${who} a rétabli la permission d’utiliser ${what}`,
      },
      bar: {
        barred: (who, what) => `${who} a interdit ${what} à tous`,
        unbarred: (who, what) => `${who} a permis à nouveau ${what}`,
      },
      registration: {
        registered: (who, what) => `${who} a enregistré ${what}`,
        new_version: (who, what) => `${who} a fait une nouvelle version de ${what}`,
        new_revision: (who, what) => `${who} a fait une nouvelle révision de ${what}`,
      },
    },
    registered: {
      tool: (name) => `l’outil ${name}`,
      skill: (name) => `la compétence ${name}`,
      agent: (name) => `l’agent ${name}`,
    },
    numbered: (version) => `numéro ${version}`,
    other: (who, decision) => `${who} : ${decision}`,
    links: {
      request: 'Demande',
      action: 'Action',
      conversation: 'Conversation',
      run: 'Exécution',
      agent: 'Agent',
      tool: 'Outil',
      skill: 'Compétence',
    },
  },
};
