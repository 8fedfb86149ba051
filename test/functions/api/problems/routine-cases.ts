// One request for each row of docs/problems.md that is about routines.
import { RunId } from '../../../../functions/core/base/ids.ts';
import type { Request, Rig } from '../rig.ts';
import { type Begun, endRun } from '../story.ts';
import type { Case } from './problem-cases.ts';

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

/** One valid POST of each operation on routines. */
export const routinePosts = (
  ground: () => { readonly rig: Rig; readonly begun: Begun },
): { readonly [operationId: string]: () => Promise<Request> } => {
  const made = async (what: string, body: object = {}): Promise<Request> => {
    const { rig, begun } = ground();
    return { path: `/v1/routines/${await makeRoutine(rig, begun.agentId)}${what}`, body };
  };
  return {
    createRoutine: async () => ({
      path: '/v1/routines',
      body: routineOf(ground().begun.agentId),
    }),
    previewSchedule: async () => ({
      path: '/v1/routines/preview',
      body: { schedule: 'cron(0 8 1 1 ? *)', zone: 'UTC' },
    }),
    changeRoutine: () =>
      made('', { ...routineOf(ground().begun.agentId), message: 'Briefly.', rev: 1 }),
    pauseRoutine: () => made('/pause'),
    resumeRoutine: async () => {
      const request = await made('/resume');
      await post(ground().rig, request.path.replace('/resume', '/pause'));
      return request;
    },
    runRoutine: () => made('/run'),
    retryOccurrence: async () => {
      const { rig } = ground();
      const { path } = await made('');
      const { body } = await post(rig, `${path}/run`);
      const { runId } = body.run as { runId: string };
      await endRun(rig, RunId.parse(runId), 'failed');
      return { path: `${path}/occurrences/${body.occurrenceId}/retry`, body: {} };
    },
  };
};
