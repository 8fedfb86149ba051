// A conversation: the thread, its lock and its numbers; and its messages, each with exactly one fate.
// Owns: their stored shape. Laws: L11 (at most one run; one fate per message), L17 (event numbers).
// Tested in test/core/turn/runs.test.ts.
import { z } from 'zod';
import { Author } from '../base/author.ts';
import { ActionId, AgentId, ConversationId, MessageId, OccurrenceId, RunId } from '../base/ids.ts';
import { runEnds } from './run.ts';

export const Conversation = z.strictObject({
  schema: z.literal(1),
  workspace: z.string(),
  conversationId: ConversationId,
  agentId: AgentId,
  title: z.string(),
  createdAt: z.iso.datetime(),
  createdBy: Author,
  /** Last event number; the next event is this plus one, by conditional write. */
  eventNumber: z.int().nonnegative(),
  messageNumber: z.int().nonnegative(),
  /** The lock: the one run that is not finished. */
  activeRun: RunId.optional(),
  lastRun: z.strictObject({ runId: RunId, reason: z.enum(runEnds) }).optional(),
  runs: z.int().nonnegative(),
  /** Messages that nobody has taken yet, oldest first. */
  pending: z.array(MessageId),
  /** Routines' messages that wait for the run in progress to end; each starts the run it names, in this order. */
  queued: z
    .array(z.strictObject({ messageId: MessageId, runId: RunId, occurrenceId: OccurrenceId }))
    .default([]),
  /** Actions whose outcome the next model call must be told beside its own results. */
  facts: z.array(ActionId).default([]),
  /** How many more there are than the list holds: said as a number, once. */
  factsBeyond: z.int().positive().optional(),
  /** Numbers of the last events of their kind; each reader's own number is held against them. */
  lastAsked: z.int().positive().optional(),
  lastFinished: z.int().positive().optional(),
  /** When its newest event was; left out while there is none, and by those from before it was kept. */
  activeAt: z.iso.datetime().optional(),
});
export type Conversation = z.infer<typeof Conversation>;

/** One in which nothing was said yet. */
export const newConversation = (
  begun: Pick<
    Conversation,
    'workspace' | 'conversationId' | 'agentId' | 'title' | 'createdAt' | 'createdBy'
  >,
): Conversation => ({
  schema: 1,
  ...begun,
  eventNumber: 0,
  messageNumber: 0,
  runs: 0,
  pending: [],
  queued: [],
  facts: [],
});

/** How far one person has read one conversation: the number of the last event they saw, on whichever client. */
export const ReadMark = z.strictObject({
  schema: z.literal(1),
  conversationId: ConversationId,
  subject: z.string().min(1),
  number: z.int().nonnegative(),
});
export type ReadMark = z.infer<typeof ReadMark>;

/** Messages that may wait to be taken; one more is refused, so that the item stays small. */
export const pendingMessagesMax = 100;
/** Firings of routines that may be queued in one conversation; one more is skipped. */
export const queuedMax = 20;
export const messageCharactersMax = 100_000;

export const MessageFate = z.discriminatedUnion('fate', [
  z.strictObject({ fate: z.literal('waiting') }),
  z.strictObject({ fate: z.literal('started'), runId: RunId }),
  z.strictObject({ fate: z.literal('taken'), runId: RunId, step: z.int().positive() }),
  /** The run it waited for was stopped or failed; offered to the person again. */
  z.strictObject({ fate: z.literal('held'), runId: RunId }),
  z.strictObject({ fate: z.literal('withdrawn'), at: z.iso.datetime() }),
]);
export type MessageFate = z.infer<typeof MessageFate>;

export const Message = z.strictObject({
  schema: z.literal(1),
  workspace: z.string(),
  conversationId: ConversationId,
  messageId: MessageId,
  number: z.int().positive(),
  text: z.string(),
  author: Author,
  at: z.iso.datetime(),
  fate: MessageFate,
});
export type Message = z.infer<typeof Message>;
