// The store on DynamoDB: consistent reads by key and whole changes, one TransactWriteItems each.
// Owns: how a change becomes a transaction and how its failure is told. Laws: L2, L7, L17.
// Tested in test/functions/store.test.ts.
import { TransactionCanceledException, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import {
  type Change,
  type ItemKind,
  type ItemOf,
  recordsOf,
  type Versioned,
} from '../../core/records/change.ts';
import type { Conversation } from '../../core/records/conversation.ts';
import type { Committed, Found, Store, Wanted } from '../../ports/store.ts';
import { type Attributes, parseItem } from './codec.ts';
import { type Key, keys } from './keys.ts';
import { listsFrom } from './lists.ts';
import type { Operation } from './operation.ts';
import { readKeys, type StoreParts } from './read-keys.ts';
import { operationsFor, putOperation, replace, wroteItAlready } from './writes.ts';

const wantedKeys = (wanted: Wanted): Key[] => [
  ...(wanted.conversation ? [keys.conversation(wanted.conversation)] : []),
  ...(wanted.run ? [keys.run(wanted.run)] : []),
  ...(wanted.steps ?? []).map(({ runId, step }) => keys.step(runId, step)),
  ...(wanted.messages ?? []).map((message) =>
    keys.message(message.conversationId, message.messageId),
  ),
  ...(wanted.actions ?? []).map(keys.action),
  ...(wanted.requests ?? []).map(keys.request),
  ...(wanted.mandates ?? []).map(keys.approvalMandate),
  ...(wanted.claims ?? []).map(keys.claim),
];

const ofKind = <Kind extends ItemKind>(
  items: readonly Attributes[],
  kind: Kind,
): Versioned<ItemOf<Kind>>[] =>
  items.filter((item) => item.kind?.S === kind).map((item) => parseItem(kind, item));

const read = async (parts: StoreParts, wanted: Wanted): Promise<Found> => {
  const items = await readKeys(parts, wantedKeys(wanted));
  return {
    conversation: ofKind(items, 'conversation')[0],
    run: ofKind(items, 'run')[0],
    steps: ofKind(items, 'step').map(({ item }) => item),
    messages: ofKind(items, 'message'),
    actions: ofKind(items, 'action'),
    requests: ofKind(items, 'request'),
    mandates: ofKind(items, 'mandate'),
    claims: ofKind(items, 'claim'),
  };
};

const failureOf = (
  error: TransactionCanceledException,
  operations: readonly Operation[],
): Exclude<Committed, { kind: 'done' }> => {
  const failed = (error.CancellationReasons ?? []).flatMap((reason, index) => {
    const operation = operations[index];
    return reason.Code !== undefined && reason.Code !== 'None' && operation
      ? [{ code: reason.Code, on: operation.on }]
      : [];
  });
  const guard = failed.find(({ code, on }) => code === 'ConditionalCheckFailed' && 'guard' in on);
  if (guard && 'guard' in guard.on) return { kind: 'refused', guard: guard.on.guard };
  const odd = failed.find(
    ({ code }) => code !== 'ConditionalCheckFailed' && code !== 'TransactionConflict',
  );
  if (odd) throw error;
  const conflict = failed.find(({ on }) => 'conflict' in on);
  return {
    kind: 'conflict',
    on: conflict && 'conflict' in conflict.on ? conflict.on.conflict : 'transaction',
  };
};

const commit = async (parts: StoreParts, change: Change): Promise<Committed> => {
  const { client, tables, clock, minter } = parts;
  const name = minter.suffix();
  const records = recordsOf(change, new Date(clock.now()).toISOString(), name);
  const { rev } = change.conversation;
  const operations: Operation[] = [
    replace(tables, 'conversation', records.conversation, rev, name),
    ...change.writes.flatMap((write) => operationsFor(tables, write, name)),
    ...records.events.map((event) => putOperation(tables, 'event', event, name)),
    ...(records.outbox ? [putOperation(tables, 'outbox', records.outbox, name)] : []),
  ];
  const done: Committed = {
    kind: 'done',
    conversation: { item: records.conversation, rev: rev + 1 },
  };
  try {
    await client.send(
      new TransactWriteItemsCommand({
        TransactItems: operations.map(({ operation }) => operation),
        ClientRequestToken: name,
      }),
    );
    return done;
  } catch (error) {
    if (!(error instanceof TransactionCanceledException)) throw error;
    return wroteItAlready(error, name) ? done : failureOf(error, operations);
  }
};

const createConversation = async (
  parts: StoreParts,
  conversation: Conversation,
): Promise<Versioned<Conversation>> => {
  const { client, tables, minter } = parts;
  try {
    await client.send(
      new TransactWriteItemsCommand({
        TransactItems: [
          putOperation(tables, 'conversation', conversation, minter.suffix()).operation,
        ],
      }),
    );
    return { item: conversation, rev: 1 };
  } catch (error) {
    if (!(error instanceof TransactionCanceledException)) throw error;
    const there = await read(parts, { conversation: conversation.conversationId });
    if (there.conversation) return there.conversation;
    throw error;
  }
};

export const storeFrom = (parts: StoreParts): Store => ({
  read: (wanted) => read(parts, wanted),
  commit: (change) => commit(parts, change),
  createConversation: (conversation) => createConversation(parts, conversation),
  ...listsFrom(parts),
});
