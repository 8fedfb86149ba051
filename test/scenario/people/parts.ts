// What the tests of people share: calls that ask, agents with skills, and the requests a run waits for.
import type { JsonObject } from '../../../functions/core/base/json.ts';
import type { PersonRequest } from '../../../functions/core/records/request.ts';
import type { Client } from '../../rig/client.ts';
import { toolNames } from '../../rig/tools.ts';
import { until } from '../../rig/until.ts';

export const textForm: JsonObject = {
  type: 'object',
  properties: { text: { type: 'string', default: 'the default' } },
  required: ['text'],
};

/** A question of the agent's own. */
export const callAsk = (message: string, more: JsonObject = {}) => ({
  name: 'ask_user',
  arguments: { message, form: textForm, ...more },
});
export const callSkill = (skill: string) => ({
  name: 'request_skill',
  arguments: { skill, reason: 'To do it well.' },
});

/** An agent that may ask for the skill `filing`, or has it outright. */
export const makeSkilledAgent = (
  client: Client,
  script: string,
  grant: 'always' | 'on_request',
  tools: readonly string[] = toolNames,
): Promise<string> =>
  client.makeAgent({
    name: `Agent ${crypto.randomUUID()}`,
    prompt: 'You help.',
    model: { provider: 'scripted', script },
    tools: tools.map((name) => ({ name })),
    skills: [{ name: 'filing', grant }],
  });

/** What blocks the run, once it is that many. */
export const blocked = (client: Client, runId: string, count: number, timeoutMs?: number) =>
  until(
    `run ${runId} waits for ${count}`,
    async () => {
      const { state } = await client.run(runId);
      if (state.status === 'finished')
        throw new Error(`Run ${runId} is finished instead: ${state.reason}, ${state.detail}`);
      return state.status === 'waiting' && state.blocking.length === count
        ? state.blocking
        : undefined;
    },
    timeoutMs,
  );

/** The request of one call of the run's newest step. */
export const requestOfCall = async (
  client: Client,
  runId: string,
  call: number,
): Promise<PersonRequest> => {
  const actions = await client.actions(runId);
  const newest = Math.max(...actions.map(({ step }) => step));
  const action = actions.find((one) => one.step === newest && one.call === call);
  if (action?.requestId === undefined) throw new Error(`Call ${call} of ${runId} asks nobody.`);
  return (await client.request(action.requestId)).request;
};
