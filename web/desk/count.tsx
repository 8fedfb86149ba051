// How many actions the desk has: what is shown when that is all, else the server's count. Owns: that choice.
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Book } from '../api/book.ts';
import { keys } from '../api/cache.ts';
import { type Narrowing, summariseDesk } from '../api/calls.ts';
import type { DeskEntry } from '../api/types.ts';
import { useLater } from '../words/later.ts';

/** Thousands of actions are read for one count. */
const everyMs = 10_000;

export const DeskCount = ({
  shown: { rows, next },
  filter,
  narrow,
}: {
  readonly shown: Book<DeskEntry>;
  readonly filter: Narrowing;
  readonly narrow: boolean;
}): ReactNode => {
  const { desk, lists } = useLater();
  const asked = useQuery({
    queryKey: [...keys.desk, 'count', filter],
    queryFn: () => summariseDesk(filter),
    refetchInterval: everyMs,
    enabled: next !== undefined,
  });
  const unknown = (count: number): string => (count === 0 ? '' : desk.unknown(count));
  if (next === undefined) {
    const undetermined = rows.filter(({ effect }) => effect === 'undetermined').length;
    return desk.count(rows.length) + unknown(undetermined);
  }
  if (asked.data === undefined) return lists.oldest(rows.length);
  const { total, undetermined, more } = asked.data;
  const count = !more ? desk.count : narrow ? desk.atLeast : desk.moreThan;
  return count(total) + unknown(undetermined);
};
