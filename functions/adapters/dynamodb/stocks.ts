// Counts and ages for the measures, from the index of due times. Owns: which part of the index holds what.
// Tested in test/functions/sweep.test.ts.
import { type DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import type { TableName } from '../../manifest.ts';
import type { Stock, Stocks } from '../../ports/measures.ts';
import { dueShard, dueShards, outboxDueMs } from './codec.ts';
import type { TableNames } from './operation.ts';

interface Parts {
  readonly client: DynamoDBClient;
  readonly tables: TableNames;
}

const shardOf = async ({ client, tables }: Parts, table: TableName, shard: string) => {
  const found = await client.send(
    new QueryCommand({
      TableName: tables[table],
      IndexName: 'due',
      KeyConditionExpression: 'dueShard = :shard',
      ExpressionAttributeValues: { ':shard': { S: shard } },
      ProjectionExpression: 'dueAt',
      Limit: countedMax,
    }),
  );
  const items = found.Items ?? [];
  const oldest = items[0]?.dueAt?.N;
  return { count: items.length, oldestMs: oldest === undefined ? undefined : Number(oldest) };
};

/** Per shard; who has more has an alarm already. */
const countedMax = 1_000;

const stockOf = async (
  parts: Parts,
  table: TableName,
  name: 'recovery' | 'outbox',
  dueAfterMs: number,
): Promise<Stock> => {
  const shards = await Promise.all(
    Array.from({ length: dueShards }, (_, shard) => shardOf(parts, table, dueShard(name, shard))),
  );
  const oldest = shards.flatMap(({ oldestMs }) => (oldestMs === undefined ? [] : [oldestMs]));
  return {
    count: shards.reduce((sum, { count }) => sum + count, 0),
    oldestAtMs: oldest.length === 0 ? undefined : Math.min(...oldest) - dueAfterMs,
  };
};

export const stocksFrom = (parts: Parts): Stocks => ({
  undetermined: () => stockOf(parts, 'Requests', 'recovery', 0),
  outbox: () => stockOf(parts, 'Conversations', 'outbox', outboxDueMs),
});
