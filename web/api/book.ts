// A long list as a reader has it before them: the rows shown, in order; what has come meanwhile and is held back, so that no row
// moves; and where the next page begins. Owns: how a page that was read anew changes that. Pure.
import { replaceEqualDeep } from '@tanstack/react-query';

export interface Part<Item> {
  readonly items: readonly Item[];
  readonly next?: string | undefined;
  /** How far a narrowed list was looked through. */
  readonly lookedTo?: string | undefined;
}

export interface Order<Item> {
  readonly idOf: (item: Item) => string;
  /** Its place; places are compared as texts. */
  readonly placeOf: (item: Item) => string;
  readonly newestFirst: boolean;
}

/** A further page: its cursor, and the place after which it begins. */
interface Further {
  readonly cursor: string;
  readonly after: string | undefined;
}

export interface Book<Item> {
  readonly rows: readonly Item[];
  /** Not shown yet: they belong before the last row. */
  readonly held: readonly Item[];
  readonly further: readonly Further[];
  readonly next: string | undefined;
  readonly lookedTo: string | undefined;
}

export const emptyBook: Book<never> = {
  rows: [],
  held: [],
  further: [],
  next: undefined,
  lookedTo: undefined,
};

const isBeyond = ({ newestFirst }: Pick<Order<never>, 'newestFirst'>, a: string, b: string) =>
  newestFirst ? a < b : a > b;

const sorted = <Item>(order: Order<Item>, items: readonly Item[]): readonly Item[] =>
  items.toSorted((a, b) => {
    const [first, second] = [order.placeOf(a), order.placeOf(b)];
    if (first === second) return 0;
    return isBeyond(order, first, second) ? 1 : -1;
  });

/** The last place a part speaks of; undefined when it reaches the end of the list. */
const endOf = <Item>(order: Order<Item>, { items, next, lookedTo }: Part<Item>) => {
  if (next === undefined) return undefined;
  const last = items.at(-1);
  const places = [lookedTo, last && order.placeOf(last)].filter((place) => place !== undefined);
  return places.reduce((a, b) => (isBeyond(order, a, b) ? a : b), places[0] ?? '');
};

const same = <Item>(a: readonly Item[], b: readonly Item[]): boolean =>
  a.length === b.length && a.every((item, index) => item === b[index]);

/**
 * Puts a part that was read anew into the book: rows change where they are, those of its range that it no longer has go, and
 * new ones are held back unless they come after all rows or `accept` is set. `after`: the place after which the part begins.
 */
export const renewed = <Item>(
  book: Book<Item>,
  part: Part<Item>,
  order: Order<Item>,
  {
    after,
    accept = false,
  }: { readonly after?: string | undefined; readonly accept?: boolean } = {},
): Book<Item> => {
  const fresh = new Map(part.items.map((item) => [order.idOf(item), item]));
  const end = endOf(order, part);
  const inRange = (item: Item): boolean => {
    const place = order.placeOf(item);
    if (after !== undefined && !isBeyond(order, place, after)) return false;
    return end === undefined || !isBeyond(order, place, end);
  };
  const kept = (items: readonly Item[]): readonly Item[] =>
    items.flatMap((item) => {
      const now = fresh.get(order.idOf(item));
      if (now !== undefined) return [replaceEqualDeep(item, now)];
      return inRange(item) ? [] : [item];
    });
  const [rows, held] = [kept(book.rows), kept(book.held)];
  const known = new Set([...rows, ...held].map(order.idOf));
  const unknown = part.items.filter((item) => !known.has(order.idOf(item)));
  const last = rows.at(-1);
  const follows = (item: Item): boolean =>
    last === undefined || isBeyond(order, order.placeOf(item), order.placeOf(last));
  const first = rows.length + held.length === 0;
  const shown = unknown.filter(
    (item) => accept || first || (follows(item) && part.next === undefined),
  );
  const back = accept || first ? [] : unknown.filter((item) => !follows(item));
  const all = [...rows, ...(accept ? held : []), ...shown];
  const result = {
    ...book,
    rows: all.length > rows.length ? sorted(order, all) : rows,
    held: accept ? [] : sorted(order, [...held, ...back]),
    ...(book.further.length === 0 && after === undefined
      ? { next: part.next, lookedTo: part.lookedTo }
      : {}),
  };
  const unchanged =
    same(result.rows, book.rows) &&
    same(result.held, book.held) &&
    result.next === book.next &&
    result.lookedTo === book.lookedTo;
  return unchanged ? book : result;
};

/** Puts the next page after the rows. */
export const extended = <Item>(
  book: Book<Item>,
  part: Part<Item>,
  order: Order<Item>,
): Book<Item> => {
  if (book.next === undefined) return book;
  const known = new Set([...book.rows, ...book.held].map(order.idOf));
  const last = book.rows.at(-1);
  const after = book.lookedTo ?? (last && order.placeOf(last));
  return {
    ...book,
    rows: [...book.rows, ...part.items.filter((item) => !known.has(order.idOf(item)))],
    further: [...book.further, { cursor: book.next, after }],
    next: part.next,
    lookedTo: part.lookedTo,
  };
};

/** Shows what was held back. */
export const opened = <Item>(book: Book<Item>, order: Order<Item>): Book<Item> =>
  book.held.length === 0
    ? book
    : { ...book, rows: sorted(order, [...book.rows, ...book.held]), held: [] };

/** Which part to look at beside the first, this time: one after the other, so that long lists cost no more than short ones. */
export const turnOf = <Item>(
  { further, held }: Book<Item>,
  first: Part<Item>,
  order: Order<Item>,
  turn: number,
): Further | undefined => {
  // What has come since pushes rows out of the first part: those are between it and the next.
  const gap =
    held.length > 0 && first.next !== undefined
      ? [{ cursor: first.next, after: endOf(order, first) }]
      : [];
  const all = [...gap, ...further];
  return all[turn % Math.max(1, all.length)];
};
