// Standing permissions and tool bars on DynamoDB. Owns: reading them consistently and replacing them by revision.
import {
  ConditionalCheckFailedException,
  GetItemCommand,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import type { ItemOf, Versioned } from '../../core/change.ts';
import type { Mandates } from '../../ports/mandates.ts';
import { keyAttributes, parseItem } from './codec.ts';
import { type Key, keys } from './keys.ts';
import type { StoreParts } from './read-keys.ts';
import { putOperation, replace } from './writes.ts';

type Kind = 'standing' | 'bar' | 'grant';

const get = async <K extends Kind>(
  { client, tables }: StoreParts,
  kind: K,
  key: Key,
): Promise<Versioned<ItemOf<K>> | undefined> => {
  const { Item } = await client.send(
    new GetItemCommand({
      TableName: tables[key.table],
      Key: keyAttributes(key),
      ConsistentRead: true,
    }),
  );
  return Item === undefined ? undefined : parseItem(kind, Item);
};

const put = async <K extends Exclude<Kind, 'grant'>>(
  { client, tables, minter }: StoreParts,
  kind: K,
  item: ItemOf<K>,
  rev: number,
): Promise<'put' | 'conflict'> => {
  const change = minter.suffix();
  const { operation } =
    rev === 0 ? putOperation(tables, kind, item, change) : replace(tables, kind, item, rev, change);
  if (!operation.Put) return 'conflict';
  try {
    await client.send(new PutItemCommand(operation.Put));
    return 'put';
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    // Our own earlier, unanswered send fulfilled the condition: the item carries this change's name.
    return error.Item?.change?.S === change ? 'put' : 'conflict';
  }
};

export const mandatesFrom = (parts: StoreParts): Mandates => ({
  standing: (workspace, agentId, tool) =>
    get(parts, 'standing', keys.standingMandate(workspace, agentId, tool)),
  bar: (workspace, tool) => get(parts, 'bar', keys.bar(workspace, tool)),
  grant: (workspace, agentId, requestId) =>
    get(parts, 'grant', keys.grant(workspace, agentId, requestId)),
  putStanding: (mandate, rev) => put(parts, 'standing', mandate, rev),
  putBar: (bar, rev) => put(parts, 'bar', bar, rev),
});
