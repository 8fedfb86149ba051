// Prepares a fresh checkout so that `npm start` and `npm test` need nothing done before them.
// Owns: node_modules, which it installs when missing or older than the lock file. Runs on the machine's own Node
// (20 or newer); everything after it runs on the Node 24 that the install brings.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const stampFile = join(root, 'node_modules', '.reprise-installed');
const stamp = createHash('sha256')
  .update(readFileSync(join(root, 'package-lock.json')))
  .digest('hex');
const installed = existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp;

// `npm ci` empties the folder first; through a link that would be another checkout's.
const packages = lstatSync(join(root, 'node_modules'), { throwIfNoEntry: false });
if (!installed && packages?.isSymbolicLink()) {
  process.stderr.write(
    'The packages are older than package-lock.json, and node_modules is a link: nothing was installed, since that would empty what it leads to. Install there, or remove the link.\n',
  );
  process.exit(1);
}

if (!installed) {
  process.stderr.write('Installing packages (the first start only) …\n');
  const npmCli = process.env.npm_execpath;
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  const result = npmCli
    ? spawnSync(process.execPath, [npmCli, ...args], { cwd: root, stdio: ['ignore', 2, 2] })
    : spawnSync('npm', args, {
        cwd: root,
        stdio: ['ignore', 2, 2],
        shell: process.platform === 'win32',
      });
  if (result.status !== 0) {
    process.stderr.write(
      'The packages could not be installed: npm ci failed (its message is above).\n',
    );
    process.exit(result.status ?? 1);
  }
  writeFileSync(stampFile, stamp);
}
