// Keys of index entries, and the limits of what an item may hold.
// Owns: which entry an item has in an index, and the refusals of items that AWS would not store.

import { invalid, tooDeep } from './answers.ts';
import { indexKey } from './keys.ts';
import type { Table, TableIndex } from './tables.ts';
import type { AttributeValue, Item } from './values.ts';
import { typeOf } from './values.ts';

/**
 * The key of an item's entry in an index: the index's key, then the whole key of the item. Null
 * when the item is not in the index.
 */
export const entryKey = (
  table: Table,
  index: TableIndex,
  item: Item | undefined,
): string | null => {
  if (item === undefined) return null;
  for (const { name, type } of index.keys) if (!item[name]?.[type]) return null;
  return indexKey(item, table.shape, index.shape.KeySchema);
};

/** True when both have the same values in an index's key, hence the same entry. */
export const sameEntry = (
  index: TableIndex,
  one: Item | undefined,
  other: Item | undefined,
): boolean =>
  one !== undefined &&
  other !== undefined &&
  index.keys.every(({ name, type }) => one[name]?.[type] === other[name]?.[type]);

const keyBytesMax = [2048, 1024] as const;

const keyBytes = (text: string, type: 'S' | 'N' | 'B'): number => {
  if (type === 'S') return Buffer.byteLength(text);
  return type === 'B' ? Buffer.from(text, 'base64').length : 0;
};

const emptyKey = (type: 'S' | 'N' | 'B', isUpdate: boolean, where: string) => {
  const value = type === 'B' ? 'binary' : 'string';
  const subject = isUpdate
    ? 'The update expression attempted to update a secondary index key to a value that is not supported.'
    : 'A value specified for a secondary index key is not supported.';
  return invalid(
    `One or more parameter values are not valid. ${subject} The AttributeValue for a key attribute cannot contain an ` +
      `empty ${value} value.${isUpdate ? '' : where}`,
  );
};

const checkIndexKey = (index: TableIndex, item: Item, at: number, isUpdate: boolean): void => {
  const key = index.keys[at];
  const value = key && item[key.name];
  if (!key || value === undefined) return;
  const { name, type } = key;
  const text = value[type];
  if (text === '') throw emptyKey(type, isUpdate, ` IndexName: ${index.name}, IndexKey: ${name}`);
  if (text === undefined)
    throw invalid(
      isUpdate
        ? 'The update expression attempted to update the secondary index key to unsupported type'
        : `One or more parameter values were invalid: Type mismatch for Index Key ${name} Expected: ${type} ` +
            `Actual: ${typeOf(value)} IndexName: ${index.name}`,
    );
  if (keyBytes(text, type) > (keyBytesMax[at] ?? 0))
    throw invalid(
      `One or more parameter values were invalid: ${
        at === 0
          ? 'Size of hashkey has exceeded the maximum size limit of2048 bytes'
          : 'Aggregated size of all range keys has exceeded the size limit of 1024 bytes'
      }`,
    );
};

const levelsMax = 32;

const checkDepth = (value: AttributeValue, levels: number): void => {
  const { L, M } = value;
  if (L === undefined && M === undefined) return;
  if (levels + 1 >= levelsMax) throw tooDeep();
  for (const member of L ?? Object.values(M ?? {})) checkDepth(member, levels + 1);
};

/** Refuses an item that cannot be stored: wrong or empty index keys, more than 32 levels. */
export const checkStorable = (table: Table, item: Item, isUpdate: boolean): void => {
  for (const index of table.indexes)
    for (let at = 0; at < index.keys.length; at += 1) checkIndexKey(index, item, at, isUpdate);
  for (const name in item) {
    const value = item[name];
    if (value) checkDepth(value, 0);
  }
};

/** Seconds since the epoch at which an item expires, by the table's time-to-live attribute. */
export const expiry = (table: Table, item: Item): number | null => {
  const { ttlAttribute } = table.record;
  const text = ttlAttribute === undefined ? undefined : item[ttlAttribute]?.N;
  const seconds = text === undefined ? Number.NaN : Math.floor(Number(text));
  return Number.isSafeInteger(seconds) && seconds > 0 ? seconds : null;
};
