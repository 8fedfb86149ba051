// `reprise trials init`: asks for what a tool's trials still need, and writes it into one file. Owns: that command and its
// questions. Nothing is sent to a destination; an empty line keeps what is proposed.
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createInterface, type Interface } from 'node:readline/promises';
import { z } from 'zod';
import { Json, JsonObject } from '../../functions/core/base/json.ts';
import { ToolRegistration } from '../../functions/core/registry/tool.ts';
import {
  type Command,
  exitCodes,
  type Given,
  needed,
  type Place,
  UsageError,
} from '../kit/command.ts';
import { readJson, secretNames, type Whole, wholeOf } from './subject.ts';

type Draft = z.output<typeof Whole>;

const Stored = z.looseObject({ registration: ToolRegistration });

/** The tools that a contract names; without them nothing can be looked up or polled. */
const readsOf = ({ contract }: ToolRegistration): readonly string[] =>
  [contract.lookUp?.tool, contract.progress?.poll?.tool].filter((name) => name !== undefined);

const registered = async (name: string, place: Place): Promise<ToolRegistration> => {
  const api = await place.client();
  const path = `/v1/tools/${encodeURIComponent(name)}`;
  return (await api.get(Stored, path)).registration;
};

const draftOf = async (name: string, place: Place): Promise<Draft> => {
  if (existsSync(name)) return wholeOf(await readJson(name), name);
  const tool = await registered(name, place);
  const reads = await Promise.all(readsOf(tool).map((read) => registered(read, place)));
  return { tool, reads, refusedArguments: [] };
};

const Shape = z.looseObject({
  type: z.unknown().optional(),
  enum: z.array(Json).optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
});

/** Something that fits the schema, as a proposal. */
const sampleOf = (schema: unknown): Json => {
  const shape = Shape.safeParse(schema).data;
  if (shape?.enum?.[0] !== undefined) return shape.enum[0];
  switch (shape?.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(shape.properties ?? {}).map(([name, part]) => [name, sampleOf(part)]),
      );
    case 'integer':
    case 'number':
      return 1;
    case 'boolean':
      return false;
    case 'array':
      return [];
    default:
      return 'Trial {{unique}}';
  }
};

/** Lines one after the other, from a terminal or a pipe; at the end of a pipe every answer is empty. */
const asker = (lines: Interface, place: Place) => {
  const coming = lines[Symbol.asyncIterator]();
  return async (question: string): Promise<string> => {
    place.tell(question);
    const { done, value } = await coming.next();
    return done === true ? '' : value.trim();
  };
};
type Ask = ReturnType<typeof asker>;

/** Throws UsageError when the answer is no JSON of that form. */
const jsonFrom = <Schema extends z.ZodType>(
  schema: Schema,
  text: string,
  place: Place,
): z.output<Schema> => {
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    throw new UsageError(
      place.say(
        `This is no JSON of the form that was asked for: ${text}. Nothing was written.`,
        `Ce n’est pas du JSON de la forme demandée : ${text}. Rien n’a été écrit.`,
      ),
    );
  }
};

const askArguments = async (draft: Draft, ask: Ask, place: Place): Promise<Partial<Draft>> => {
  const proposed = draft.arguments ?? JsonObject.parse(sampleOf(draft.tool.arguments));
  const own = await ask(
    place.say(
      `Sample arguments that the test environment takes, as JSON; {{unique}} becomes different for each call. Empty: ${JSON.stringify(proposed)}`,
      `Arguments d’exemple acceptés par l’environnement d’essai, en JSON ; {{unique}} diffère à chaque appel. Vide : ${JSON.stringify(proposed)}`,
    ),
  );
  const changed = await ask(
    place.say(
      'The same with a change that the destination takes too. Empty: each argument is changed in turn.',
      'Les mêmes, avec un changement que le destinataire accepte aussi. Vide : chaque argument est changé à son tour.',
    ),
  );
  const refused = await ask(
    place.say(
      'A list of arguments that the destination refuses, as [{…}]. Empty: each argument is left out and made wrong.',
      'Une liste d’arguments que le destinataire refuse, comme [{…}]. Vide : chaque argument est omis puis faussé.',
    ),
  );
  return {
    arguments: own === '' ? proposed : jsonFrom(JsonObject, own, place),
    ...(changed === '' ? {} : { changedArguments: jsonFrom(JsonObject, changed, place) }),
    ...(refused === '' ? {} : { refusedArguments: jsonFrom(z.array(JsonObject), refused, place) }),
  };
};

/** Where the look-up cannot count by itself. */
const askExhibit = async (draft: Draft, ask: Ask, place: Place): Promise<Partial<Draft>> => {
  const { lookUp } = draft.tool.contract;
  if (draft.exhibit !== undefined || lookUp?.by === 'reference') return {};
  const name = await ask(
    place.say(
      'A registered read tool that lists what is at the destination: without one, nothing counts, and what only a count shows is not run. Its name, or empty:',
      'Un outil de lecture enregistré qui énumère ce qui est chez le destinataire : sans lui rien ne compte, et ce que seul un compte montre n’est pas éprouvé. Son nom, ou vide :',
    ),
  );
  if (name === '') return {};
  const known = draft.reads.find((read) => read.name === name);
  const hits = await ask(place.say('Path of the list in its answer:', 'Chemin de la liste :'));
  const match = await ask(
    place.say(
      'What of an object must be equal, as {"path": "$reference"} or {"path": "$args.name"}:',
      'Ce qui d’un objet doit être égal, comme {"path": "$reference"} ou {"path": "$args.name"} :',
    ),
  );
  return {
    reads: known === undefined ? [...draft.reads, await registered(name, place)] : draft.reads,
    exhibit: {
      tool: name,
      arguments: {},
      hits,
      match: match === '' ? {} : jsonFrom(z.record(z.string(), Json), match, place),
      settleMs: 1_000,
    },
  };
};

const nextLine = (file: string, { tool, reads }: Draft): string => {
  const secrets = [...new Set([tool, ...reads].flatMap(secretNames))];
  const given = secrets.map((name) => ` --secret-env ${name}=VARIABLE`).join('');
  const { environment } = tool.contract.destination;
  return `npx reprise trials --tool ${file} --environment ${environment}${given} --out trials`;
};

const run = async (given: Given, place: Place) => {
  const name = needed(given, place, 0, 'TOOL');
  const draft = await draftOf(name, place);
  const lines = createInterface({ input: process.stdin });
  try {
    const ask = asker(lines, place);
    const args = await askArguments(draft, ask, place);
    const whole = { ...draft, ...args, ...(await askExhibit(draft, ask, place)) };
    const file = given.text('out') ?? `${draft.tool.name}.trials.json`;
    await writeFile(file, `${JSON.stringify(whole, undefined, 2)}\n`);
    place.tell(place.say(`Written: ${file}. Next:`, `Écrit : ${file}. Ensuite :`));
    place.out(place.json ? JSON.stringify(whole) : nextLine(file, whole));
    return exitCodes.ok;
  } finally {
    lines.close();
  }
};

export const trialsInitCommand: Command = {
  name: 'trials init',
  en: 'Asks for what a tool’s trials still need, and writes it into a file',
  fr: 'Demande ce qu’il manque aux épreuves d’un outil, et l’écrit dans un fichier',
  arguments: 'TOOL',
  takes: [1, 1],
  options: {
    out: {
      type: 'string',
      value: 'FILE',
      en: 'Where it is written (default TOOL.trials.json)',
      fr: 'Où l’écrire (défaut OUTIL.trials.json)',
    },
  },
  run,
};
