// Chance from a seed: the same seed gives the same numbers. Owns: the generator (mulberry32) and choosing with it.

export interface Random {
  /** In [0, 1). */
  fraction(): number;
  /** True with that probability. */
  chance(probability: number): boolean;
  /** A whole number from 0 up to, and without, the limit. */
  below(limit: number): number;
  pick<Item>(items: readonly [Item, ...Item[]] | readonly Item[]): Item;
}

export const randomOf = (seed: number): Random => {
  let state = seed >>> 0;
  const fraction = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (limit: number): number => Math.floor(fraction() * limit);
  return {
    fraction,
    below,
    chance: (probability) => fraction() < probability,
    pick: (items) => {
      const item = items[below(items.length)];
      if (item === undefined) throw new Error('There is nothing to pick from.');
      return item;
    },
  };
};
