// Searching conversations: their titles, ids and agents’ names, what people and routines said in them, and what agents answered.
// Nothing is indexed by word: the three lists are read, newest first, so far per answer, which says how far. Owns: those bounds.
// Tested in test/functions/api/lists/lists.test.ts.
import { z } from 'zod';
import type { ConversationId } from '../../core/base/ids.ts';
import { excerptOf, holdsAll, wordsOf } from '../../core/base/search.ts';
import type { Conversation, Message } from '../../core/records/conversation.ts';
import { isEnded, type Run } from '../../core/records/run.ts';
import type { Step } from '../../core/records/step.ts';
import type { ApiWorld } from '../../wiring/api.ts';
import { Place } from '../http/cursor.ts';
import { type Filtered, filtered } from '../http/walk.ts';
import type { Caller } from '../identity/identity.ts';
import { problem } from '../problems/problems.ts';
import type { SearchHit } from '../schemas/lists.ts';
import { conversationSummary } from '../schemas/views.ts';
import { marksOf } from './marks.ts';

/** Of each list, for one answer. */
const hitsMax = 50;
const pagesMax = 4;
const pageOfIndex = 500;

/** An answer is in its run's last step, which is as large as what it was told: these are read fewer at a time, and not for longer. */
const answers = { pagesMax: 10, pageOfIndex: 100, longestMs: 5_000 } as const;

/** Where to go on in each list; null when it was searched to its end. */
const Places = z.tuple([Place.nullable(), Place.nullable(), Place.nullable()]);
type Where = string | null | undefined;

const placesIn = (cursor: string | undefined): readonly [Where, Where, Where] => {
  if (cursor === undefined) return [undefined, undefined, undefined];
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

interface AnswerFound {
  readonly run: Run;
  readonly step: Step;
}

/** The last texts of runs that have ended, read where they are kept: an erased one is not there to be found. */
const inAnswers = async (
  { lists, store, clock }: ApiWorld,
  workspace: string,
  words: readonly string[],
  place: Where,
): Promise<Filtered<Run, AnswerFound>> => {
  if (place === null) return nothing;
  const untilMs = clock.now() + answers.longestMs;
  return filtered(
    (cursor) => lists.runs(workspace, { limit: answers.pageOfIndex, cursor }),
    {
      limit: hitsMax,
      pagesMax: answers.pagesMax,
      cursor: place,
      placeOf: ({ startedAt, runId }) => `${startedAt}#${runId}`,
      goOn: () => clock.now() < untilMs,
    },
    async (runs) => {
      const ended = runs.filter((run) => isEnded(run) && run.step > 0);
      const wanted = ended.map(({ runId, step }) => ({ runId, step }));
      const { steps } = wanted.length === 0 ? { steps: [] } : await store.read({ steps: wanted });
      const last = new Map(steps.map((step) => [step.runId, step]));
      return runs.map((run) => {
        const step = last.get(run.runId);
        return step !== undefined && holdsAll(step.text, words) ? { run, step } : undefined;
      });
    },
  );
};

interface Hit {
  readonly conversation: Conversation;
  readonly found: SearchHit['found'];
}

type Said = Exclude<SearchHit['found'], { readonly in: 'title' }>;
interface SaidIn {
  readonly conversationId: ConversationId;
  readonly found: Said;
}

const saidByPeople = (words: readonly string[], messages: readonly Message[]): readonly SaidIn[] =>
  messages.map(({ conversationId, messageId, at, text }) => ({
    conversationId,
    found: { in: 'message', messageId, at, excerpt: excerptOf(text, words) },
  }));

const saidByAgents = (words: readonly string[], found: readonly AnswerFound[]): readonly SaidIn[] =>
  found.map(({ run: { conversationId, runId }, step: { at, text } }) => ({
    conversationId,
    found: { in: 'answer', runId, at, excerpt: excerptOf(text, words) },
  }));

/** Each conversation once, by its title if that fits, else by the newest text that does. */
const hitsOf = async (
  { people }: ApiWorld,
  titles: readonly Conversation[],
  said: readonly SaidIn[],
): Promise<readonly Hit[]> => {
  const seen = new Set<string>(titles.map(({ conversationId }) => conversationId));
  const newest = said
    .toSorted((a, b) => b.found.at.localeCompare(a.found.at))
    .filter(({ conversationId }) => {
      if (seen.has(conversationId)) return false;
      seen.add(conversationId);
      return true;
    });
  const ids = newest.map(({ conversationId }) => conversationId);
  const known = ids.length === 0 ? [] : await people.conversations(ids);
  const byId = new Map(known.map((of) => [of.conversationId, of]));
  const byText = newest.flatMap(({ conversationId, found }): Hit[] => {
    const conversation = byId.get(conversationId);
    return conversation === undefined ? [] : [{ conversation, found }];
  });
  const byTitle = titles.map((conversation): Hit => ({ conversation, found: { in: 'title' } }));
  return [...byTitle, ...byText];
};

export const searchFor = async (
  world: ApiWorld,
  caller: Caller,
  query: string,
  cursor: string | undefined,
) => {
  const { workspace } = caller;
  const words = wordsOf(query);
  const [titlePlace, messagePlace, answerPlace] = placesIn(cursor);
  const [titles, messages, answered] = await Promise.all([
    inTitles(world, workspace, words, titlePlace),
    inMessages(world, workspace, words, messagePlace),
    inAnswers(world, workspace, words, answerPlace),
  ]);
  const hits = await hitsOf(world, titles.items, [
    ...saidByPeople(words, messages.items),
    ...saidByAgents(words, answered.items),
  ]);
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
  const next = [titles.next ?? null, messages.next ?? null, answered.next ?? null];
  return {
    items,
    next: next.every((place) => place === null) ? undefined : JSON.stringify(next),
    searched: {
      titlesFrom: titles.lookedTo?.createdAt,
      messagesFrom: messages.lookedTo?.at,
      answersFrom: answered.lookedTo?.startedAt,
    },
  };
};
