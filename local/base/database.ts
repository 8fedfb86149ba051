// Opens the SQLite files of the twin's own services. Owns: the pragmas (WAL, and FULL unless told otherwise) and the
// transaction helper, so that an acknowledged write is on the disk.
import { DatabaseSync } from 'node:sqlite';

export type Synchronous = 'FULL' | 'NORMAL';

/** Opens or creates `file` and applies `schema` (CREATE … IF NOT EXISTS). Throws Error when the file cannot be opened. */
export const openDatabase = (
  file: string,
  schema: string,
  synchronous: Synchronous = 'FULL',
): DatabaseSync => {
  const database = new DatabaseSync(file);
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${synchronous};`);
  database.exec(schema);
  return database;
};

/** Runs `work` in one transaction; a throw rolls back and is passed on. */
export const transaction = <Result>(database: DatabaseSync, work: () => Result): Result => {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (cause) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw cause;
  }
};
