// The recovery desk's lists on DynamoDB: the sparse index of what needs somebody, and what is due. For reading only.
import { BatchGetItemCommand, type DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import type { Action } from '../../core/action.ts';
import type { Claim } from '../../core/claim.ts';
import type { DeskPart } from '../../core/desk-list.ts';
import type { ActionId } from '../../core/ids.ts';
import type { DeskLists } from '../../ports/desk.ts';
import type { Page } from '../../ports/store.ts';
import { deskKey, dueShard, dueShards, keyAttributes, parseItem } from './codec.ts';
import { keys } from './keys.ts';
import type { TableNames } from './writes.ts';

interface Parts {
  readonly client: DynamoDBClient;
  readonly tables: TableNames;
}

const actions = async (
  { client, tables }: Parts,
  key: { readonly workspace: string; readonly part: DeskPart },
  limit: number,
  cursor: string | undefined,
): Promise<Page<Action>> => {
  const answer = await client.send(
    new QueryCommand({
      TableName: tables.Ledger,
      IndexName: 'desk',
      KeyConditionExpression:
        cursor === undefined ? 'deskKey = :key' : 'deskKey = :key AND deskAt > :after',
      ExpressionAttributeValues: {
        ':key': { S: deskKey(key.workspace, key.part) },
        ...(cursor === undefined ? {} : { ':after': { S: cursor } }),
      },
      Limit: limit,
    }),
  );
  const items = answer.Items ?? [];
  return {
    items: items.map((item) => parseItem('action', item).item),
    next: answer.LastEvaluatedKey === undefined ? undefined : items.at(-1)?.deskAt?.S,
  };
};

/** More than this many attempts past their time, in one shard: the sweep has more to do than the desk can show. */
const strandedMax = 100;

const stranded = async (
  { client, tables }: Parts,
  workspace: string,
  nowMs: number,
): Promise<Action[]> => {
  const shards = await Promise.all(
    Array.from({ length: dueShards }, (_, shard) =>
      client.send(
        new QueryCommand({
          TableName: tables.Ledger,
          IndexName: 'due',
          KeyConditionExpression: 'dueShard = :shard',
          ExpressionAttributeValues: { ':shard': { S: dueShard('action', shard) } },
          Limit: strandedMax,
        }),
      ),
    ),
  );
  return shards
    .flatMap((answer) => answer.Items ?? [])
    .map((item) => parseItem('action', item).item)
    .filter(
      (action) =>
        action.workspace === workspace &&
        action.engaged !== undefined &&
        action.engaged.deadlineAtMs <= nowMs,
    );
};

const claimsOf = async (
  { client, tables }: Parts,
  actionIds: readonly ActionId[],
): Promise<Claim[]> => {
  if (actionIds.length === 0) return [];
  const answer = await client.send(
    new BatchGetItemCommand({
      RequestItems: {
        [tables.Ledger]: { Keys: actionIds.map((id) => keyAttributes(keys.claim(id))) },
      },
    }),
  );
  return (answer.Responses?.[tables.Ledger] ?? []).map((item) => parseItem('claim', item).item);
};

export const deskListsFrom = (parts: Parts): DeskLists => ({
  actions: (workspace, part, limit, cursor) => actions(parts, { workspace, part }, limit, cursor),
  stranded: (workspace, nowMs) => stranded(parts, workspace, nowMs),
  claimsOf: (actionIds) => claimsOf(parts, actionIds),
});
