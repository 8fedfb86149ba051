// Opens the twin's services over one data folder and ties them together: who invokes whom. Owns: their files, and the
// order in which they are closed. Services that are used from elsewhere are not opened.
import { createWriteStream, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { FunctionEntry } from '../functions/manifest.ts';
import type { Crash, Log } from '../functions/ports/world.ts';
import type { AwsService, AwsTransport, Substrate } from '../functions/wiring/substrate.ts';
import { blobsService } from './blobs/index.ts';
import type { TwinClock } from './clock.ts';
import { openDatabase, type Synchronous } from './database.ts';
import { type Deliveries, deliveriesSchema, openDeliveries } from './deliveries.ts';
import { type DynamoTwin, openDynamoTwin } from './dynamodb/index.ts';
import { type AwsCall, type Endpoints, outputOf, remoteJsonCall } from './endpoints.ts';
import { substrateOf } from './environment.ts';
import { type EventBusTwin, openEventBusTwin } from './eventbus/index.ts';
import { busSchema } from './eventbus/store.ts';
import type { WireServices } from './gateway/aws.ts';
import { forwardTo } from './lambda/forward.ts';
import type { HandlerFor } from './lambda/modules.ts';
import { type LambdaRuntime, openLambdaRuntime } from './lambda/runtime.ts';
import { lambdaService } from './lambda/service.ts';
import type { Place } from './names.ts';
import { remoteStreamSchema } from './remote-stream.ts';
import { openSchedulerTwin, type SchedulerTwin } from './scheduler/index.ts';
import { schedulerSchema } from './scheduler/store.ts';
import { openSecretsTwin, type SecretsTwin } from './secrets/index.ts';
import { openStepFunctionsTwin, type StepFunctionsTwin } from './stepfunctions/twin.ts';
import { deliverTo, invokeForMachines } from './targets.ts';
import { transportFor } from './transport.ts';
import { targetService } from './wire.ts';

export interface ServicesOptions {
  readonly dataDir: string;
  readonly clock: TwinClock;
  readonly place: Place;
  readonly synchronous: Synchronous;
  readonly endpoints: Endpoints;
  readonly functions: Readonly<Record<string, FunctionEntry>>;
  readonly handlers: Readonly<Record<string, HandlerFor>>;
  readonly crash: Crash;
  readonly log: Log;
  environment(functionName: string): Readonly<Record<string, string | undefined>>;
}

export interface Services {
  readonly dynamo: DynamoTwin | undefined;
  readonly stepFunctions: StepFunctionsTwin | undefined;
  readonly scheduler: SchedulerTwin | undefined;
  readonly bus: EventBusTwin;
  readonly secrets: SecretsTwin;
  readonly runtime: LambdaRuntime;
  readonly deliveries: Deliveries;
  readonly database: ReturnType<typeof openDatabase>;
  readonly wire: WireServices;
  /** A call of DynamoDB or Step Functions, wherever they are. */
  readonly call: { readonly dynamodb: AwsCall; readonly sfn: AwsCall };
  substrate(functionName: string): Substrate;
  close(): Promise<void>;
}

/** Log lines go to a file beside the data; a full disk loses them and nothing else. */
export const fileLog = (file: string): { readonly log: Log; close(): void } => {
  const stream = createWriteStream(file, { flags: 'a', mode: 0o600 });
  stream.on('error', () => undefined);
  const write =
    (level: string) =>
    (message: string, details: object): void =>
      void stream.write(
        `${JSON.stringify({ at: new Date().toISOString(), level, message, ...details })}\n`,
      );
  return {
    log: { info: write('INFO'), warn: write('WARN'), error: write('ERROR') },
    close: () => stream.end(),
  };
};

const schema = deliveriesSchema + busSchema + schedulerSchema + remoteStreamSchema;

const dynamoCall =
  (twin: DynamoTwin): AwsCall =>
  async (operation, body) => {
    const { status, body: answer } = twin.handle(operation, body);
    return outputOf(status, answer);
  };

const machineCall =
  (twin: StepFunctionsTwin): AwsCall =>
  async (operation, body) => {
    const { status, body: answer } = await twin.handle(operation, body);
    return outputOf(status, answer);
  };

const capital = (action: string): string => action.charAt(0).toUpperCase() + action.slice(1);

export const openServices = (options: ServicesOptions): Services => {
  const { dataDir, clock, place, synchronous, endpoints } = options;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const shared = { clock, ...place, synchronous };
  const database = openDatabase(join(dataDir, 'services.sqlite'), schema, synchronous);
  const secrets = openSecretsTwin(join(dataDir, 'secrets.json'), clock, place);
  const dynamo =
    endpoints.dynamodb === undefined
      ? openDynamoTwin({ ...shared, file: join(dataDir, 'dynamodb.sqlite') })
      : undefined;
  const dynamodb =
    dynamo === undefined
      ? remoteJsonCall(endpoints.dynamodb ?? '', place.region, 'dynamodb', 'DynamoDB_20120810')
      : dynamoCall(dynamo);
  const runtime = openLambdaRuntime({
    place,
    clock,
    functions: options.functions,
    handlers: options.handlers,
    substrate: (name) => substrate(name),
    ...(endpoints.lambda === undefined ? {} : { forward: forwardTo(endpoints.lambda, place) }),
  });
  const stepFunctions =
    endpoints.sfn === undefined
      ? openStepFunctionsTwin({
          ...shared,
          file: join(dataDir, 'stepfunctions.sqlite'),
          invokeLambda: (request) => invokeForMachines({ runtime, deliveries, place }, request),
          callDynamoDb: (action, parameters) => dynamodb(capital(action), parameters),
        })
      : undefined;
  const sfn =
    stepFunctions === undefined
      ? remoteJsonCall(endpoints.sfn ?? '', place.region, 'states', 'AWSStepFunctions')
      : machineCall(stepFunctions);
  const deliveries = openDeliveries(database, clock, deliverTo({ runtime, sfn, place }));
  const parts = { database, clock, place, deliveries };
  const bus = openEventBusTwin(parts);
  const scheduler = endpoints.scheduler === undefined ? openSchedulerTwin(parts) : undefined;
  const wire = wireServices(options, {
    dynamo,
    stepFunctions,
    scheduler,
    bus,
    secrets,
    runtime,
    deliveries,
  });
  const transport = (service: AwsService): AwsTransport => {
    const by = wire[service];
    return transportFor(service, place.region, typeof by === 'function' ? { service: by } : by);
  };
  const substrate = (name: string): Substrate => substrateOf({ ...options, transport }, name);
  return {
    dynamo,
    stepFunctions,
    scheduler,
    bus,
    secrets,
    runtime,
    deliveries,
    database,
    wire,
    call: { dynamodb, sfn },
    substrate,
    close: async () => {
      scheduler?.close();
      deliveries.close();
      runtime.close();
      await stepFunctions?.close();
      dynamo?.close();
      database.close();
    },
  };
};

type Opened = Pick<
  Services,
  'dynamo' | 'stepFunctions' | 'scheduler' | 'bus' | 'secrets' | 'runtime' | 'deliveries'
>;

/** Lambda is always served: the twin's own functions are here, whatever endpoint others are at. */
const wireServices = (
  { endpoints, dataDir, clock, place }: ServicesOptions,
  opened: Opened,
): WireServices => {
  const { dynamo, stepFunctions, scheduler, bus, secrets } = opened;
  const elsewhere = (service: AwsService) => ({ endpoint: endpoints[service] ?? '' });
  return {
    dynamodb: dynamo === undefined ? elsewhere('dynamodb') : targetService(dynamo.handle),
    sfn:
      stepFunctions === undefined
        ? elsewhere('sfn')
        : targetService((operation, body) => stepFunctions.handle(operation, body)),
    scheduler: scheduler === undefined ? elsewhere('scheduler') : scheduler.service,
    eventbridge:
      endpoints.eventbridge === undefined ? targetService(bus.handle) : elsewhere('eventbridge'),
    secretsmanager:
      endpoints.secretsmanager === undefined
        ? targetService(secrets.handle)
        : elsewhere('secretsmanager'),
    s3: endpoints.s3 === undefined ? blobsService(join(dataDir, 'blobs'), clock) : elsewhere('s3'),
    lambda: lambdaService({ ...opened, place }),
  };
};
