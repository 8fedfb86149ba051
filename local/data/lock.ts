// One process per data folder. The lock is the operating system's (through SQLite), so it ends with the process however
// that ends, and a stale one cannot be. Owns: `lock.sqlite`, and `lock.pid`, which only tells people who it is.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { servedUrl } from './served.ts';

export interface FolderLock {
  release(): void;
}

const holderOf = (pidFile: string): string => {
  try {
    return `process ${readFileSync(pidFile, 'utf8').trim()}`;
  } catch {
    return 'another process';
  }
};

/** SQLite's SQLITE_BUSY and SQLITE_LOCKED, whose kinds are in the higher bits. */
const isBusy = (cause: unknown): boolean =>
  cause instanceof Error &&
  'errcode' in cause &&
  typeof cause.errcode === 'number' &&
  [5, 6].includes(cause.errcode % 256);

const refusal = (folder: string, pidFile: string): string => {
  const url = servedUrl(folder);
  const runs =
    url === undefined
      ? `The data folder ${folder} is in use by ${holderOf(pidFile)}.`
      : `Reprise already runs at ${url} on this folder, ${folder} (${holderOf(pidFile)}).`;
  return `${runs} Stop that one, or give another folder with --data.`;
};

/** Throws Error, naming the holder, when the folder is in use. */
export const lockFolder = (folder: string): FolderLock => {
  const pidFile = join(folder, 'lock.pid');
  const database = new DatabaseSync(join(folder, 'lock.sqlite'), { timeout: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    database.close();
    if (!isBusy(cause)) throw cause;
    throw new Error(refusal(folder, pidFile));
  }
  writeFileSync(pidFile, `${process.pid}\n`);
  return {
    release: () => {
      rmSync(pidFile, { force: true });
      database.close();
    },
  };
};
