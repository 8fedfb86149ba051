// `reprise agents list`: the agents by name and id, and what each calls. Owns: that command.
import { z } from 'zod';
import { type Command, exitCodes } from '../kit/command.ts';
import { cut, table } from '../kit/table.ts';

const Agent = z.looseObject({
  agentId: z.string(),
  revision: z.number(),
  configuration: z.looseObject({
    name: z.string(),
    model: z.looseObject({ provider: z.string(), model: z.string().optional() }),
    tools: z.array(z.looseObject({ name: z.string(), version: z.number() })),
  }),
});

export const agentsCommand: Command = {
  name: 'agents list',
  en: 'Lists the agents, each with its newest revision, model and tools',
  fr: 'Liste les agents, chacun avec sa dernière révision, son modèle et ses outils',
  run: async (_given, place) => {
    const api = await place.client();
    const items = await api.all(Agent, '/v1/agents');
    if (place.json) place.out(JSON.stringify({ items }));
    else
      place.out(
        table([
          [
            'AGENT',
            place.say('NAME', 'NOM'),
            place.say('REVISION', 'RÉVISION'),
            place.say('MODEL', 'MODÈLE'),
            place.say('TOOLS', 'OUTILS'),
          ],
          ...items.map(({ agentId, revision, configuration: { name, model, tools } }) => [
            agentId,
            cut(name, 40),
            String(revision),
            [model.provider, model.model].filter(Boolean).join(' '),
            cut(tools.map((tool) => `${tool.name} ${tool.version}`).join(', '), 120),
          ]),
        ]),
      );
    return exitCodes.ok;
  },
};
