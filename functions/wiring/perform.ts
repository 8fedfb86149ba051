// Wires Perform: store, tools, blobs, and Powertools idempotency as guard against concurrent deliveries. The guard is never the
// permission to send: that is the ledger's (L3). Owns: the settings of the guard.
import { IdempotencyConfig, makeIdempotent } from '@aws-lambda-powertools/idempotency';
import { DynamoDBPersistenceLayer } from '@aws-lambda-powertools/idempotency/dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { Context } from 'aws-lambda';
import { blobsFrom } from '../adapters/blobs/s3.ts';
import { secretsFrom } from '../adapters/secrets/secrets-manager.ts';
import { carrierFrom } from '../adapters/tools/carrier.ts';
import { egressFrom, egressRulesFrom } from '../adapters/tools/egress.ts';
import { TryAgain } from '../core/base/errors.ts';
import { environmentNames } from '../manifest.ts';
import type { ToolCarrier } from '../ports/tool.ts';
import type { Blobs } from '../ports/world.ts';
import { dynamoClientFrom, type StoreWorld, storeWorld, tableNamesFrom } from './store.ts';
import { required, type Substrate } from './substrate.ts';
import { type RegistryCache, registryCache } from './versions.ts';

export { lambdaHandler } from './lambda.ts';
export { lazily } from './lazily.ts';
export { nowIso } from './store.ts';
export type { Substrate } from './substrate.ts';

/** What the guard remembers: names only. Outcomes are read from the ledger. */
export interface Performed {
  readonly actionId: string;
  readonly attempt: number;
}

export interface PerformWorld extends StoreWorld {
  readonly carrier: ToolCarrier;
  readonly blobs: Blobs;
  readonly versions: RegistryCache;
  /**
   * Runs `send` at most once at a time per action and attempt. Resolves 'ran' or, when another delivery holds or held the
   * guard, 'seen'. Rejects with what `send` threw, which it may do before engage only.
   */
  guarded(key: Performed, context: Context, send: () => Promise<void>): Promise<'ran' | 'seen'>;
}

/** Longer than any wait or execution: more than a year, with a margin. */
const guardSeconds = 400 * 86_400;

const guardFrom = (substrate: Substrate): PerformWorld['guarded'] => {
  const client = dynamoClientFrom(substrate);
  const tableName = tableNamesFrom(substrate).Idempotency;
  return async (key, context, send) => {
    let ran = false;
    // One layer and one configuration per invocation: a layer keeps its first configuration for ever.
    const guarded = makeIdempotent(
      async (performed: Performed): Promise<{ actionId: string; attempt: number }> => {
        ran = true;
        await send();
        return { actionId: performed.actionId, attempt: performed.attempt };
      },
      {
        persistenceStore: new DynamoDBPersistenceLayer({ tableName, awsSdkV3Client: client }),
        keyPrefix: 'perform',
        config: new IdempotencyConfig({
          eventKeyJmesPath: '[actionId, attempt]',
          throwOnNoIdempotencyKey: true,
          hashFunction: 'sha256',
          expiresAfterSeconds: guardSeconds,
          useLocalCache: false,
          lambdaContext: context,
        }),
      },
    );
    try {
      await guarded(Object.freeze({ ...key }));
      return ran ? 'ran' : 'seen';
    } catch (error) {
      // Once the inner function ran to its end the ledger knows; a guard that cannot save its record changes nothing.
      if (ran && error instanceof Error && error.name.startsWith('Idempotency')) return 'ran';
      if (error instanceof Error && error.name === 'IdempotencyAlreadyInProgressError')
        return 'seen';
      // The guard's own store did not answer: nothing was engaged and nothing sent.
      if (error instanceof Error && error.name.startsWith('Idempotency'))
        throw new TryAgain(`The guard could not be taken: ${error.message}`, { cause: error });
      throw error;
    }
  };
};

export const performWorld = (substrate: Substrate): PerformWorld => {
  const world = storeWorld(substrate);
  const secrets = secretsFrom({
    client: new SecretsManagerClient({ ...substrate.aws('secretsmanager') }),
    clock: substrate.clock,
    open: substrate.open,
  });
  return {
    ...world,
    carrier: carrierFrom({
      secrets,
      clock: substrate.clock,
      egress: egressFrom(egressRulesFrom(substrate.environment[environmentNames.egress])),
      lambda: { ...substrate.aws('lambda') },
      open: substrate.open,
    }),
    blobs: blobsFrom({
      client: new S3Client({ ...substrate.aws('s3'), forcePathStyle: true }),
      bucket: required(substrate, environmentNames.blobBucket),
      minter: substrate.minter,
    }),
    versions: registryCache(world.registry),
    guarded: guardFrom(substrate),
  };
};
