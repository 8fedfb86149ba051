// One page of a list of the index `listed`, whatever it holds: the one query behind every list of a workspace or a routine.
// Owns: the query and its cursor (the place of the last item). For reading only: an index follows its table.
import { type DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import type { ItemKind, ItemOf } from '../../core/change.ts';
import type { TableName } from '../../manifest.ts';
import type { Page } from '../../ports/store.ts';
import { type Attributes, parseItem } from './codec.ts';
import type { TableNames } from './writes.ts';

interface Parts {
  readonly client: DynamoDBClient;
  readonly tables: TableNames;
}

export interface Wanted {
  readonly limit: number;
  /** The place of the last item seen; the page begins beyond it. */
  readonly cursor?: string | undefined;
  /** Newest first unless this is set. */
  readonly oldestFirst?: boolean | undefined;
}

export const placeIn = (item: Attributes): string => item.listedAt?.S ?? '';

/** Items as they are stored; `next` is the last one's place, undefined on the last page. */
export const listedPage = async (
  { client, tables }: Parts,
  table: TableName,
  listKey: string,
  { limit, cursor, oldestFirst = false }: Wanted,
): Promise<Page<Attributes>> => {
  const beyond = oldestFirst ? 'listedAt > :place' : 'listedAt < :place';
  const answer = await client.send(
    new QueryCommand({
      TableName: tables[table],
      IndexName: 'listed',
      KeyConditionExpression:
        cursor === undefined ? 'listKey = :key' : `listKey = :key AND ${beyond}`,
      ExpressionAttributeValues: {
        ':key': { S: listKey },
        ...(cursor === undefined ? {} : { ':place': { S: cursor } }),
      },
      ScanIndexForward: oldestFirst,
      Limit: limit,
    }),
  );
  const items = answer.Items ?? [];
  const last = items.at(-1);
  return {
    items,
    next: answer.LastEvaluatedKey === undefined || last === undefined ? undefined : placeIn(last),
  };
};

/** The same, of a list that holds one kind. */
export const listed = async <Kind extends ItemKind>(
  parts: Parts,
  table: TableName,
  kind: Kind,
  listKey: string,
  wanted: Wanted,
): Promise<Page<ItemOf<Kind>>> => {
  const { items, next } = await listedPage(parts, table, listKey, wanted);
  return { items: items.map((item) => parseItem(kind, item).item), next };
};
