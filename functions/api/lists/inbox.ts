// What waits for one person: which open requests they may answer now, and what each is about. Owns: that selection.
// Laws: L14 (the same words here as in the conversation).

import type { z } from 'zod';
import { answererOf } from '../../core/answers/answerer.ts';
import { isExpired } from '../../core/answers/expire.ts';
import { AgentId } from '../../core/base/ids.ts';
import type { Conversation } from '../../core/records/conversation.ts';
import type { FoldedAction } from '../../core/records/folded.ts';
import type { PersonRequest } from '../../core/records/request.ts';
import type { ApiWorld } from '../../wiring/api.ts';
import { foldedOf } from '../../wiring/folded.ts';
import { mayAnswer } from '../answers/may-answer.ts';
import { type Filtered, filtered } from '../http/walk.ts';
import type { Caller } from '../identity/identity.ts';
import type { InboxQuery } from '../schemas/lists.ts';
import type { InboxItem } from '../schemas/people.ts';
import { needsSomebody, requestView } from '../schemas/views.ts';

/** Open, not expired, a person's to answer, and this person's among them. */
export const isFor = (caller: Caller, request: PersonRequest, nowMs: number): boolean =>
  needsSomebody(request) && !isExpired(request, nowMs) && mayAnswer(caller, request);

const aboutOf = (
  request: PersonRequest,
  conversation: Conversation | undefined,
  action: FoldedAction | undefined,
): InboxItem['about'] => ({
  title: conversation?.title ?? '',
  agentId: AgentId.parse(action?.agentId ?? conversation?.agentId),
  ...(action === undefined || action.destination.provider === 'reprise'
    ? {}
    : {
        action: {
          tool: action.tool,
          destination: action.destination,
          arguments: action.arguments,
          effectKind: action.effectKind,
          effect: action.effect,
        },
      }),
  role: answererOf(request).role,
});

/** The requests with what each is about: two reads, however many there are. */
export const inboxItems = async (
  { store, people }: ApiWorld,
  requests: readonly PersonRequest[],
): Promise<InboxItem[]> => {
  if (requests.length === 0) return [];
  const [conversations, { actions }] = await Promise.all([
    people.conversations(requests.map(({ conversationId }) => conversationId)),
    store.read({ actions: [...new Set(requests.map(({ actionId }) => actionId))] }),
  ]);
  const known = await foldedOf(
    store,
    actions.map(({ item }) => item),
  );
  return requests.map((request): InboxItem => {
    const about = aboutOf(
      request,
      conversations.find(({ conversationId }) => conversationId === request.conversationId),
      known.find(({ actionId }) => actionId === request.actionId),
    );
    return { ...requestView(request), about };
  });
};

type Wanted = z.infer<typeof InboxQuery>;

/** Pages of the list that one answer looks through. */
const looksMax = 5;

const fits = (request: PersonRequest, wanted: Wanted, nowMs: number): boolean =>
  (wanted.on === undefined || request.on === wanted.on) &&
  (wanted.olderThanMs === undefined || nowMs - Date.parse(request.openedAt) >= wanted.olderThanMs);

const aboutFits = ({ about }: InboxItem, { tool, agentId }: Wanted): boolean =>
  (tool === undefined || about.action?.tool.name === tool) &&
  (agentId === undefined || about.agentId === agentId);

/** One page of what this person may answer. `cursor` is the place of the last request looked at. */
export const inboxPage = (
  world: ApiWorld,
  caller: Caller,
  wanted: Wanted,
  cursor: string | undefined,
): Promise<Filtered<PersonRequest, InboxItem>> => {
  const nowMs = world.clock.now();
  const { workspace } = caller;
  const { limit } = wanted;
  const show = async (requests: readonly PersonRequest[]) => {
    const own = requests.filter(
      (request) => isFor(caller, request, nowMs) && fits(request, wanted, nowMs),
    );
    const items = await inboxItems(world, own);
    const byId = new Map(items.map((item) => [item.requestId, item]));
    return requests.map(({ requestId }) => {
      const item = byId.get(requestId);
      return item !== undefined && aboutFits(item, wanted) ? item : undefined;
    });
  };
  return filtered(
    (from) =>
      wanted.order === 'oldest'
        ? world.lists.openRequests(workspace, { limit, cursor: from })
        : world.store.requestsOpenIn(workspace, limit, from),
    {
      limit,
      pagesMax: looksMax,
      cursor,
      placeOf: ({ openedAt, requestId }) => `${openedAt}#${requestId}`,
    },
    show,
  );
};

/** Open requests looked at for a count; more are told as more. */
const countedMax = 2_000;
const pageMax = 500;

export const countsFor = async ({ store, clock }: ApiWorld, caller: Caller) => {
  const counts = { total: 0, approval: 0, question: 0, skill: 0, recovery: 0 };
  let cursor: string | undefined;
  let seen = 0;
  do {
    const page = await store.requestsOpenIn(caller.workspace, pageMax, cursor);
    for (const request of page.items.filter((one) => isFor(caller, one, clock.now()))) {
      counts.total += 1;
      counts[request.on] += 1;
    }
    seen += page.items.length;
    cursor = page.next;
  } while (cursor !== undefined && seen < countedMax);
  return { needsYou: counts, more: cursor !== undefined };
};
