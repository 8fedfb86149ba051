// The command line read: which command, its options, its words. Owns: the options that every command has, and what is said
// when something is wrong. Throws UsageError.
import { parseArgs } from 'node:util';
import { type Command, type Given, type Options, type OptionValue, UsageError } from './command.ts';
import { nearest } from './near.ts';
import { placeholder } from './placeholders.ts';
import type { Say } from './speech.ts';

export const commonOptions: Options = {
  help: { type: 'boolean', short: 'h', en: 'This help', fr: 'Cette aide' },
  json: { type: 'boolean', en: 'JSON on stdout', fr: 'JSON sur la sortie standard' },
  lang: { type: 'string', value: 'en|fr', en: 'Language', fr: 'Langue' },
  url: {
    type: 'string',
    value: 'URL',
    en: 'A deployed API (default: the twin of the data folder, or REPRISE_URL)',
    fr: 'Une API déployée (défaut : le jumeau du dossier de données, ou REPRISE_URL)',
  },
  token: {
    type: 'string',
    value: 'TOKEN',
    en: 'Access token (better in REPRISE_TOKEN: a command line can be seen by others)',
    fr: 'Jeton d’accès (mieux dans REPRISE_TOKEN : une ligne de commande se voit)',
  },
  data: {
    type: 'string',
    value: 'DIR',
    en: 'The twin’s data folder (default .reprise)',
    fr: 'Le dossier de données du jumeau (défaut .reprise)',
  },
};

const asksForHelp = (args: readonly string[]): boolean =>
  args.includes('--help') || args.includes('-h');

/** The commands of the group that `reprise desk --help` names; empty when a command, or no group, is named. */
export const groupFrom = (
  args: readonly string[],
  commands: readonly Command[],
): readonly Command[] => {
  const [first, ...more] = wordPlaces(args, commands).map((place) => args[place]);
  if (first === undefined || more.length > 0 || !asksForHelp(args)) return [];
  if (commands.some(({ name }) => name === first)) return [];
  return commands.filter(({ name }) => name.startsWith(`${first} `));
};

export interface Chosen {
  readonly command: Command;
  readonly rest: readonly string[];
}

/** Places of the words that are neither options nor their values. Which options take one is asked of all commands. */
const wordPlaces = (args: readonly string[], commands: readonly Command[]): readonly number[] => {
  const taking = new Set(
    [commonOptions, ...commands.map(({ options }) => options ?? {})].flatMap((options) =>
      Object.entries(options).flatMap(([name, { type }]) =>
        type === 'string' ? [`--${name}`] : [],
      ),
    ),
  );
  const end = args.indexOf('--');
  return [...args.keys()].filter((place) => {
    if (end !== -1 && place >= end) return false;
    const isValue = taking.has(args[place - 1] ?? '');
    return !isValue && args[place]?.startsWith('-') === false;
  });
};

/** The command that the first words name; undefined when none is given. */
export const chosenFrom = (
  args: readonly string[],
  commands: readonly Command[],
  say: Say,
): Chosen | undefined => {
  const places = wordPlaces(args, commands);
  const [first, second] = places.map((place) => args[place]);
  if (first === undefined) return undefined;
  const two = commands.find(({ name }) => name === `${first} ${second}`);
  const command = two ?? commands.find(({ name }) => name === first);
  if (command !== undefined) {
    const used = places.slice(0, command.name.split(' ').length);
    return { command, rest: args.filter((_, place) => !used.includes(place)) };
  }
  const group = commands.filter(({ name }) => name.startsWith(`${first} `));
  const names = group.length > 0 ? group.map(({ name }) => name) : commands.map(({ name }) => name);
  const typed = group.length > 0 ? `${first} ${second ?? ''}`.trim() : first;
  const firsts = names.map((name) => (group.length > 0 ? name : (name.split(' ')[0] ?? name)));
  const meant = nearest(typed, [...new Set([...names, ...firsts])]);
  const all = [...new Set(firsts)].join(', ');
  throw new UsageError(
    say(
      `There is no command "${typed}".${meant === undefined ? '' : ` Did you mean "${meant}"?`} There are: ${all}.`,
      `Il n’y a pas de commande « ${typed} ».${meant === undefined ? '' : ` Vouliez-vous dire « ${meant} » ?`} Il y a : ${all}.`,
    ),
  );
};

const givenFrom = (
  values: { readonly [name: string]: OptionValue },
  positionals: readonly string[],
): Given => ({
  positionals,
  text: (name) => {
    const value = values[name];
    return typeof value === 'string' ? value : undefined;
  },
  texts: (name) => {
    const value = values[name];
    return Array.isArray(value) ? value.map(String) : typeof value === 'string' ? [value] : [];
  },
  flag: (name) => values[name] === true,
});

const unknownOption = (error: unknown): string | undefined => {
  const known = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (known !== 'ERR_PARSE_ARGS_UNKNOWN_OPTION' || !(error instanceof Error)) return undefined;
  return /'(-{1,2}[^']*)'/.exec(error.message)?.[1];
};

/** Options and words of a command. */
export const givenTo = ({ command, rest }: Chosen, say: Say): Given => {
  const options: Options = { ...commonOptions, ...command.options };
  try {
    const { values, positionals } = parseArgs({
      args: [...rest],
      allowPositionals: true,
      strict: true,
      options,
    });
    const [least, most] = command.takes ?? [0, 0];
    if (positionals.length > most)
      throw new UsageError(
        say(
          `"${positionals[most]}" is one word too many.`,
          `« ${positionals[most]} » est de trop.`,
        ),
      );
    const given = givenFrom(values, positionals);
    if (positionals.length < least && !given.flag('help'))
      throw new UsageError(
        say(
          `Something is missing: reprise ${command.name} ${command.arguments ?? ''}`,
          `Il manque quelque chose : reprise ${command.name} ${placeholder(command.arguments ?? '', 'fr')}`,
        ),
      );
    return given;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const option = unknownOption(error);
    if (option === undefined)
      throw new UsageError(error instanceof Error ? error.message : String(error));
    const meant = nearest(option.replace(/^-+/, ''), Object.keys(options));
    throw new UsageError(
      say(
        `"${command.name}" has no option ${option}.${meant === undefined ? '' : ` Did you mean --${meant}?`}`,
        `« ${command.name} » n’a pas d’option ${option}.${meant === undefined ? '' : ` Vouliez-vous dire --${meant} ?`}`,
      ),
    );
  }
};
