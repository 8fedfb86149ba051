// Problems of marking a tool call as faulty. Owns: their words.
import { kind } from './kind.ts';

export const faultProblems = {
  'no-such-call': kind<{ step: number; call: number }>(
    422,
    [
      'No such call',
      ({ step, call }) =>
        `The run has no call ${call} in step ${step}. Calls count from 0; read the run’s steps again.`,
    ],
    [
      'Appel inexistant',
      ({ step, call }) =>
        `L’exécution n’a pas d’appel ${call} à l’étape ${step}. Les appels se comptent à partir de 0 ; relisez les étapes.`,
    ],
  ),
  'fault-mark-of-another': kind<{ by: string }>(
    403,
    [
      'Not your mark',
      ({ by }) => `Only ${by} or an administrator can change it. Mark the call yourself instead.`,
    ],
    [
      'Signalement d’autrui',
      ({ by }) =>
        `Seule la personne qui l’a fait (${by}) ou un administrateur peut le modifier. Signalez l’appel vous-même.`,
    ],
  ),
  'fault-mark-taken-back': kind(
    409,
    ['Taken back', () => 'The mark was taken back. Mark the call again instead.'],
    ['Signalement retiré', () => 'Ce signalement a été retiré. Signalez l’appel à nouveau.'],
  ),
};
