// Empties a data folder. Owns: the list of what the twin keeps there; nothing else in the folder is touched.
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const kept =
  /^(?:(?:dynamodb|stepfunctions|services)\.sqlite(?:-wal|-shm)?|secrets\.json|identity\.json|demo\.json|served\.json|twin\.log|blobs|demo|.+\.draft)$/;

/** Only for who holds the folder's lock. */
export const emptyFolder = (dataDir: string): void => {
  for (const name of readdirSync(dataDir))
    if (kept.test(name)) rmSync(join(dataDir, name), { recursive: true, force: true });
};
