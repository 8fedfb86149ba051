// `reprise register`: the first version of a tool, a skill or an agent from a JSON file, as the API takes it. Owns: that command.
// What is wrong with the file's contents is the API's to say.
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { type Command, exitCodes, needed, type Place, UsageError } from './command.ts';
import { table } from './table.ts';

const places = { tool: '/v1/tools', skill: '/v1/skills', agent: '/v1/agents' } as const;
type Kind = keyof typeof places;
const isKind = (word: string): word is Kind => Object.hasOwn(places, word);

const Made = z.looseObject({
  name: z.string().optional(),
  version: z.int().optional(),
  agentId: z.string().optional(),
  revision: z.int().optional(),
  notes: z.array(z.looseObject({ field: z.string(), reason: z.string() })).default([]),
});

const objectIn = async (file: string, { say }: Place): Promise<object> => {
  const reasonOf = (cause: unknown) => (cause instanceof Error ? cause.message : String(cause));
  try {
    return z.looseObject({}).parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (cause) {
    const why = cause instanceof z.ZodError ? say('no object', 'pas un objet') : reasonOf(cause);
    throw new UsageError(
      say(
        `${file} cannot be read as a JSON object: ${why}.`,
        `${file} ne se lit pas comme un objet JSON : ${why}.`,
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
  run: async (given, place) => {
    const kind = needed(given, place, 0, 'KIND');
    if (!isKind(kind)) throw new UsageError(`${kind}: ${Object.keys(places).join(', ')}`);
    const body = await objectIn(needed(given, place, 1, 'FILE'), place);
    const api = await place.client();
    const made = await api.post(Made, places[kind], body);
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
