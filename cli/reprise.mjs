#!/usr/bin/env node
// The `reprise` command as it is started by whatever Node is there (20 or newer): installs the packages if they are missing,
// then hands over to the repository's own Node 24. Owns: nothing else; the command itself is main.ts.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
await import('./setup.mjs');

const own = join(
  here,
  '..',
  'node_modules',
  'node',
  'bin',
  process.platform === 'win32' ? 'node.exe' : 'node',
);
const runs = Number(process.versions.node.split('.')[0]) >= 24;
if (!runs && !existsSync(own)) {
  process.stderr.write(
    `Node 24 is needed, and ${own} is missing. Run "npm ci" in the repository.\n`,
  );
  process.exit(1);
}
const child = spawn(
  runs ? process.execPath : own,
  [join(here, 'main.ts'), ...process.argv.slice(2)],
  {
    stdio: 'inherit',
  },
);
// Ctrl+C reaches the child by itself; this process only must not be gone before it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => {
    if (signal !== 'SIGINT') child.kill(signal);
  });
child.on('error', (cause) => {
  process.stderr.write(`The command could not be started: ${cause.message}\n`);
  process.exit(1);
});
child.on('exit', (code, signal) => {
  process.exit(signal === null ? (code ?? 1) : 1);
});
