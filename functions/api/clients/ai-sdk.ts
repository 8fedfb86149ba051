// The AI SDK 7's useChat: POST says the newest message, or hands in the answers that the newest assistant message carries; GET tells
// the run in progress from its beginning. Owns: which of these a request is, and where its stream begins.
// Laws: L11, L12 (the answer first), L13.

import type { AgentId } from '../../core/base/ids.ts';
import type { Conversation } from '../../core/records/conversation.ts';
import type { ClientsWorld } from '../../wiring/clients.ts';
import { conversationFor } from '../http/found.ts';
import type { Caller } from '../identity/identity.ts';
import { problem } from '../problems/problems.ts';
import {
  aiSdkChunks,
  aiSdkEnd,
  aiSdkHeaders,
  aiSdkOpening,
  answeredBy,
  answerIdOf,
} from '../projections/ai-sdk.ts';
import { type ChatInput, type ChatSaid, chatSaid } from '../projections/ai-sdk-input.ts';
import { type Have, hasNothing } from '../projections/have.ts';
import { misfit } from '../projections/said.ts';
import { answerParts } from './answers.ts';
import type { Speaker, Telling } from './tell.ts';
import {
  type Beginning,
  beginningOfMessage,
  beginningOfRun,
  beginThread,
  checkSayable,
  conversationOfThread,
  messageSaid,
  newestOwn,
  same,
  say,
  type Thread,
} from './threads.ts';

const speaking = (conversation: Conversation, { strand }: Beginning, id?: string): Speaker => {
  const { conversationId, activeRun, lastRun } = conversation;
  const { messageId } = strand;
  const runId = activeRun ?? lastRun?.runId;
  const of = messageId ?? runId;
  const answerId = id ?? (of === undefined ? conversationId : answerIdOf(of));
  return {
    headers: aiSdkHeaders,
    opening: aiSdkOpening(answerId, {
      conversationId,
      ...(messageId === undefined ? {} : { messageId }),
      ...(runId === undefined ? {} : { runId }),
    }),
    tell: aiSdkChunks,
    closing: aiSdkEnd,
  };
};

const tellingOf = (
  conversation: Conversation,
  beginning: Beginning,
  have: Have,
  id?: string,
): Telling => ({
  conversationId: conversation.conversationId,
  beginning,
  have,
  speaker: speaking(conversation, beginning, id),
});

const saying = async (
  { api }: ClientsWorld,
  caller: Caller,
  thread: Thread,
  { clientId, text, answers }: Extract<ChatSaid, { kind: 'message' }>,
): Promise<Telling> => {
  if (text.trim() === '') throw misfit('messages', 'nothing_new');
  checkSayable(text);
  const conversation = await beginThread(api, caller, thread);
  await answerParts(api, caller, conversation, answers);
  const { conversationId } = conversation;
  const earlier = await messageSaid(api.store, caller, conversationId, clientId);
  const message = earlier
    ? same(earlier, text)
    : await say(api, caller, conversation, { clientId, text });
  const { item } = await conversationFor(api.store, caller, conversationId);
  return tellingOf(
    item,
    await beginningOfMessage(api, conversationId, message, undefined),
    hasNothing,
  );
};

/** The stream goes on in the assistant message that carries the answers. */
const answering = async (
  { api }: ClientsWorld,
  caller: Caller,
  thread: Thread,
  { messageId, answers, have }: Extract<ChatSaid, { kind: 'answers' }>,
): Promise<Telling> => {
  const conversation = await conversationOfThread(api, caller, thread);
  if (conversation === undefined) throw problem('not-found', {});
  await answerParts(api, caller, conversation, answers);
  const { conversationId } = conversation;
  const of = answeredBy(messageId);
  const message = of && (await messageSaid(api.store, caller, conversationId, of));
  const beginning = message
    ? await beginningOfMessage(api, conversationId, message, 'joins')
    : await beginningOfRun(
        api,
        conversation,
        conversation.activeRun ?? conversation.lastRun?.runId,
      );
  return tellingOf(conversation, beginning, have, messageId);
};

/** Reads and records what the client posts. Throws the problem that stands against it; then nothing streams. */
export const runAiSdk = async (
  world: ClientsWorld,
  caller: Caller,
  agentId: AgentId,
  input: ChatInput,
): Promise<Telling> => {
  const thread: Thread = { agentId, name: input.id };
  const said = chatSaid(input);
  if (said === undefined) throw misfit('messages', 'nothing_new');
  return said.kind === 'message'
    ? saying(world, caller, thread, said)
    : answering(world, caller, thread, said);
};

/** The run in progress, told from where the caller's newest message in it is answered; undefined when none is. */
export const resumeAiSdk = async (
  { api }: ClientsWorld,
  caller: Caller,
  agentId: AgentId,
  threadId: string,
): Promise<Telling | undefined> => {
  const conversation = await conversationOfThread(api, caller, { agentId, name: threadId });
  if (conversation?.activeRun === undefined) return undefined;
  const own = await newestOwn(api.store, caller, conversation);
  const beginning = own
    ? await beginningOfMessage(api, conversation.conversationId, own, 'joins')
    : await beginningOfRun(api, conversation, conversation.activeRun);
  return tellingOf(conversation, beginning, hasNothing);
};
