// A client's thread as a conversation, and where in its log the answer to a message begins. A conversation's own id stands
// for itself; any other name stands for one conversation of this person with this agent, with an id made from it as ids are made
// from an Idempotency-Key. Owns: that mapping. Laws: L11 (the same message, said again, is one message), L13.
// Tested in test/functions/api/clients/ai-sdk.test.ts.

import { jsonBytes } from '../../core/base/cut.ts';
import { Defect } from '../../core/base/errors.ts';
import {
  type AgentId,
  ConversationId,
  MessageId,
  type RunId,
  suffixFor,
} from '../../core/base/ids.ts';
import { messageBytesMax } from '../../core/base/limits.ts';
import {
  type Conversation,
  type Message,
  messageCharactersMax,
  newConversation,
} from '../../core/records/conversation.ts';
import type { EventBody } from '../../core/records/event.ts';
import type { Store } from '../../ports/store.ts';
import type { ApiWorld } from '../../wiring/api.ts';
import { ours } from '../http/found.ts';
import { type Caller, mustMay } from '../identity/identity.ts';
import { Problem, problem } from '../problems/problems.ts';
import { misfit } from '../projections/said.ts';
import { newStrand, type Strand } from '../projections/strand.ts';
import { post } from '../routes/messages.ts';

export interface Thread {
  readonly agentId: AgentId;
  /** As the client names it. */
  readonly name: string;
}

/** Before anything is begun for it. Throws `body-too-large` for a text that no message can hold. */
export const checkSayable = (text: string): void => {
  if (text.length > messageCharactersMax || jsonBytes(text) > messageBytesMax)
    throw problem('body-too-large', { bytesMax: messageBytesMax });
};

const idFor = (caller: Caller, { agentId, name }: Thread): ConversationId =>
  ConversationId.safeParse(name).data ??
  ConversationId.parse(
    `cnv_${suffixFor({
      workspace: caller.workspace,
      subject: caller.author.subject,
      route: `thread with ${agentId}`,
      idempotencyKey: name,
    })}`,
  );

/** The thread's conversation, or undefined while nothing was said in it. Throws `not-found` for another's. */
export const conversationOfThread = async (
  { store }: Pick<ApiWorld, 'store'>,
  caller: Caller,
  thread: Thread,
): Promise<Conversation | undefined> => {
  const conversation = idFor(caller, thread);
  const found = (await store.read({ conversation })).conversation;
  const named = ConversationId.safeParse(thread.name).success;
  if (found === undefined && !named) return undefined;
  const { item } = ours(caller, found);
  if (item.agentId !== thread.agentId) throw problem('not-found', {});
  return item;
};

/** The thread's conversation; begun now where there is none. */
export const beginThread = async (
  world: ApiWorld,
  caller: Caller,
  thread: Thread,
): Promise<Conversation> => {
  const known = await conversationOfThread(world, caller, thread);
  if (known !== undefined) return known;
  mustMay(caller, 'createConversation');
  const { agentId } = thread;
  if ((await world.registry.newestAgent(caller.workspace, agentId)) === undefined)
    throw problem('not-found', {});
  const { item } = await world.store.createConversation(
    newConversation({
      workspace: caller.workspace,
      conversationId: idFor(caller, thread),
      agentId,
      title: '',
      createdAt: new Date(world.clock.now()).toISOString(),
      createdBy: caller.author,
    }),
  );
  return item;
};

const suffixOf = (caller: Caller, conversationId: ConversationId, clientId: string): string =>
  suffixFor({
    workspace: caller.workspace,
    subject: caller.author.subject,
    route: `message in ${conversationId}`,
    idempotencyKey: clientId,
  });

const stored = async (
  store: Pick<Store, 'read'>,
  conversationId: ConversationId,
  messageId: MessageId,
): Promise<Message | undefined> =>
  (await store.read({ messages: [{ conversationId, messageId }] })).messages[0]?.item;

/** A client's message as it is stored: by the id made from its own, or by ours where the client shows what it read from us. */
export const messageSaid = async (
  store: Pick<Store, 'read'>,
  caller: Caller,
  conversationId: ConversationId,
  clientId: string,
): Promise<Message | undefined> => {
  const ours = MessageId.safeParse(clientId).data;
  const found = ours && (await stored(store, conversationId, ours));
  if (found) return found;
  const made = MessageId.parse(`msg_${suffixOf(caller, conversationId, clientId)}`);
  return stored(store, conversationId, made);
};

/** What was said before under this id, where it is the same. */
export const same = (earlier: Message, text: string): Message => {
  if (earlier.text !== text) throw misfit('messages', 'id_reused');
  return earlier;
};

/** Says it, once for each client's id of it: starts a run or steers the one in progress. */
export const say = async (
  world: ApiWorld,
  caller: Caller,
  { conversationId }: Conversation,
  { clientId, text }: { readonly clientId: string; readonly text: string },
): Promise<Message> => {
  mustMay(caller, 'postMessage');
  const suffix = suffixOf(caller, conversationId, clientId);
  const { messageId } = await post(world, caller, { conversationId, text, suffix }).catch(
    (cause: unknown) => {
      // Said by another connection since it was looked for. Here there is no key, there are messages' ids.
      if (cause instanceof Problem && cause.slug === 'idempotency-key-reused')
        throw misfit('messages', 'id_reused');
      throw cause;
    },
  );
  const message = await stored(world.store, conversationId, messageId);
  if (message === undefined) throw new Defect(`The message ${messageId} was posted and is gone.`);
  return message;
};

const windowFirst = 200;

/** The number before that of the newest event that `holds`; searched backwards, since what is asked about is recent. */
const numberBefore = async (
  store: Pick<Store, 'eventsAfter'>,
  conversationId: ConversationId,
  last: number,
  holds: (body: EventBody) => boolean,
): Promise<number> => {
  for (let size = windowFirst; ; size *= 2) {
    const from = Math.max(0, last - size);
    const events = await store.eventsAfter(conversationId, from, last - from);
    const found = events.findLast(({ body }) => holds(body));
    if (found !== undefined) return found.number - 1;
    if (from === 0) return 0;
  }
};

/** Where a strand begins: the number of the last event before it. */
export interface Beginning {
  readonly after: number;
  readonly strand: Strand;
}

/** `joins`: what the person has said since is answered in the same stream, since an answer that it was given goes on in it. */
export const beginningOfMessage = async (
  { store }: Pick<ApiWorld, 'store'>,
  conversationId: ConversationId,
  message: Message,
  joins: 'joins' | undefined,
): Promise<Beginning> => {
  const { conversation } = await store.read({ conversation: conversationId });
  const last = conversation?.item.eventNumber ?? 0;
  const { messageId, author } = message;
  const after = await numberBefore(
    store,
    conversationId,
    last,
    (body) => body.type === 'message.received' && body.messageId === messageId,
  );
  return { after, strand: newStrand(messageId, author.subject, joins === undefined ? 0 : last) };
};

/** Of a whole run: from its first message where one began it. */
export const beginningOfRun = async (
  world: Pick<ApiWorld, 'store'>,
  { conversationId, eventNumber }: Conversation,
  runId: RunId | undefined,
): Promise<Beginning> => {
  const run = runId && (await world.store.read({ run: runId })).run?.item;
  const first = run?.firstMessageId;
  const message = first && (await stored(world.store, conversationId, first));
  if (message) return beginningOfMessage(world, conversationId, message, 'joins');
  const after = await numberBefore(
    world.store,
    conversationId,
    eventNumber,
    (body) => body.type === 'run.started' && body.runId === runId,
  );
  return { after, strand: newStrand(undefined, undefined) };
};

/** The newest message of the caller's own that the run in progress has read, or else will read. */
export const newestOwn = async (
  store: Pick<Store, 'messagesOf'>,
  caller: Caller,
  { conversationId, activeRun }: Conversation,
): Promise<Message | undefined> => {
  const own = (await store.messagesOf(conversationId))
    .filter(({ author }) => author.subject === caller.author.subject)
    .toSorted((a, b) => b.number - a.number);
  const isRead = ({ fate }: Message): boolean =>
    (fate.fate === 'started' || fate.fate === 'taken') && fate.runId === activeRun;
  return own.find(isRead) ?? own.find(({ fate }) => fate.fate === 'waiting');
};
