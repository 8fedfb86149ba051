// The real handlers, bundled as they are deployed: each loads by itself and holds nothing of this machine.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { bundleFunctions } from '../../cdk/bundles.ts';
import { functionNames } from '../../functions/manifest.ts';
import { root } from './root.ts';

const folder = mkdtempSync(join(tmpdir(), 'reprise bundles '));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const bundles = bundleFunctions(root, folder);

/** What Lambda's runtime puts beside a handler, as far as loading needs it. */
const load = `
globalThis.awslambda = { streamifyResponse: (handler) => handler };
const { handler } = await import('./index.mjs');
process.stdout.write(typeof handler);
`;

test.each(functionNames)('%s loads outside the repository and exports its handler', (name) => {
  const child = spawnSync(process.execPath, ['--input-type=module', '--eval', load], {
    cwd: bundles[name].folder,
    encoding: 'utf8',
    env: {},
  });
  expect(child.stderr).toBe('');
  expect(child.stdout).toBe('function');
});

test('no bundle or source map holds a path of this machine', () => {
  for (const name of functionNames)
    for (const file of ['index.mjs', 'index.mjs.map'])
      expect(readFileSync(join(bundles[name].folder, file), 'utf8')).not.toContain(root);
});

test('no bundle comes near the size that Lambda takes', () => {
  for (const name of functionNames) {
    expect(bundles[name].bytes, name).toBeGreaterThan(0);
    expect(bundles[name].bytes, name).toBeLessThan(10_000_000);
  }
});
