// `reprise secrets …`: the secrets that tools and models name, on one machine, in the twin's Secrets Manager. Owns: those
// commands. A value comes from stdin or from a prompt that does not show it; it is never in the command line, in what is
// printed or in an error (L18). A deployed API's secrets are AWS's to keep: nothing here writes them.
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import {
  type Command,
  exitCodes,
  type Given,
  needed,
  type Place,
  UsageError,
} from '../kit/command.ts';
import { hiddenLine } from '../kit/hidden.ts';
import { table } from '../kit/table.ts';
import { NobodyThere } from '../session/place.ts';

/** As the twin's Secrets Manager takes them, but for "=", which is the sign of a value that was put here by mistake. */
const secretName = /^[A-Za-z0-9/_+.@!-]{1,512}$/;
/** As local/lambda/environment.ts has it. */
const signInSecret = 'Reprise-sign-in';
/** Reprise's own (sign-in, sessions) are no tool's and no model's. */
const isOwn = (name: string): boolean => /^reprise(?!\/)/i.test(name);
const charactersMost = 65_536;

/** Throws UsageError; nothing that stands on the command line is repeated, since it may be a value. */
const nameFrom = (given: Given, place: Place): string => {
  const { say } = place;
  const name = needed(given, place, 0, 'NAME');
  if (given.positionals.length > 1 || name.includes('='))
    throw new UsageError(
      say(
        'A value does not belong on the command line: others can see it, and the shell keeps it. Nothing was set; if it was a real one, change it. Give the name alone: you are asked for the value, or it is read from stdin, as in "reprise secrets set reprise/tickets < file".',
        'Une valeur n’a rien à faire sur la ligne de commande : d’autres la voient, et le shell la garde. Rien n’a été enregistré ; si elle était vraie, changez-la. Donnez le nom seul : la valeur est demandée, ou lue sur l’entrée standard, comme dans « reprise secrets set reprise/tickets < fichier ».',
      ),
    );
  if (name === signInSecret)
    throw new UsageError(
      say(
        `${name} is Reprise’s own: with another value nobody could sign in. Nothing was set.`,
        `${name} est celui de Reprise : avec une autre valeur, personne ne pourrait se connecter. Rien n’a été enregistré.`,
      ),
    );
  if (secretName.test(name)) return name;
  throw new UsageError(
    say(
      'A secret’s name has letters, digits and / _ + . @ ! - only, as in reprise/tickets.',
      'Le nom d’un secret n’a que des lettres, des chiffres et / _ + . @ ! -, comme reprise/tickets.',
    ),
  );
};

/** Without the line's end that `echo` or an editor puts there. */
const valueFrom = async (name: string, { say }: Place): Promise<string> => {
  const given = process.stdin.isTTY
    ? await hiddenLine(say(`Value of ${name} (not shown): `, `Valeur de ${name} (non affichée) : `))
    : (await text(process.stdin)).replace(/\r?\n$/, '');
  if (given !== '' && given.length <= charactersMost) return given;
  throw new UsageError(
    given === ''
      ? say('The value is empty; nothing was set.', 'La valeur est vide ; rien n’a été enregistré.')
      : say(
          `The value has more than ${charactersMost} characters; nothing was set.`,
          `La valeur a plus de ${charactersMost} caractères ; rien n’a été enregistré.`,
        ),
  );
};

const isLoopback = (url: string): boolean =>
  ['127.0.0.1', 'localhost', '[::1]'].includes(URL.parse(url)?.hostname ?? '');

/** The twin's address. Throws UsageError for a deployed API. */
const twinFor = async (given: Given, place: Place): Promise<string> => {
  const named = given.text('url') ?? place.env.REPRISE_URL;
  if (named !== undefined && !isLoopback(named))
    throw new UsageError(
      place.say(
        `${named} is a deployed API: its secrets are kept in AWS Secrets Manager, in its account, under names that begin with reprise/. Set them there (console, or "aws secretsmanager create-secret").`,
        `${named} est une API déployée : ses secrets sont dans AWS Secrets Manager, dans son compte, sous des noms qui commencent par reprise/. Enregistrez-les là (console, ou « aws secretsmanager create-secret »).`,
      ),
    );
  return (await place.client()).url;
};

/** Loaded only where it is needed. The twin takes any signature. */
const storeAt = async (endpoint: string, { say }: Place) => {
  const sdk = await import('@aws-sdk/client-secrets-manager');
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const client = new sdk.SecretsManagerClient({
    endpoint,
    credentials,
    region: 'us-east-1',
    maxAttempts: 1,
  });
  const unreachable = (cause: unknown): never => {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    if (code === 'ECONNREFUSED')
      throw new NobodyThere(say(`No answer from ${endpoint}.`, `Pas de réponse de ${endpoint}.`));
    throw cause;
  };
  return {
    set: async (name: string, value: string): Promise<void> => {
      const made = new sdk.CreateSecretCommand({ Name: name, SecretString: value });
      const replaced = new sdk.PutSecretValueCommand({ SecretId: name, SecretString: value });
      await client
        .send(made)
        .catch((cause: unknown) =>
          cause instanceof sdk.ResourceExistsException
            ? client.send(replaced)
            : Promise.reject(cause),
        )
        .catch(unreachable);
    },
    list: async () => {
      const answer = await client.send(new sdk.ListSecretsCommand({})).catch(unreachable);
      return (answer.SecretList ?? []).map(({ Name, LastChangedDate }) => ({
        name: z.string().parse(Name),
        changedAt: LastChangedDate?.toISOString() ?? '',
      }));
    },
  };
};

const set: Command = {
  name: 'secrets set',
  arguments: 'NAME',
  // A second word is a value that must not be repeated in an error.
  takes: [1, 99],
  en: 'Sets a secret of the twin; its value comes from stdin, or is asked for and not shown',
  fr: 'Enregistre un secret du jumeau ; sa valeur vient de l’entrée standard, ou est demandée sans être affichée',
  run: async (given, place) => {
    const name = nameFrom(given, place);
    const store = await storeAt(await twinFor(given, place), place);
    await store.set(name, await valueFrom(name, place));
    place.out(place.json ? JSON.stringify({ name }) : name);
    place.tell(
      place.say(
        'Set. Calls use it within a minute.',
        'Enregistré. Les appels l’emploient d’ici une minute.',
      ),
    );
    if (!name.startsWith('reprise/'))
      place.tell(
        place.say(
          'On AWS only secrets whose names begin with "reprise/" can be read.',
          'Sur AWS, seuls les secrets dont le nom commence par « reprise/ » peuvent être lus.',
        ),
      );
    return exitCodes.ok;
  },
};

const list: Command = {
  name: 'secrets list',
  en: 'Lists the names of the twin’s secrets; values are never shown',
  fr: 'Liste les noms des secrets du jumeau ; les valeurs ne sont jamais montrées',
  run: async (given, place) => {
    const all = await (await storeAt(await twinFor(given, place), place)).list();
    const items = all.filter(({ name }) => !isOwn(name));
    if (place.json) place.out(JSON.stringify({ items }));
    else
      place.out(
        table([
          ['SECRET', place.say('CHANGED', 'CHANGÉ')],
          ...items.map(({ name, changedAt }) => [name, changedAt]),
        ]),
      );
    return exitCodes.ok;
  },
};

export const secretCommands: readonly Command[] = [set, list];
