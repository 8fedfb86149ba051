// From changes to one commit: items, index entries, stream records.
// Owns: every row that a write touches. An item, its entries and its record are written together or
// not at all.

import type { Change } from './evaluation.ts';
import { entryKey, expiry, sameEntry } from './index-keys.ts';
import type { Storage } from './storage.ts';
import type { StreamWriter } from './streams.ts';

export interface Writer {
  /** Makes changes (of different items) permanent as one; `also` runs in the same commit. */
  commit(changes: readonly Change[], also?: () => void): void;
  /** Runs `work`, whose commits become one; when it throws nothing of any of them is kept. */
  together<Result>(work: () => Result): Result;
  /** As `commit`, without waiting for the disk. */
  commitLazily(changes: readonly Change[]): void;
}

const rows = (storage: Storage, stream: StreamWriter) => {
  const { sql } = storage;
  const entries = (change: Change, item: number): void => {
    const { table, before, after } = change;
    for (const index of table.indexes) {
      if (sameEntry(index, before, after)) continue;
      const was = entryKey(table, index, before);
      const is = entryKey(table, index, after);
      if (was !== null) sql.deleteEntry.run(table.id, index.number, was);
      if (is !== null) sql.insertEntry.run(table.id, index.number, is, item);
    }
  };
  return (change: Change): void => {
    const { table, key, row, after } = change;
    const text = after && JSON.stringify(after);
    if (row?.item === text) return; // nothing changes; also: deletion of what was not there
    let item = row?.id ?? 0;
    if (after === undefined || text === undefined) sql.deleteItem.run(item);
    else if (row) sql.updateItem.run(text, expiry(table, after), item);
    else
      item = Number(sql.insertItem.run(table.id, key, text, expiry(table, after)).lastInsertRowid);
    entries(change, item);
    stream.record(change, text);
  };
};

export const openWriter = (storage: Storage, stream: StreamWriter): Writer => {
  const write = rows(storage, stream);
  const all = (changes: readonly Change[], also?: () => void) => (): void => {
    for (const change of changes) write(change);
    also?.();
  };
  let grouped = false;
  const within = <Result>(work: () => Result): Result => {
    grouped = true;
    try {
      return work();
    } finally {
      grouped = false;
    }
  };
  return {
    commit: (changes, also) => {
      if (grouped) all(changes, also)();
      else stream.committed(() => storage.commit(all(changes, also)));
    },
    together: (work) => stream.committed(() => storage.commit(() => within(work))),
    commitLazily: (changes) => stream.committed(() => storage.commitLazily(all(changes))),
  };
};
