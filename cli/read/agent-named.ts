// The agent that the command line names, by its id or its name. Owns: that look-up.
import { z } from 'zod';
import type { Client } from '../kit/client.ts';
import { type Place, UsageError } from '../kit/command.ts';

const Agent = z.looseObject({
  agentId: z.string(),
  configuration: z.looseObject({ name: z.string() }),
});

/** Its id; of the only agent when none is named. Throws UsageError, with the names there are, when it is not one. */
export const agentNamed = async (
  api: Client,
  wanted: string | undefined,
  place: Place,
): Promise<string> => {
  const agents = await api.all(Agent, '/v1/agents');
  const found = agents.filter(
    ({ agentId, configuration }) =>
      wanted === undefined || agentId === wanted || configuration.name === wanted,
  );
  const [only] = found;
  if (only !== undefined && found.length === 1) return only.agentId;
  const names = agents.map(({ configuration }) => `"${configuration.name}"`).join(', ');
  if (agents.length === 0)
    throw new UsageError(
      place.say(
        'There is no agent yet: reprise register agent FILE makes one.',
        'Il n’y a pas encore d’agent : reprise register agent FICHIER en fait un.',
      ),
    );
  if (wanted === undefined)
    throw new UsageError(
      place.say(
        `Name one agent with --agent: ${names}.`,
        `Nommez un agent avec --agent : ${names}.`,
      ),
    );
  if (found.length > 1) {
    const ids = found.map(({ agentId }) => agentId).join(', ');
    throw new UsageError(
      place.say(
        `${found.length} agents are named "${wanted}". Name one by its id: ${ids}.`,
        `${found.length} agents s’appellent « ${wanted} ». Nommez-en un par son identifiant : ${ids}.`,
      ),
    );
  }
  throw new UsageError(
    place.say(
      `There is no agent "${wanted}". There are: ${names}.`,
      `Il n’y a pas d’agent « ${wanted} ». Il y a : ${names}.`,
    ),
  );
};
