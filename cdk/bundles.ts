// Bundles every function of the manifest with esbuild, on this machine, without Docker or network.
// Owns: how a handler module becomes a folder Lambda can run. The same sources give the same bytes on every machine, because
// no path of the machine enters the output.
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { buildSync } from 'esbuild';
import { type FunctionName, functionNames, functions } from '../functions/manifest.ts';
import { forEvery } from './every.ts';

export interface Bundle {
  /** Folder with `index.mjs` and its source map. */
  readonly folder: string;
  /** Size of `index.mjs`. */
  readonly bytes: number;
}
export type Bundles = { readonly [Name in FunctionName]: Bundle };

// Some dependencies are CommonJS and call `require` at run time, which an ES module does not have.
const requireBanner =
  "import { createRequire as reprisesRequire } from 'node:module'; const require = reprisesRequire(import.meta.url);";

/**
 * Bundles all functions in one esbuild run.
 * @param root the repository's folder, `target` an existing empty folder that gets one folder per function.
 * Throws esbuild's error, which names file and line, when a module is missing or does not parse.
 */
export const bundleFunctions = (root: string, target: string): Bundles => {
  const result = buildSync({
    absWorkingDir: root,
    entryPoints: functionNames.map((name) => ({
      in: `./${functions[name].module}`,
      out: `${name}/index`,
    })),
    outdir: join(root, 'bundles'), // Never written: it only anchors the relative paths in the source maps.
    write: false,
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    outExtension: { '.js': '.mjs' },
    mainFields: ['module', 'main'],
    banner: { js: requireBanner },
    minify: true,
    keepNames: true, // Errors are recognised by name: RunFenced, TryAgain, Defect.
    sourcemap: 'linked',
    sourcesContent: false,
    legalComments: 'none',
    logLevel: 'silent',
  });
  const sizes = new Map<string, number>();
  for (const file of result.outputFiles) {
    const name = basename(dirname(file.path));
    mkdirSync(join(target, name), { recursive: true });
    writeFileSync(join(target, name, basename(file.path)), file.contents);
    if (file.path.endsWith('.mjs')) sizes.set(name, file.contents.byteLength);
  }
  return forEvery(functionNames, (name) => ({
    folder: join(target, name),
    bytes: sizes.get(name) ?? 0,
  }));
};
