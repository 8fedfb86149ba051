// Token bookkeeping and the outbox, for publish and sweep alone. Owns: reading and clearing a request's task token.
// Laws: L12 (a wake-up is repeated until the service says the token is used or gone), L18 (tokens leave by no other door).
// Tested in test/functions/store.test.ts.
import { DeleteItemCommand, GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import type { ItemOf } from '../../core/records/change.ts';
import type { TableName } from '../../manifest.ts';
import type { Deliveries, DueKind } from '../../ports/store.ts';
import { dueShard, dueShards, keyAttributes, parseItem } from './codec.ts';
import { indexed } from './indexed.ts';
import { keys } from './keys.ts';
import type { StoreParts } from './read-keys.ts';

const tokenOf = async ({ client, tables }: StoreParts, requestId: string) => {
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

const clearToken = async ({ client, tables }: StoreParts, requestId: string, token: string) => {
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

const tableOfDue = {
  outbox: 'Conversations',
  run: 'Conversations',
  request: 'Requests',
  action: 'Ledger',
  'routine-clock': 'Conversations',
} as const satisfies { readonly [Kind in DueKind]: TableName };

/** The oldest of each shard, as they stand now; they are read again before anything is decided. */
const dueOf = async <Kind extends DueKind>(
  parts: StoreParts,
  kind: Kind,
  beforeMs: number,
  limit: number,
): Promise<ItemOf<Kind>[]> => {
  const shards = await Promise.all(
    Array.from({ length: dueShards }, (_, shard) =>
      indexed(parts, {
        table: tableOfDue[kind],
        index: 'due',
        partition: ['dueShard', dueShard(kind, shard)],
        range: { condition: 'dueAt < :value', value: { N: String(beforeMs) } },
        limit: Math.ceil(limit / dueShards),
      }),
    ),
  );
  return shards
    .flatMap(({ items }) => items)
    .filter((item) => Number(item.dueAt?.N) < beforeMs)
    .map((item) => parseItem(kind, item).item);
};

const keyOfPostponed = { run: keys.run, request: keys.request, action: keys.action } as const;

/** Bookkeeping of the sweep alone: the item itself and its revision stay as they are. */
const postpone = async (
  { client, tables }: StoreParts,
  kind: keyof typeof keyOfPostponed,
  id: string,
  untilMs: number,
): Promise<void> => {
  const key = keyOfPostponed[kind](id);
  try {
    await client.send(
      new UpdateItemCommand({
        TableName: tables[key.table],
        Key: keyAttributes(key),
        ConditionExpression: 'attribute_exists(dueShard)',
        UpdateExpression: 'SET dueAt = :until',
        ExpressionAttributeValues: { ':until': { N: String(untilMs) } },
      }),
    );
  } catch (error) {
    // No longer due at all: nothing to postpone.
    if (!(error instanceof Error) || error.name !== 'ConditionalCheckFailedException') throw error;
  }
};

export const deliveriesFrom = (parts: StoreParts): Deliveries => ({
  tokenOf: (requestId) => tokenOf(parts, requestId),
  clearToken: (requestId, token) => clearToken(parts, requestId, token),
  done: async (outbox) => {
    const key = keys.outbox(outbox.outboxId);
    await parts.client.send(
      new DeleteItemCommand({ TableName: parts.tables[key.table], Key: keyAttributes(key) }),
    );
  },
  due: (kind, beforeMs, limit) => dueOf(parts, kind, beforeMs, limit),
  postpone: (kind, id, untilMs) => postpone(parts, kind, id, untilMs),
});
