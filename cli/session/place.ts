// Where a command runs: its language, its streams, the API it speaks to. Owns: how language and API are found.
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { localeLanguage } from '../../local/base/language.ts';
import { servedFile } from '../../local/data/served.ts';
import { type Client, clientOf } from '../kit/client.ts';
import { type Given, type Place, paintFor, UsageError } from '../kit/command.ts';
import { type Language, sayIn } from '../kit/speech.ts';

type Environment = { readonly [name: string]: string | undefined };

/** `--lang`, else the locale; French or, for everybody else, English. */
export const languageFrom = (wanted: string | undefined, env: Environment): Language => {
  if (wanted !== undefined) {
    if (wanted === 'en' || wanted === 'fr') return wanted;
    throw new UsageError(
      `--lang "${wanted}" is neither of the two languages: --lang en, --lang fr.`,
    );
  }
  return localeLanguage(env);
};

/** No twin was found and no API was named. */
export class NobodyThere extends Error {
  override readonly name = 'NobodyThere';
}

interface Served {
  readonly url: string;
  readonly token: string;
}

const servedIn = (dataDir: string): Served | undefined => {
  const file = servedFile(dataDir);
  if (!existsSync(file)) return undefined;
  try {
    const read: Partial<Served> = JSON.parse(readFileSync(file, 'utf8'));
    return read.url === undefined || read.token === undefined
      ? undefined
      : { url: read.url, token: read.token };
  } catch {
    return undefined;
  }
};

/** With the token given, or as whoever signed in there with `reprise login`. */
const deployedClient = async (
  url: string,
  token: string | undefined,
  env: Environment,
  language: Language,
): Promise<Client> => {
  if (token !== undefined) return clientOf({ url, token, language });
  // Loaded only where it is needed: most commands speak to the twin.
  const { tokenFor } = await import('./sessions.ts');
  const kept = await tokenFor(env, url);
  if (kept !== undefined)
    return clientOf({ url, token: kept, language, renew: () => tokenFor(env, url) });
  throw new UsageError(
    sayIn(language)(
      `Nobody is signed in to ${url}. Sign in with "reprise login --url ${url}", or put a token into REPRISE_TOKEN.`,
      `Personne n’est connecté à ${url}. Connectez-vous avec « reprise login --url ${url} », ou mettez un jeton dans REPRISE_TOKEN.`,
    ),
  );
};

/** From the command line and the environment; `given` undefined: nothing was parsed yet. */
export const placeFrom = (
  given: Given | undefined,
  env: Environment,
  language: Language,
): Place => {
  const say = sayIn(language);
  const dataDir = resolve(given?.text('data') ?? env.REPRISE_DATA ?? '.reprise');
  const client = async (): Promise<Client> => {
    const url = given?.text('url') ?? env.REPRISE_URL;
    const token = given?.text('token') ?? env.REPRISE_TOKEN;
    if (url !== undefined) return deployedClient(url.replace(/\/+$/, ''), token, env, language);
    const served = servedIn(dataDir);
    if (served === undefined)
      throw new NobodyThere(
        say(
          `No twin runs on ${dataDir}. Start one with "reprise dev", or name an API with --url.`,
          `Aucun jumeau ne tourne sur ${dataDir}. Lancez « reprise dev », ou nommez une API avec --url.`,
        ),
      );
    return clientOf({ ...served, token: token ?? served.token, language });
  };
  return {
    language,
    say,
    json: given?.flag('json') === true,
    out: (text) => void process.stdout.write(`${text}\n`),
    tell: (text) => void process.stderr.write(`${text}\n`),
    paint: paintFor(process.stderr, env),
    client,
    env,
    dataDir,
  };
};
