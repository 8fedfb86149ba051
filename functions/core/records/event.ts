// Events: numbered past-tense facts in a conversation's log, for readers. Nothing decides from them.
// Owns: the closed list and the shape of each. Bus types are identical. Laws: L17 (one transaction with the change).
// Tested in test/functions/api/stream/stream.test.ts.
import { z } from 'zod';
import { ActionId, ConversationId, MessageId, RequestId, RunId } from '../base/ids.ts';
import { runEnds } from './run.ts';

const Blocking = z.strictObject({
  on: z.enum(['question', 'approval', 'skill', 'recovery']),
  requestId: RequestId,
  actionId: ActionId.optional(),
});
export type Blocking = z.infer<typeof Blocking>;

const runEnd = z.enum(runEnds);

const action = { runId: RunId, actionId: ActionId };

/** What happened, by type. Texts and arguments are not in here: an event refers to the item that holds them. */
export const EventBody = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('message.received'),
    messageId: MessageId,
    text: z.string(),
    from: z.string(),
    fate: z.enum(['starts', 'steers', 'waits']),
  }),
  z.strictObject({
    type: z.literal('message.taken'),
    messageId: MessageId,
    runId: RunId,
    step: z.int(),
  }),
  z.strictObject({ type: z.literal('message.held'), messageId: MessageId, runId: RunId }),
  z.strictObject({ type: z.literal('message.withdrawn'), messageId: MessageId }),
  z.strictObject({
    type: z.literal('run.started'),
    runId: RunId,
    agentId: z.string(),
    revision: z.int(),
    messageId: MessageId.optional(),
  }),
  z.strictObject({ type: z.literal('run.waiting'), runId: RunId, blocking: z.array(Blocking) }),
  z.strictObject({ type: z.literal('run.resumed'), runId: RunId }),
  z.strictObject({ type: z.literal('run.stopping'), runId: RunId, by: z.string() }),
  z.strictObject({ type: z.literal('run.continued'), runId: RunId, segment: z.int() }),
  z.strictObject({
    type: z.literal('run.finished'),
    runId: RunId,
    reason: runEnd,
    detail: z.string(),
    steps: z.int(),
  }),
  z.strictObject({
    type: z.literal('step.stored'),
    runId: RunId,
    step: z.int(),
    text: z.string(),
    calls: z.array(z.strictObject({ name: z.string(), actionId: ActionId.optional() })),
    attempt: z.string(),
  }),
  z.strictObject({
    type: z.literal('text.delta'),
    runId: RunId,
    step: z.int(),
    /** The model attempt this text belongs to; a text.reset for it takes the text back. */
    attempt: z.string(),
    text: z.string(),
  }),
  z.strictObject({
    type: z.literal('text.reset'),
    runId: RunId,
    step: z.int(),
    attempt: z.string(),
  }),
  z.strictObject({
    type: z.literal('action.planned'),
    ...action,
    step: z.int(),
    tool: z.string(),
    gate: z.enum(['perform', 'approval', 'question', 'skill']),
  }),
  z.strictObject({ type: z.literal('action.engaged'), ...action, attempt: z.int() }),
  z.strictObject({
    type: z.literal('action.confirmed'),
    ...action,
    reference: z.string().optional(),
  }),
  z.strictObject({ type: z.literal('action.accepted'), ...action }),
  z.strictObject({ type: z.literal('action.in_progress'), ...action }),
  z.strictObject({ type: z.literal('action.undetermined'), ...action, because: z.string() }),
  z.strictObject({ type: z.literal('action.not_performed'), ...action, because: z.string() }),
  z.strictObject({ type: z.literal('action.contradicted'), ...action }),
  z.strictObject({ type: z.literal('action.duplicated'), ...action, twin: ActionId }),
  z.strictObject({
    type: z.literal('action.decided'),
    ...action,
    decision: z.string(),
    by: z.string(),
  }),
  z.strictObject({
    type: z.literal('request.opened'),
    runId: RunId,
    requestId: RequestId,
    on: z.enum(['question', 'approval', 'skill', 'recovery']),
    actionId: ActionId.optional(),
  }),
  /** Nobody has answered yet, and soon nobody can: said once. */
  z.strictObject({
    type: z.literal('request.expiring'),
    runId: RunId,
    requestId: RequestId,
    on: z.enum(['question', 'approval', 'skill', 'recovery']),
    expiresAt: z.iso.datetime(),
  }),
  z.strictObject({
    type: z.literal('request.closed'),
    runId: RunId,
    requestId: RequestId,
    decision: z.string(),
    by: z.string(),
  }),
  z.strictObject({
    type: z.literal('claim.taken'),
    ...action,
    by: z.string(),
    untilMs: z.number(),
  }),
  z.strictObject({ type: z.literal('claim.ended'), ...action, by: z.string() }),
  z.strictObject({
    type: z.literal('skill.granted'),
    runId: RunId,
    skill: z.string(),
    by: z.string(),
  }),
  z.strictObject({ type: z.literal('routine.fired'), occurrence: z.string(), runId: RunId }),
  z.strictObject({
    type: z.literal('routine.skipped'),
    occurrence: z.string(),
    because: z.string(),
  }),
]);
export type EventBody = z.infer<typeof EventBody>;
export type EventType = EventBody['type'];

export const StoredEvent = z.strictObject({
  schema: z.literal(1),
  conversationId: ConversationId,
  number: z.int().positive(),
  at: z.iso.datetime(),
  body: EventBody,
});
export type StoredEvent = z.infer<typeof StoredEvent>;

/** Events that leave for the bus, as CloudEvents of the same type. */
export const outwardEventTypes: ReadonlySet<EventType> = new Set<EventType>([
  'run.started',
  'run.waiting',
  'run.finished',
  'request.opened',
  'request.expiring',
  'request.closed',
  'action.undetermined',
  'action.not_performed',
  'action.contradicted',
  'action.duplicated',
  'action.decided',
  'claim.taken',
  'claim.ended',
  'routine.fired',
  'routine.skipped',
]);
export const isOutward = (body: EventBody): boolean => outwardEventTypes.has(body.type);
