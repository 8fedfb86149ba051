// What changed between two JSON values, and between two texts line by line. Owns: those comparisons.
import type { Json } from '../api/types.ts';
import { pairsOf } from '../requests/look-alikes.tsx';

/** Fields that differ, by dotted path; lists are compared as wholes. */
export const changesOf = (before: Json, after: Json) =>
  pairsOf(before, after).filter(({ same }) => !same);

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
