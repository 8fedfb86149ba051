// What the twin's functions stand on: their environment, time, names and transport. Owns: the values of the manifest's
// environment names on this machine.
import { environmentNames, type FunctionName, tableNames } from '../../functions/manifest.ts';
import type { Measures } from '../../functions/ports/measures.ts';
import type { Crash, Log } from '../../functions/ports/world.ts';
import { mintSuffix } from '../../functions/wiring/minting.ts';
import type { AwsService, AwsTransport, Substrate } from '../../functions/wiring/substrate.ts';
import { pauseOn, type TwinClock } from '../base/clock.ts';
import { busArn, functionArn, type Place, roleArn } from '../base/names.ts';
import { scripts } from '../demo/script.ts';
import { localAudience, localClient } from '../identity/index.ts';
import { scopeIsOpen } from './scope.ts';

export const blobBucket = 'reprise-blobs';
export const eventBus = 'reprise';
export const routineGroup = 'reprise-routines';
export const signInSecret = 'Reprise-sign-in';

type Variables = Readonly<Record<string, string | undefined>>;

/** Where things are, known once the twin listens. */
export interface Addresses {
  readonly issuer: string;
  readonly pageUrl: string;
  readonly runMachineArn: string;
  readonly recoverMachineArn: string;
  /** Template of a trace's address; undefined when executions are another Step Functions' to show. */
  readonly traceAddress: string | undefined;
}

const tableVariables = (): Variables => ({
  [environmentNames.conversationsTable]: tableNames[0],
  [environmentNames.requestsTable]: tableNames[1],
  [environmentNames.ledgerTable]: tableNames[2],
  [environmentNames.registryTable]: tableNames[3],
  [environmentNames.idempotencyTable]: tableNames[4],
});

/** Later ones win: the process may choose issuer, egress, traces and limits, never tables or machines; the caller anything. */
export const functionEnvironment = (
  functionName: string,
  place: Place,
  addresses: Addresses,
  given: { readonly process: Variables; readonly twin: Variables },
): Variables => ({
  [environmentNames.issuer]: addresses.issuer,
  [environmentNames.audience]: localAudience,
  [environmentNames.clientId]: localClient,
  [environmentNames.scope]: 'openid email profile',
  [environmentNames.egress]: JSON.stringify({ hosts: [], allowPrivate: [] }),
  [environmentNames.traceAddress]: addresses.traceAddress,
  ...given.process,
  ...tableVariables(),
  [environmentNames.pageUrl]: addresses.pageUrl,
  [environmentNames.signInSecret]: signInSecret,
  [environmentNames.blobBucket]: blobBucket,
  [environmentNames.eventBus]: busArn(place, eventBus),
  [environmentNames.runMachineArn]: addresses.runMachineArn,
  [environmentNames.recoverMachineArn]: addresses.recoverMachineArn,
  [environmentNames.scheduleGroup]: routineGroup,
  [environmentNames.fireFunctionArn]: functionArn(place, 'fire'),
  [environmentNames.schedulerRoleArn]: roleArn(place),
  AWS_REGION: place.region,
  AWS_LAMBDA_FUNCTION_NAME: functionName,
  ...given.twin,
});

export interface SubstrateParts {
  readonly clock: TwinClock;
  readonly crash: Crash;
  readonly log: Log;
  readonly measures: Measures;
  transport(service: AwsService): AwsTransport;
  environment(functionName: string): Variables;
  /** Further scripts for the scripted model. */
  readonly scripts?: NonNullable<Substrate['scripts']>;
}

export const substrateOf = (
  parts: SubstrateParts,
  functionName: FunctionName | string,
): Substrate => ({
  environment: parts.environment(functionName),
  clock: {
    now: () => parts.clock.now(),
    pause: pauseOn(parts.clock),
  },
  minter: { suffix: mintSuffix, fraction: () => Math.random() },
  crash: parts.crash,
  log: parts.log,
  measures: parts.measures,
  aws: (service) => parts.transport(service),
  scripts: { ...scripts, ...parts.scripts },
  open: scopeIsOpen,
});
