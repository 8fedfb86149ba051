// The command behind `npm start`: the twin with its demo, on one address. Owns: the flags, the process's signals, and
// that no stray error of a function ends the server.
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { modelChoiceFrom } from '../functions/adapters/model/choice.ts';
import { egressRulesFrom } from '../functions/adapters/tools/egress.ts';
import { AgentRevision, type ModelChoice } from '../functions/core/registry/agent.ts';
import { environmentNames } from '../functions/manifest.ts';
import { type Language, localeLanguage } from './base/language.ts';
import { type AgentModel, announcement, type Served } from './command/announce.ts';
import {
  type DemoProcess,
  demoPort,
  demoSecret,
  startDemoProcess,
} from './command/demo-process.ts';
import { setUpDemo } from './command/demo-setup.ts';
import { keyWarnings } from './command/model-keys.ts';
import { openBrowser } from './command/open-browser.ts';
import { buildPageIfNeeded } from './command/page-build.ts';
import { usages } from './command/usage.ts';
import { openDataFolder, StartRefused } from './data/data-folder.ts';
import { emptyFolder } from './data/fresh.ts';
import { lockFolder } from './data/lock.ts';
import { forgetServed, writeServed } from './data/served.ts';
import { startTwin, type Twin, type TwinOptions } from './twin.ts';

const portDefault = 4400;
const portsTried = 50;
const portMax = 65_535;
const demoPortApart = 100;

/** Far above what one person's clients need; it ends a loop that went wild. */
const throttle = { perSecond: 1_000, burst: 2_000 };

interface Flags {
  readonly dataDir: string;
  readonly port: number | undefined;
  readonly fresh: boolean;
  readonly demo: boolean;
  readonly open: boolean;
  readonly help: boolean;
  readonly language: Language;
}

/** Throws Error for unknown flags and wrong values. */
const flagsFrom = (args: readonly string[]): Flags => {
  const { values } = parseArgs({
    args: [...args],
    allowNegative: true,
    options: {
      data: { type: 'string', default: '.reprise' },
      port: { type: 'string' },
      fresh: { type: 'boolean', default: false },
      demo: { type: 'boolean', default: true },
      open: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
      lang: { type: 'string' },
    },
  });
  const port = values.port === undefined ? undefined : Number(values.port);
  if (port !== undefined && !(Number.isInteger(port) && port >= 0 && port <= portMax))
    throw new Error(`--port is "${values.port}"; it must be a number from 0 to 65535.`);
  const { fresh, demo, open, help, lang } = values;
  if (lang !== undefined && lang !== 'en' && lang !== 'fr')
    throw new Error(`--lang is "${lang}"; it must be en or fr.`);
  const language = lang ?? localeLanguage(process.env);
  return { dataDir: resolve(values.data), port, fresh, demo, open, help, language };
};

const isTaken = (cause: unknown): boolean =>
  cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE';

/** On the port asked for, or on the first free one from the default on. */
const startOnPort = async (
  { port, language }: Flags,
  options: Omit<TwinOptions, 'port'>,
): Promise<Twin> => {
  for (let tried = 0; ; tried += 1) {
    try {
      return await startTwin({ ...options, port: port ?? portDefault + tried });
    } catch (cause) {
      if (!isTaken(cause)) throw cause;
      if (port !== undefined)
        throw new Error(
          language === 'fr'
            ? `Le port ${port} est pris. Donnez-en un autre avec --port, ou aucun.`
            : `Port ${port} is taken. Give another one with --port, or none.`,
        );
      if (tried >= portsTried) throw cause;
    }
  }
};

/** Beside the twin's port, so that people find it; any port where any is good for the twin. */
const demoPreferred = ({ port = portDefault }: Flags): number =>
  port === 0 || port + demoPortApart > portMax ? 0 : port + demoPortApart;

/** The demo's tools are on loopback: their port, and no other, may be called there. */
const egressWith = (port: number): Readonly<Record<string, string>> => {
  const rules = egressRulesFrom(process.env[environmentNames.egress]);
  const allowPrivate = [...rules.allowPrivate, `127.0.0.1:${port}`];
  return { [environmentNames.egress]: JSON.stringify({ ...rules, allowPrivate }) };
};

/** A model's key may stay in the environment: it is lent to the secret store under its name and never written down. */
const modelSecrets = (model: ModelChoice): Readonly<Record<string, string>> => {
  const name = 'secret' in model ? model.secret : undefined;
  const value = name === undefined ? undefined : process.env[name];
  return name === undefined || value === undefined ? {} : { [name]: value };
};

const say = (text: string): void => void process.stderr.write(`${text}\n`);

const startDemo = async (flags: Flags, port: number, twin: Twin): Promise<DemoProcess> => {
  const secret = await demoSecret(twin.secrets);
  const onRestart = (why: string): void =>
    say(`The demo destinations ended (${why}); starting them again.`);
  return startDemoProcess({ dataDir: flags.dataDir, port, secret, onRestart });
};

const registerDemo = async (
  twin: Twin,
  demo: DemoProcess | undefined,
  token: string,
  model: ModelChoice,
): Promise<Served['demo']> => {
  if (demo === undefined) return { kind: 'none' };
  try {
    await demo.ready;
    const agentId = await setUpDemo({ url: twin.url, token }, demo.url, model);
    return { kind: 'agent', agentId, url: demo.url };
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    return { kind: 'not_registered', why };
  }
};

/** What each agent's newest revision calls. */
const agentModels = async (url: string, token: string): Promise<readonly AgentModel[]> => {
  const response = await fetch(`${url}/v1/agents`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const { items } = z.object({ items: z.array(AgentRevision) }).parse(await response.json());
  return items.map(({ agentId, configuration: { name, model } }) => ({ agentId, name, model }));
};

const noBrowser = (language: Language): void =>
  say(
    language === 'fr'
      ? 'Aucun navigateur n’a pu être ouvert ; ouvrez l’adresse vous-même.'
      : 'No browser could be opened; open the address yourself.',
  );

/** Functions run in this process. An error that one of them leaves behind would end only its sandbox on AWS. */
const outliveStrayErrors = (): void => {
  const tell = (cause: unknown): void =>
    say(`Stray error, the server goes on: ${cause instanceof Error ? cause.stack : String(cause)}`);
  process.on('uncaughtException', tell);
  process.on('unhandledRejection', tell);
};

const closeOnSignal = (twin: Twin, demo: DemoProcess | undefined): void => {
  let closing = false;
  const close = async (): Promise<void> => {
    if (closing) return process.exit(1);
    closing = true;
    forgetServed(twin.dataDir);
    await demo?.stop();
    await twin.close();
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void close());
};

/** Throws StartRefused when REPRISE_MODEL is none. */
const chosenModel = (): ModelChoice => {
  try {
    return modelChoiceFrom(process.env.REPRISE_MODEL);
  } catch (cause) {
    throw new StartRefused(cause instanceof Error ? cause.message : String(cause));
  }
};

const run = async (flags: Flags): Promise<void> => {
  const model = chosenModel();
  openDataFolder(flags.dataDir, flags.language);
  const lock = lockFolder(flags.dataDir);
  if (flags.fresh) emptyFolder(flags.dataDir);
  const building = buildPageIfNeeded();
  const destinationsAt = await demoPort(flags.dataDir, demoPreferred(flags));
  const twin = await startOnPort(flags, {
    dataDir: flags.dataDir,
    lock,
    environment: egressWith(destinationsAt),
    secrets: modelSecrets(model),
    throttle,
  });
  const demo = flags.demo ? await startDemo(flags, destinationsAt, twin) : undefined;
  outliveStrayErrors();
  closeOnSignal(twin, demo);
  const token = await twin.token('ana');
  const registered = await registerDemo(twin, demo, token, model);
  const complaint = await building;
  if (complaint !== undefined) say(`The page could not be built: ${complaint}`);
  const agents = await agentModels(twin.url, token);
  const has = (name: string): boolean => twin.secrets.read(name) !== undefined;
  const lent = 'secret' in model ? model.secret : undefined;
  const { language } = flags;
  const warnings = keyWarnings(agents, { has, lent }, process.env, { language });
  const served = { url: twin.url, token, dataDir: flags.dataDir, demo: registered };
  await writeServed(flags.dataDir, served);
  process.stdout.write(announcement({ ...served, model, agents, warnings }, language));
  if (flags.open) openBrowser(`${twin.url}/#token=${token}`, () => noBrowser(language));
};

const main = async (): Promise<void> => {
  let flags: Flags;
  try {
    flags = flagsFrom(process.argv.slice(2));
  } catch (cause) {
    say(
      `${cause instanceof Error ? cause.message : String(cause)}\n${usages[localeLanguage(process.env)]}`,
    );
    process.exitCode = 2;
    return;
  }
  if (flags.help) process.stdout.write(usages[flags.language]);
  else await run(flags);
};

main().catch((cause: unknown) => {
  const why = cause instanceof Error ? cause.message : String(cause);
  const french = localeLanguage(process.env) === 'fr';
  say(french ? `Reprise n’a pas pu démarrer : ${why}` : `Reprise could not start: ${why}`);
  process.exit(cause instanceof StartRefused ? 2 : 1);
});
