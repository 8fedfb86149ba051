// A conversation with a run in progress, for tests of pure decisions at their limits.

import { AgentId, ConversationId, MessageId, RunId } from '../../functions/core/base/ids.ts';
import type { Change, Versioned } from '../../functions/core/records/change.ts';
import { recordsOf } from '../../functions/core/records/change.ts';
import type { Conversation, Message } from '../../functions/core/records/conversation.ts';
import type { Run } from '../../functions/core/records/run.ts';
import { newRun } from '../../functions/core/turn/post-message.ts';
import { at, startMs } from '../core/parts.ts';
import { agentOf, conversationOf } from '../fakes/items.ts';

export const idOf = (prefix: string, number: number): string =>
  `${prefix}_${String(number).padStart(26, '0')}`;

export const conversationId = ConversationId.parse(idOf('cnv', 0));
export const runId = RunId.parse(idOf('run', 0));
export const agent = agentOf('acme', AgentId.parse(idOf('agt', 0)), ['note']);

export const aConversation = (more: Partial<Conversation> = {}): Versioned<Conversation> => ({
  item: { ...conversationOf('acme', conversationId, agent.agentId), activeRun: runId, ...more },
  rev: 1,
});

export const aRun = (more: Partial<Run> = {}): Versioned<Run> => ({
  item: {
    ...newRun(aConversation().item, agent, runId, undefined, at(startMs)),
    fence: 1,
    ...more,
  },
  rev: 1,
});

export const aMessage = (number: number, text = 'Hello'): Versioned<Message> => ({
  rev: 1,
  item: {
    schema: 1,
    workspace: 'acme',
    conversationId,
    messageId: MessageId.parse(idOf('msg', number)),
    number,
    text,
    author: { kind: 'person', subject: 'ana', name: 'Ana' },
    at: at(startMs),
    fate: { fate: 'waiting' },
  },
});

/** How many items a change's transaction names. */
export const operationsIn = (change: Change): number => {
  const { events, outbox } = recordsOf(change, at(startMs), 'change');
  return 1 + change.writes.length + events.length + (outbox ? 1 : 0);
};
