// What changed between two JSON values, and between two texts line by line. Owns: those comparisons.
import type { Json } from '../api/types.ts';
import { type Pair, pairsOf } from '../calls/look-alikes.tsx';

type Fields = { readonly [name: string]: Json };

const isFields = (value: Json | undefined): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The items of a list by their names; undefined unless each has one of its own. */
const byName = (value: Json): ReadonlyMap<string, Fields> | undefined => {
  if (!Array.isArray(value)) return undefined;
  const named = new Map<string, Fields>();
  for (const item of value)
    if (isFields(item) && typeof item.name === 'string') named.set(item.name, item);
  return named.size === value.length ? named : undefined;
};

/** Two lists of named things by name, if what both have is in one order: only then is the order no difference. */
const paired = (before: Json, after: Json): readonly [Fields, Fields] | undefined => {
  const [old, fresh] = [byName(before), byName(after)];
  if (old === undefined || fresh === undefined) return undefined;
  const kept = [...old.keys()].filter((name) => fresh.has(name));
  const order = [...fresh.keys()].filter((name) => old.has(name));
  if (kept.join('\n') !== order.join('\n')) return undefined;
  return [Object.fromEntries(old), Object.fromEntries(fresh)];
};

const changesAt = (before: Json | undefined, after: Json | undefined, at: string): Pair[] => {
  if (before === undefined || after === undefined) return pairsOf(before, after, at);
  const [old, fresh] = paired(before, after) ?? [before, after];
  if (!isFields(old) || !isFields(fresh)) return pairsOf(old, fresh, at);
  return [...new Set([...Object.keys(old), ...Object.keys(fresh)])].flatMap((name) =>
    changesAt(old[name], fresh[name], at === '' ? name : `${at}.${name}`),
  );
};

/** Fields that differ, by dotted path; things in a list by their names, other lists as wholes. */
export const changesOf = (before: Json, after: Json): readonly Pair[] =>
  changesAt(before, after, '').filter(({ same }) => !same);

interface LineChange {
  readonly how: 'same' | 'added' | 'removed';
  readonly text: string;
}

/** Texts longer than this are shown as replaced: the comparison's work grows with the product of both. */
const linesMost = 2_000;

/** The longest common lines, by the usual table. */
const table = (before: readonly string[], after: readonly string[]): number[][] => {
  const lengths = Array.from({ length: before.length + 1 }, () =>
    new Array<number>(after.length + 1).fill(0),
  );
  for (let i = before.length - 1; i >= 0; i -= 1)
    for (let j = after.length - 1; j >= 0; j -= 1) {
      const row = lengths[i] ?? [];
      const next = lengths[i + 1] ?? [];
      row[j] =
        before[i] === after[j] ? (next[j + 1] ?? 0) + 1 : Math.max(next[j] ?? 0, row[j + 1] ?? 0);
    }
  return lengths;
};

export const lineChanges = (beforeText: string, afterText: string): readonly LineChange[] => {
  const before = beforeText.split('\n');
  const after = afterText.split('\n');
  const removed = (text: string): LineChange => ({ how: 'removed', text });
  const added = (text: string): LineChange => ({ how: 'added', text });
  if (before.length > linesMost || after.length > linesMost)
    return [...before.map(removed), ...after.map(added)];
  const lengths = table(before, after);
  const changes: LineChange[] = [];
  let [i, j] = [0, 0];
  while (i < before.length && j < after.length) {
    const [old, fresh] = [before[i] ?? '', after[j] ?? ''];
    if (old === fresh) {
      changes.push({ how: 'same', text: old });
      i += 1;
      j += 1;
    } else if ((lengths[i + 1]?.[j] ?? 0) >= (lengths[i]?.[j + 1] ?? 0)) {
      changes.push(removed(old));
      i += 1;
    } else {
      changes.push(added(fresh));
      j += 1;
    }
  }
  return [...changes, ...before.slice(i).map(removed), ...after.slice(j).map(added)];
};
