// The local twin as one thing: opens the services over a data folder, listens, puts tables, machines, rules and schedules
// in place, and carries the streams. Owns: the order of starting and closing. Restarted on the same folder, it goes on.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type FunctionEntry, functions, type MachineName, routes } from '../functions/manifest.ts';
import type { Crash, Log } from '../functions/ports/world.ts';
import { twinTraceAddress } from '../functions/trace-addresses.ts';
import type { Substrate } from '../functions/wiring/substrate.ts';
import { realClock, type TwinClock } from './base/clock.ts';
import type { Synchronous } from './base/database.ts';
import type { Undelivered } from './base/deliveries.ts';
import { type Endpoints, endpointsFrom, remoteJsonCall } from './base/endpoints.ts';
import { fileLog } from './base/log.ts';
import { defaultPlace, type Place } from './base/names.ts';
import { type FolderLock, lockFolder } from './data/lock.ts';
import { deploy } from './deployment/deploy.ts';
import { aliasArn } from './deployment/machines.ts';
import { type Notices, noticesTo } from './deployment/notices.ts';
import { openServices, type Services } from './deployment/services.ts';
import type { DynamoTwin } from './dynamodb/index.ts';
import type { EventBusTwin } from './eventbus/index.ts';
import { openAuthoriser } from './gateway/authoriser.ts';
import { type GatewayParts, openGateway } from './gateway/server.ts';
import { type ThrottleLimits, throttleWith } from './gateway/throttle.ts';
import {
  type Identity,
  openIdentity,
  type Person,
  type PersonName,
  people,
} from './identity/index.ts';
import { openProvider } from './identity/provider.ts';
import { crashFromEnvironment } from './lambda/crash.ts';
import { functionEnvironment } from './lambda/environment.ts';
import type { InvocationAnswer } from './lambda/invocation.ts';
import type { HandlerFor } from './lambda/modules.ts';
import type { SecretsTwin } from './secrets/index.ts';
import type { StepFunctionsTwin } from './stepfunctions/twin.ts';
import { type Pumps, startPumps } from './streams/pump.ts';

export type { Person, PersonName } from './identity/index.ts';

export interface TwinOptions {
  readonly dataDir: string;
  /** 0: any free port. Rejects with EADDRINUSE when it is taken. */
  readonly port: number;
  readonly clock?: TwinClock;
  /** Passed at every crash point; default: armed by `REPRISE_CRASH_AT`, else inert. */
  readonly crash?: Crash;
  /** Added to every function's environment; wins over everything. */
  readonly environment?: Readonly<Record<string, string>>;
  /** How SQLite syncs (default FULL). */
  readonly synchronous?: Synchronous;
  /** Further functions, beside the manifest's. */
  readonly functions?: Readonly<Record<string, FunctionEntry>>;
  /** Handlers in place of the manifest's modules, by function name. */
  readonly handlers?: Readonly<Record<string, HandlerFor>>;
  /** How fast one caller of the API may ask; default without limit. */
  readonly throttle?: ThrottleLimits;
  /** How long access tokens of a sign-in are valid (default one hour); those of `token()` are not asked. */
  readonly signInTokenMs?: number;
  /** False: nothing fires by itself (for a simulated clock that is turned by months). Default true. */
  readonly schedules?: boolean;
  readonly place?: Place;
  /** Further scripts for the scripted model, by name. */
  readonly scripts?: NonNullable<Substrate['scripts']>;
  /** The folder's lock, when the caller holds it already; it stays the caller's to release. */
  readonly lock?: FolderLock;
  /** Secrets held in memory only, beside the stored ones. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** Where `AWS_ENDPOINT_URL_<SERVICE>` and the functions' settings are read; default the process's. */
  readonly processEnvironment?: Readonly<Record<string, string | undefined>>;
}

export interface Twin {
  readonly url: string;
  readonly port: number;
  readonly dataDir: string;
  /** Throws when DynamoDB is used from another endpoint. */
  readonly dynamo: DynamoTwin;
  /** Throws when Step Functions is used from another endpoint. */
  readonly stepFunctions: StepFunctionsTwin;
  readonly bus: EventBusTwin;
  readonly secrets: SecretsTwin;
  /** ARN by which runs are started. */
  readonly machineArns: Readonly<Record<MachineName, string>>;
  token(person: PersonName | Person): Promise<string>;
  substrate(functionName: string): Substrate;
  /** Invokes with a value as payload; rejects with AwsFault when Lambda refuses. */
  invoke(functionName: string, payload: unknown): Promise<InvocationAnswer>;
  /** What was given up: stream records, events, asynchronous invocations. */
  undelivered(): Undelivered[];
  /** Notifications to people, and the product's own figures. */
  notices(): ReturnType<Notices['newest']>;
  /** Resolves when the streams' records of this moment have been delivered. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

const pageRoot = join(import.meta.dirname, '..', 'web', 'dist');

const gatewayParts = (
  services: Services,
  identity: Identity,
  world: {
    readonly clock: TwinClock;
    readonly place: Place;
    readonly issuer: () => string;
    readonly lifetimeMs: number | undefined;
  },
  all: Readonly<Record<string, FunctionEntry>>,
  notices: Notices,
): GatewayParts => ({
  ...world,
  runtime: services.runtime,
  services: services.wire,
  authoriser: openAuthoriser(services.runtime, world),
  routes,
  streams: (name) => all[name]?.streaming === true,
  pageRoot,
  address: world.issuer,
  provider: openProvider({ ...world, identity }),
  documents: {
    '/twin/notices': notices.newest,
    '/.well-known/jwks.json': () => identity.jwks(),
    '/.well-known/openid-configuration': () => identity.configuration(world.issuer()),
  },
});

/** What changes while the twin starts. */
interface Progress {
  url: string;
  machineArns: Readonly<Record<MachineName, string>>;
  isReady: boolean;
}

interface World {
  readonly options: TwinOptions;
  readonly clock: TwinClock;
  readonly place: Place;
  readonly endpoints: Endpoints;
  readonly all: Readonly<Record<string, FunctionEntry>>;
  readonly progress: Progress;
  readonly processEnvironment: Readonly<Record<string, string | undefined>>;
}

const worldOf = (options: TwinOptions): World => {
  const { clock = realClock(), place = defaultPlace } = options;
  const processEnvironment = options.processEnvironment ?? process.env;
  return {
    options,
    clock,
    place,
    processEnvironment,
    endpoints: endpointsFrom(processEnvironment),
    all: { ...functions, ...options.functions },
    progress: {
      url: '',
      isReady: false,
      machineArns: { run: aliasArn(place, 'run'), recover: aliasArn(place, 'recover') },
    },
  };
};

const servicesOf = (world: World, log: Log, { measures, notify }: Notices): Services => {
  const { options, clock, place, progress, processEnvironment } = world;
  const given = { process: processEnvironment, twin: options.environment ?? {} };
  return openServices({
    dataDir: options.dataDir,
    clock,
    place,
    log,
    measures,
    notify,
    synchronous: options.synchronous ?? 'FULL',
    endpoints: world.endpoints,
    functions: world.all,
    handlers: options.handlers ?? {},
    lentSecrets: options.secrets ?? {},
    crash: options.crash ?? crashFromEnvironment(processEnvironment.REPRISE_CRASH_AT),
    ...(options.scripts === undefined ? {} : { scripts: options.scripts }),
    environment: (name) => {
      const addresses = {
        issuer: progress.url,
        pageUrl: progress.url,
        runMachineArn: progress.machineArns.run,
        recoverMachineArn: progress.machineArns.recover,
        traceAddress: world.endpoints.sfn === undefined ? twinTraceAddress : undefined,
      };
      return functionEnvironment(name, place, addresses, given);
    },
  });
};

const pumpsOf = ({ clock, place, endpoints }: World, services: Services): Pumps => {
  const { dynamo, call } = services;
  const { region } = place;
  const target = 'DynamoDBStreams_20120810';
  return startPumps({
    ...services,
    clock,
    place,
    dynamo:
      dynamo === undefined
        ? {
            kind: 'foreign',
            tables: call.dynamodb,
            streams: remoteJsonCall(endpoints.dynamodb ?? '', region, 'dynamodb', target),
          }
        : { kind: 'own', twin: dynamo },
  });
};

const present = <Part>(part: Part | undefined, name: string): Part => {
  if (part !== undefined) return part;
  throw new Error(
    `The twin has no ${name} of its own: it uses the one at the endpoint it was given.`,
  );
};

/** Opens everything into `stack`, which closes it in reverse order. */
const open = async (world: World, stack: AsyncDisposableStack): Promise<Twin> => {
  const { options, clock, place, progress } = world;
  const { dataDir } = options;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  if (options.lock === undefined) {
    const lock = lockFolder(dataDir);
    stack.defer(() => lock.release());
  }
  const { log, close: closeLog } = fileLog(join(dataDir, 'twin.log'));
  stack.defer(closeLog);
  const notices = noticesTo(log, clock);
  const services = servicesOf(world, log, notices);
  stack.defer(() => services.close());
  const identity = await openIdentity(join(dataDir, 'identity.json'), clock);
  const about = { clock, place, issuer: () => progress.url, lifetimeMs: options.signInTokenMs };
  const given = gatewayParts(services, identity, about, world.all, notices);
  const { throttle } = options;
  const parts: GatewayParts = throttle
    ? { ...given, throttle: throttleWith(throttle, clock) }
    : given;
  const gateway = await openGateway(options.port, () => (progress.isReady ? parts : undefined));
  stack.defer(() => gateway.close());
  progress.url = gateway.url;
  services.stepFunctions?.start();
  const schedules = options.schedules ?? true;
  progress.machineArns = await deploy(services, { clock, place, schedules });
  const pumps = pumpsOf(world, services);
  stack.defer(() => pumps.close());
  services.deliveries.wake();
  if (schedules) services.scheduler?.start();
  progress.isReady = true;
  const { runtime, bus, secrets, deliveries } = services;
  return {
    url: gateway.url,
    port: gateway.port,
    dataDir,
    get dynamo() {
      return present(services.dynamo, 'DynamoDB');
    },
    get stepFunctions() {
      return present(services.stepFunctions, 'Step Functions');
    },
    bus,
    secrets,
    machineArns: progress.machineArns,
    token: (person) =>
      identity.token(typeof person === 'string' ? people[person] : person, gateway.url),
    substrate: services.substrate,
    invoke: (name, payload) => runtime.invoke(name, JSON.stringify(payload ?? {})),
    undelivered: deliveries.undelivered,
    notices: notices.newest,
    settled: pumps.settled,
    close: () => stack.disposeAsync(),
  };
};

/**
 * Starts the twin. Rejects when the folder is in use, the port is taken, a definition is refused or the disk fails; then
 * nothing of it is left open.
 */
export const startTwin = async (options: TwinOptions): Promise<Twin> => {
  const stack = new AsyncDisposableStack();
  try {
    return await open(worldOf(options), stack);
  } catch (cause) {
    await stack.disposeAsync();
    throw cause;
  }
};
