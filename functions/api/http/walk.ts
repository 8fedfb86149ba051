// Reading a list of the index further than one page, up to a bound. Owns: where it stops, and saying so.
// Tested in test/functions/api/lists/large-lists.test.ts.
import type { Page } from '../../ports/store.ts';
import { answerBytesMax, bytesOf } from './fitting.ts';

export interface Walked<Item, Kept> {
  readonly kept: readonly Kept[];
  /** The last item read, when there may be more beyond the bound. */
  readonly cutAt: Item | undefined;
  /** Where the next page would begin; undefined at the list's end. */
  readonly next: string | undefined;
}

/**
 * Reads pages until the list ends, `until` holds of an item (it and all beyond are left out), or `pagesMax` pages were read,
 * or time is up.
 * `keep` turns items into what is kept of them, so that large lists stay small in memory.
 */
export const walk = async <Item, Kept>(
  read: (cursor: string | undefined) => Promise<Page<Item>>,
  bounds: {
    readonly pagesMax: number;
    readonly from?: string | undefined;
    readonly until?: (item: Item) => boolean;
    /** Asked before each further page: false stops as the bound does. */
    readonly goOn?: () => boolean;
  },
  keep: (item: Item) => readonly Kept[],
): Promise<Walked<Item, Kept>> => {
  const kept: Kept[] = [];
  let cursor = bounds.from;
  let last: Item | undefined;
  for (let page = 0; page < bounds.pagesMax; page += 1) {
    if (page > 0 && bounds.goOn?.() === false) break;
    const { items, next } = await read(cursor);
    for (const item of items) {
      if (bounds.until?.(item) === true) return { kept, cutAt: undefined, next: undefined };
      for (const one of keep(item)) kept.push(one);
      last = item;
    }
    if (next === undefined) return { kept, cutAt: undefined, next: undefined };
    cursor = next;
  }
  return { kept, cutAt: last, next: cursor };
};

/**
 * What fits of a list, as a page of its own: the list is read on until the page or the answer is full, or `pagesMax` pages were
 * read.
 */
export interface Filtered<Item, Shown> {
  readonly items: readonly Shown[];
  /** The place of the last item looked at; undefined at the list's end. */
  readonly next: string | undefined;
  /** The last item looked at, when there may be more beyond it. */
  readonly lookedTo: Item | undefined;
}

/** `show` gives each item as it is shown, in their order; undefined leaves it out. */
export const filtered = async <Item, Shown>(
  read: (cursor: string | undefined) => Promise<Page<Item>>,
  bounds: {
    readonly limit: number;
    readonly pagesMax: number;
    readonly cursor: string | undefined;
    readonly placeOf: (item: Item) => string;
    /** Asked before each further page: false stops as the bound does. */
    readonly goOn?: () => boolean;
  },
  show: (items: readonly Item[]) => Promise<readonly (Shown | undefined)[]>,
): Promise<Filtered<Item, Shown>> => {
  const items: Shown[] = [];
  let bytes = 0;
  let { cursor } = bounds;
  let last: Item | undefined;
  for (let reads = 0; reads < bounds.pagesMax; reads += 1) {
    if (reads > 0 && bounds.goOn?.() === false) break;
    const page = await read(cursor);
    const shown = await show(page.items);
    for (const [index, item] of page.items.entries()) {
      const one = shown[index];
      if (one === undefined) continue;
      bytes += bytesOf(one);
      const before = page.items[index - 1] ?? last;
      if (items.length > 0 && bytes > answerBytesMax && before !== undefined)
        return { items, next: bounds.placeOf(before), lookedTo: before };
      items.push(one);
      const over = index === page.items.length - 1 && page.next === undefined;
      if (items.length === bounds.limit && !over)
        return { items, next: bounds.placeOf(item), lookedTo: item };
    }
    if (page.next === undefined) return { items, next: undefined, lookedTo: undefined };
    last = page.items.at(-1) ?? last;
    cursor = page.next;
  }
  return { items, next: cursor, lookedTo: last };
};
