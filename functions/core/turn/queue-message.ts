// A message that waits for the run in progress to end, and then starts the next one: how a routine queues.
// Owns: the conversation's queue. Laws: L11 (its one fate is to start the next run; Finish takes it in its own transaction).
// Tested in test/core/turn/runs.test.ts.

import type { Author } from '../base/author.ts';
import type { MessageId, OccurrenceId, RunId } from '../base/ids.ts';
import type { Change, Versioned, Write } from '../records/change.ts';
import type { Conversation, Message } from '../records/conversation.ts';
import type { EventBody } from '../records/event.ts';
import type { AgentRevision } from '../registry/agent.ts';
import { newRun, startRun } from './post-message.ts';

export interface Queueing {
  readonly conversation: Versioned<Conversation>;
  readonly message: {
    readonly messageId: MessageId;
    readonly text: string;
    readonly author: Author;
  };
  /** The run it will start. */
  readonly runId: RunId;
  readonly occurrenceId: OccurrenceId;
  readonly nowIso: string;
}

export const queueMessage = ({
  conversation,
  message,
  runId,
  occurrenceId,
  nowIso,
}: Queueing): Change => {
  const before = conversation.item;
  const { messageId, text, author } = message;
  const item: Message = {
    schema: 1,
    workspace: before.workspace,
    conversationId: before.conversationId,
    messageId,
    number: before.messageNumber + 1,
    text,
    author,
    at: nowIso,
    fate: { fate: 'waiting' },
  };
  return {
    conversation,
    conversationNext: {
      ...before,
      messageNumber: item.number,
      queued: [...before.queued, { messageId, runId, occurrenceId }],
    },
    events: [{ type: 'message.received', messageId, text, from: author.name, fate: 'waits' }],
    writes: [{ do: 'put', kind: 'message', item }],
  };
};

/** The run that the queue's first message starts in a conversation that was just released; undefined when none waits. */
export const startQueued = (
  released: Conversation,
  agent: AgentRevision,
  nowIso: string,
):
  | {
      readonly conversation: Conversation;
      readonly writes: Write[];
      readonly events: EventBody[];
      readonly starts: NonNullable<Change['starts']>;
    }
  | undefined => {
  const [first, ...queued] = released.queued;
  if (first === undefined) return undefined;
  const { messageId, runId, occurrenceId } = first;
  const { writes, event } = startRun(newRun(released, agent, runId, messageId, nowIso));
  return {
    conversation: {
      ...released,
      queued,
      pending: [messageId],
      activeRun: runId,
      runs: released.runs + 1,
    },
    writes,
    events: [event, { type: 'routine.fired', occurrence: occurrenceId, runId }],
    starts: [{ runId, segment: 1 }],
  };
};
