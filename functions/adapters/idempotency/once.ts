// Remembers answers by Idempotency-Key with Powertools idempotency over the Idempotency table.
// Owns: its settings, and how its errors are told. It is a convenience, never the permission: whatever way it fails, what a
// request creates has a derived id and is put conditionally.
// Tested in test/functions/api/http/idempotency.test.ts.
import { IdempotencyConfig, makeIdempotent } from '@aws-lambda-powertools/idempotency';
import { DynamoDBPersistenceLayer } from '@aws-lambda-powertools/idempotency/dynamodb';
import type { BasePersistenceLayer } from '@aws-lambda-powertools/idempotency/persistence';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { z } from 'zod';
import { Json } from '../../core/base/json.ts';
import type { Once, OnceMemory, RememberedAnswer } from '../../ports/once.ts';

/** Longer than any run can last: a year, and a margin. */
const keptSeconds = 400 * 86_400;

/**
 * After this long an unfinished request no longer blocks its repeat. Short, because a request takes well under a second and a
 * repeat after a crash should not have to wait for long.
 */
const inFlightMs = 5_000;

const Answer = z.strictObject({ status: z.int(), body: Json, replayed: z.boolean() });
type Answer = z.infer<typeof Answer>;

interface Keyed {
  readonly key: string;
  readonly payload: string;
}
/** Powertools takes a second argument with this method for the Lambda context and asks it for the time left. */
interface Making {
  getRemainingTimeInMillis(): number;
  make(): Promise<Answer>;
}

/** The persistence layer over the Idempotency table. */
export const idempotencyTable = (client: DynamoDBClient, tableName: string): BasePersistenceLayer =>
  new DynamoDBPersistenceLayer({ tableName, awsSdkV3Client: client });

const toldBy = (error: unknown): Exclude<Once, { kind: 'answer' }> | undefined => {
  switch (error instanceof Error ? error.name : '') {
    case 'IdempotencyAlreadyInProgressError':
    case 'IdempotencyInconsistentStateError':
      return { kind: 'in_flight' };
    case 'IdempotencyValidationError':
      return { kind: 'other_payload' };
    default:
      return undefined;
  }
};

const remembering = (persistenceStore: BasePersistenceLayer) =>
  makeIdempotent((_keyed: Keyed, making: Making): Promise<Answer> => making.make(), {
    persistenceStore,
    keyPrefix: 'api',
    config: new IdempotencyConfig({
      eventKeyJmesPath: 'key',
      payloadValidationJmesPath: 'payload',
      throwOnNoIdempotencyKey: true,
      expiresAfterSeconds: keptSeconds,
      hashFunction: 'sha256',
      responseHook: (response) =>
        typeof response === 'object' && response !== null && !Array.isArray(response)
          ? { ...response, replayed: true }
          : response,
    }),
  });

/** One instance per persistence layer: Powertools keeps a layer's first configuration. */
export const onceMemoryFrom = (persistenceStore: BasePersistenceLayer): OnceMemory => {
  const answered = remembering(persistenceStore);
  return {
    once: async (key, payload, make) => {
      let made: RememberedAnswer | undefined;
      let failed: { readonly error: unknown } | undefined;
      const making: Making = {
        getRemainingTimeInMillis: () => inFlightMs,
        make: async () => {
          try {
            made = await make();
            return { ...made, replayed: false };
          } catch (error) {
            failed = { error };
            throw error;
          }
        },
      };
      try {
        const { replayed, ...answer } = Answer.parse(await answered({ key, payload }, making));
        return { kind: 'answer', answer, replayed };
      } catch (error) {
        // The work is done; only remembering the answer failed. A repeat finds what was made by its derived id.
        if (made !== undefined) return { kind: 'answer', answer: made, replayed: false };
        // Powertools may put an error of its own in front of the work's.
        if (failed !== undefined) throw failed.error;
        const told = toldBy(error);
        if (told !== undefined) return told;
        throw error;
      }
    },
  };
};
