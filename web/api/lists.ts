// The page's long lists: conversations, the inbox, the recovery desk, and what a search finds. Owns: how each is ordered and how
// often it is looked at.
import { useInfiniteQuery } from '@tanstack/react-query';
import { keys } from './cache.ts';
import * as calls from './calls.ts';
import { inboxMs, listMs } from './queries.ts';
import type { ConversationSummary, DeskEntry, InboxItem, SearchPage } from './types.ts';
import { type Shown, useBook } from './use-book.ts';

/** A narrowed list is looked through much further for the same number of rows. */
const narrowedMs = 10_000;

const isNarrow = (narrowing: calls.Narrowing): boolean =>
  Object.values(narrowing).some((value) => value !== '');

const conversationOrder = {
  idOf: ({ conversationId }: ConversationSummary): string => conversationId,
  placeOf: ({ createdAt, conversationId }: ConversationSummary): string =>
    `${createdAt}#${conversationId}`,
  newestFirst: true,
};

/** `own` is shown at once when it is new. */
export const useConversations = (
  narrowing: calls.Narrowing,
  own: string | undefined,
): Shown<ConversationSummary> =>
  useBook({
    key: [...keys.conversations, narrowing],
    read: (cursor) => calls.listConversations(narrowing, cursor),
    order: conversationOrder,
    everyMs: isNarrow(narrowing) ? narrowedMs : listMs,
    own,
  });

const inboxOrder = {
  idOf: ({ requestId }: InboxItem): string => requestId,
  placeOf: ({ openedAt, requestId }: InboxItem): string => `${openedAt}#${requestId}`,
  newestFirst: false,
};

/** Who has waited longest first: what is new comes last. */
export const useInbox = (narrowing: calls.Narrowing): Shown<InboxItem> =>
  useBook({
    key: [...keys.requests, narrowing],
    read: (cursor) => calls.listRequests({ ...narrowing, order: 'oldest' }, cursor),
    order: inboxOrder,
    everyMs: isNarrow(narrowing) ? narrowedMs : inboxMs,
  });

const deskOrder = {
  idOf: ({ actionId }: DeskEntry): string => actionId,
  placeOf: ({ since, actionId }: DeskEntry): string => `${since}#${actionId}`,
  newestFirst: false,
};

export const useDesk = (narrowing: calls.Narrowing): Shown<DeskEntry> =>
  useBook({
    key: [...keys.desk, narrowing],
    read: (cursor) => calls.listDesk(narrowing, cursor),
    order: deskOrder,
    everyMs: listMs,
  });

/** Answers without a hit, after which the reader is asked whether to look further back. */
const emptyMax = 10;

const searchOn = async (q: string, cursor: string | undefined): Promise<SearchPage> => {
  let page = await calls.searchConversations(q, cursor);
  for (let count = 1; page.items.length === 0 && page.next !== undefined; count += 1) {
    if (count >= emptyMax) return page;
    page = await calls.searchConversations(q, page.next);
  }
  return page;
};

export const useSearch = (q: string) =>
  useInfiniteQuery({
    queryKey: ['search', q],
    queryFn: ({ pageParam }) => searchOn(q, pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    enabled: q !== '',
  });
