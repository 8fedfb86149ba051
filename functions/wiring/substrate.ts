// What a function stands on: its environment, time, AWS clients' transport and crash points. On AWS it comes from the
// process; the twin hands in its own. Owns: the seam that lets the same handlers run in both places without a branch.
import type { DynamoDBClient, DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import type { Script } from '../adapters/model/script.ts';
import type { Measures } from '../ports/measures.ts';
import type { Clock, Crash, Log, Minter } from '../ports/world.ts';

export type AwsService =
  | 'dynamodb'
  | 'sfn'
  | 'eventbridge'
  | 'scheduler'
  | 'lambda'
  | 's3'
  | 'secretsmanager';

/** Extra client settings for one service; empty on AWS. */
export interface AwsTransport {
  readonly requestHandler?: NonNullable<DynamoDBClientConfig['requestHandler']>;
  readonly endpoint?: string;
  readonly region?: string;
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
  /** Middleware of the DynamoDB client; none on AWS. */
  readonly plugin?: Parameters<DynamoDBClient['middlewareStack']['use']>[0];
}

export interface Substrate {
  readonly environment: { readonly [name: string]: string | undefined };
  readonly clock: Clock;
  readonly minter: Minter;
  readonly crash: Crash;
  readonly log: Log;
  readonly measures: Measures;
  aws(service: AwsService): AwsTransport;
  /** What the scripted model can say, by script name. */
  readonly scripts?: { readonly [name: string]: Script };
  /** False once the invocation this runs in has passed its timeout: every port then refuses further calls. */
  open(): boolean;
}

/** Reads a setting that must be there. Throws an Error that names it. */
export const required = (substrate: Substrate, name: string): string => {
  const value = substrate.environment[name];
  if (value === undefined || value === '')
    throw new Error(`The setting ${name} is missing from the function's environment.`);
  return value;
};
