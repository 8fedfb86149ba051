// The words of the recovery desk, in French.

import { pluralIn } from '../../base/plural.ts';
import type { desk as english } from '../en/desk.ts';

const plural = pluralIn('fr');

export const desk: typeof english = {
  title: 'Bureau de reprise',
  hint: 'Actions dont l’issue n’est pas connue, les plus anciennes d’abord.',
  empty: 'Rien n’est à reprendre.',
  emptyAside: 'Rien n’est mis de côté.',
  count: (count) => plural(count, { one: '# action', other: '# actions' }),
  moreThan: (count) => plural(count, { one: 'Plus de # action', other: 'Plus de # actions' }),
  atLeast: (count) => plural(count, { one: 'Au moins # action', other: 'Au moins # actions' }),
  unknown: (count) =>
    plural(count, { one: ', dont # indéterminée', other: ', dont # indéterminées' }),
  part: 'Partie',
  parts: { open: 'Ouvertes', aside: 'Mises de côté' },
  tool: 'Outil',
  owner: 'Prise en charge par',
  owners: { any: 'Peu importe', me: 'Moi', none: 'Personne' },
  since: 'Première tentative',
  needsPerson: 'attend quelqu’un',
  looking: 'le système cherche',
  waitsUntil: 'attend jusqu’au',
  holder: (name) => `prise en charge par ${name}, expire`,
  inCharge: (name) => `responsable : ${name}`,
  nobody: 'personne',
  nextCheck: 'Prochain contrôle',
  csv: 'Télécharger en CSV',
  sheet: 'Fiche de reprise',
  observed: 'observé',
  supposed: 'supposé',
  mixed: 'en partie observé, en partie supposé',
  since2: 'depuis',
  missing: 'Il manque',
  export: 'Exporter',
  markdown: 'Markdown',
  html: 'HTML',
  json: 'JSON',
  print: 'Imprimer',
  observe: 'Ajouter ce que vous avez trouvé, sans décider',
  observeHint:
    'Sans prise en charge. C’est daté, gardé et montré aussitôt. Cela ne règle rien : la personne responsable décide.',
  shows: 'Que montre-t-il ?',
  says: {
    confirms: 'Cela a eu lieu',
    disproves: 'Cela n’a pas eu lieu',
    nothing: 'Cela ne prouve rien',
  },
  add: 'Ajouter la preuve',
  look: 'Rechercher maintenant',
  lookHint: 'Le système interroge la destination, selon le contrat.',
  lookYourself: 'Le contrat ne déclare aucune recherche : seule une personne peut regarder.',
  looked: 'Une recherche est lancée.',
  reached: 'Jusqu’où elle est allée',
  reachedIs: {
    observed: (milestone) => `${milestone}, comme on l’a observé`,
    supposed: (milestone) => `${milestone}, pour autant qu’on sache : rien ne le montre`,
  },
  writers: {
    perform: 'Reprise, en envoyant l’appel',
    verify: 'Reprise, en vérifiant l’issue',
  },
};
