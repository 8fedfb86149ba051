// The twin's one SQLite file: its schema, its prepared statements, and the commit that makes a
// write one whole.
// Owns: tables, items, index entries, stream records, transaction tokens on disk. One process owns
// the file at a time. A commit is on disk when `commit` returns (WAL, synchronous FULL unless told
// otherwise); after an error nothing of it is.

import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';

export interface StorageOptions {
  /** A path, or `:memory:`. */
  readonly file: string;
  readonly synchronous: 'FULL' | 'NORMAL';
}

/** A stored item: its row and its JSON text. */
export interface StoredRow {
  readonly id: number;
  readonly item: string;
}

/** A stream record as stored: null where its stream's view leaves an image out. */
export interface StreamRow {
  readonly position: number;
  readonly at: number;
  readonly event: 'INSERT' | 'MODIFY' | 'REMOVE';
  readonly expired: number;
  readonly keys: string;
  readonly before: string | null;
  readonly after: string | null;
}

const schemaVersion = 1;

const schema = `
  CREATE TABLE meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE tables (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, record TEXT NOT NULL);
  CREATE TABLE items (
    id INTEGER PRIMARY KEY, tbl INTEGER NOT NULL, key TEXT NOT NULL, item TEXT NOT NULL, expires INTEGER,
    UNIQUE (tbl, key));
  CREATE INDEX expiring ON items (expires) WHERE expires IS NOT NULL;
  CREATE TABLE entries (
    tbl INTEGER NOT NULL, idx INTEGER NOT NULL, key TEXT NOT NULL, item INTEGER NOT NULL,
    PRIMARY KEY (tbl, idx, key)) WITHOUT ROWID;
  CREATE TABLE stream (
    position INTEGER PRIMARY KEY, at INTEGER NOT NULL, event TEXT NOT NULL, expired INTEGER NOT NULL,
    keys TEXT NOT NULL, before TEXT, after TEXT);
  CREATE TABLE tokens (
    token TEXT PRIMARY KEY, digest TEXT NOT NULL, at INTEGER NOT NULL) WITHOUT ROWID;
  PRAGMA user_version = ${schemaVersion};
`;

const statements = (db: DatabaseSync) => {
  const range = (from: string, key: string, order: 'ASC' | 'DESC'): StatementSync =>
    db.prepare(
      `SELECT items.item AS item FROM ${from} AND ${key} >= ? AND ${key} < ? ORDER BY ${key} ${order} LIMIT ?`,
    );
  const ofTable = 'items WHERE items.tbl = ?';
  const ofIndex =
    'entries JOIN items ON items.id = entries.item WHERE entries.tbl = ? AND entries.idx = ?';
  return {
    getItem: db.prepare('SELECT id, item FROM items WHERE tbl = ? AND key = ?'),
    insertItem: db.prepare('INSERT INTO items (tbl, key, item, expires) VALUES (?, ?, ?, ?)'),
    updateItem: db.prepare('UPDATE items SET item = ?, expires = ? WHERE id = ?'),
    deleteItem: db.prepare('DELETE FROM items WHERE id = ?'),
    insertEntry: db.prepare('INSERT INTO entries (tbl, idx, key, item) VALUES (?, ?, ?, ?)'),
    deleteEntry: db.prepare('DELETE FROM entries WHERE tbl = ? AND idx = ? AND key = ?'),
    rangeForward: range(ofTable, 'items.key', 'ASC'),
    rangeBackward: range(ofTable, 'items.key', 'DESC'),
    indexForward: range(ofIndex, 'entries.key', 'ASC'),
    indexBackward: range(ofIndex, 'entries.key', 'DESC'),
    insertStream: db.prepare(
      'INSERT INTO stream (position, at, event, expired, keys, before, after) VALUES (?, ?, ?, ?, ?, ?, ?)',
    ),
    readStream: db.prepare(
      'SELECT * FROM stream WHERE position > ? AND position < ? ORDER BY position LIMIT ?',
    ),
    readNewInStream: db.prepare(
      `SELECT * FROM stream WHERE position > ? AND position < ? AND event = 'INSERT'
        AND substr(keys, 1, ?) = ? ORDER BY position LIMIT ?`,
    ),
    trimStream: db.prepare('DELETE FROM stream WHERE position >= ? AND position <= ?'),
    dropOldStream: db.prepare('DELETE FROM stream WHERE position >= ? AND position < ? AND at < ?'),
    lastPosition: db.prepare(
      'SELECT position FROM stream WHERE position < ? ORDER BY position DESC LIMIT 1',
    ),
    getToken: db.prepare('SELECT digest, at FROM tokens WHERE token = ?'),
    putToken: db.prepare('INSERT OR REPLACE INTO tokens (token, digest, at) VALUES (?, ?, ?)'),
    dropTokens: db.prepare('DELETE FROM tokens WHERE at <= ?'),
    getMeta: db.prepare('SELECT value FROM meta WHERE name = ?'),
    putMeta: db.prepare('INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)'),
    expired: db.prepare(
      'SELECT id, tbl, key, item FROM items WHERE expires > ? AND expires <= ? ORDER BY expires LIMIT ?',
    ),
    countItems: db.prepare('SELECT count(*) AS count FROM items WHERE tbl = ?'),
    itemsOfTable: db.prepare('SELECT id, key, item FROM items WHERE tbl = ?'),
    setExpires: db.prepare('UPDATE items SET expires = ? WHERE id = ?'),
    listTables: db.prepare('SELECT id, name, record FROM tables ORDER BY name'),
    insertTable: db.prepare('INSERT INTO tables (name, record) VALUES (?, ?)'),
    updateTable: db.prepare('UPDATE tables SET record = ? WHERE id = ?'),
    dropTable: db.prepare('DELETE FROM tables WHERE id = ?'),
    dropItems: db.prepare('DELETE FROM items WHERE tbl = ?'),
    dropEntries: db.prepare('DELETE FROM entries WHERE tbl = ?'),
    dropIndex: db.prepare('DELETE FROM entries WHERE tbl = ? AND idx = ?'),
  };
};

/** Rows have the columns their statement names. */
const rowAs = <Row>(row: unknown): Row | undefined => row as Row | undefined;

export interface Storage {
  /** The stored item of a key. */
  item(table: number, key: string): StoredRow | undefined;
  /**
   * Up to `limit` stream records (-1: all) between two positions, both exclusive; with `keysStart`
   * those of new items whose keys' text begins so.
   */
  stream(after: number, before: number, limit: number, keysStart?: string): Iterable<StreamRow>;
  readonly sql: ReturnType<typeof statements>;
  /** Runs `write` as one commit: when this returns it is kept, when it throws nothing of it is. */
  commit<T>(write: () => T): T;
  /**
   * As `commit`, but without waiting for the disk: a power cut may undo it, the order of commits
   * holds.
   */
  commitLazily<T>(write: () => T): T;
  close(): void;
}

const open = (options: StorageOptions): DatabaseSync => {
  if (options.file !== ':memory:') mkdirSync(dirname(options.file), { recursive: true });
  const db = new DatabaseSync(options.file);
  try {
    // An exclusive owner: the twin keeps the table descriptions and the stream's counter in memory.
    db.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; BEGIN IMMEDIATE; COMMIT');
    db.exec(`PRAGMA synchronous = ${options.synchronous}; PRAGMA wal_autocheckpoint = 4000`);
    const version = db.prepare('PRAGMA user_version').get()?.user_version;
    if (version === 0) db.exec(`BEGIN; ${schema} COMMIT`);
    else if (version !== schemaVersion)
      throw new Error(
        `version ${version} of the file is not the ${schemaVersion} of this program; ` +
          'start with another data folder or the program that wrote it',
      );
  } catch (error) {
    db.close();
    const reason = error instanceof Error ? error.message : String(error);
    const hint = /locked/.test(reason) ? ' Another process uses it: stop that one first.' : '';
    throw new Error(`The DynamoDB twin cannot use ${options.file}: ${reason}.${hint}`, {
      cause: error,
    });
  }
  return db;
};

export const openStorage = (options: StorageOptions): Storage => {
  const db = open(options);
  const begin = db.prepare('BEGIN IMMEDIATE');
  const end = db.prepare('COMMIT');
  const rollback = db.prepare('ROLLBACK');
  const commit = <T>(write: () => T): T => {
    begin.run();
    try {
      const result = write();
      end.run();
      return result;
    } catch (error) {
      // SQLite ends the transaction by itself after some errors (disk full, I/O).
      if (db.isTransaction) rollback.run();
      throw error;
    }
  };
  const commitLazily = <T>(write: () => T): T => {
    db.exec('PRAGMA synchronous = NORMAL');
    try {
      return commit(write);
    } finally {
      db.exec(`PRAGMA synchronous = ${options.synchronous}`);
    }
  };
  const sql = statements(db);
  return {
    item: (table, key) => rowAs<StoredRow>(sql.getItem.get(table, key)),
    *stream(after, before, limit, keysStart) {
      const rows =
        keysStart === undefined
          ? sql.readStream.iterate(after, before, limit)
          : sql.readNewInStream.iterate(after, before, keysStart.length, keysStart, limit);
      for (const row of rows) {
        const read = rowAs<StreamRow>(row);
        if (read) yield read;
      }
    },
    sql,
    commit,
    commitLazily,
    close: () => db.close(),
  };
};
