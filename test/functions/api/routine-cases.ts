// One request for each row of docs/problems.md that is about routines.
import type { Case } from './problem-cases.ts';
import type { Rig } from './rig.ts';

export const routineOf = (agentId: string) => ({
  name: 'Morning report',
  agentId,
  message: 'Write the report.',
  schedule: 'cron(0 8 * * ? *)',
  zone: 'Europe/Paris',
});

const post = (rig: Rig, path: string, body: object = {}) =>
  rig.call({ method: 'POST', path, body });

export const makeRoutine = async (
  rig: Rig,
  agentId: string,
  more: object = {},
): Promise<string> => {
  const { body } = await post(rig, '/v1/routines', { ...routineOf(agentId), ...more });
  return String(body.routineId);
};

export const routineCases: readonly Case[] = [
  {
    input: 'a routine with a schedule that is none',
    run: (rig, { agentId }) =>
      post(rig, '/v1/routines', { ...routineOf(agentId), schedule: 'cron(0 8 * * *)' }),
  },
  {
    input: 'changing a routine that somebody else has changed',
    run: async (rig, { agentId }) => {
      const routineId = await makeRoutine(rig, agentId);
      await post(rig, `/v1/routines/${routineId}/pause`);
      return post(rig, `/v1/routines/${routineId}`, {
        ...routineOf(agentId),
        name: 'Evening report',
        rev: 1,
      });
    },
  },
  {
    input: 'trying an occurrence again that did not fail',
    run: async (rig, { agentId }) => {
      const routineId = await makeRoutine(rig, agentId);
      const { body } = await post(rig, `/v1/routines/${routineId}/run`);
      return post(rig, `/v1/routines/${routineId}/occurrences/${body.occurrenceId}/retry`);
    },
  },
];
