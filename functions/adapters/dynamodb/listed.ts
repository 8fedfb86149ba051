// One page of a list of the index `listed`, whatever it holds: the one query behind every list of a workspace or a routine.
// Owns: the query and its cursor (the place of the last item). For reading only: an index follows its table, so a new item may be missing for a moment.
// Tested in test/functions/store.test.ts.
import type { ItemKind, ItemOf } from '../../core/records/change.ts';
import type { TableName } from '../../manifest.ts';
import type { Page } from '../../ports/store.ts';
import { type Attributes, parseItem } from './codec.ts';
import { indexed } from './indexed.ts';
import type { StoreParts } from './read-keys.ts';

export interface Wanted {
  readonly limit: number;
  /** The place of the last item seen; the page begins beyond it. */
  readonly cursor?: string | undefined;
  /** Newest first unless this is set. */
  readonly oldestFirst?: boolean | undefined;
}

export const placeIn = (item: Attributes): string => item.listedAt?.S ?? '';

/** Items as they are stored; `next` is the last one's place, undefined on the last page. */
export const listedPage = async (
  parts: StoreParts,
  table: TableName,
  listKey: string,
  { limit, cursor, oldestFirst = false }: Wanted,
): Promise<Page<Attributes>> => {
  const { items, last } = await indexed(parts, {
    table,
    index: 'listed',
    partition: ['listKey', listKey],
    range:
      cursor === undefined
        ? undefined
        : { condition: `listedAt ${oldestFirst ? '>' : '<'} :value`, value: { S: cursor } },
    newestFirst: !oldestFirst,
    limit,
  });
  return { items, next: last && placeIn(last) };
};

/** The same, of a list that holds one kind. */
export const listed = async <Kind extends ItemKind>(
  parts: StoreParts,
  table: TableName,
  kind: Kind,
  listKey: string,
  wanted: Wanted,
): Promise<Page<ItemOf<Kind>>> => {
  const { items, next } = await listedPage(parts, table, listKey, wanted);
  return { items: items.map((item) => parseItem(kind, item).item), next };
};
