// Why a run ended, where the sentence holds something, as French shows it. Owns: these forms.
// Tested in test/core/french/said.test.ts.

export const runsFr: readonly (readonly [form: RegExp, french: (held: string) => string])[] = [
  [/^([^.!?:]+) stopped the run\.$/, (name) => `${name} a arrêté l’exécution.`],
  [
    /^Its execution died (\d+) times without getting further\.$/,
    (times) => `Son exécution est morte ${times} fois sans avancer.`,
  ],
  [
    /^The next step could not be taken: the function that asks the model failed \((.*)\)\.$/,
    (error) =>
      `L’étape suivante n’a pas pu être faite\u00a0: la fonction qui interroge le modèle a échoué (${error}).`,
  ],
  [
    /^The calls of a step were cut short: a function that carries them out failed \((.*)\)\.$/,
    (error) =>
      `Les appels d’une étape ont été interrompus\u00a0: une fonction qui les exécute a échoué (${error}).`,
  ],
];
