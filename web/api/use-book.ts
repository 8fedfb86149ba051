// A long list on a screen: its first page is looked at again and again, the pages below it in turn, so that a look costs two
// requests however much is shown. Owns: those looks, and that a list which one comes back to shows what is new at once.
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import {
  type Book,
  emptyBook,
  extended,
  type Order,
  opened,
  type Part,
  renewed,
  turnOf,
} from './book.ts';
import { cache } from './cache.ts';

interface BookSource<Item> {
  readonly key: readonly unknown[];
  readonly read: (cursor?: string) => Promise<Part<Item>>;
  readonly order: Order<Item>;
  readonly everyMs: number;
  /** One that is shown at once when it comes: the reader's own. */
  readonly own?: string | undefined;
}

export interface Shown<Item> {
  readonly data: Book<Item> | undefined;
  readonly error: unknown;
  readonly refetch: () => unknown;
  readonly showHeld: () => void;
  readonly more: () => Promise<void>;
  readonly loading: boolean;
  /** Why the next page did not come. */
  readonly moreError: unknown;
}

/** Answers of a narrowed list without anything in them, after which the reader is asked whether to go on. */
const emptyMax = 10;

const readOn = async <Item>(
  read: BookSource<Item>['read'],
  cursor: string | undefined,
): Promise<Part<Item>> => {
  let part = await read(cursor);
  for (
    let count = 1;
    part.items.length === 0 && part.next !== undefined && count < emptyMax;
    count += 1
  )
    part = await read(part.next);
  return part;
};

export const useBook = <Item>(source: BookSource<Item>): Shown<Item> => {
  const { key, read, order, everyMs, own } = source;
  const known = (): Book<Item> | undefined => cache.getQueryData<Book<Item>>(key);
  const turn = useRef(0);
  // Until its first look, a list one comes back to is not yet being read: nothing in it can move under the reader.
  const lookedAt = useRef<string>(undefined);
  const name = JSON.stringify(key);
  const look = async (): Promise<Book<Item>> => {
    const before = known();
    if (before === undefined) {
      const part = await readOn(read, undefined);
      lookedAt.current = name;
      return renewed(known() ?? emptyBook, part, order, { accept: true });
    }
    const first = await read();
    const next = turnOf(before, first, order, turn.current);
    turn.current += 1;
    const second = next === undefined ? undefined : await read(next.cursor);
    // What was shown or read meanwhile stays: only now is the book taken up again.
    const now = known() ?? before;
    const isOwn = (item: Item): boolean => order.idOf(item) === own;
    const comes = first.items.some(isOwn) && !now.rows.some(isOwn);
    const accept = lookedAt.current !== name || comes;
    lookedAt.current = name;
    const book = renewed(now, first, order, { accept });
    return second === undefined || next === undefined
      ? book
      : renewed(book, second, order, { after: next.after ?? '' });
  };
  const asked = useQuery({
    queryKey: key,
    queryFn: look,
    refetchInterval: everyMs,
    structuralSharing: false,
  });
  const [loading, setLoading] = useState(false);
  const [moreError, setMoreError] = useState<unknown>();
  return {
    data: asked.data,
    error: asked.error,
    refetch: asked.refetch,
    loading,
    moreError,
    showHeld: () => cache.setQueryData<Book<Item>>(key, (book) => book && opened(book, order)),
    more: async () => {
      const cursor = known()?.next;
      if (cursor === undefined || loading) return;
      setLoading(true);
      setMoreError(undefined);
      try {
        const part = await readOn(read, cursor);
        cache.setQueryData<Book<Item>>(key, (book) =>
          book?.next === cursor ? extended(book, part, order) : book,
        );
      } catch (cause) {
        setMoreError(cause);
      } finally {
        setLoading(false);
      }
    },
  };
};
