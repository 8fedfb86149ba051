// A message arrives: it starts a run, or steers the one in progress. Owns: that decision, as one change.
// Laws: L11 (the lock is the conversation item; one fate per message), L15 (the run pins the revision), L17.
// Tested in test/core/turn/runs.test.ts.

import type { Author } from '../base/author.ts';
import { jsonBytes } from '../base/cut.ts';
import type { MessageId, RunId } from '../base/ids.ts';
import { messageBytesMax } from '../base/limits.ts';
import type { Change, Versioned, Write } from '../records/change.ts';
import {
  type Conversation,
  type Message,
  messageCharactersMax,
  pendingMessagesMax,
} from '../records/conversation.ts';
import type { EventBody } from '../records/event.ts';
import { noUsage, type Run } from '../records/run.ts';
import type { AgentRevision } from '../registry/agent.ts';

export interface Posting {
  readonly conversation: Versioned<Conversation>;
  /** The newest revision of the conversation's agent. */
  readonly agent: AgentRevision;
  readonly message: {
    readonly messageId: MessageId;
    readonly text: string;
    readonly author: Author;
  };
  /** The id of the run, should the message start one. */
  readonly runId: RunId;
  readonly nowIso: string;
}

export type Posted =
  | {
      readonly kind: 'change';
      readonly change: Change;
      readonly fate: 'started' | 'steering';
      readonly runId: RunId;
    }
  | { readonly kind: 'refused'; readonly because: 'too_many_pending' | 'too_long' | 'empty' };

/** What a new run looks like, before its first segment was admitted. */
export const newRun = (
  conversation: Conversation,
  agent: AgentRevision,
  runId: RunId,
  firstMessageId: MessageId | undefined,
  nowIso: string,
): Run => ({
  schema: 1,
  workspace: conversation.workspace,
  runId,
  conversationId: conversation.conversationId,
  agentId: agent.agentId,
  revision: agent.revision,
  state: { status: 'running' },
  fence: 0,
  segment: 1,
  wakeNo: 0,
  parked: false,
  step: 0,
  stepLimit: agent.configuration.stepLimit,
  ...(firstMessageId === undefined ? {} : { firstMessageId }),
  ...(conversation.lastRun &&
  (conversation.lastRun.reason === 'failed' || conversation.lastRun.reason === 'stopped')
    ? { unlikeRun: conversation.lastRun.runId }
    : {}),
  number: conversation.runs + 1,
  startedAt: nowIso,
  touchedAt: nowIso,
  segmentEvents: 0,
  usage: noUsage,
  skills: [],
  deaths: 0,
});

/** The writes and events that bring a run into being; used by a message and by Finish at the step limit. */
export const startRun = (run: Run): { readonly writes: Write[]; readonly event: EventBody } => ({
  writes: [
    { do: 'put', kind: 'run', item: run },
    {
      do: 'put',
      kind: 'run-reference',
      item: {
        schema: 1,
        conversationId: run.conversationId,
        number: run.number,
        runId: run.runId,
      },
    },
  ],
  event: {
    type: 'run.started',
    runId: run.runId,
    agentId: run.agentId,
    revision: run.revision,
    ...(run.firstMessageId === undefined ? {} : { messageId: run.firstMessageId }),
  },
});

const refusal = (posting: Posting): 'too_many_pending' | 'too_long' | 'empty' | undefined => {
  if (posting.message.text.trim() === '') return 'empty';
  const { text } = posting.message;
  if (text.length > messageCharactersMax || jsonBytes(text) > messageBytesMax) return 'too_long';
  if (posting.conversation.item.pending.length >= pendingMessagesMax) return 'too_many_pending';
  return undefined;
};

const titleCharactersMax = 80;

/** What a conversation is called that was begun without a title: the first line that was said in it, cut. */
export const titleFrom = (text: string): string => {
  const [line = ''] = text.trim().split(/\r?\n/, 1);
  const letters = [...line.trim().slice(0, 2 * (titleCharactersMax + 1))];
  if (letters.length <= titleCharactersMax) return letters.join('');
  return `${letters.slice(0, titleCharactersMax - 1).join('')}…`;
};

export const postMessage = (posting: Posting): Posted => {
  const because = refusal(posting);
  if (because) return { kind: 'refused', because };
  const before = posting.conversation.item;
  const starts = before.activeRun === undefined;
  const runId = before.activeRun ?? posting.runId;
  const { messageId, text, author } = posting.message;
  const message: Message = {
    schema: 1,
    workspace: before.workspace,
    conversationId: before.conversationId,
    messageId,
    number: before.messageNumber + 1,
    text,
    author,
    at: posting.nowIso,
    fate: { fate: 'waiting' },
  };
  const next: Conversation = {
    ...before,
    title: before.title === '' ? titleFrom(text) : before.title,
    messageNumber: message.number,
    pending: [...before.pending, messageId],
    ...(starts ? { activeRun: runId, runs: before.runs + 1 } : {}),
  };
  const received: EventBody = {
    type: 'message.received',
    messageId,
    text,
    from: author.name,
    fate: starts ? 'starts' : 'steers',
  };
  const started = starts
    ? startRun(newRun(before, posting.agent, runId, messageId, posting.nowIso))
    : undefined;
  return {
    kind: 'change',
    fate: starts ? 'started' : 'steering',
    runId,
    change: {
      conversation: posting.conversation,
      conversationNext: next,
      events: started ? [received, started.event] : [received],
      writes: [{ do: 'put', kind: 'message', item: message }, ...(started?.writes ?? [])],
      starts: started ? [{ runId, segment: 1 }] : [],
    },
  };
};
