// The `reprise` command: finds the command that was typed, runs it, and turns what goes wrong into words and an exit code.
// Owns: those words. A refusal of the API is shown as the API wrote it.

import { commands } from './commands.ts';
import { ApiRefusal, ApiUnreachable } from './kit/client.ts';
import { type ExitCode, exitCodes, type Place, UsageError } from './kit/command.ts';
import { helpOf, helpOfAll, helpOfGroup } from './kit/help.ts';
import { chosenFrom, givenTo, groupFrom } from './kit/parse.ts';
import { refusalText } from './kit/refusal.ts';
import { sayIn } from './kit/speech.ts';
import { languageFrom, NobodyThere, placeFrom } from './session/place.ts';
import { NotATrial } from './trials/subject.ts';

const codeOf = (error: unknown, place: Place): ExitCode => {
  if (error instanceof ApiRefusal) {
    if (place.json) place.out(JSON.stringify(error.problem));
    place.tell(refusalText(error.problem, place));
    return exitCodes.failed;
  }
  const message = error instanceof Error ? error.message : String(error);
  place.tell(place.paint('bad', message));
  if (error instanceof UsageError || error instanceof NotATrial) return exitCodes.usage;
  if (error instanceof ApiUnreachable || error instanceof NobodyThere) return exitCodes.unreachable;
  return exitCodes.failed;
};

/** `--lang` is wanted before anything is parsed, so that even a wrong command line is answered in the right language. */
const wantedLanguage = (args: readonly string[]): string | undefined => {
  const joined = args.find((word) => word.startsWith('--lang='));
  if (joined !== undefined) return joined.slice('--lang='.length);
  const at = args.indexOf('--lang');
  return at === -1 ? undefined : args[at + 1];
};

/** Without the words that only say the language, so that they are not taken for a command. */
const withoutLanguage = (args: readonly string[]): string[] => {
  const at = args.indexOf('--lang');
  return args.filter(
    (word, index) =>
      !word.startsWith('--lang=') && (at === -1 || (index !== at && index !== at + 1)),
  );
};

const main = async (typed: readonly string[]): Promise<ExitCode> => {
  const fallback = placeFrom(undefined, process.env, 'en');
  let place = fallback;
  try {
    const language = languageFrom(wantedLanguage(typed), process.env);
    const say = sayIn(language);
    place = placeFrom(undefined, process.env, language);
    const args = withoutLanguage(typed);
    const group = groupFrom(args, commands);
    if (group.length > 0) {
      place.out(helpOfGroup(group, say));
      return exitCodes.ok;
    }
    const chosen = chosenFrom(args, commands, say);
    if (chosen === undefined) {
      place.out(helpOfAll(commands, say));
      return args.length === 0 || args.includes('--help') || args.includes('-h')
        ? exitCodes.ok
        : exitCodes.usage;
    }
    const given = givenTo(chosen, say);
    place = placeFrom(given, process.env, language);
    if (given.flag('help')) {
      place.out(helpOf(chosen.command, say));
      return exitCodes.ok;
    }
    return await chosen.command.run(given, place);
  } catch (error) {
    return codeOf(error, place);
  }
};

// A reader that has seen enough (`| head`) is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(exitCodes.ok);
  throw error;
});
process.exitCode = await main(process.argv.slice(2));
