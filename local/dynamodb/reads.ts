// Reading: one item by its key, and ranges of keys for Query and Scan, on a table or on an index.
// Owns: the replacement of dynalite's `queryTable`: page limits, filters, projections, consumed
// capacity of pages. Index entries only point at items, so that a page is read from the items
// themselves and projected.

import { invalid } from './answers.ts';
import { satisfies, satisfiesLegacy } from './compare.ts';
import { helpers, type RangeOptions } from './dynalite.ts';
import { itemKey } from './keys.ts';
import { project } from './paths.ts';
import { capacity, consumedCapacity, itemBytes, readUnits, wantsCapacity } from './sizes.ts';
import type { Storage } from './storage.ts';
import type { Table, TableIndex } from './tables.ts';
import type { Body, Item, Path, RequestData } from './values.ts';

const pageBytesMax = 1024 * 1024;
/** Sorts after a key itself and before every longer key. */
const afterKey = '!';
const firstKey = '';
const lastKey = '~';

interface Bounds {
  readonly from: string;
  readonly to: string;
}

/** dynalite's bounds as one half-open interval. */
const bounds = ({ gt, gte, lt, lte }: RangeOptions): Bounds => ({
  from: gt !== undefined ? gt + afterKey : (gte ?? firstKey),
  to: lte !== undefined ? lte + afterKey : (lt ?? lastKey),
});

interface Page {
  readonly items: Item[];
  readonly scanned: number;
  readonly bytes: number;
  readonly full: boolean;
  readonly last: Item | undefined;
}

/**
 * Reads until the limit or 1 MiB. Text is never shorter than what it is counted as, but for some
 * bytes per item.
 */
const readPage = (
  rows: Iterable<unknown>,
  limit: number,
  shown: (item: Item) => Item,
  exact: boolean,
): Page => {
  const items: Item[] = [];
  let bytes = 0;
  let atMost = 0;
  for (const row of rows) {
    const text = (row as { readonly item: string }).item;
    const item = shown(JSON.parse(text) as Item);
    items.push(item);
    atMost += 3 * text.length;
    if (exact || atMost >= pageBytesMax) {
      bytes =
        bytes === 0
          ? items.reduce((total, one) => total + itemBytes(one), 0)
          : bytes + itemBytes(item);
    }
    if (items.length >= limit || bytes >= pageBytesMax) break;
  }
  const full = items.length >= limit || bytes >= pageBytesMax;
  return { items, scanned: items.length, bytes, full, last: items.at(-1) };
};

const rowsOf = (
  storage: Storage,
  table: Table,
  index: TableIndex | undefined,
  range: RangeOptions,
  limit: number,
): Iterable<unknown> => {
  const { sql } = storage;
  const { from, to } = bounds(range);
  const small = limit <= 100;
  const count = Number.isFinite(limit) ? limit : -1;
  if (index === undefined) {
    const statement = range.reverse ? sql.rangeBackward : sql.rangeForward;
    return small
      ? statement.all(table.id, from, to, count)
      : statement.iterate(table.id, from, to, count);
  }
  const statement = range.reverse ? sql.indexBackward : sql.indexForward;
  return small
    ? statement.all(table.id, index.number, from, to, count)
    : statement.iterate(table.id, index.number, from, to, count);
};

const topNames = (data: RequestData): string[] => {
  const heads =
    data._projection?.paths.map((path) => String(path[0])) ?? data.AttributesToGet ?? [];
  return [...heads];
};

/**
 * A global index answers only for what it projects, a local one fetches the rest; no filter looks
 * beyond the index.
 */
const checkProjected = (index: TableIndex, data: RequestData): void => {
  if (index.projected === undefined) return;
  const names = new Set<unknown>(index.projected.map((path) => path[0]));
  const missing = (wanted: readonly string[]): string =>
    wanted.filter((name) => !names.has(name)).join(', ');
  const notShown = index.isLocal ? '' : missing(topNames(data));
  if (notShown !== '')
    throw invalid(
      'One or more parameter values were invalid: Global secondary index ' +
        `${index.name} does not project [${notShown}]`,
    );
  const filtered = data._filter?.pathHeads ?? data.QueryFilter ?? data.ScanFilter ?? {};
  const notFiltered = missing(Object.keys(filtered));
  if (notFiltered !== '')
    throw invalid(
      `One or more parameter values were invalid: Secondary index ${index.name} does not project one or more filter ` +
        `attributes: [${notFiltered}]`,
    );
};

const pageCapacity = (data: RequestData, index: TableIndex | undefined, bytes: number): Body => {
  const consumed = readUnits(bytes, data.ConsistentRead);
  const whole = capacity(data, data.TableName, consumed);
  if (data.ReturnConsumedCapacity !== 'INDEXES' || index === undefined) return whole;
  const member = index.isLocal ? 'LocalSecondaryIndexes' : 'GlobalSecondaryIndexes';
  return {
    ...whole,
    Table: { CapacityUnits: 0 },
    [member]: { [index.name]: { CapacityUnits: consumed } },
  };
};

const matches = (data: RequestData): ((item: Item) => boolean) | undefined => {
  const { _filter } = data;
  if (_filter) return (item) => satisfies(item, _filter.expression);
  const legacy = data.QueryFilter ?? data.ScanFilter;
  return legacy && ((item) => satisfiesLegacy(item, legacy, data.ConditionalOperator));
};

/**
 * What of a stored item the index shows: its projection, unless a local index fetches from the
 * table.
 */
const shownBy = (index: TableIndex | undefined, data: RequestData): ((item: Item) => Item) => {
  const fetches = index?.isLocal && (data.Select === 'ALL_ATTRIBUTES' || topNames(data).length > 0);
  const projected = index?.projected;
  if (projected === undefined || fetches) return (item) => item;
  return (item) => project(projected, item);
};

/** A page of a Query or Scan whose request and range dynalite has checked. */
export const queryPage = (
  storage: Storage,
  table: Table,
  data: RequestData,
  range: RangeOptions,
  startKeyNames: readonly string[],
): Body => {
  const index = table.indexes.find((one) => one.name === data.IndexName);
  if (index) checkProjected(index, data);
  const limit = data.Limit ?? Number.POSITIVE_INFINITY;
  const page = readPage(
    rowsOf(storage, table, index, range, limit),
    limit,
    shownBy(index, data),
    wantsCapacity(data),
  );
  const filter = matches(data);
  const kept = filter ? page.items.filter(filter) : page.items;
  const paths: readonly (Path | string)[] | undefined =
    data._projection?.paths ?? data.AttributesToGet;
  const items = paths ? kept.map((item) => project(paths, item)) : kept;
  const { last } = page;
  return {
    ...(data.Select === 'COUNT' ? {} : { Items: items }),
    Count: items.length,
    ScannedCount: page.scanned,
    ...(page.full && last
      ? { LastEvaluatedKey: Object.fromEntries(startKeyNames.map((name) => [name, last[name]])) }
      : {}),
    ...(wantsCapacity(data) ? { ConsumedCapacity: pageCapacity(data, index, page.bytes) } : {}),
  };
};

export interface Found {
  /** The item as the request wants it, or undefined. */
  readonly item: Item | undefined;
  readonly bytes: number;
  readonly capacity: unknown;
}

/** Reads one item by the `Key` of a validated request and projects it. */
export const readItem = (storage: Storage, table: Table, data: RequestData): Found => {
  const key = data.Key ?? {};
  const wrong =
    helpers.validateKey(key, table.shape) ??
    helpers.validateKeyPaths(data._projection?.nestedPaths, table.shape);
  if (wrong) throw wrong;
  const row = storage.item(table.id, itemKey(key, table.shape));
  const item = row && (JSON.parse(row.item) as Item);
  const paths = data._projection?.paths ?? data.AttributesToGet;
  return {
    item: item && paths ? project(paths, item) : item,
    bytes: row?.item.length ?? 0,
    capacity: consumedCapacity(data, true, item),
  };
};
