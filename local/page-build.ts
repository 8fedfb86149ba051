// Builds the page once, when its sources are there and its files are not. Owns: nothing but that step.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const web = join(import.meta.dirname, '..', 'web');

/** Resolves with what went wrong, or undefined. The twin serves its API without a page. */
export const buildPageIfMissing = async (): Promise<string | undefined> => {
  if (!existsSync(join(web, 'index.html')) || existsSync(join(web, 'dist', 'index.html')))
    return undefined;
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
