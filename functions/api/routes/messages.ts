// Messages: said once, each with one fate. Laws: L11 (one run; none is lost), L13 (the sender is the session's).
// Tested in test/functions/api/routes/routes.test.ts.
import { z } from 'zod';
import { Defect } from '../../core/base/errors.ts';
import { ConversationId, MessageId, RunId } from '../../core/base/ids.ts';
import { messageBytesMax } from '../../core/base/limits.ts';
import {
  type Conversation,
  Message,
  messageCharactersMax,
  pendingMessagesMax,
} from '../../core/records/conversation.ts';
import { type Posted, postMessage } from '../../core/turn/post-message.ts';
import { supersede } from '../../core/turn/supersede.ts';
import { withdraw } from '../../core/turn/withdraw.ts';
import { openRequestsOf } from '../../run/open-requests.ts';
import { type ApiWorld, deciding } from '../../wiring/api.ts';
import { fitting } from '../http/fitting.ts';
import { conversationFor, ours } from '../http/found.ts';
import { type Route, reading, route } from '../http/operation.ts';
import type { Caller } from '../identity/identity.ts';
import { problem } from '../problems/problems.ts';
import { MessagePosted, none, pageOf } from '../schemas/schemas.ts';

const inConversation = z.strictObject({ conversationId: ConversationId });
const one = inConversation.extend({ messageId: MessageId });
const After = z.strictObject({
  after: z.coerce.number().int().min(0).default(0).describe('Messages up to this are left out.'),
});

export type Fate = z.infer<typeof MessagePosted>;

/** What a stored message became, for a repeat of the request that posted it. */
const fateOf = (message: Message, conversation: Conversation, ownRun: RunId): Fate => {
  const { messageId, fate } = message;
  // The run it would start has an id of its own: where that run is active, it did.
  if (conversation.activeRun === ownRun) return { messageId, fate: 'started', runId: ownRun };
  switch (fate.fate) {
    case 'started':
      return { messageId, fate: 'started', runId: fate.runId };
    case 'taken':
    case 'held':
      return { messageId, fate: 'steering', runId: fate.runId };
    case 'waiting':
    case 'withdrawn': {
      const runId = conversation.activeRun ?? conversation.lastRun?.runId;
      if (runId === undefined) throw new Defect(`The message ${messageId} waits for no run.`);
      return { messageId, fate: 'steering', runId };
    }
  }
};

const posted = (outcome: Extract<Posted, { kind: 'change' }>, messageId: MessageId): Fate => ({
  messageId,
  fate: outcome.fate,
  runId: outcome.runId,
});

export interface Posting {
  readonly conversationId: ConversationId;
  readonly text: string;
  readonly suffix: string;
  /** Throws the problem that stands against a new message; not asked when the message is there already. */
  readonly check?: (conversation: Conversation) => void;
  /** What the run waits for is voided, and it reads the message at once. */
  readonly supersede?: boolean;
}

/** The change of a message that supersedes: with the release of what its run waits for, or of the first part of it. */
const superseding = async (
  { store }: ApiWorld,
  caller: Caller,
  outcome: Extract<Posted, { kind: 'change' }>,
  nowIso: string,
): Promise<ReturnType<typeof supersede>> => {
  if (outcome.fate === 'started') return { change: outcome.change, first: false };
  const run = ours(caller, (await store.read({ run: outcome.runId })).run);
  const open = await openRequestsOf(store, run.item, 'asked');
  return supersede({ ...open, run, posted: outcome, by: caller.author, nowIso });
};

/** Posts a message: two reads, one transaction. Throws the problem that stands against it. */
export const post = async (world: ApiWorld, caller: Caller, posting: Posting): Promise<Fate> => {
  let fate: Fate | 'more' = 'more';
  while (fate === 'more') fate = await postOnce(world, caller, posting);
  return fate;
};

/** `more`: a part of what the run waits for was released, and more is left. */
const postOnce = (world: ApiWorld, caller: Caller, posting: Posting): Promise<Fate | 'more'> => {
  const { conversationId, text, suffix } = posting;
  const messageId = MessageId.parse(`msg_${suffix}`);
  const ownRun = RunId.parse(`run_${suffix}`);
  return deciding<Fate | 'more'>(world, async () => {
    const found = await world.store.read({
      conversation: conversationId,
      messages: [{ conversationId, messageId }],
    });
    const conversation = ours(caller, found.conversation);
    const earlier = found.messages[0]?.item;
    if (earlier !== undefined) {
      if (earlier.text !== text) throw problem('idempotency-key-reused', {});
      return { kind: 'answer', answer: fateOf(earlier, conversation.item, ownRun) };
    }
    posting.check?.(conversation.item);
    const { agentId } = conversation.item;
    const agent = await world.registry.newestAgent(caller.workspace, agentId);
    if (agent === undefined)
      throw new Defect(`The agent ${agentId} of ${conversationId} is not in the registry.`);
    const nowIso = new Date(world.clock.now()).toISOString();
    const outcome = postMessage({
      conversation,
      agent,
      message: { messageId, text, author: caller.author },
      runId: ownRun,
      nowIso,
    });
    // Characters are counted by the schema; these take more bytes in the store than an item holds.
    if (outcome.kind === 'refused' && outcome.because === 'too_long')
      throw problem('body-too-large', { bytesMax: messageBytesMax });
    if (outcome.kind === 'refused')
      throw problem('too-many-messages-waiting', { max: pendingMessagesMax });
    const { change, first } =
      posting.supersede === true
        ? await superseding(world, caller, outcome, nowIso)
        : { change: outcome.change, first: false };
    return { kind: 'commit', change, answer: first ? 'more' : posted(outcome, messageId) };
  });
};

const send = route(
  {
    operationId: 'postMessage',
    method: 'post',
    path: '/v1/conversations/{conversationId}/messages',
    tag: 'conversations',
    summary: 'Say something: starts a run, or steers the one in progress',
    description:
      'At most one run per conversation: while one is in progress a message steers it and is read at its next step. A run that waits for a person goes on waiting, unless the message supersedes.',
    params: inConversation,
    query: none,
    body: z.strictObject({
      text: z
        .string()
        .max(messageCharactersMax)
        .regex(/\S/)
        .describe('What is said; not only blanks.'),
      supersede: z
        .boolean()
        .default(false)
        .describe('Void what the run waits for, so that it reads this at once.'),
    }),
    answers: { 202: { description: 'Taken.', schema: MessagePosted } },
    problems: ['too-many-messages-waiting'],
    example: { text: 'Please refund order 4711.' },
  },
  async ({ world, caller, params, body, suffix }) => ({
    status: 202,
    body: await post(world, caller, { ...params, ...body, suffix }),
  }),
);

const list = reading(
  {
    operationId: 'listMessages',
    method: 'get',
    path: '/v1/conversations/{conversationId}/messages',
    tag: 'conversations',
    summary: 'Messages of a conversation, oldest first',
    description: 'All that fit into one answer; `next` is the `after` of the next page.',
    params: inConversation,
    query: After,
    answers: { 200: { description: 'A page.', schema: pageOf(Message) } },
    problems: ['invalid-query'],
  },
  async ({ world, caller, params, query }) => {
    const { store } = world;
    const [, all] = await Promise.all([
      conversationFor(store, caller, params.conversationId),
      store.messagesOf(params.conversationId),
    ]);
    const beyond = all
      .filter(({ number }) => number > query.after)
      .toSorted((a, b) => a.number - b.number);
    const items = fitting(beyond);
    const next = items.length < beyond.length ? String(items.at(-1)?.number) : undefined;
    return { status: 200, body: { items, next } };
  },
);

const takeBack = reading(
  {
    operationId: 'withdrawMessage',
    method: 'delete',
    path: '/v1/conversations/{conversationId}/messages/{messageId}',
    tag: 'conversations',
    summary: 'Withdraw a message that nobody has read yet',
    description: 'Only its sender can. Withdrawing it again changes nothing and is no error.',
    params: one,
    query: none,
    answers: { 200: { description: 'Withdrawn.', schema: Message } },
    problems: ['message-taken', 'message-of-another'],
  },
  async ({ world, caller, params }) => {
    const body = await deciding<Message>(world, async () => {
      const found = await world.store.read({
        conversation: params.conversationId,
        messages: [params],
      });
      const conversation = ours(caller, found.conversation);
      const message = ours(caller, found.messages[0]);
      const nowIso = new Date(world.clock.now()).toISOString();
      const outcome = withdraw(conversation, message, caller.author.subject, nowIso);
      if (outcome.kind === 'change') {
        const answer: Message = { ...message.item, fate: { fate: 'withdrawn', at: nowIso } };
        return { kind: 'commit', change: outcome.change, answer };
      }
      switch (outcome.because) {
        case 'withdrawn':
          return { kind: 'answer', answer: message.item };
        case 'taken':
          throw problem('message-taken', {});
        case 'not_sender':
          throw problem('message-of-another', {});
      }
    });
    return { status: 200, body };
  },
);

export const messageRoutes: readonly Route[] = [send, list, takeBack];
