// Conversations: made, listed, read. What happens in them arrives by messages and shows as events.
import { z } from 'zod';
import type { Conversation } from '../../core/conversation.ts';
import { AgentId, ConversationId } from '../../core/ids.ts';
import type { Store } from '../../ports/store.ts';
import { cursorIn, cursorOut } from '../cursor.ts';
import { conversationFor } from '../found.ts';
import type { Caller } from '../identity.ts';
import { type Route, reading, route } from '../operation.ts';
import { problem } from '../problems.ts';
import { ConversationSummary, ConversationView, none, PageQuery, pageOf } from '../schemas.ts';
import { conversationSummary, conversationView, isOpen } from '../views.ts';

const one = z.strictObject({ conversationId: ConversationId });

const unknownAgent = {
  en: 'There is no such agent in this workspace.',
  fr: 'Cet agent n’existe pas dans cet espace de travail.',
};

const create = route(
  {
    operationId: 'createConversation',
    method: 'post',
    path: '/v1/conversations',
    tag: 'conversations',
    summary: 'Begin a conversation with an agent',
    params: none,
    query: none,
    body: z.strictObject({ agentId: AgentId, title: z.string().trim().max(200).default('') }),
    answers: {
      201: { description: 'Begun.', schema: z.strictObject({ conversationId: ConversationId }) },
    },
    example: { agentId: 'agt_0000000000000000000000000A', title: 'Order 4711' },
  },
  async ({ world, caller, body, suffix }) => {
    if ((await world.registry.newestAgent(caller.workspace, body.agentId)) === undefined)
      throw problem(
        'invalid-body',
        {},
        {
          errors: (language) => [
            { field: 'agentId', code: 'unknown_agent', reason: unknownAgent[language] },
          ],
        },
      );
    const wanted: Conversation = {
      schema: 1,
      workspace: caller.workspace,
      conversationId: ConversationId.parse(`cnv_${suffix}`),
      agentId: body.agentId,
      title: body.title,
      createdAt: new Date(world.clock.now()).toISOString(),
      createdBy: caller.author,
      eventNumber: 0,
      messageNumber: 0,
      runs: 0,
      pending: [],
      facts: [],
    };
    const { item } = await world.store.createConversation(wanted);
    if (item.agentId !== wanted.agentId || item.title !== wanted.title)
      throw problem('idempotency-key-reused', {});
    return { status: 201, body: { conversationId: item.conversationId } };
  },
);

/** Open requests looked at to mark a page of conversations. */
const marksFrom = 1_000;

/** How many requests wait in each conversation of the workspace. */
const openByConversation = async (
  store: Store,
  caller: Caller,
): Promise<ReadonlyMap<string, number>> => {
  const { items } = await store.requestsOpenIn(caller.workspace, marksFrom);
  const counts = new Map<string, number>();
  for (const request of items.filter(isOpen))
    counts.set(request.conversationId, (counts.get(request.conversationId) ?? 0) + 1);
  return counts;
};

const list = reading(
  {
    operationId: 'listConversations',
    method: 'get',
    path: '/v1/conversations',
    tag: 'conversations',
    summary: 'Conversations of the workspace, newest first',
    description:
      'A reader remembers the `eventNumber` it saw of each; a greater one with `marks.finished` means that a run ended while they were away.',
    params: none,
    query: PageQuery,
    answers: { 200: { description: 'A page.', schema: pageOf(ConversationSummary) } },
    problems: ['invalid-query', 'bad-cursor'],
  },
  async ({ world, caller, query }) => {
    const { workspace } = caller;
    const cursor = cursorIn('conversations', workspace, query.cursor);
    const [page, open] = await Promise.all([
      world.store.conversationsOf(workspace, query.limit, cursor),
      openByConversation(world.store, caller),
    ]);
    const items = page.items.map((item) =>
      conversationSummary(item, open.get(item.conversationId) ?? 0),
    );
    const next = page.next && cursorOut('conversations', workspace, page.next);
    return { status: 200, body: { items, next } };
  },
);

const get = reading(
  {
    operationId: 'getConversation',
    method: 'get',
    path: '/v1/conversations/{conversationId}',
    tag: 'conversations',
    summary: 'One conversation, and what its run does',
    params: one,
    query: none,
    answers: { 200: { description: 'The conversation.', schema: ConversationView } },
  },
  async ({ world, caller, params }) => {
    const { item } = await conversationFor(world.store, caller, params.conversationId);
    const found = item.activeRun && (await world.store.read({ run: item.activeRun }));
    return { status: 200, body: conversationView(item, found?.run?.item) };
  },
);

export const conversationRoutes: readonly Route[] = [create, list, get];
