// The twin's tables: what was asked of each, its indexes, its stream, its time to live. All are
// ACTIVE at once.
// Owns: the table records, on disk and in memory. Changes here are commits of their own.

import { tableNotFound } from './answers.ts';
import type { IndexShape, TableShape } from './dynalite.ts';
import type { Storage } from './storage.ts';
import type { Body, Path } from './values.ts';

export type StreamView = 'KEYS_ONLY' | 'NEW_IMAGE' | 'OLD_IMAGE' | 'NEW_AND_OLD_IMAGES';

/** A table as stored: the answer of DescribeTable, and what that answer does not show. */
export interface TableRecord {
  readonly description: TableShape & Body;
  /** Number of each index in the store; never given twice. */
  readonly indexNumbers: Readonly<Record<string, number>>;
  readonly nextIndex: number;
  readonly stream?: { readonly view: StreamView; readonly arn: string; readonly label: string };
  readonly ttlAttribute?: string;
  readonly pointInTimeRecovery?: boolean;
  readonly tags?: readonly { readonly Key: string; readonly Value: string }[];
}

export interface TableIndex {
  readonly name: string;
  readonly number: number;
  readonly isLocal: boolean;
  readonly shape: IndexShape;
  readonly keys: readonly { readonly name: string; readonly type: 'S' | 'N' | 'B' }[];
  /** Paths of the projected attributes; undefined when all are. */
  readonly projected: readonly Path[] | undefined;
}

export interface Table {
  readonly id: number;
  readonly name: string;
  readonly shape: TableShape & Body;
  readonly keyNames: readonly string[];
  readonly indexes: readonly TableIndex[];
  readonly record: TableRecord;
}

const tableIndex = (record: TableRecord, shape: IndexShape, isLocal: boolean): TableIndex => {
  const { description } = record;
  const keys = shape.KeySchema.map(({ AttributeName: name }) => {
    const defined = description.AttributeDefinitions.find((one) => one.AttributeName === name);
    return { name, type: defined?.AttributeType ?? ('S' as const) };
  });
  const { ProjectionType, NonKeyAttributes } = shape.Projection;
  const names = new Set([
    ...description.KeySchema.map((key) => key.AttributeName),
    ...keys.map((key) => key.name),
    ...(NonKeyAttributes ?? []),
  ]);
  return {
    name: shape.IndexName,
    number: record.indexNumbers[shape.IndexName] ?? 0,
    isLocal,
    shape,
    keys,
    projected: ProjectionType === 'ALL' ? undefined : [...names].map((name) => [name]),
  };
};

const table = (id: number, record: TableRecord): Table => {
  const { description } = record;
  return {
    id,
    name: description.TableName,
    shape: description,
    keyNames: description.KeySchema.map((key) => key.AttributeName),
    indexes: [
      ...(description.LocalSecondaryIndexes ?? []).map((one) => tableIndex(record, one, true)),
      ...(description.GlobalSecondaryIndexes ?? []).map((one) => tableIndex(record, one, false)),
    ],
    record,
  };
};

export interface Tables {
  /** Throws ResourceNotFoundException. */
  get(name: string): Table;
  find(name: string): Table | undefined;
  byId(id: number): Table | undefined;
  names(): string[];
  all(): Iterable<Table>;
  create(record: TableRecord): Table;
  /** Stores a changed record; `also` runs in the same commit. */
  change(current: Table, record: TableRecord, also?: (changed: Table) => void): Table;
  drop(current: Table, alsoStream: () => void): void;
}

export const openTables = (storage: Storage): Tables => {
  const { sql } = storage;
  const byName = new Map<string, Table>();
  const byId = new Map<number, Table>();
  const keep = (one: Table): Table => {
    byName.set(one.name, one);
    byId.set(one.id, one);
    return one;
  };
  for (const row of sql.listTables.all())
    keep(table(Number(row.id), JSON.parse(String(row.record)) as TableRecord));
  return {
    get: (name) => {
      const found = byName.get(name);
      if (found === undefined) throw tableNotFound(name);
      return found;
    },
    find: (name) => byName.get(name),
    byId: (id) => byId.get(id),
    names: () => [...byName.keys()].sort(),
    all: () => byName.values(),
    create: (record) => {
      const name = record.description.TableName;
      const id = storage.commit(() =>
        Number(sql.insertTable.run(name, JSON.stringify(record)).lastInsertRowid),
      );
      return keep(table(id, record));
    },
    change: (current, record, also) => {
      const changed = table(current.id, record);
      storage.commit(() => {
        sql.updateTable.run(JSON.stringify(record), current.id);
        also?.(changed);
      });
      return keep(changed);
    },
    drop: (current, alsoStream) => {
      storage.commit(() => {
        sql.dropTable.run(current.id);
        sql.dropItems.run(current.id);
        sql.dropEntries.run(current.id);
        alsoStream();
      });
      byName.delete(current.name);
      byId.delete(current.id);
    },
  };
};
