// Size and cold start of every function, bundled as it is deployed. Owns: nothing; each import is timed in a fresh process.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundleFunctions } from '../../cdk/bundles.ts';
import { functionNames } from '../../functions/manifest.ts';
import { median, roundedTo } from './statistics.ts';

const root = join(import.meta.dirname, '..', '..');

export interface BundleNumbers {
  readonly bundleKb: Readonly<Record<string, number>>;
  readonly coldImportMs: Readonly<Record<string, number>>;
}

/** Milliseconds that a new process spends on importing the file, its own start apart. */
const importMs = (file: string): number => {
  const url = JSON.stringify(pathToFileURL(file).href);
  const program = `const from = performance.now(); await import(${url}); console.log(performance.now() - from);`;
  const args = ['--input-type=module', '--eval', program];
  return Number(execFileSync(process.execPath, args, { encoding: 'utf8' }));
};

export const measureBundles = (imports: number): BundleNumbers => {
  const folder = mkdtempSync(join(tmpdir(), 'reprise-bundles-'));
  try {
    const bundles = bundleFunctions(root, folder);
    const bundleKb: Record<string, number> = {};
    const coldImportMs: Record<string, number> = {};
    for (const name of functionNames) {
      const file = join(bundles[name].folder, 'index.mjs');
      bundleKb[name] = roundedTo(bundles[name].bytes / 1_024, 0);
      const times = Array.from({ length: imports }, () => importMs(file));
      coldImportMs[name] = roundedTo(median(times), 1);
    }
    return { bundleKb, coldImportMs };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
