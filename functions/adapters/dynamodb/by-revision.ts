// One item by itself, read consistently and replaced by its revision, for what is written outside a conversation's changes; with
// records that are put once beside it, where it has any.
// Owns: that write, and telling our own unanswered send from somebody else's.
// Tested in test/functions/api/routes/faults.test.ts.
import {
  ConditionalCheckFailedException,
  GetItemCommand,
  PutItemCommand,
  TransactionCanceledException,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import type { ItemKind, ItemOf, Versioned } from '../../core/records/change.ts';
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

/** The same with items that are put once, all or none; together they are 100 at most. */
export const putWith = async <Kind extends ItemKind, Beside extends ItemKind>(
  { client, tables, minter }: StoreParts,
  { kind, item, rev }: { readonly kind: Kind; readonly item: ItemOf<Kind>; readonly rev: number },
  beside: Beside,
  records: readonly ItemOf<Beside>[],
): Promise<'put' | 'conflict'> => {
  const change = minter.suffix();
  const main =
    rev === 0 ? putOperation(tables, kind, item, change) : replace(tables, kind, item, rev, change);
  const others = records.map((record) => putOperation(tables, beside, record, change));
  try {
    await client.send(
      new TransactWriteItemsCommand({
        TransactItems: [main, ...others].map(({ operation }) => operation),
        ClientRequestToken: change,
      }),
    );
    return 'put';
  } catch (error) {
    if (!(error instanceof TransactionCanceledException)) throw error;
    const reasons = error.CancellationReasons ?? [];
    if (reasons.some(({ Item }) => Item?.change?.S === change)) return 'put';
    const faster = ['ConditionalCheckFailed', 'TransactionConflict'];
    if (reasons.some(({ Code }) => Code !== undefined && faster.includes(Code))) return 'conflict';
    throw error;
  }
};
