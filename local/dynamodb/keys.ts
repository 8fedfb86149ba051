// Keys of items in the store: text whose order is the order of the service within a partition.
// Owns: the replacements of dynalite's `createKey`, `createIndexKey` and `hashPrefix`. Same form
// (`hash/partition/sort/`), with a cheaper hash, and whole keys at the end of index keys:
// dynalite's 24 bits of a hash let two items meet.

import { helpers, type TableShape } from './dynalite.ts';
import type { Item, KeySchemaElement } from './values.ts';

/**
 * FNV-1a, 24 bits: scatters partitions over a Scan's segments, as AWS does; nothing depends on it
 * being unique.
 */
export const hashPrefix = (value: string): string => {
  let hash = 0x811c9dc5;
  for (let at = 0; at < value.length; at += 1)
    hash = Math.imul(hash ^ value.charCodeAt(at), 0x01000193);
  return (hash >>> 8).toString(16).padStart(6, '0');
};

export const itemKey = (
  item: Item,
  table: TableShape,
  schema: readonly KeySchemaElement[] = table.KeySchema,
): string => {
  let key = '';
  for (const { AttributeName: name } of schema) {
    const type = table.AttributeDefinitions.find(
      (one) => one.AttributeName === name,
    )?.AttributeType;
    const text = type && item[name]?.[type];
    if (type === undefined || text === undefined)
      throw new Error(`an item without its key ${name} has no place in ${table.TableName}`);
    if (key === '') key = `${hashPrefix(text)}/`;
    key += `${helpers.toRangeStr(text, type)}/`;
  }
  return key;
};

export const indexKey = (
  item: Item,
  table: TableShape,
  schema: readonly KeySchemaElement[],
): string => itemKey(item, table, schema) + itemKey(item, table);
