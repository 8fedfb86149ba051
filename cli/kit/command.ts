// What a command is: its words, its options, and what it is run with. Owns: exit codes, and how a command speaks: data on
// stdout, talk on stderr, colour only where a terminal shows it; how an option that must be of a kind is read.
import type { ParseArgsOptionDescriptor } from 'node:util';
import type { Client } from './client.ts';
import { nearest } from './near.ts';
import { placeholder } from './placeholders.ts';
import type { Language, Say } from './speech.ts';

/** Documented in docs/cli.md. */
export const exitCodes = {
  ok: 0,
  /** It was tried and did not come out, or the API refused. */
  failed: 1,
  /** The command line is wrong; nothing was done. */
  usage: 2,
  /** Nothing more happens until a person answers or decides. */
  needsPerson: 3,
  /** Neither a twin nor an API could be reached. */
  unreachable: 4,
  /** `trials`: a contract says what its destination does not do, or something was done twice or lost. */
  lieFound: 5,
  /** `trials`: nothing failed, and something that the contract promises could not be tried or seen. */
  notTried: 6,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** The command line is wrong. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export type OptionValue = string | boolean | readonly (string | boolean)[] | undefined;

export interface Option extends ParseArgsOptionDescriptor {
  readonly type: 'string' | 'boolean';
  /** Shown in the help: `DIR`, `FILE`. */
  readonly value?: string;
  readonly en: string;
  readonly fr: string;
}
export type Options = { readonly [name: string]: Option };

/** Where a command is run. */
export interface Place {
  readonly language: Language;
  readonly say: Say;
  readonly json: boolean;
  /** Data; a newline is added. */
  out(text: string): void;
  /** Talk. */
  tell(text: string): void;
  /** Marks a text, where colour is shown. */
  paint(colour: Colour, text: string): string;
  /** The API of the twin or of `--url`. Rejects when none is found. */
  client(): Promise<Client>;
  readonly env: { readonly [name: string]: string | undefined };
  /** The twin's data folder. */
  readonly dataDir: string;
}

export type Colour = 'good' | 'bad' | 'open' | 'dim' | 'bold';

export interface Given {
  readonly positionals: readonly string[];
  text(name: string): string | undefined;
  texts(name: string): readonly string[];
  flag(name: string): boolean;
}

export interface Command {
  /** One or two words: `trials`, `runs list`. */
  readonly name: string;
  readonly en: string;
  readonly fr: string;
  /** Positionals as shown in the help. */
  readonly arguments?: string;
  readonly options?: Options;
  /** Least and most positionals. */
  readonly takes?: readonly [number, number];
  run(given: Given, place: Place): Promise<ExitCode>;
}

const codes = { good: 32, bad: 31, open: 33, dim: 2, bold: 1 } as const;

/** Colour on a terminal only; NO_COLOR and TERM=dumb turn it off, FORCE_COLOR on. */
export const paintFor = (
  stream: { readonly isTTY?: boolean },
  env: { readonly [name: string]: string | undefined },
): Place['paint'] => {
  const off = env.NO_COLOR !== undefined && env.NO_COLOR !== '';
  const forced = env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== '0';
  const shows = !off && (forced || (stream.isTTY === true && env.TERM !== 'dumb'));
  return (colour, text) => (shows ? `\u001b[${codes[colour]}m${text}\u001b[0m` : text);
};

/** Throws UsageError when it is missing. */
export const needed = (given: Given, place: Place, index: number, name: string): string => {
  const value = given.positionals[index];
  if (value !== undefined) return value;
  throw new UsageError(place.say(`${name} is missing.`, `Il manque ${placeholder(name, 'fr')}.`));
};

/** An option that must be given; `example` is a value of it. Throws UsageError when it is missing. */
export const neededText = (given: Given, place: Place, name: string, example: string): string => {
  const text = given.text(name)?.trim() ?? '';
  if (text !== '') return text;
  const whole = `--${name} ${example}`;
  throw new UsageError(
    place.say(`--${name} is missing, as in: ${whole}`, `Il manque --${name}, comme : ${whole}`),
  );
};

/** A whole number above zero; `usual` when none is given. Throws UsageError when it is not one. */
export const countFrom = (given: Given, place: Place, name: string, usual: number): number => {
  const text = given.text(name) ?? String(usual);
  const value = Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  throw new UsageError(
    place.say(
      `--${name} "${text}" is no whole number above zero, such as --${name} 20.`,
      `--${name} « ${text} » n’est pas un nombre entier supérieur à zéro, comme --${name} 20.`,
    ),
  );
};

/** One of several words; undefined when none is given. Throws UsageError, with the one that was meant. */
export const oneOf = <Word extends string>(
  given: Given,
  place: Place,
  name: string,
  words: readonly Word[],
): Word | undefined => {
  const text = given.text(name);
  const word = words.find((one) => one === text);
  if (text === undefined || word !== undefined) return word;
  const meant = nearest(text, words);
  throw new UsageError(
    place.say(
      `--${name} "${text}" is none of these${meant === undefined ? '' : ` (did you mean ${meant}?)`}: ${words.join(', ')}.`,
      `--${name} « ${text} » n’est rien de cela${meant === undefined ? '' : ` (${meant} ?)`} : ${words.join(', ')}.`,
    ),
  );
};
