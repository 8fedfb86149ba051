// Writes a file so that after a crash it is there whole or as before. Owns: the order of write, fsync and rename.
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Replaces `file` durably. `mode` defaults to 0600. Throws the file system's error; then `file` is as it was. */
export const writeDurably = async (
  file: string,
  content: Uint8Array | string,
  mode = 0o600,
): Promise<void> => {
  const draft = `${file}.${crypto.randomUUID()}.draft`;
  try {
    const handle = await open(draft, 'wx', mode);
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, file);
  } catch (cause) {
    await rm(draft, { force: true });
    throw cause;
  }
  const folder = await open(dirname(file), 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
};
