// One item by itself, read consistently and replaced by its revision, for what is written outside a conversation's changes.
// Owns: that write, and telling our own unanswered send from somebody else's.
import {
  ConditionalCheckFailedException,
  GetItemCommand,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import type { ItemKind, ItemOf, Versioned } from '../../core/change.ts';
import { keyAttributes, parseItem } from './codec.ts';
import type { Key } from './keys.ts';
import type { StoreParts } from './read-keys.ts';
import { putOperation, replace } from './writes.ts';

export const getOne = async <Kind extends ItemKind>(
  { client, tables }: StoreParts,
  kind: Kind,
  key: Key,
): Promise<Versioned<ItemOf<Kind>> | undefined> => {
  const { Item } = await client.send(
    new GetItemCommand({
      TableName: tables[key.table],
      Key: keyAttributes(key),
      ConsistentRead: true,
    }),
  );
  return Item === undefined ? undefined : parseItem(kind, Item);
};

/** `rev` is the one it was made from; 0 for a new one. 'conflict': somebody else was faster, nothing was written. */
export const putOne = async <Kind extends ItemKind>(
  { client, tables, minter }: StoreParts,
  kind: Kind,
  item: ItemOf<Kind>,
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
