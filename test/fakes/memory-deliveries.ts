// Token bookkeeping and the outbox over a store in memory. Owns: the tokens that machines have bound to requests.
import { attributesOf } from '../../functions/adapters/dynamodb/codec.ts';
import { keys } from '../../functions/adapters/dynamodb/keys.ts';
import type { ItemOf } from '../../functions/core/records/change.ts';
import type { Deliveries, DueKind } from '../../functions/ports/store.ts';
import { keyOf, type Memory, words } from './memory-store.ts';

/** The bound token by request. */
export type Tokens = Map<string, string>;

/** When an item is due, by the attribute that the DynamoDB store indexes. */
const dueAtMs = <Kind extends DueKind>(kind: Kind, item: ItemOf<Kind>): number | undefined => {
  const at = attributesOf(kind, item, 1, '').dueAt?.N;
  return at === undefined ? undefined : Number(at);
};

export const memoryDeliveries = (memory: Memory, tokens: Tokens): Deliveries => {
  /** Later times that the sweep has set, by key and revision: a newer revision is due as it says itself. */
  const postponed = new Map<string, number>();
  const place = (key: string, rev: number): string => `${key} at ${rev}`;
  return {
    tokenOf: async (requestId) => {
      const token = tokens.get(requestId);
      return token === undefined ? undefined : { token };
    },
    clearToken: async (requestId, token) => {
      if (tokens.get(requestId) === token) tokens.delete(requestId);
    },
    done: async (outbox) => void memory.items.outbox.delete(keyOf('outbox', outbox)),
    due: async (kind, beforeMs, limit) =>
      [...memory.items[kind].entries()]
        .map(([key, { item, rev }]) => {
          const own = dueAtMs(kind, item);
          const atMs = own === undefined ? undefined : (postponed.get(place(key, rev)) ?? own);
          return { item, atMs };
        })
        .filter(({ atMs }) => atMs !== undefined && atMs < beforeMs)
        .toSorted((a, b) => (a.atMs ?? 0) - (b.atMs ?? 0))
        .slice(0, limit)
        .map(({ item }) => item),
    postpone: async (kind, id, untilMs) => {
      const { pk, sk } = { run: keys.run, request: keys.request, action: keys.action }[kind](id);
      const key = words(pk, sk);
      const rev = memory.items[kind].get(key)?.rev ?? 0;
      postponed.set(place(key, rev), untilMs);
    },
  };
};
