// Builds the page when its sources are there and its files are missing or older. Owns: nothing but that step.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const web = join(import.meta.dirname, '..', '..', 'web');

const changedAtMs = (path: string): number => statSync(path).mtimeMs;

/** A page that was built before its newest source was changed shows yesterday's screens. */
const isBuilt = (): boolean => {
  const built = join(web, 'dist', 'index.html');
  if (!existsSync(built)) return false;
  const builtAtMs = changedAtMs(built);
  return readdirSync(web, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes(join(web, 'dist')))
    .every((entry) => changedAtMs(join(entry.parentPath, entry.name)) <= builtAtMs);
};

/** Resolves with what went wrong, or undefined. The twin serves its API without a page. */
export const buildPageIfNeeded = async (): Promise<string | undefined> => {
  if (!existsSync(join(web, 'index.html')) || isBuilt()) return undefined;
  const vite = join(
    dirname(createRequire(import.meta.url).resolve('vite/package.json')),
    'bin',
    'vite.js',
  );
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const build = spawn(process.execPath, [vite, 'build', web, '--logLevel', 'error'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let complaints = '';
  build.stderr.on('data', (chunk: Buffer) => {
    complaints += chunk.toString('utf8');
  });
  build.once('error', (cause) => resolve(cause.message));
  build.once('exit', (code) => resolve(code === 0 ? undefined : complaints || `exit code ${code}`));
  return promise;
};
