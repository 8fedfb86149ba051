// `reprise doctor`: checks what has to be right, each failure with its fix. Owns: the list of checks; those of an AWS account
// are beside it. Silent about what is right unless asked for JSON or a terminal reads.
import { constants, existsSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { createServer } from 'node:net';
import { z } from 'zod';
import { ApiRefusal, type Client } from '../kit/client.ts';
import { type Command, exitCodes, type Place } from '../kit/command.ts';
import { table } from '../kit/table.ts';
import { NobodyThere } from '../session/place.ts';
import type { Check } from './doctor-aws.ts';
import { awsChecks } from './doctor-aws.ts';

/** The API that the commands speak to, where it answers; its address is known even where it does not. */
interface Reached {
  readonly api: Client | undefined;
  readonly url: string | undefined;
  readonly check: Check;
}

const ok = (name: string, detail: string): Check => ({ name, state: 'ok', detail, fix: '' });

const nodeCheck = ({ say }: Place): Check => {
  const name = 'node';
  const [major = 0] = process.versions.node.split('.').map(Number);
  if (major >= 24) return ok(name, process.versions.node);
  return {
    name,
    state: 'failure',
    detail: process.versions.node,
    fix: say('Run npm ci: it brings Node 24.', 'Lancez npm ci : il apporte Node 24.'),
  };
};

const folderCheck = async ({ dataDir, say }: Place): Promise<Check> => {
  const name = say('data folder', 'dossier de données');
  try {
    if (!existsSync(dataDir))
      return ok(name, say(`${dataDir} (not there yet)`, `${dataDir} (pas encore là)`));
    await access(dataDir, constants.R_OK | constants.W_OK);
    return ok(name, dataDir);
  } catch {
    return {
      name,
      state: 'failure',
      detail: dataDir,
      fix: say(
        'Make it yours to read and write, or name another with --data.',
        'Rendez-le lisible et modifiable, ou nommez-en un autre avec --data.',
      ),
    };
  }
};

const isFree = (port: number): Promise<boolean> => {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const server = createServer();
  server.once('error', () => resolve(false));
  server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  return promise;
};

const usualPort = 4_400;

/** Whether a Reprise answers on this port, of whatever folder. */
const isReprise = async (port: number): Promise<boolean> => {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/v1/health`);
    return z.object({ status: z.literal('ok') }).safeParse(await response.json()).success;
  } catch {
    return false;
  }
};

/** The port that the commands use: of an address on this machine its own, else the one where a twin starts. */
const portOf = (address: string | undefined): number => {
  const url = address === undefined ? null : URL.parse(address);
  const isHere = url !== null && ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname);
  return isHere && url.port !== '' ? Number(url.port) : usualPort;
};

const portCheck = async ({ say }: Place, { api, url }: Reached): Promise<Check> => {
  const name = 'port';
  if (api !== undefined) return ok(name, api.url);
  const port = portOf(url);
  if (await isFree(port)) return ok(name, `${port} ${say('is free', 'est libre')}`);
  if (url === undefined && (await isReprise(port)))
    return {
      name,
      state: 'warning',
      detail: say(`${port}: a twin of another folder`, `${port} : le jumeau d’un autre dossier`),
      fix: say(
        'To speak to it, name its folder with --data or REPRISE_DATA.',
        'Pour lui parler, nommez son dossier avec --data ou REPRISE_DATA.',
      ),
    };
  return {
    name,
    state: 'warning',
    detail: `${port} ${say('is taken', 'est pris')}`,
    fix: say(
      'The twin takes the next free one; or name one with --port.',
      'Le jumeau prend le suivant libre ; ou nommez-en un avec --port.',
    ),
  };
};

const skewMsMax = 2_000;

/** The API's clock against this machine's: deadlines are wall-clock times. */
const clockCheck = async ({ say }: Place, api: Client): Promise<Check> => {
  const name = say('clock', 'horloge');
  const askedMs = Date.now();
  const response = await fetch(`${api.url}/v1/health`);
  const halfMs = (Date.now() - askedMs) / 2;
  const date = Date.parse(response.headers.get('date') ?? '');
  if (Number.isNaN(date)) return ok(name, say('the API says no time', 'l’API ne dit pas l’heure'));
  // The header counts whole seconds.
  const apartMs = Math.max(0, Math.abs(date + 500 - (askedMs + halfMs)) - 500);
  if (apartMs <= skewMsMax)
    return ok(name, say('within 2 s of the API', 'à moins de 2 s de l’API'));
  return {
    name,
    state: 'failure',
    detail: `${Math.round(apartMs / 1_000)} s`,
    fix: say('Set this machine’s clock (NTP).', 'Réglez l’horloge de cette machine (NTP).'),
  };
};

const Tool = z.looseObject({
  registration: z.looseObject({
    name: z.string(),
    contract: z.looseObject({
      effect: z.string(),
      key: z.looseObject({
        kind: z.string(),
        retentionMs: z.number().optional(),
        marginMs: z.number().optional(),
      }),
      lookUp: z.looseObject({}).optional(),
      verification: z.looseObject({}).optional(),
      repeatWindowMs: z.number(),
      policy: z.looseObject({ expiryMs: z.number() }),
    }),
  }),
});

const hours = (ms: number): string => `${Math.round(ms / 360_000) / 10} h`;

/** A key that is forgotten before the repeats it is for, or before the longest pause a person may take, is told. */
const contractChecks = (place: Place, tools: readonly z.infer<typeof Tool>[]): Check[] =>
  tools.flatMap(({ registration: { name: tool, contract } }): Check[] => {
    if (contract.effect === 'read') return [];
    const { say } = place;
    const name = `${say('contract of', 'contrat de')} ${tool}`;
    const { key, lookUp, verification, repeatWindowMs, policy } = contract;
    const lastsMs = (key.retentionMs ?? 0) - (key.marginMs ?? 0);
    if (key.kind === 'key' && lastsMs < repeatWindowMs)
      return [
        {
          name,
          state: 'failure',
          detail: say(
            `the key lasts ${hours(lastsMs)}, repeats go on for ${hours(repeatWindowMs)}`,
            `la clé dure ${hours(lastsMs)}, les répétitions ${hours(repeatWindowMs)}`,
          ),
          fix: say('Shorten repeatWindowMs.', 'Raccourcissez repeatWindowMs.'),
        },
      ];
    if (verification === undefined)
      return [
        {
          name,
          state: 'warning',
          detail: say(
            'not verified: nothing is repeated by itself',
            'non vérifié : rien ne se répète de soi-même',
          ),
          fix: say(
            'Run reprise trials and put its verification in.',
            'Lancez reprise trials et inscrivez-y sa vérification.',
          ),
        },
      ];
    if (key.kind === 'key' && lookUp === undefined && lastsMs < policy.expiryMs)
      return [
        {
          name,
          state: 'warning',
          detail: say(
            `the key lasts ${hours(lastsMs)}, a person may take ${hours(policy.expiryMs)}; later nothing can tell what happened`,
            `la clé dure ${hours(lastsMs)}, une personne peut prendre ${hours(policy.expiryMs)} ; plus tard rien ne dira ce qui s’est passé`,
          ),
          fix: say('Declare a look-up.', 'Déclarez une recherche.'),
        },
      ];
    return [ok(name, say('consistent', 'cohérent'))];
  });

const reach = async (place: Place): Promise<Reached> => {
  const name = 'API';
  const { say } = place;
  let url: string | undefined;
  try {
    const api = await place.client();
    url = api.url;
    await api.get(z.looseObject({}), '/v1/health');
    return { api, url, check: ok(name, api.url) };
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    const nobody = error instanceof NobodyThere;
    const fix = nobody
      ? say('Start one with reprise dev.', 'Lancez-en un avec reprise dev.')
      : say('Check --url and that it is up.', 'Vérifiez --url et qu’elle répond.');
    return {
      api: undefined,
      url,
      check: { name, state: nobody ? 'warning' : 'failure', detail, fix },
    };
  }
};

const apiChecks = async (place: Place, api: Client): Promise<Check[]> => {
  const clock = await clockCheck(place, api);
  try {
    return [clock, ...contractChecks(place, await api.all(Tool, '/v1/tools'))];
  } catch (error) {
    if (!(error instanceof ApiRefusal)) throw error;
    return [
      clock,
      {
        name: 'token',
        state: 'failure',
        detail: error.message,
        fix: place.say(
          'Get a new token and put it into REPRISE_TOKEN.',
          'Obtenez un nouveau jeton et mettez-le dans REPRISE_TOKEN.',
        ),
      },
    ];
  }
};

const signs = { ok: '✔', warning: '!', failure: '✘' } as const;

export const doctorCommand: Command = {
  name: 'doctor',
  en: 'Checks Node, ports, data, clock and contracts; each failure says what to do',
  fr: 'Vérifie Node, ports, données, horloge et contrats ; chaque échec dit quoi faire',
  options: { aws: { type: 'boolean', en: 'And the AWS account', fr: 'Et le compte AWS' } },
  run: async (given, place) => {
    const reached = await reach(place);
    const { api, check } = reached;
    const checks: readonly Check[] = [
      nodeCheck(place),
      await folderCheck(place),
      await portCheck(place, reached),
      check,
      ...(api === undefined ? [] : await apiChecks(place, api)),
      ...(given.flag('aws') ? await awsChecks(place) : []),
    ];
    if (place.json) place.out(JSON.stringify({ checks }));
    else place.out(table(checks.map((one) => [signs[one.state], one.name, one.detail, one.fix])));
    return checks.some(({ state }) => state === 'failure') ? exitCodes.failed : exitCodes.ok;
  },
};
