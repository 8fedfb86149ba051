// Token bookkeeping and the outbox, for publish and sweep alone. Owns: reading and clearing a request's task token.
// Laws: L12 (a wake-up is repeated until the service says the token is used or gone), L18 (tokens leave by no other door).
import {
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  QueryCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import type { Deliveries } from '../../ports/store.ts';
import { dueShards, keyAttributes, parseItem } from './codec.ts';
import { keys } from './keys.ts';
import type { TableNames } from './writes.ts';

interface Parts {
  readonly client: DynamoDBClient;
  readonly tables: TableNames;
}

const tokenOf = async ({ client, tables }: Parts, requestId: string) => {
  const key = keys.request(requestId);
  const answer = await client.send(
    new GetItemCommand({
      TableName: tables[key.table],
      Key: keyAttributes(key),
      ConsistentRead: true,
      ProjectionExpression: 'taskToken',
    }),
  );
  const token = answer.Item?.taskToken?.S;
  return token === undefined ? undefined : { token };
};

const clearToken = async ({ client, tables }: Parts, requestId: string, token: string) => {
  const key = keys.request(requestId);
  try {
    await client.send(
      new UpdateItemCommand({
        TableName: tables[key.table],
        Key: keyAttributes(key),
        ConditionExpression: 'taskToken = :token',
        UpdateExpression: 'REMOVE taskToken',
        ExpressionAttributeValues: { ':token': { S: token } },
      }),
    );
  } catch (error) {
    // Another token took its place: that one is not ours to clear.
    if (!(error instanceof Error) || error.name !== 'ConditionalCheckFailedException') throw error;
  }
};

const overdue = async ({ client, tables }: Parts, beforeMs: number, limit: number) => {
  const shards = await Promise.all(
    Array.from({ length: dueShards }, (_, shard) =>
      client.send(
        new QueryCommand({
          TableName: tables.Conversations,
          IndexName: 'due',
          KeyConditionExpression: 'dueShard = :shard AND dueAt < :before',
          FilterExpression: '#kind = :outbox',
          ExpressionAttributeNames: { '#kind': 'kind' },
          ExpressionAttributeValues: {
            ':shard': { S: `due#${shard}` },
            ':before': { N: String(beforeMs) },
            ':outbox': { S: 'outbox' },
          },
          Limit: limit,
        }),
      ),
    ),
  );
  return shards
    .flatMap((answer) => answer.Items ?? [])
    .map((item) => parseItem('outbox', item).item)
    .sort((a, b) => a.at.localeCompare(b.at));
};

export const deliveriesFrom = (parts: Parts): Deliveries => ({
  tokenOf: (requestId) => tokenOf(parts, requestId),
  clearToken: (requestId, token) => clearToken(parts, requestId, token),
  done: async (outbox) => {
    const key = keys.outbox(outbox.outboxId);
    await parts.client.send(
      new DeleteItemCommand({ TableName: parts.tables[key.table], Key: keyAttributes(key) }),
    );
  },
  overdue: (beforeMs, limit) => overdue(parts, beforeMs, limit),
});
