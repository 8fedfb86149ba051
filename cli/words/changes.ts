// What differs between two versions of a thing, one line for each place. Owns: that comparison. `--json` has both whole.
import { isDeepStrictEqual } from 'node:util';
import type { Say } from '../kit/speech.ts';
import { cut } from '../kit/table.ts';

interface Difference {
  /** Dotted; empty for the whole. */
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

const isBranch = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The smallest parts that differ; a part that is on one side only, and a list, is one part. */
export const differences = (before: unknown, after: unknown, path = ''): readonly Difference[] => {
  if (isDeepStrictEqual(before, after)) return [];
  if (!isBranch(before) || !isBranch(after)) return [{ path, before, after }];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name) =>
    differences(before[name], after[name], path === '' ? name : `${path}.${name}`),
  );
};

const shown = (value: unknown, say: Say): string =>
  value === undefined ? say('nothing', 'rien') : cut(JSON.stringify(value), 160);

/** "contract.timeoutMs: 15000 → 30000", one a line. */
export const changeLines = (changes: readonly Difference[], say: Say): readonly string[] =>
  changes.map(
    ({ path, before, after }) =>
      `  ${path}${say(':', ' :')} ${shown(before, say)} → ${shown(after, say)}`,
  );
