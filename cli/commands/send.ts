// `reprise send`: says something to an agent. Owns: that command.
import { z } from 'zod';
import { type Command, exitCodes, needed } from '../kit/command.ts';
import { table } from '../kit/table.ts';
import { agentNamed } from '../read/agent-named.ts';
import { follow } from '../read/follow.ts';

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
    wait: {
      type: 'boolean',
      en: 'Follows the run; the answer goes to stdout, its events to stderr',
      fr: 'Suit le run ; la réponse va sur la sortie standard, ses événements sur l’autre',
    },
  },
  run: async (given, place) => {
    const api = await place.client();
    const text = needed(given, place, 0, 'TEXT');
    const conversationId =
      given.text('conversation') ??
      (
        await api.post(Begun, '/v1/conversations', {
          agentId: await agentNamed(api, given.text('agent'), place),
        })
      ).conversationId;
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
    const from = { conversationId, runId: posted.runId, after: 0 };
    return follow(api, place, from, (line) => place.tell(place.paint('dim', line)));
  },
};
