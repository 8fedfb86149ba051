// The folder where the twin keeps everything, made and tried before anything is opened in it. Owns: what is said when it
// cannot be one. `mkdir -p` of the platform is not used: where the kernel's own file systems answer "no such file" to a
// mkdir, it tries for ever.
import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What was asked for cannot be started; nothing was. */
export class StartRefused extends Error {
  override readonly name = 'StartRefused';
}

const codeOf = (cause: unknown): string =>
  cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'you may not write there',
  EPERM: 'nothing may be written there',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  ENOENT: 'no folder can be made there',
  ENOTDIR: 'a part of the path is no folder',
  ENAMETOOLONG: 'the name is too long',
};

const isFolder = (path: string): boolean => existsSync(path) && statSync(path).isDirectory();

const make = (folder: string): void => {
  if (existsSync(folder)) return;
  make(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (cause) {
    // Somebody else was faster.
    if (!isFolder(folder)) throw cause;
  }
};

/** Makes the folder where it is not there. Throws StartRefused, with what to do, when nothing can be kept in it. */
export const openDataFolder = (folder: string): void => {
  const refused = (why: string): StartRefused =>
    new StartRefused(
      `The data folder ${folder} cannot be used: ${why}. ` +
        'Name a folder that you may write to with --data DIR (without it: .reprise in this one).',
    );
  try {
    make(folder);
    if (!isFolder(folder)) throw refused('it is a file, not a folder');
    const probe = join(folder, `${process.pid}.draft`);
    writeFileSync(probe, '');
    rmSync(probe);
  } catch (cause) {
    if (cause instanceof StartRefused) throw cause;
    throw refused(reasons[codeOf(cause)] ?? codeOf(cause));
  }
};
