// `reprise register`: a tool, a skill or an agent from a JSON file, as the API takes it; with --new-version the next version
// of one that is there. Owns: that command. What is wrong with the file's contents is the API's to say. A version never
// changes, and an agent keeps those it has (L15): who stays behind is told.
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { withPreset } from '../../functions/core/registry/presets.ts';
import { ToolRegistration } from '../../functions/core/registry/tool.ts';
import { ApiRefusal, type Client } from '../kit/client.ts';
import {
  type Command,
  exitCodes,
  type Given,
  needed,
  type Place,
  UsageError,
} from '../kit/command.ts';
import { nearest } from '../kit/near.ts';
import { table } from '../kit/table.ts';
import { agentNamed } from '../read/agent-named.ts';
import { type Body, objectIn, toolIn, verifiedBy } from '../read/register-file.ts';
import { changeLines, differences } from '../words/changes.ts';

const kinds = ['tool', 'skill', 'agent'] as const;
type Kind = (typeof kinds)[number];

const Made = z.looseObject({
  name: z.string().optional(),
  version: z.int().optional(),
  agentId: z.string().optional(),
  revision: z.int().optional(),
  notes: z.array(z.looseObject({ field: z.string(), reason: z.string() })).default([]),
});
type Made = z.infer<typeof Made>;

const Pinned = z.looseObject({ name: z.string(), version: z.int() });
const Agent = z.looseObject({
  agentId: z.string(),
  configuration: z.looseObject({
    name: z.string(),
    tools: z.array(Pinned),
    skills: z.array(Pinned),
  }),
});

/** One version as it is stored, whatever it is of: what is in it, and its number. */
const Stored = z.looseObject({
  version: z.int().optional(),
  registration: z.unknown().optional(),
  content: z.unknown().optional(),
  configuration: z.unknown().optional(),
});
const contentOf = (stored: z.infer<typeof Stored>): unknown =>
  stored.registration ?? stored.content ?? stored.configuration;

const kindFrom = (given: Given, place: Place): Kind => {
  const word = needed(given, place, 0, 'KIND');
  const kind = kinds.find((one) => one === word);
  if (kind !== undefined) return kind;
  const meant = nearest(word, kinds);
  throw new UsageError(
    place.say(
      `"${word}" cannot be registered${meant === undefined ? '' : ` (did you mean ${meant}?)`}: name tool, skill or agent first, then its file, as in "reprise register tool ticket.json".`,
      `« ${word} » ne s’enregistre pas${meant === undefined ? '' : ` (${meant} ?)`} : nommez d’abord tool, skill ou agent, puis son fichier, comme dans « reprise register tool ticket.json ».`,
    ),
  );
};

const bodyFrom = async (kind: Kind, given: Given, place: Place): Promise<Body> => {
  const file = needed(given, place, 1, 'FILE');
  const report = given.text('verification');
  if (report !== undefined && kind !== 'tool')
    throw new UsageError(
      place.say(
        `--verification belongs to a tool, not to ${kind}: leave it out.`,
        `--verification vaut pour un outil (tool), pas pour ${kind} : omettez-la.`,
      ),
    );
  if (kind !== 'tool') return objectIn(file, place);
  const tool = await toolIn(file, place);
  return report === undefined ? tool : verifiedBy(tool, report, place);
};

/** Where the thing is that the file changes. Throws UsageError when the file does not say which. */
const placeOf = async (
  kind: Kind,
  body: Body,
  api: Client,
  given: Given,
  place: Place,
): Promise<string> => {
  if (kind === 'agent') {
    const named = given.text('agent') ?? String(body.name ?? '');
    return `/v1/agents/${await agentNamed(api, named, place)}`;
  }
  if (typeof body.name !== 'string')
    throw new UsageError(
      place.say('The file has no "name".', 'Le fichier n’a pas de « name » (nom).'),
    );
  return `/v1/${kind}s/${encodeURIComponent(body.name)}`;
};

const again = (kind: Kind, given: Given): string =>
  `reprise register ${kind} ${given.positionals[1] ?? ''} --new-version`;

/** An agent's name is not its own: a second one of it would be made without a word, and be in the way ever after. */
const refuseSecond = async (api: Client, body: Body, given: Given, place: Place): Promise<void> => {
  const agents = await api.all(Agent, '/v1/agents');
  const there = agents.find(({ configuration }) => configuration.name === body.name);
  if (there === undefined) return;
  const { agentId } = there;
  throw new Error(
    place.say(
      `There is an agent named "${body.name}" already (${agentId}). Nothing was made. Its next revision: ${again('agent', given)}. For a second agent, give the file another name.`,
      `Il existe déjà un agent « ${body.name} » (${agentId}). Rien n’a été fait. Sa prochaine révision : ${again('agent', given)}. Pour un second agent, donnez un autre nom dans le fichier.`,
    ),
  );
};

const first = async (
  kind: Kind,
  body: Body,
  api: Client,
  given: Given,
  place: Place,
): Promise<Made> => {
  if (kind === 'agent') await refuseSecond(api, body, given, place);
  try {
    return await api.post(Made, `/v1/${kind}s`, body);
  } catch (error) {
    if (error instanceof ApiRefusal && /\/(already|skill)-exists$/.test(error.problem.type)) {
      const detail = place.say(
        `${error.problem.detail ?? ''} Next: ${again(kind, given)}`,
        `${error.problem.detail ?? ''} Ensuite : ${again(kind, given)}`,
      );
      throw new ApiRefusal({ ...error.problem, detail });
    }
    throw error;
  }
};

/** Of a tool all of it can be told beforehand: nothing in it depends on what else is registered. */
const isStored = (kind: Kind, body: Body, stored: unknown): boolean => {
  const read = ToolRegistration.safeParse(body);
  return kind === 'tool' && read.success && isDeepStrictEqual(withPreset(read.data), stored);
};

/** Makes the next version and tells what differs from the one before. */
const next = async (
  kind: Kind,
  body: Body,
  api: Client,
  given: Given,
  place: Place,
): Promise<Made> => {
  const path = await placeOf(kind, body, api, given, place);
  const stored = await api.get(Stored, path);
  const before = contentOf(stored);
  if (isStored(kind, body, before)) {
    const { version = 1 } = stored;
    place.tell(
      place.say(
        `Nothing differs from version ${version}; no new one was made.`,
        `Rien ne diffère de la version ${version} ; il n’en a pas été fait d’autre.`,
      ),
    );
    return { name: String(body.name), version, notes: [] };
  }
  const made = await api.post(Made, `${path}/${kind === 'agent' ? 'revisions' : 'versions'}`, body);
  const changed = differences(before, contentOf(await api.get(Stored, path)));
  place.tell(
    changed.length === 0
      ? place.say(
          'Nothing differs from the version before.',
          'Rien ne diffère de la version précédente.',
        )
      : [place.say('What changed:', 'Ce qui a changé :'), ...changeLines(changed, place.say)].join(
          '\n',
        ),
  );
  if (kind !== 'agent') await tellWhoStays(kind, made, api, place);
  return made;
};

const tellWhoStays = async (
  kind: 'tool' | 'skill',
  { name, version }: Made,
  api: Client,
  place: Place,
): Promise<void> => {
  const agents = await api.all(Agent, '/v1/agents');
  for (const { agentId, configuration } of agents) {
    const pinned = configuration[`${kind}s`].find((one) => one.name === name)?.version;
    if (pinned === undefined || pinned === version) continue;
    const file = place.say('FILE', 'FICHIER');
    const move = `reprise register agent ${file} --new-version --agent ${agentId}`;
    place.tell(
      place.say(
        `"${configuration.name}" stays on version ${pinned} until a revision of it: ${move}, or "Make a new revision" on its page.`,
        `« ${configuration.name} » garde la version ${pinned} jusqu’à sa prochaine révision : ${move}, ou « Créer une nouvelle révision » sur sa page.`,
      ),
    );
  }
};

export const registerCommand: Command = {
  name: 'register',
  arguments: 'KIND FILE',
  takes: [2, 2],
  en: 'Registers the tool, the skill or the agent that a JSON file describes',
  fr: 'Enregistre l’outil, la compétence ou l’agent que décrit un fichier JSON',
  options: {
    'new-version': {
      type: 'boolean',
      en: 'The next version of one that is there (of an agent: its next revision)',
      fr: 'La version suivante de ce qui existe (d’un agent : sa révision suivante)',
    },
    agent: {
      type: 'string',
      value: 'AGENT',
      en: 'agent --new-version: which one, by name or id (default: the name in the file)',
      fr: 'agent --new-version : lequel, par son nom ou son identifiant (défaut : le nom du fichier)',
    },
    verification: {
      type: 'string',
      value: 'REPORT',
      en: 'tool: puts the verification of this report.json of the trials into the contract',
      fr: 'tool : met dans le contrat la vérification de ce report.json des essais',
    },
  },
  run: async (given, place) => {
    const kind = kindFrom(given, place);
    const body = await bodyFrom(kind, given, place);
    const api = await place.client();
    const make = given.flag('new-version') ? next : first;
    const made = await make(kind, body, api, given, place);
    if (place.json) place.out(JSON.stringify(made));
    else
      place.out(
        table([
          [kind, made.name ?? made.agentId ?? '', String(made.version ?? made.revision ?? '')],
        ]),
      );
    for (const { field, reason } of made.notes) place.tell(`${field}: ${reason}`);
    return exitCodes.ok;
  },
};
