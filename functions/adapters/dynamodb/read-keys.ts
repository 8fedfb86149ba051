// Consistent reads of any number of items by their keys. Owns: the batches, and asking again for what a batch left out.
import { BatchGetItemCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Clock, Minter } from '../../ports/world.ts';
import { type Attributes, keyAttributes } from './codec.ts';
import type { Key } from './keys.ts';
import type { TableNames } from './writes.ts';

export interface StoreParts {
  readonly client: DynamoDBClient;
  readonly tables: TableNames;
  readonly clock: Clock;
  readonly minter: Minter;
}

/** BatchGetItem takes this many keys. */
const batchMax = 100;

export const readKeys = async (
  { client, tables, clock, minter }: StoreParts,
  wanted: readonly Key[],
): Promise<Attributes[]> => {
  const found: Attributes[] = [];
  // DynamoDB refuses a batch that names a key twice.
  let left = [...new Map(wanted.map((key) => [`${key.table}|${key.pk}|${key.sk}`, key])).values()];
  for (let round = 0; left.length > 0; round += 1) {
    if (round > 0) await clock.pause(20 * 2 ** Math.min(round, 6) * minter.fraction());
    const batch = left.slice(0, batchMax);
    const answer = await client.send(
      new BatchGetItemCommand({
        RequestItems: Object.fromEntries(
          Object.entries(Object.groupBy(batch, (key) => tables[key.table])).map(
            ([table, group]) => [
              table,
              { ConsistentRead: true, Keys: (group ?? []).map(keyAttributes) },
            ],
          ),
        ),
      }),
    );
    found.push(...Object.values(answer.Responses ?? {}).flat());
    const undone = new Set(
      Object.values(answer.UnprocessedKeys ?? {}).flatMap((table) =>
        (table.Keys ?? []).map((key) => `${key.pk?.S}|${key.sk?.S}`),
      ),
    );
    left = [...batch.filter((key) => undone.has(`${key.pk}|${key.sk}`)), ...left.slice(batchMax)];
  }
  return found;
};
