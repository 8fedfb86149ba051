// Sizes of items in bytes, as AWS bills and limits them, and the capacity units that follow from
// them.
// Owns: the replacements of dynalite's `itemSize` and `addConsumedCapacity` (installed in
// replacements.ts).

import type { AttributeValue, Body, Item, RequestData } from './values.ts';

const numberBytes = (text: string): number => {
  const digits = text.replace(/^-?0*\.?0*|\.|0+$/g, '');
  return 1 + Math.ceil(digits.length / 2) + (text.startsWith('-') ? 1 : 0);
};

const base64Bytes = (text: string): number =>
  (text.length / 4) * 3 - (text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0);

const sum = <T>(members: readonly T[], size: (member: T) => number): number => {
  let total = 0;
  for (const member of members) total += size(member);
  return total;
};

const valueBytes = (value: AttributeValue): number => {
  const { S, N, B, L, M, SS, NS, BS } = value;
  if (S !== undefined) return Buffer.byteLength(S);
  if (N !== undefined) return numberBytes(N);
  if (B !== undefined) return base64Bytes(B);
  if (M) return 3 + sum(Object.values(M), () => 1) + itemBytes(M);
  if (L) return 3 + sum(L, (member) => 1 + valueBytes(member));
  if (SS) return sum(SS, (member) => Buffer.byteLength(member));
  if (NS) return sum(NS, numberBytes);
  if (BS) return sum(BS, base64Bytes);
  return 1;
};

/** Names and values of an item, in bytes. */
export const itemBytes = (item: Item): number => {
  let total = 0;
  for (const name in item) {
    const value = item[name];
    if (value !== undefined) total += Buffer.byteLength(name) + valueBytes(value);
  }
  return total;
};

const units = (size: number, unitBytes: number): number => Math.max(1, Math.ceil(size / unitBytes));

export const readUnits = (size: number, consistent: boolean | undefined): number =>
  units(size, 4096) * (consistent ? 1 : 0.5);

export const writeUnits = (size: number): number => units(size, 1024);

/** The member of a request that asks for capacity in the answer. */
export interface CapacityWish {
  readonly ReturnConsumedCapacity?: string;
}

export const wantsCapacity = (data: CapacityWish): boolean =>
  data.ReturnConsumedCapacity === 'TOTAL' || data.ReturnConsumedCapacity === 'INDEXES';

/** The ConsumedCapacity member of an answer about one table. */
export const capacity = (data: CapacityWish, tableName: string, consumed: number): Body => ({
  CapacityUnits: consumed,
  TableName: tableName,
  ...(data.ReturnConsumedCapacity === 'INDEXES' ? { Table: { CapacityUnits: consumed } } : {}),
});

/** Replaces dynalite's `addConsumedCapacity`; undefined unless the caller asked. */
export const consumedCapacity = (
  data: RequestData,
  isRead: boolean,
  one?: Item,
  other?: Item,
): Body | undefined => {
  if (!wantsCapacity(data)) return undefined;
  const size = Math.max(one ? itemBytes(one) : 0, other ? itemBytes(other) : 0);
  return capacity(
    data,
    data.TableName,
    isRead ? readUnits(size, data.ConsistentRead) : writeUnits(size),
  );
};
