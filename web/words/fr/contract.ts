// A contract's clauses in words, its verification and the trials behind it, in French.

import { pluralIn } from '../../base/plural.ts';
import type { contract as english } from '../en/contract.ts';

const plural = pluralIn('fr');

export const contract: typeof english = {
  quoted: (text) => `« ${text} »`,
  exact: 'Texte exact',
  nothing: 'Rien de déclaré.',
  httpSuccess: 'Par le préréglage http : une réponse de statut 200, ou 201 avec un corps.',
  httpDisproof:
    'Par le préréglage http : une réponse de statut 400, 401, 403, 404, 405, 410, 413, 415 ou 422.',
  and: ' et ',
  or: ' ou ',
  reply: (conditions) => `Une réponse où ${conditions}.`,
  status: (codes) => `le statut est ${codes}`,
  body: 'il y a un corps',
  noBody: 'il n’y a pas de corps',
  is: (path, value) => `${path} vaut ${value}`,
  oneOf: (path, values) => `${path} vaut ${values}`,
  there: (path) => `${path} est présent`,
  missing: (path) => `${path} est absent`,
  referenceAt: (path) => `La référence de l’objet est dans ${path}.`,
  places: {
    header: (name) => `dans l’en-tête ${name}`,
    query: (name) => `dans l’adresse, comme paramètre ${name}`,
    path: (name) => `dans le chemin de l’adresse, comme ${name}`,
    body: (path) => `dans le corps, à ${path}`,
  },
  noKey: 'Ni clé ni référence ne voyage.',
  keyAt: (where) => `L’identifiant de l’action voyage ${where}, comme clé.`,
  referenceTravels: (where) => `L’identifiant de l’action voyage ${where}, comme référence.`,
  scope: (scope) => `Elle est honorée dans : ${scope}.`,
  retention: (length, margin) =>
    `Elle est gardée ${length}, dont ${margin} sur lesquels on ne compte pas.`,
  compares: 'D’autres paramètres sous la même clé sont refusés.',
  comparesNot: 'Les paramètres sous la même clé ne sont pas comparés.',
  stillRunning: (reply) => `Tant que la première court : ${reply}`,
  noLookUp: 'Aucune recherche.',
  lookUpWith: (tool) => `Demandée avec l’outil ${tool}.`,
  hits: (path) => `Les trouvailles sont dans ${path}.`,
  found: (reply) => `Trouvé : ${reply}`,
  absent: (reply) => `Absent : ${reply}`,
  compared: (pairs) => `Comparés avec une trouvaille : ${pairs}.`,
  comparedNot: 'Aucun argument n’est comparé avec une trouvaille.',
  settles: (length) => `Un nouvel objet se trouve au plus tard après ${length}.`,
  covers: (account, environment) => `Compte ${account}, ${environment}.`,
  archived: 'Les objets archivés aussi.',
  archivedNot: 'Pas les objets archivés.',
  reads: (rights) => `Avec le droit de lire : ${rights}.`,
  period: (period) => `Remonte à : ${period}.`,
  polled: (tool, every, until) =>
    `Redemandé avec ${tool} toutes les ${every}, pendant ${until} au plus.`,
  waited: (until) => `Attendu pendant ${until} au plus.`,
  notNow: (length) => `Réessayé au plus tôt après ${length}.`,
  likeArguments: (names) => `Les arguments ${names}.`,
  nobody: 'Personne n’est nommé.',
  expires: (length, role) =>
    `Sans réponse, elle expire après ${length}. Elle demande le rôle ${role}.`,
  asksBeforeActing: 'Il ne fait rien avant que ce qu’il demande au milieu d’un appel soit accepté.',
  whenUndetermined: { wait: 'attendre', tell: 'le dire à l’agent' },
  by: 'Par',
  at: 'Quand',
  how: 'Comment',
  report: 'Rapport',
  trials: 'Dernier rapport d’épreuves',
  noTrials:
    'La vérification ne porte pas de rapport d’épreuves. reprise trials en écrit un qui se met dans le contrat.',
  verdicts: { pass: 'réussi', fail: 'échec', undecidable: 'indécidable avec ce contrat' },
  parts: (count) => plural(count, { one: '# partie', other: '# parties' }),
  expected: 'Attendu',
  observed: 'Observé',
  because: 'Pourquoi',
  exhibit: 'Pièce',
  reference: 'Référence',
  objects: (count) =>
    plural(count, { one: '# objet à la destination', other: '# objets à la destination' }),
  countedWith: (tool) => `compté avec ${tool}`,
  calls: (sent, arrived) =>
    `${plural(sent, { one: '# appel envoyé', other: '# appels envoyés' })}, ${arrived} remis à la destination`,
};
