// What an index names, read from the table. Indexes hold keys alone: an item that is rewritten at every step of a run then costs
// its index nothing, and no reader acts on an index's old copy. Owns: the query, and that an item which no longer belongs
// under the key asked for is left out.
// Tested in test/functions/store.test.ts.
import { QueryCommand } from '@aws-sdk/client-dynamodb';
import type { TableName } from '../../manifest.ts';
import type { Attributes } from './codec.ts';
import type { Key } from './keys.ts';
import { readKeys, type StoreParts } from './read-keys.ts';

export interface IndexQuery {
  readonly table: TableName;
  readonly index: 'listed' | 'desk' | 'due';
  /** The index's partition attribute and its value. */
  readonly partition: readonly [name: string, value: string];
  /** A condition on the index's sort attribute, with its value. */
  readonly range?: { readonly condition: string; readonly value: Attributes[string] } | undefined;
  readonly limit: number;
  readonly newestFirst?: boolean | undefined;
}

export interface Indexed {
  /** As they stand now, in the order of the index. */
  readonly items: readonly Attributes[];
  /** The index's last entry when there are more. */
  readonly last: Attributes | undefined;
}

export const indexed = async (parts: StoreParts, query: IndexQuery): Promise<Indexed> => {
  const { table, range } = query;
  const [name, value] = query.partition;
  const answer = await parts.client.send(
    new QueryCommand({
      TableName: parts.tables[table],
      IndexName: query.index,
      KeyConditionExpression: `${name} = :key${range ? ` AND ${range.condition}` : ''}`,
      ExpressionAttributeValues: {
        ':key': { S: value },
        ...(range ? { ':value': range.value } : {}),
      },
      ScanIndexForward: query.newestFirst !== true,
      Limit: query.limit,
    }),
  );
  const entries = (answer.Items ?? []).map(
    (entry): Key => ({ table, pk: entry.pk?.S ?? '', sk: entry.sk?.S ?? '' }),
  );
  const found = new Map(
    (await readKeys(parts, entries)).map((item) => [`${item.pk?.S}|${item.sk?.S}`, item]),
  );
  return {
    items: entries.flatMap(({ pk, sk }) => {
      const item = found.get(`${pk}|${sk}`);
      return item?.[name]?.S === value ? [item] : [];
    }),
    last: answer.LastEvaluatedKey === undefined ? undefined : answer.Items?.at(-1),
  };
};
