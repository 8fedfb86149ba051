// Opens the twin's services over one data folder and ties them together: who invokes whom. Owns: their files, and the
// order in which they are closed. Services that are used from elsewhere are not opened.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { FunctionEntry } from '../../functions/manifest.ts';
import type { Measures } from '../../functions/ports/measures.ts';
import type { Crash, Log } from '../../functions/ports/world.ts';
import type { AwsService, AwsTransport, Substrate } from '../../functions/wiring/substrate.ts';
import type { TwinClock } from '../base/clock.ts';
import { openDatabase, type Synchronous } from '../base/database.ts';
import { type Deliveries, deliveriesSchema, openDeliveries } from '../base/deliveries.ts';
import {
  type AwsCall,
  type Endpoints,
  outputOf,
  remoteJsonCall,
  remoteService,
} from '../base/endpoints.ts';
import type { Place } from '../base/names.ts';
import { targetService, type WireService } from '../base/wire.ts';
import { blobsService } from '../blobs/index.ts';
import { shortcutTo } from '../calls/shortcut.ts';
import { deliverTo, invokeForMachines } from '../calls/targets.ts';
import { transportFor } from '../calls/transport.ts';
import { type DynamoTwin, openDynamoTwin } from '../dynamodb/index.ts';
import { type EventBusTwin, openEventBusTwin } from '../eventbus/index.ts';
import { busSchema } from '../eventbus/store.ts';
import type { WireServices } from '../gateway/aws.ts';
import { substrateOf } from '../lambda/environment.ts';
import { forwardTo } from '../lambda/forward.ts';
import type { HandlerFor } from '../lambda/modules.ts';
import { dynamoAs, serviceAs } from '../lambda/rights.ts';
import { type LambdaRuntime, openLambdaRuntime } from '../lambda/runtime.ts';
import { lambdaService } from '../lambda/service.ts';
import { openSchedulerTwin, type SchedulerTwin } from '../scheduler/index.ts';
import { schedulerSchema } from '../scheduler/store.ts';
import { openSecretsTwin, type SecretsTwin } from '../secrets/index.ts';
import {
  openStepFunctionsTwin,
  type StepFunctionsTwin,
  type StepFunctionsTwinOptions,
} from '../stepfunctions/twin.ts';
import { remoteStreamSchema } from '../streams/remote-stream.ts';

export interface ServicesOptions {
  readonly dataDir: string;
  readonly clock: TwinClock;
  readonly place: Place;
  readonly synchronous: Synchronous;
  readonly endpoints: Endpoints;
  readonly functions: Readonly<Record<string, FunctionEntry>>;
  readonly handlers: Readonly<Record<string, HandlerFor>>;
  /** Secrets held in memory only. */
  readonly lentSecrets: Readonly<Record<string, string>>;
  readonly crash: Crash;
  readonly log: Log;
  readonly measures: Measures;
  /** What the topic of notifications is sent. */
  readonly notify: (message: string) => void;
  /** Further scripts for the scripted model. */
  readonly scripts?: NonNullable<Substrate['scripts']>;
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
  /** The Scheduler, wherever it is. */
  readonly schedules: WireService;
  /** A call of DynamoDB or Step Functions, wherever they are. */
  readonly call: { readonly dynamodb: AwsCall; readonly sfn: AwsCall };
  substrate(functionName: string): Substrate;
  close(): Promise<void>;
}

const schema = deliveriesSchema + busSchema + schedulerSchema + remoteStreamSchema;

const dynamoCall =
  (twin: DynamoTwin): AwsCall =>
  async (operation, body) => {
    const { status, body: answer } = await twin.take(operation, body);
    return outputOf(status, answer);
  };

const machineCall =
  (twin: StepFunctionsTwin): AwsCall =>
  async (operation, body) => {
    const { status, body: answer } = await twin.handle(operation, body);
    return outputOf(status, answer);
  };

const capital = (action: string): string => action.charAt(0).toUpperCase() + action.slice(1);

type Opened = Pick<
  Services,
  'dynamo' | 'stepFunctions' | 'scheduler' | 'bus' | 'secrets' | 'runtime' | 'deliveries' | 'call'
> & { readonly database: Services['database'] };

const openLambda = (options: ServicesOptions, substrate: Services['substrate']): LambdaRuntime => {
  const { place, endpoints } = options;
  const forward =
    endpoints.lambda === undefined ? {} : { forward: forwardTo(endpoints.lambda, place) };
  return openLambdaRuntime({ ...options, substrate, ...forward });
};

const openDynamo = ({ endpoints, dataDir, place, ...options }: ServicesOptions) => {
  if (endpoints.dynamodb !== undefined) {
    const target = 'DynamoDB_20120810';
    const call = remoteJsonCall(endpoints.dynamodb, place.region, 'dynamodb', target);
    return { dynamo: undefined, call };
  }
  const dynamo = openDynamoTwin({ ...options, ...place, file: join(dataDir, 'dynamodb.sqlite') });
  return { dynamo, call: dynamoCall(dynamo) };
};

const openStepFunctions = (
  { endpoints, dataDir, place, clock, synchronous }: ServicesOptions,
  dynamodb: AwsCall,
  invokeLambda: StepFunctionsTwinOptions['invokeLambda'],
) => {
  if (endpoints.sfn !== undefined) {
    const call = remoteJsonCall(endpoints.sfn, place.region, 'states', 'AWSStepFunctions');
    return { stepFunctions: undefined, call };
  }
  const stepFunctions = openStepFunctionsTwin({
    clock,
    synchronous,
    ...place,
    file: join(dataDir, 'stepfunctions.sqlite'),
    invokeLambda,
    callDynamoDb: (action, parameters) => dynamodb(capital(action), parameters),
  });
  return { stepFunctions, call: machineCall(stepFunctions) };
};

const openAll = (options: ServicesOptions, substrate: Services['substrate']): Opened => {
  const { dataDir, clock, place, endpoints, synchronous } = options;
  const database = openDatabase(join(dataDir, 'services.sqlite'), schema, synchronous);
  const secrets = openSecretsTwin({
    file: join(dataDir, 'secrets.json'),
    lent: options.lentSecrets,
    clock,
    place,
  });
  const runtime = openLambda(options, substrate);
  const { dynamo, call: dynamodb } = openDynamo(options);
  const { stepFunctions, call: sfn } = openStepFunctions(options, dynamodb, (request) =>
    invokeForMachines({ runtime, deliveries, place }, request),
  );
  const deliveries = openDeliveries(
    database,
    clock,
    deliverTo({ runtime, sfn, place, notify: options.notify }),
  );
  const parts = { database, clock, place, deliveries };
  const bus = openEventBusTwin(parts);
  const scheduler = endpoints.scheduler === undefined ? openSchedulerTwin(parts) : undefined;
  const call = { dynamodb, sfn };
  return { database, secrets, runtime, dynamo, stepFunctions, deliveries, bus, scheduler, call };
};

const schedulesOf = ({ endpoints, place }: ServicesOptions, { scheduler }: Opened): WireService =>
  scheduler?.service ?? remoteService(endpoints.scheduler ?? '', place.region, 'scheduler');

export const openServices = (options: ServicesOptions): Services => {
  mkdirSync(options.dataDir, { recursive: true, mode: 0o700 });
  const substrate = (name: string): Substrate => {
    const transport = (service: AwsService) => transportOf(service, name);
    return substrateOf({ ...options, transport }, name);
  };
  const opened = openAll(options, substrate);
  const wire = wireServices(options, opened);
  /** As the function's role sees the service; a name that is no function's sees all of it. */
  const transportOf = (service: AwsService, name: string): AwsTransport => {
    const by = wire[service];
    const { region } = options.place;
    const entry = options.functions[name];
    if (typeof by !== 'function') return transportFor(service, region, by);
    if (service === 'dynamodb' && opened.dynamo !== undefined) {
      const all = opened.dynamo.take;
      const take = entry === undefined ? all : dynamoAs(name, entry, all);
      const settings = transportFor(service, region, { service: targetService(take) });
      return { ...settings, plugin: shortcutTo(take) };
    }
    const isWhole = entry === undefined || service === 'dynamodb';
    const allowed = isWhole ? by : serviceAs(name, entry, service, by);
    return transportFor(service, region, { service: allowed });
  };
  return {
    ...opened,
    wire,
    schedules: schedulesOf(options, opened),
    substrate,
    close: async () => {
      opened.scheduler?.close();
      opened.deliveries.close();
      opened.runtime.close();
      await opened.stepFunctions?.close();
      opened.dynamo?.close();
      opened.database.close();
    },
  };
};

/** Lambda is always served: the twin's own functions are here, whatever endpoint others are at. */
const wireServices = (
  { endpoints, dataDir, clock, place }: ServicesOptions,
  opened: Opened,
): WireServices => {
  const { dynamo, stepFunctions, scheduler, bus, secrets } = opened;
  const elsewhere = (service: AwsService) => ({ endpoint: endpoints[service] ?? '' });
  return {
    dynamodb: dynamo === undefined ? elsewhere('dynamodb') : targetService(dynamo.take),
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
