// Conversations: made, listed, read. What happens in them arrives by messages and shows as events.
// Tested in test/functions/api/routes/routes.test.ts.
import { z } from 'zod';
import { Defect } from '../../core/base/errors.ts';
import { AgentId, ConversationId } from '../../core/base/ids.ts';
import { type Conversation, newConversation } from '../../core/records/conversation.ts';
import type { ApiWorld } from '../../wiring/api.ts';
import { cursorIn, cursorOut } from '../http/cursor.ts';
import { conversationFor } from '../http/found.ts';
import { type Route, reading, route } from '../http/operation.ts';
import type { Caller } from '../identity/identity.ts';
import { conversationPage } from '../lists/conversation-list.ts';
import { marksOf } from '../lists/marks.ts';
import { problem } from '../problems/problems.ts';
import { ConversationsPage, ConversationsQuery } from '../schemas/lists.ts';
import { MarksView } from '../schemas/people.ts';
import { ConversationView, none } from '../schemas/schemas.ts';
import { conversationView } from '../schemas/views.ts';

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
    description: 'Without a title it is called by the first line that is said in it.',
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
    const wanted = newConversation({
      workspace: caller.workspace,
      conversationId: ConversationId.parse(`cnv_${suffix}`),
      agentId: body.agentId,
      title: body.title,
      createdAt: new Date(world.clock.now()).toISOString(),
      createdBy: caller.author,
    });
    const { item } = await world.store.createConversation(wanted);
    // Begun without a title, it was given one by its first message.
    const titled = wanted.title === '' && item.messageNumber > 0;
    if (item.agentId !== wanted.agentId || (item.title !== wanted.title && !titled))
      throw problem('idempotency-key-reused', {});
    return { status: 201, body: { conversationId: item.conversationId } };
  },
);

const list = reading(
  {
    operationId: 'listConversations',
    method: 'get',
    path: '/v1/conversations',
    tag: 'conversations',
    summary: 'Conversations of the workspace, newest first',
    description:
      'The marks are yours, the same on all your clients: say what you have read by `POST /v1/conversations/{id}/read`. A narrowed page can hold fewer than `limit`, or none, and still have a next one: `lookedTo` says how far it looked.',
    params: none,
    query: ConversationsQuery,
    answers: { 200: { description: 'A page.', schema: ConversationsPage } },
    problems: ['invalid-query', 'bad-cursor'],
  },
  async ({ world, caller, query }) => {
    const { workspace } = caller;
    const cursor = cursorIn('conversations', workspace, query.cursor);
    const page = await conversationPage(world, caller, query, cursor);
    const next = page.next && cursorOut('conversations', workspace, page.next);
    const { items, lookedTo } = page;
    return { status: 200, body: { items, next, lookedTo: lookedTo?.createdAt } };
  },
);

const viewFor = async (
  world: ApiWorld,
  caller: Caller,
  item: Conversation,
): Promise<ConversationView> => {
  const [found, [marks]] = await Promise.all([
    item.activeRun && world.store.read({ run: item.activeRun }),
    marksOf(world, caller, [item]),
  ]);
  if (marks === undefined) throw new Defect('One conversation has one set of marks.');
  return conversationView(item, found ? found.run?.item : undefined, marks);
};

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
    return { status: 200, body: await viewFor(world, caller, item) };
  },
);

const read = route(
  {
    operationId: 'readConversation',
    method: 'post',
    path: '/v1/conversations/{conversationId}/read',
    tag: 'conversations',
    summary: 'Say how far you have read',
    description:
      'Clears your marks up to that event, on all your clients. A lower number than before changes nothing.',
    params: one,
    query: none,
    body: z.strictObject({ number: z.int().nonnegative().describe('The last event you saw.') }),
    answers: { 200: { description: 'Noted.', schema: MarksView } },
    example: { number: 12 },
  },
  async ({ world, caller, params, body }) => {
    const { item } = await conversationFor(world.store, caller, params.conversationId);
    // A number that was never given out would silence what is yet to come.
    const number = Math.min(body.number, item.eventNumber);
    const { subject } = caller.author;
    const { conversationId } = item;
    await world.people.putReadMark({ schema: 1, conversationId, subject, number });
    return { status: 200, body: (await viewFor(world, caller, item)).marks };
  },
);

export const conversationRoutes: readonly Route[] = [create, list, get, read];
