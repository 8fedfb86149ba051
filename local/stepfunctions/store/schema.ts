// The tables of the Step Functions twin. Owns: their layout, and how an execution's number packs into row ids.
//
// History and frames are keyed by one integer, execution number × 2^15 + position, so that everything of one execution lies
// together in one b-tree and a state transition costs two small row writes.
import { DatabaseSync } from 'node:sqlite';

const tables = `
CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS definitions (id INTEGER PRIMARY KEY, digest TEXT NOT NULL UNIQUE, text TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS machines (
  arn TEXT PRIMARY KEY, name TEXT NOT NULL, definition INTEGER NOT NULL, role TEXT NOT NULL, revision TEXT NOT NULL,
  options TEXT NOT NULL, created_ms INTEGER NOT NULL, updated_ms INTEGER NOT NULL, last_version INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS versions (
  arn TEXT PRIMARY KEY, machine TEXT NOT NULL, number INTEGER NOT NULL, definition INTEGER NOT NULL, role TEXT NOT NULL,
  revision TEXT NOT NULL, description TEXT, created_ms INTEGER NOT NULL);
CREATE INDEX IF NOT EXISTS versions_of ON versions (machine, number);
CREATE TABLE IF NOT EXISTS aliases (
  arn TEXT PRIMARY KEY, machine TEXT NOT NULL, name TEXT NOT NULL, description TEXT, routing TEXT NOT NULL,
  created_ms INTEGER NOT NULL, updated_ms INTEGER NOT NULL);
CREATE INDEX IF NOT EXISTS aliases_of ON aliases (machine);
CREATE TABLE IF NOT EXISTS tags (arn TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (arn, name)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS executions (
  no INTEGER PRIMARY KEY AUTOINCREMENT, arn TEXT NOT NULL UNIQUE, machine TEXT NOT NULL, name TEXT NOT NULL,
  status TEXT NOT NULL, input TEXT NOT NULL, output TEXT, error TEXT, cause TEXT,
  started_ms INTEGER NOT NULL, stopped_ms INTEGER, due_ms INTEGER, version TEXT, alias TEXT, trace TEXT,
  definition INTEGER NOT NULL, role TEXT NOT NULL, revision TEXT NOT NULL, redrives INTEGER NOT NULL, redriven_ms INTEGER);
CREATE INDEX IF NOT EXISTS executions_of ON executions (machine, started_ms, no);
CREATE INDEX IF NOT EXISTS executions_due ON executions (due_ms) WHERE due_ms IS NOT NULL;
CREATE TABLE IF NOT EXISTS history (key INTEGER PRIMARY KEY, last INTEGER NOT NULL, body TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS frames (key INTEGER PRIMARY KEY, body TEXT NOT NULL, due_ms INTEGER, calling INTEGER);
CREATE INDEX IF NOT EXISTS frames_due ON frames (due_ms) WHERE due_ms IS NOT NULL;
CREATE INDEX IF NOT EXISTS frames_calling ON frames (calling) WHERE calling IS NOT NULL;
`;

/** Positions within one execution: more than its 25,000 events, and than the frames those can start. */
export const positionsPerExecution = 2 ** 15;

export const keyOf = (execution: number, position: number): number =>
  execution * positionsPerExecution + position;

export const executionOf = (key: number): number => Math.floor(key / positionsPerExecution);
export const positionOf = (key: number): number => key % positionsPerExecution;

/** `FULL`: a commit survives a power cut. `NORMAL`: it survives the process only. */
export type Synchronous = 'FULL' | 'NORMAL';

export const openDatabase = (file: string, synchronous: Synchronous): DatabaseSync => {
  const database = new DatabaseSync(file);
  database.exec(
    `PRAGMA journal_mode = WAL; PRAGMA synchronous = ${synchronous}; PRAGMA busy_timeout = 5000;`,
  );
  database.exec(tables);
  return database;
};
