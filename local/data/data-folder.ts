// The folder where the twin keeps everything, made and tried before anything is opened in it. Owns: what is said when it
// cannot be one. `mkdir -p` of the platform is not used: where the kernel's own file systems answer "no such file" to a
// mkdir, it tries for ever.
import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Language } from '../base/language.ts';

/** What was asked for cannot be started; nothing was. */
export class StartRefused extends Error {
  override readonly name = 'StartRefused';
}

const codeOf = (cause: unknown): string =>
  cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);

type Said = { readonly [Each in Language]: string };

const reasons: Readonly<Record<string, Said>> = {
  EACCES: { en: 'you may not write there', fr: 'vous ne pouvez pas y écrire' },
  EPERM: { en: 'nothing may be written there', fr: 'rien ne peut y être écrit' },
  EROFS: { en: 'the disk is read-only', fr: 'le disque est en lecture seule' },
  ENOSPC: { en: 'the disk is full', fr: 'le disque est plein' },
  ENOENT: { en: 'no folder can be made there', fr: 'aucun dossier ne peut y être créé' },
  ENOTDIR: {
    en: 'a part of the path is no folder',
    fr: 'une partie du chemin n’est pas un dossier',
  },
  ENAMETOOLONG: { en: 'the name is too long', fr: 'le nom est trop long' },
};
const noFolder: Said = {
  en: 'it is a file, not a folder',
  fr: 'c’est un fichier, pas un dossier',
};

const refusal = (folder: string, why: string): Said => ({
  en:
    `The data folder ${folder} cannot be used: ${why}. ` +
    'Name a folder that you may write to with --data DIR (without it: .reprise in this one).',
  fr:
    `Le dossier de données ${folder} ne convient pas : ${why}. ` +
    'Nommez avec --data DOSSIER un dossier où vous pouvez écrire (sans cela : .reprise dans celui-ci).',
});

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
export const openDataFolder = (folder: string, language: Language = 'en'): void => {
  const refused = (why: string): StartRefused => new StartRefused(refusal(folder, why)[language]);
  try {
    make(folder);
    if (!isFolder(folder)) throw refused(noFolder[language]);
    const probe = join(folder, `${process.pid}.draft`);
    writeFileSync(probe, '');
    rmSync(probe);
  } catch (cause) {
    if (cause instanceof StartRefused) throw cause;
    const code = codeOf(cause);
    throw refused(reasons[code]?.[language] ?? code);
  }
};
