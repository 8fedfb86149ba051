// From a validated Put, Update or Delete to its change, and from changes to one commit: item, index entries, stream record.
// Owns: the evaluation of single writes by dynalite's actions, and every row that a write touches.
// Evaluation reads only. As one process owns the store and calls are synchronous, nothing changes between it and the commit.

import { invalid, Refusal, refusalBody, tableNotFound } from './answers.ts';
import {
  actions,
  type DynaliteStore,
  helpers,
  type ItemDb,
  itemBytesMax,
  runAction,
} from './dynalite.ts';
import { itemBytes } from './sizes.ts';
import type { Storage, StoredRow } from './storage.ts';
import type { StreamWriter } from './streams.ts';
import type { Table, TableIndex, Tables } from './tables.ts';
import type { Body, Item, RequestData } from './values.ts';

/** One item's change; `after` undefined deletes. */
export interface Change {
  readonly table: Table;
  readonly key: string;
  readonly row: StoredRow | undefined;
  readonly before: Item | undefined;
  readonly after: Item | undefined;
  /** Deleted because its time to live had passed. */
  readonly expired?: boolean;
}

export interface Evaluated {
  readonly answer: Body;
  readonly change: Change | undefined;
}

export type WriteAction = 'putItem' | 'updateItem' | 'deleteItem';

export interface Writer {
  /** What the write would do and answer. Throws its refusal, which carries the old item when `returnOld` is set. */
  evaluate(action: WriteAction, data: RequestData, returnOld: boolean): Evaluated;
  /** For ConditionCheck: the size of the item if its condition holds; throws like `evaluate`. */
  check(data: RequestData, returnOld: boolean): number;
  /** Makes changes (of different items) permanent together; `also` runs in the same commit. */
  commit(changes: readonly Change[], also?: () => void): void;
  /** The same without waiting for the disk. */
  commitLazily(changes: readonly Change[]): void;
}

/** Seconds since the epoch at which an item expires, by the table's time-to-live attribute. */
export const expiry = (table: Table, item: Item): number | null => {
  const { ttlAttribute } = table.record;
  const text = ttlAttribute === undefined ? undefined : item[ttlAttribute]?.N;
  const seconds = text === undefined ? Number.NaN : Math.floor(Number(text));
  return Number.isSafeInteger(seconds) && seconds > 0 ? seconds : null;
};

/** The key of an item's entry in an index: index key, then the table's key, whole. Null when the item is not in it. */
export const entryKey = (
  table: Table,
  index: TableIndex,
  item: Item | undefined,
): string | null => {
  if (item === undefined) return null;
  for (const { name, type } of index.keys) if (!item[name]?.[type]) return null;
  return helpers.createIndexKey(item, table.shape, index.shape.KeySchema);
};

const keyBytesMax = [2048, 1024] as const;

/** Refuses values that cannot be keys of an index, as AWS does when it writes the item. */
const checkIndexKeys = (table: Table, item: Item): void => {
  for (const index of table.indexes) {
    index.keys.forEach(({ name, type }, at) => {
      const value = item[name];
      if (value === undefined) return;
      const text = value[type];
      if (text === '')
        throw invalid(
          'One or more parameter values are not valid. A value specified for a secondary index key is not ' +
            `supported. The AttributeValue for a key attribute cannot contain an empty ${type === 'B' ? 'binary' : 'string'} ` +
            `value. IndexName: ${index.name}, IndexKey: ${name}`,
        );
      if (text === undefined)
        throw invalid(
          `One or more parameter values were invalid: Type mismatch for Index Key ${name} Expected: ${type} ` +
            `Actual: ${Object.keys(value)[0]} IndexName: ${index.name}`,
        );
      const size =
        type === 'S' ? Buffer.byteLength(text) : type === 'B' ? (text.length / 4) * 3 : 0;
      if (size > (keyBytesMax[at] ?? 0) + (type === 'B' ? 2 : 0))
        throw invalid(
          at === 0
            ? 'One or more parameter values were invalid: Size of hashkey has exceeded the maximum size limit of2048 bytes'
            : 'One or more parameter values were invalid: Aggregated size of all range keys has exceeded the size limit of 1024 bytes',
        );
    });
  }
};

/** The one call being evaluated, as dynalite's action sees it: a store that holds one item and remembers the outcome. */
interface Stage {
  table: Table | undefined;
  row: StoredRow | undefined;
  before: Item | undefined;
  key: string;
  outcome: { readonly after: Item | undefined } | undefined;
}

const notFound = Object.assign(new Error('no such item'), { name: 'NotFoundError' });

/** The part of dynalite's store that knows the tables. */
export const tableStore = (find: (name: string) => Table | undefined): DynaliteStore => ({
  options: { maxItemSize: itemBytesMax },
  tableDb: { awsAccountId: '', awsRegion: '' },
  getTable: (name, ...rest) => {
    const then = rest.at(-1) as (error: unknown, shape?: unknown) => void;
    const table = find(name);
    if (table === undefined) then(tableNotFound());
    else then(null, table.shape);
  },
  getItemDb: () => {
    throw new Error('this store holds no items');
  },
  page: () => {
    throw new Error('this store holds no ranges');
  },
});

const stagedStore = (stage: Stage, storage: Storage, tables: Tables): DynaliteStore => {
  const itemDb: ItemDb = {
    lock: (key, locked) => {
      stage.key = key;
      locked((then) => then);
    },
    get: (key, then) => {
      const { table } = stage;
      if (table === undefined) return then(notFound);
      stage.row = storage.item(table.id, key);
      if (stage.row === undefined) return then(notFound);
      stage.before = JSON.parse(stage.row.item) as Item;
      then(null, stage.before);
    },
    put: (_key, item, then) => {
      stage.outcome = { after: item };
      then(null);
    },
    del: (_key, then) => {
      stage.outcome = { after: undefined };
      then(null);
    },
  };
  return {
    ...tableStore((name) => {
      stage.table = tables.find(name);
      return stage.table;
    }),
    getItemDb: () => itemDb,
  };
};

const conditionFailed = 'com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException';

/** Adds the old item to a failed condition, for callers that asked for it. */
const withOldItem = (error: unknown, before: Item | undefined, returnOld: boolean): unknown => {
  const body = refusalBody(error);
  if (!returnOld || before === undefined || body?.__type !== conditionFailed) return error;
  return new Refusal('ConditionalCheckFailedException', String(body.message), { Item: before });
};

const rows = (storage: Storage, stream: StreamWriter) => {
  const { sql } = storage;
  const entries = (change: Change, item: number): void => {
    const { table, before, after } = change;
    for (const index of table.indexes) {
      const was = entryKey(table, index, before);
      const is = entryKey(table, index, after);
      if (was === is) continue;
      if (was !== null) sql.deleteEntry.run(table.id, index.number, was);
      if (is !== null) sql.insertEntry.run(table.id, index.number, is, item);
    }
  };
  return (change: Change): void => {
    const { table, key, row, after } = change;
    const text = after && JSON.stringify(after);
    if (row?.item === text) return; // also: deletion of what was not there
    let item = row?.id ?? 0;
    if (after === undefined || text === undefined) sql.deleteItem.run(item);
    else if (row) sql.updateItem.run(text, expiry(table, after), item);
    else
      item = Number(sql.insertItem.run(table.id, key, text, expiry(table, after)).lastInsertRowid);
    entries(change, item);
    stream.record(change, text);
  };
};

export const openWriter = (storage: Storage, tables: Tables, stream: StreamWriter): Writer => {
  const stage: Stage = {
    table: undefined,
    row: undefined,
    before: undefined,
    key: '',
    outcome: undefined,
  };
  const store = stagedStore(stage, storage, tables);
  const write = rows(storage, stream);
  const clear = (): void => {
    Object.assign(stage, {
      table: undefined,
      row: undefined,
      before: undefined,
      outcome: undefined,
    });
  };
  const all = (changes: readonly Change[], also?: () => void) => (): void => {
    for (const change of changes) write(change);
    also?.();
  };
  return {
    evaluate: (action, data, returnOld) => {
      clear();
      try {
        const answer = runAction(actions[action], store, data);
        const { table, row, before, key, outcome } = stage;
        if (table === undefined || outcome === undefined) return { answer, change: undefined };
        if (outcome.after) checkIndexKeys(table, outcome.after);
        return { answer, change: { table, key, row, before, after: outcome.after } };
      } catch (error) {
        throw withOldItem(error, stage.before, returnOld);
      }
    },
    check: (data, returnOld) => {
      const table = tables.find(data.TableName);
      if (table === undefined) throw tableNotFound();
      const wrong = helpers.validateKey(data.Key ?? {}, table.shape);
      if (wrong) throw wrong;
      const row = storage.item(table.id, helpers.createKey(data.Key ?? {}, table.shape));
      const before = row && (JSON.parse(row.item) as Item);
      const failed = helpers.checkConditional(data, before);
      if (failed) throw withOldItem(failed, before, returnOld);
      return before ? itemBytes(before) : 0;
    },
    commit: (changes, also) => stream.committed(() => storage.commit(all(changes, also))),
    commitLazily: (changes) => stream.committed(() => storage.commitLazily(all(changes))),
  };
};
