// Cursors as callers see them: opaque, and bound to the list and workspace they came from. Owns: that form, and where a page ends
// that would be larger than one answer.
// Tested in test/functions/api/lists/lists.test.ts.
import { z } from 'zod';
import type { Page } from '../../ports/store.ts';
import { problem } from '../problems/problems.ts';
import { fitting } from './fitting.ts';

/** What may stand for a place in a list: what a sort key can be. */
const bytesMax = 1_024;
export const Place = z
  .string()
  .min(1)
  .refine((at) => at.isWellFormed() && Buffer.byteLength(at) <= bytesMax);

const Cursor = z.strictObject({
  v: z.literal(1),
  list: z.string(),
  of: z.string(),
  at: Place,
});

export const cursorOut = (list: string, workspace: string, next: string): string =>
  Buffer.from(JSON.stringify({ v: 1, list, of: workspace, at: next })).toString('base64url');

/** The first ones of a page that one answer can carry; those left out are where the next page begins. */
export const cutToFit = <Item>(
  page: Page<Item>,
  placeOf: (item: Item) => string,
): { readonly items: Item[]; readonly next: string | undefined } => {
  const items = [...fitting(page.items)];
  const last = items.at(-1);
  const cut = items.length < page.items.length && last !== undefined;
  return { items, next: cut ? placeOf(last) : page.next };
};

/** The part of a list read whole that one answer can carry, from where the cursor says on. Throws the problem `bad-cursor`. */
export const pageFrom = <Item>(
  all: readonly Item[],
  wanted: {
    readonly list: string;
    readonly workspace: string;
    readonly cursor: string | undefined;
  },
  placeOf: (item: Item) => string,
): { readonly items: Item[]; readonly next: string | undefined } => {
  const { list, workspace, cursor } = wanted;
  const at = cursorIn(list, workspace, cursor);
  const last = all.findIndex((item) => placeOf(item) === at);
  if (at !== undefined && last === -1) throw problem('bad-cursor', {});
  const { items, next } = cutToFit({ items: all.slice(last + 1), next: undefined }, placeOf);
  return { items, next: next && cursorOut(list, workspace, next) };
};

/** The store's own cursor. Throws the problem `bad-cursor`. */
export const cursorIn = (
  list: string,
  workspace: string,
  cursor: string | undefined,
): string | undefined => {
  if (cursor === undefined) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    throw problem('bad-cursor', {});
  }
  const read = Cursor.safeParse(value);
  if (!read.success || read.data.list !== list || read.data.of !== workspace)
    throw problem('bad-cursor', {});
  return read.data.at;
};
