// The help of the whole command and of each of its parts. Owns: that text.
import { type Command, exitCodes, type Options } from './command.ts';
import { commonOptions } from './parse.ts';
import { placeholder } from './placeholders.ts';
import type { Say } from './speech.ts';

/** What a person fills in, as the help shows it. */
const filledIn = (text: string, say: Say): string =>
  say(placeholder(text, 'en'), placeholder(text, 'fr'));

const columns = (rows: readonly (readonly [string, string])[]): string => {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n');
};

const optionRows = (options: Options, say: Say): (readonly [string, string])[] =>
  Object.entries(options).map(([name, { value, short, en, fr }]) => [
    `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` ${filledIn(value, say)}`}`,
    say(en, fr),
  ]);

const exitRows = (say: Say): (readonly [string, string])[] => [
  [String(exitCodes.ok), say('done, passed', 'fait, réussi')],
  [String(exitCodes.failed), say('failed or refused', 'échec ou refus')],
  [String(exitCodes.usage), say('wrong command line, nothing done', 'ligne de commande fautive')],
  [String(exitCodes.needsPerson), say('needs a person', 'une personne est attendue')],
  [String(exitCodes.unreachable), say('nobody answers', 'personne ne répond')],
  [
    String(exitCodes.lieFound),
    say('trials: a contract does not hold', 'trials : un contrat ne tient pas'),
  ],
  [
    String(exitCodes.notTried),
    say('trials: not all could be tried or seen', 'trials : tout n’a pu être éprouvé ou vu'),
  ],
];

export const helpOf = (command: Command, say: Say): string =>
  [
    say(command.en, command.fr),
    '',
    `${say('Usage:', 'Usage :')} reprise ${[command.name, filledIn(command.arguments ?? '', say), '[options]'].filter(Boolean).join(' ')}`,
    '',
    columns(optionRows({ ...command.options, ...commonOptions }, say)),
    '',
    say('Exit codes', 'Codes de sortie'),
    columns(exitRows(say)),
  ].join('\n');

export const helpOfAll = (commands: readonly Command[], say: Say): string =>
  helpOfMany(commands, say, [
    say(
      'Reprise: runs AI agents; never redoes an action and never guesses.',
      'Reprise : fait travailler des agents ; ne refait jamais une action et ne devine jamais.',
    ),
    '',
  ]);

/** Of the commands whose first word is the same. */
export const helpOfGroup = (commands: readonly Command[], say: Say): string =>
  helpOfMany(commands, say, []);

const helpOfMany = (commands: readonly Command[], say: Say, headline: readonly string[]): string =>
  [
    ...headline,
    `${say('Usage:', 'Usage :')} reprise ${say('COMMAND', 'COMMANDE')} [options]`,
    '',
    columns(
      commands.map((command) => [
        [command.name, filledIn(command.arguments ?? '', say)].filter(Boolean).join(' '),
        say(command.en, command.fr),
      ]),
    ),
    '',
    columns(optionRows(commonOptions, say)),
    '',
    say('Exit codes', 'Codes de sortie'),
    columns(exitRows(say)),
    '',
    say(
      'reprise COMMAND --help says more. Documentation: docs/cli.md, docs/trials.md.',
      'reprise COMMANDE --help en dit plus. Documentation : docs/cli.md, docs/trials.md.',
    ),
  ].join('\n');
