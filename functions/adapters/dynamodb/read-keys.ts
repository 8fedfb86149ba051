// Consistent reads of any number of items by their keys. Owns: the batches, and asking again for what a batch left out.
// Tested in test/functions/store.test.ts.
import { BatchGetItemCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Clock, Minter } from '../../ports/world.ts';
import { type Attributes, keyAttributes } from './codec.ts';
import type { Key } from './keys.ts';
import type { TableNames } from './operation.ts';

export interface StoreParts {
  readonly client: DynamoDBClient;
  readonly tables: TableNames;
  readonly clock: Clock;
  readonly minter: Minter;
}

/** BatchGetItem takes this many keys. */
const batchMax = 100;

/** One batch, until nothing of it is left out. */
const readBatch = async (
  { client, tables, clock, minter }: StoreParts,
  batch: readonly Key[],
): Promise<Attributes[]> => {
  const found: Attributes[] = [];
  let left = batch;
  for (let round = 0; left.length > 0; round += 1) {
    if (round > 0) await clock.pause(20 * 2 ** Math.min(round, 6) * minter.fraction());
    const answer = await client.send(
      new BatchGetItemCommand({
        RequestItems: Object.fromEntries(
          Object.entries(Object.groupBy(left, (key) => tables[key.table])).map(([table, group]) => [
            table,
            { ConsistentRead: true, Keys: (group ?? []).map(keyAttributes) },
          ]),
        ),
      }),
    );
    found.push(...Object.values(answer.Responses ?? {}).flat());
    const undone = new Set(
      Object.values(answer.UnprocessedKeys ?? {}).flatMap((table) =>
        (table.Keys ?? []).map((key) => `${key.pk?.S}|${key.sk?.S}`),
      ),
    );
    left = left.filter((key) => undone.has(`${key.pk}|${key.sk}`));
  }
  return found;
};

/** In no order; what does not exist is left out. */
export const readKeys = async (
  parts: StoreParts,
  wanted: readonly Key[],
): Promise<Attributes[]> => {
  // DynamoDB refuses a batch that names a key twice.
  const keys = [
    ...new Map(wanted.map((key) => [`${key.table}|${key.pk}|${key.sk}`, key])).values(),
  ];
  const batches = Array.from({ length: Math.ceil(keys.length / batchMax) }, (_, batch) =>
    keys.slice(batch * batchMax, (batch + 1) * batchMax),
  );
  return (await Promise.all(batches.map((batch) => readBatch(parts, batch)))).flat();
};
