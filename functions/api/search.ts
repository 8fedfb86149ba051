// Searching conversations: their titles, ids and agents’ names, and what people and routines said in them. Nothing is indexed by
// word: both lists are read, newest first, so far per answer, which says how far. Owns: those bounds.
import { z } from 'zod';
import type { Conversation, Message } from '../core/conversation.ts';
import { excerptOf, holdsAll, wordsOf } from '../core/search.ts';
import type { ApiWorld } from '../wiring/api.ts';
import { Place } from './cursor.ts';
import type { Caller } from './identity.ts';
import { marksOf } from './marks.ts';
import { problem } from './problems.ts';
import type { SearchHit } from './schemas-lists.ts';
import { conversationSummary } from './views.ts';
import { type Filtered, filtered } from './walk.ts';

/** Of each list, for one answer. */
const hitsMax = 50;
const pagesMax = 4;
const pageOfIndex = 500;

/** Where to go on in each list; null when it was searched to its end. */
const Places = z.tuple([Place.nullable(), Place.nullable()]);
type Where = string | null | undefined;

const placesIn = (cursor: string | undefined): readonly [Where, Where] => {
  if (cursor === undefined) return [undefined, undefined];
  try {
    return Places.parse(JSON.parse(cursor));
  } catch {
    throw problem('bad-cursor', {});
  }
};

const nothing = { items: [], next: undefined, lookedTo: undefined } as const;

const inTitles = async (
  { store, registry }: ApiWorld,
  workspace: string,
  words: readonly string[],
  place: Where,
): Promise<Filtered<Conversation, Conversation>> => {
  if (place === null) return nothing;
  const agents = await registry.agentsOf(workspace);
  const names = new Map(agents.map(({ agentId, configuration }) => [agentId, configuration.name]));
  return filtered(
    (cursor) => store.conversationsOf(workspace, pageOfIndex, cursor),
    {
      limit: hitsMax,
      pagesMax,
      cursor: place,
      placeOf: ({ createdAt, conversationId }) => `${createdAt}#${conversationId}`,
    },
    async (conversations) =>
      conversations.map((of) => {
        const text = `${of.title} ${of.conversationId} ${names.get(of.agentId) ?? ''}`;
        return holdsAll(text, words) ? of : undefined;
      }),
  );
};

const inMessages = async (
  { lists }: ApiWorld,
  workspace: string,
  words: readonly string[],
  place: Where,
): Promise<Filtered<Message, Message>> => {
  if (place === null) return nothing;
  return filtered(
    (cursor) => lists.messages(workspace, { limit: pageOfIndex, cursor }),
    {
      limit: hitsMax,
      pagesMax,
      cursor: place,
      placeOf: ({ at, messageId }) => `${at}#${messageId}`,
    },
    async (messages) => messages.map((of) => (holdsAll(of.text, words) ? of : undefined)),
  );
};

interface Hit {
  readonly conversation: Conversation;
  readonly found: SearchHit['found'];
}

/** Each conversation once, by its title if that fits, else by the newest message that does. */
const hitsOf = async (
  { people }: ApiWorld,
  words: readonly string[],
  titles: readonly Conversation[],
  messages: readonly Message[],
): Promise<readonly Hit[]> => {
  const seen = new Set<string>(titles.map(({ conversationId }) => conversationId));
  const newest = messages.filter(({ conversationId }) => {
    if (seen.has(conversationId)) return false;
    seen.add(conversationId);
    return true;
  });
  const ids = newest.map(({ conversationId }) => conversationId);
  const found = ids.length === 0 ? [] : await people.conversations(ids);
  const byId = new Map(found.map((of) => [of.conversationId, of]));
  const byMessage = newest.flatMap(({ conversationId, messageId, at, text }): Hit[] => {
    const conversation = byId.get(conversationId);
    const excerpt = excerptOf(text, words);
    return conversation === undefined
      ? []
      : [{ conversation, found: { in: 'message', messageId, at, excerpt } }];
  });
  const byTitle = titles.map((conversation): Hit => ({ conversation, found: { in: 'title' } }));
  return [...byTitle, ...byMessage];
};

export const searchFor = async (
  world: ApiWorld,
  caller: Caller,
  query: string,
  cursor: string | undefined,
) => {
  const words = wordsOf(query);
  const [titlePlace, messagePlace] = placesIn(cursor);
  const [titles, messages] = await Promise.all([
    inTitles(world, caller.workspace, words, titlePlace),
    inMessages(world, caller.workspace, words, messagePlace),
  ]);
  const hits = await hitsOf(world, words, titles.items, messages.items);
  const marks = await marksOf(
    world,
    caller,
    hits.map(({ conversation }) => conversation),
  );
  const items = hits.flatMap(({ conversation, found }, index): SearchHit[] => {
    const own = marks[index];
    return own === undefined
      ? []
      : [{ conversation: conversationSummary(conversation, own), found }];
  });
  const over = titles.next === undefined && messages.next === undefined;
  return {
    items,
    next: over ? undefined : JSON.stringify([titles.next ?? null, messages.next ?? null]),
    searched: {
      titlesFrom: titles.lookedTo?.createdAt,
      messagesFrom: messages.lookedTo?.at,
    },
  };
};
