// Where every item lives: table, partition key, sort key. The partition key begins with the kind, so that IAM can say who may
// write which kind of ledger item (dynamodb:LeadingKeys). Owns: the key of each kind.
// Tested in test/functions/store.test.ts.
import type { ItemKind, ItemOf } from '../../core/records/change.ts';
import type { TableName } from '../../manifest.ts';

export interface Key {
  readonly table: TableName;
  readonly pk: string;
  readonly sk: string;
}

/** Numbers in sort keys are padded so that they sort as numbers. */
export const padded = (number: number): string => String(number).padStart(10, '0');

export const keys = {
  conversation: (conversationId: string): Key => ({
    table: 'Conversations',
    pk: `CNV#${conversationId}`,
    sk: 'META',
  }),
  message: (conversationId: string, messageId: string): Key => ({
    table: 'Conversations',
    pk: `CNV#${conversationId}`,
    sk: `MSG#${messageId}`,
  }),
  readMark: (conversationId: string, subject: string): Key => ({
    table: 'Conversations',
    pk: `CNV#${conversationId}`,
    sk: `READ#${subject}`,
  }),
  /** Beside its conversation, by run: one query lists the marks of either. */
  faultMark: (conversationId: string, runId: string, markId: string): Key => ({
    table: 'Conversations',
    pk: `CNV#${conversationId}`,
    sk: `FAULT#${runId}#${markId}`,
  }),
  runReference: (conversationId: string, number: number): Key => ({
    table: 'Conversations',
    pk: `CNV#${conversationId}`,
    sk: `RUN#${padded(number)}`,
  }),
  routine: (routineId: string): Key => ({ table: 'Registry', pk: `RTN#${routineId}`, sk: 'META' }),
  routineClock: (routineId: string): Key => ({
    table: 'Conversations',
    pk: `RTN#${routineId}`,
    sk: 'CLOCK',
  }),
  occurrence: (routineId: string, occurrenceId: string): Key => ({
    table: 'Conversations',
    pk: `RTN#${routineId}`,
    sk: `OCC#${occurrenceId}`,
  }),
  run: (runId: string): Key => ({ table: 'Conversations', pk: `RUN#${runId}`, sk: 'META' }),
  step: (runId: string, step: number): Key => ({
    table: 'Conversations',
    pk: `RUN#${runId}`,
    sk: `STEP#${padded(step)}`,
  }),
  event: (conversationId: string, number: number): Key => ({
    table: 'Conversations',
    pk: `EVT#${conversationId}`,
    sk: padded(number),
  }),
  outbox: (outboxId: string): Key => ({ table: 'Conversations', pk: `OUT#${outboxId}`, sk: 'OUT' }),
  request: (requestId: string): Key => ({ table: 'Requests', pk: `REQ#${requestId}`, sk: 'META' }),
  action: (actionId: string): Key => ({ table: 'Ledger', pk: `ACT#${actionId}`, sk: 'ACT' }),
  attempt: (actionId: string, attempt: number): Key => ({
    table: 'Ledger',
    pk: `ATT#${actionId}`,
    sk: padded(attempt),
  }),
  end: (actionId: string, attempt: number): Key => ({
    table: 'Ledger',
    pk: `END#${actionId}`,
    sk: padded(attempt),
  }),
  observation: (actionId: string, observationId: string): Key => ({
    table: 'Ledger',
    pk: `OBS#${actionId}`,
    sk: observationId,
  }),
  authorisation: (actionId: string, entry: number): Key => ({
    table: 'Ledger',
    pk: `AUT#${actionId}`,
    sk: padded(entry),
  }),
  decision: (actionId: string, entry: number): Key => ({
    table: 'Ledger',
    pk: `DEC#${actionId}`,
    sk: padded(entry),
  }),
  approvalMandate: (requestId: string): Key => ({
    table: 'Ledger',
    pk: `MND#${requestId}`,
    sk: 'APPROVAL',
  }),
  standingMandate: (workspace: string, agentId: string, tool: string): Key => ({
    table: 'Ledger',
    pk: `MND#${workspace}#${agentId}`,
    sk: tool,
  }),
  grant: (workspace: string, agentId: string, requestId: string): Key => ({
    table: 'Ledger',
    pk: `MND#${workspace}#${agentId}#GRANTS`,
    sk: requestId,
  }),
  bar: (workspace: string, tool: string): Key => ({
    table: 'Ledger',
    pk: `BAR#${workspace}`,
    sk: tool,
  }),
  /** One change of a permission or a bar, beside it: who may write the one may write the other. */
  mandateRecord: (
    workspace: string,
    agentId: string | undefined,
    tool: string,
    number: number,
  ): Key => ({
    table: 'Ledger',
    pk: agentId === undefined ? `BAR#${workspace}#CHANGES` : `MND#${workspace}#${agentId}#CHANGES`,
    sk: `${tool}#${padded(number)}`,
  }),
  claim: (actionId: string): Key => ({ table: 'Ledger', pk: `CLM#${actionId}`, sk: 'CLM' }),
  likeness: (workspace: string, likeDigest: string): Key => ({
    table: 'Ledger',
    pk: `LIKE#${workspace}#${likeDigest}`,
    sk: 'LIKE',
  }),
  runLikeness: (runId: string, likeDigest: string): Key => ({
    table: 'Ledger',
    pk: `LIKE#${runId}`,
    sk: likeDigest,
  }),
} as const;

type KeyOfKind = { readonly [Kind in ItemKind]: (item: ItemOf<Kind>) => Key };

export const keyOfKind: KeyOfKind = {
  conversation: (item) => keys.conversation(item.conversationId),
  message: (item) => keys.message(item.conversationId, item.messageId),
  'run-reference': (item) => keys.runReference(item.conversationId, item.number),
  run: (item) => keys.run(item.runId),
  step: (item) => keys.step(item.runId, item.step),
  event: (item) => keys.event(item.conversationId, item.number),
  routine: (item) => keys.routine(item.routineId),
  'routine-clock': (item) => keys.routineClock(item.routineId),
  occurrence: (item) => keys.occurrence(item.routineId, item.occurrenceId),
  outbox: (item) => keys.outbox(item.outboxId),
  request: (item) => keys.request(item.requestId),
  action: (item) => keys.action(item.actionId),
  attempt: (item) => keys.attempt(item.actionId, item.attempt),
  end: (item) => keys.end(item.actionId, item.attempt),
  observation: (item) => keys.observation(item.actionId, item.observationId),
  authorisation: (item) => keys.authorisation(item.actionId, item.entry),
  decision: (item) => keys.decision(item.actionId, item.entry),
  mandate: (item) => keys.approvalMandate(item.requestId),
  claim: (item) => keys.claim(item.actionId),
  grant: (item) => keys.grant(item.workspace, item.agentId, item.requestId),
  standing: (item) => keys.standingMandate(item.workspace, item.agentId, item.tool),
  bar: (item) => keys.bar(item.workspace, item.tool),
  'mandate-record': (item) =>
    keys.mandateRecord(item.workspace, item.agentId, item.tool, item.number),
  'fault-mark': (item) => keys.faultMark(item.conversationId, item.runId, item.markId),
};
