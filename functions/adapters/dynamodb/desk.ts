// The recovery desk's lists on DynamoDB: the sparse index of what needs somebody, and what is due. For reading only.
// Tested in test/functions/api/desk/count.test.ts.

import type { ActionId } from '../../core/base/ids.ts';
import type { Action } from '../../core/records/action.ts';
import type { Claim } from '../../core/records/claim.ts';
import type { DeskPart } from '../../core/recover/desk-list.ts';
import type { DeskLists } from '../../ports/desk.ts';
import type { Page } from '../../ports/store.ts';
import { deskKey, dueShard, dueShards, parseItem } from './codec.ts';
import { indexed } from './indexed.ts';
import { keys } from './keys.ts';
import { readKeys, type StoreParts } from './read-keys.ts';

const actions = async (
  parts: StoreParts,
  key: { readonly workspace: string; readonly part: DeskPart },
  limit: number,
  cursor: string | undefined,
): Promise<Page<Action>> => {
  const { items, last } = await indexed(parts, {
    table: 'Ledger',
    index: 'desk',
    partition: ['deskKey', deskKey(key.workspace, key.part)],
    range:
      cursor === undefined ? undefined : { condition: 'deskAt > :value', value: { S: cursor } },
    limit,
  });
  return { items: items.map((item) => parseItem('action', item).item), next: last?.deskAt?.S };
};

/** More than this many attempts past their time, in one shard: the sweep has more to do than the desk can show. */
const strandedMax = 100;

const stranded = async (parts: StoreParts, workspace: string, nowMs: number): Promise<Action[]> => {
  const shards = await Promise.all(
    Array.from({ length: dueShards }, (_, shard) =>
      indexed(parts, {
        table: 'Ledger',
        index: 'due',
        partition: ['dueShard', dueShard('action', shard)],
        limit: strandedMax,
      }),
    ),
  );
  return shards
    .flatMap(({ items }) => items)
    .map((item) => parseItem('action', item).item)
    .filter(
      (action) =>
        action.workspace === workspace &&
        action.engaged !== undefined &&
        action.engaged.deadlineAtMs <= nowMs,
    );
};

const claimsOf = async (parts: StoreParts, actionIds: readonly ActionId[]): Promise<Claim[]> =>
  (await readKeys(parts, actionIds.map(keys.claim))).map((item) => parseItem('claim', item).item);

export const deskListsFrom = (parts: StoreParts): DeskLists => ({
  actions: (workspace, part, limit, cursor) => actions(parts, { workspace, part }, limit, cursor),
  stranded: (workspace, nowMs) => stranded(parts, workspace, nowMs),
  claimsOf: (actionIds) => claimsOf(parts, actionIds),
});
