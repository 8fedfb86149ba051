// "Did you mean …": the nearest of several names to what was typed. Owns: that measure.

/** Levenshtein distance. */
const distance = (left: string, right: string): number => {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (const [i, a] of [...left].entries()) {
    const next = [i + 1];
    for (const [j, b] of [...right].entries())
      next.push(
        Math.min((next[j] ?? 0) + 1, (row[j + 1] ?? 0) + 1, (row[j] ?? 0) + (a === b ? 0 : 1)),
      );
    row = next;
  }
  return row.at(-1) ?? 0;
};

/** The nearest name, if it is near enough to be meant. */
export const nearest = (typed: string, names: readonly string[]): string | undefined => {
  const begins = names.find((name) => typed.length > 2 && name.startsWith(typed));
  if (begins !== undefined) return begins;
  const ranked = names
    .map((name) => ({ name, far: distance(typed.toLowerCase(), name) }))
    .toSorted((a, b) => a.far - b.far);
  const [best] = ranked;
  return best !== undefined && best.far <= Math.max(1, Math.floor(typed.length / 3))
    ? best.name
    : undefined;
};
