// What a reader has before them of a long list, and what a page that was read anew may do to it.
import { describe, expect, test } from 'vitest';
import {
  type Book,
  emptyBook,
  extended,
  type Order,
  opened,
  type Part,
  renewed,
  turnOf,
} from '../../../web/api/book.ts';

interface Item {
  readonly id: string;
  readonly mark?: string;
}
const newest: Order<Item> = { idOf: ({ id }) => id, placeOf: ({ id }) => id, newestFirst: true };
const oldest: Order<Item> = { ...newest, newestFirst: false };
const part = (ids: string, next?: string): Part<Item> => ({
  items: [...ids].map((id) => ({ id })),
  next,
});
const shown = ({ rows }: Book<Item>): string => rows.map(({ id }) => id).join('');
const held = (book: Book<Item>): string => book.held.map(({ id }) => id).join('');
const begun = (ids: string, next?: string, order = newest): Book<Item> =>
  renewed(emptyBook, part(ids, next), order, { accept: true });

describe('newest first', () => {
  test('what is new is held back until it is asked for, and then in its place', () => {
    const book = renewed(begun('fed', 'd'), part('hgf', 'f'), newest);
    expect(shown(book)).toBe('fed');
    expect(held(book)).toBe('hg');
    const after = opened(book, newest);
    expect(shown(after)).toBe('hgfed');
    expect(held(after)).toBe('');
  });

  test('rows that were pushed out of the first page stay, and the next page takes nothing twice', () => {
    const book = renewed(begun('fed', 'd'), part('hgf', 'f'), newest);
    const whole = extended(book, part('edc', 'c'), newest);
    expect(shown(whole)).toBe('fedc');
    expect(whole.next).toBe('c');
  });

  test('a row changes where it is; nothing else is made anew', () => {
    const book = begun('fed');
    const next = renewed(
      book,
      { items: [{ id: 'f' }, { id: 'e', mark: 'x' }, { id: 'd' }] },
      newest,
    );
    expect(next.rows[1]).toEqual({ id: 'e', mark: 'x' });
    expect(next.rows[0]).toBe(book.rows[0]);
    expect(renewed(next, { items: next.rows.map((row) => ({ ...row })) }, newest)).toBe(next);
  });

  test('a row that no longer fits goes, within what was read and no further', () => {
    const book = extended(begun('fed', 'd'), part('cba'), newest);
    expect(shown(renewed(book, part('fd', 'd'), newest))).toBe('fdcba');
    expect(shown(renewed(book, part('ca'), newest, { after: 'd' }))).toBe('fedca');
    const narrow = { items: [], next: 'e', lookedTo: 'e' };
    expect(shown(renewed(book, narrow, newest))).toBe('dcba');
  });

  test('a list that was empty, or that one comes back to, shows what is new at once', () => {
    expect(shown(renewed(emptyBook, part('b'), newest))).toBe('b');
    expect(shown(renewed(begun('a'), part('ba'), newest, { accept: true }))).toBe('ba');
  });
});

describe('oldest first', () => {
  test('what is new comes last and moves nothing, so it is shown', () => {
    const book = renewed(begun('abc', undefined, oldest), part('abcd'), oldest);
    expect(shown(book)).toBe('abcd');
  });

  test('what belongs between rows is held back', () => {
    const book = renewed(begun('ac', undefined, oldest), part('abc'), oldest);
    expect(shown(book)).toBe('ac');
    expect(held(book)).toBe('b');
  });

  test('beyond a page that is not the last, nothing is shown: it comes with its own page', () => {
    const book = renewed(begun('ab', 'b', oldest), part('ac', 'c'), oldest);
    expect(shown(book)).toBe('a');
    expect(held(book)).toBe('');
  });
});

test('a look takes the first page and one of the others, each in its turn, however many there are', () => {
  let book = begun('zyx', 'x');
  for (const ids of ['wvu', 'tsr', 'qpo']) book = extended(book, part(ids, ids.slice(-1)), newest);
  const first = part('zyx', 'x');
  const turns = [0, 1, 2, 3].map((turn) => turnOf(book, first, newest, turn)?.cursor);
  expect(turns).toEqual(['x', 'u', 'r', 'x']);
  expect(turnOf(begun('a'), part('a'), newest, 0)).toBeUndefined();
});

test('while something is held back, the rows it pushed out of the first page are looked at too', () => {
  const book = renewed(begun('fed', 'd'), part('hgf', 'f'), newest);
  const turn = turnOf(book, part('hgf', 'f'), newest, 0);
  expect(turn).toEqual({ cursor: 'f', after: 'f' });
  const marked = { items: [{ id: 'e', mark: 'x' }, { id: 'd' }], next: 'd' };
  expect(renewed(book, marked, newest, { after: 'f' }).rows[1]).toEqual({ id: 'e', mark: 'x' });
});
