// `reprise send`: says something to an agent. Owns: that command.
import { z } from 'zod';
import type { Client } from './client.ts';
import { type Command, exitCodes, type Given, needed, type Place, UsageError } from './command.ts';
import { follow } from './follow.ts';
import { table } from './table.ts';

const Agent = z.looseObject({
  agentId: z.string(),
  configuration: z.looseObject({ name: z.string() }),
});

/** By id or by name; the only one when none is named. */
const agentFrom = async (api: Client, given: Given, place: Place): Promise<string> => {
  const wanted = given.text('agent');
  const agents = await api.all(Agent, '/v1/agents');
  const found = agents.filter(
    ({ agentId, configuration }) =>
      wanted === undefined || agentId === wanted || configuration.name === wanted,
  );
  const [only] = found;
  if (only !== undefined && found.length === 1) return only.agentId;
  const names = agents.map(({ configuration }) => `"${configuration.name}"`).join(', ');
  throw new UsageError(
    place.say(`Name one agent with --agent: ${names}.`, `Nommez un agent avec --agent : ${names}.`),
  );
};

const Posted = z.looseObject({ runId: z.string(), fate: z.string() });
const Begun = z.looseObject({ conversationId: z.string() });

export const sendCommand: Command = {
  name: 'send',
  arguments: 'TEXT',
  takes: [1, 1],
  en: 'Says something to an agent, in a new conversation or a given one',
  fr: 'Dit quelque chose à un agent, dans une conversation nouvelle ou donnée',
  options: {
    agent: {
      type: 'string',
      value: 'AGENT',
      en: 'Name or id of the agent',
      fr: 'Nom ou identifiant de l’agent',
    },
    conversation: { type: 'string', value: 'ID', en: 'An existing one', fr: 'Une qui existe' },
    wait: { type: 'boolean', en: 'Follows the run', fr: 'Suit le run' },
  },
  run: async (given, place) => {
    const api = await place.client();
    const text = needed(given, place, 0, 'TEXT');
    const conversationId =
      given.text('conversation') ??
      (await api.post(Begun, '/v1/conversations', { agentId: await agentFrom(api, given, place) }))
        .conversationId;
    const posted = await api.post(Posted, `/v1/conversations/${conversationId}/messages`, { text });
    if (!given.flag('wait')) {
      place.out(
        place.json
          ? JSON.stringify({ ...posted, conversationId })
          : table([
              ['run', posted.runId],
              ['conversation', conversationId],
            ]),
      );
      return exitCodes.ok;
    }
    return follow(api, place, { conversationId, runId: posted.runId, after: 0 });
  },
};
