// Where a running twin serves and with which token, for commands on the same machine. Owns: `served.json` in the data folder,
// readable by its owner only. A twin that was killed leaves it behind: who reads it finds nobody there.
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { writeDurably } from '../base/files.ts';

export const servedFile = (dataDir: string): string => join(dataDir, 'served.json');

export const writeServed = (
  dataDir: string,
  { url, token }: { readonly url: string; readonly token: string },
): Promise<void> =>
  writeDurably(servedFile(dataDir), JSON.stringify({ url, token, pid: process.pid }));

/** Where the folder's twin serves; undefined when it does not serve yet. Of a killed twin it is where it served. */
export const servedUrl = (dataDir: string): string | undefined => {
  try {
    const kept: unknown = JSON.parse(readFileSync(servedFile(dataDir), 'utf8'));
    return z.object({ url: z.string() }).safeParse(kept).data?.url;
  } catch {
    return undefined;
  }
};

export const forgetServed = (dataDir: string): void => rmSync(servedFile(dataDir), { force: true });
