// The ordered lists of the store: a run's steps, a conversation's events, an action's journal, what a workspace holds.
// Owns: queries and their cursors. Consistent where a decision may follow; the workspace lists come from an index and are for
// reading only.
// Tested in test/functions/store.test.ts.
import {
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  type QueryCommandInput,
  TransactionCanceledException,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { ActionId } from '../../core/base/ids.ts';
import { unfoldedAction } from '../../core/perform/fold-stored.ts';
import type { Action } from '../../core/records/action.ts';
import type { ItemKind, ItemOf, Versioned } from '../../core/records/change.ts';
import type { AttemptEnd, Observation } from '../../core/records/evidence.ts';
import type { TableName } from '../../manifest.ts';
import type { Store } from '../../ports/store.ts';
import { type Attributes, keyAttributes, parseItem } from './codec.ts';
import { keys, padded } from './keys.ts';
import { leaveOf } from './leave.ts';
import { listed } from './listed.ts';
import type { StoreParts } from './read-keys.ts';
import { putOperation, replace, wroteItAlready } from './writes.ts';

const queryAll = async (
  { client }: StoreParts,
  input: QueryCommandInput,
  limit: number,
): Promise<Attributes[]> => {
  const items: Attributes[] = [];
  let from: Attributes | undefined;
  do {
    const answer = await client.send(
      new QueryCommand({
        ...input,
        ConsistentRead: true,
        Limit: Math.min(limit - items.length, 1_000),
        ...(from === undefined ? {} : { ExclusiveStartKey: from }),
      }),
    );
    items.push(...(answer.Items ?? []));
    from = answer.LastEvaluatedKey;
  } while (from !== undefined && items.length < limit);
  return items;
};

const partition = async <Kind extends ItemKind>(
  parts: StoreParts,
  table: TableName,
  kind: Kind,
  pk: string,
  range: { readonly from: string; readonly to: string },
  options: { readonly limit?: number; readonly newestFirst?: boolean } = {},
): Promise<ItemOf<Kind>[]> => {
  const items = await queryAll(
    parts,
    {
      TableName: parts.tables[table],
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
      ExpressionAttributeValues: {
        ':pk': { S: pk },
        ':from': { S: range.from },
        ':to': { S: range.to },
      },
      ScanIndexForward: options.newestFirst !== true,
    },
    options.limit ?? Number.MAX_SAFE_INTEGER,
  );
  return items.map((item) => parseItem(kind, item).item);
};

/** Every sort key lies in here: the keys are printable ASCII. */
const everything = { from: ' ', to: '~' };
const after = (prefix: string, number: number) => ({
  from: `${prefix}${padded(number + 1)}`,
  to: `${prefix}~`,
});

const putOnce = async (
  { client, tables }: StoreParts,
  kind: 'end' | 'observation',
  item: AttemptEnd | Observation,
  change: string,
): Promise<void> => {
  const { operation } =
    kind === 'end'
      ? putOperation(tables, 'end', item as AttemptEnd, change)
      : putOperation(tables, 'observation', item as Observation, change);
  if (!operation.Put) return;
  try {
    await client.send(new PutItemCommand(operation.Put));
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'ConditionalCheckFailedException') throw error;
  }
};

const journalOf = async (parts: StoreParts, actionId: ActionId) => {
  const entries = <Kind extends ItemKind>(kind: Kind, prefix: string) =>
    partition(parts, 'Ledger', kind, `${prefix}#${actionId}`, everything);
  const [attempts, ends, observations, authorisations, decisions] = await Promise.all([
    entries('attempt', 'ATT'),
    entries('end', 'END'),
    entries('observation', 'OBS'),
    entries('authorisation', 'AUT'),
    entries('decision', 'DEC'),
  ]);
  observations.sort((a, b) => a.entry - b.entry);
  return { attempts, ends, observations, authorisations, decisions };
};

const likenessOf = async (
  { client, tables }: StoreParts,
  workspace: string,
  likeDigest: string,
) => {
  const key = keys.likeness(workspace, likeDigest);
  const answer = await client.send(
    new QueryCommand({
      TableName: tables[key.table],
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': keyAttributes(key).pk ?? { NULL: true } },
      ConsistentRead: true,
    }),
  );
  const item = answer.Items?.[0];
  if (item === undefined) return undefined;
  return {
    rev: item.rev?.S ?? '',
    holders: (item.holders?.SS ?? []).map((id) => ActionId.parse(id)),
  };
};

const runLikenessOf = async (
  { client, tables }: StoreParts,
  runId: string,
  likeDigest: string,
): Promise<ActionId | undefined> => {
  const key = keys.runLikeness(runId, likeDigest);
  const answer = await client.send(
    new GetItemCommand({
      TableName: tables[key.table],
      Key: keyAttributes(key),
      ConsistentRead: true,
    }),
  );
  const id = answer.Item?.actionId?.S;
  return id === undefined ? undefined : ActionId.parse(id);
};

/** The evidence and the action that it was numbered by, in one transaction of the ledger. */
const putNumbered = async (
  { client, tables, minter }: StoreParts,
  end: AttemptEnd | undefined,
  observation: Observation,
  { item, rev }: Versioned<Action>,
): Promise<'done' | 'conflict'> => {
  const change = minter.suffix();
  const operations = [
    ...(end === undefined ? [] : [putOperation(tables, 'end', end, change)]),
    putOperation(tables, 'observation', observation, change),
    replace(tables, 'action', unfoldedAction(item, observation), rev, change),
  ];
  try {
    await client.send(
      new TransactWriteItemsCommand({
        TransactItems: operations.map(({ operation }) => operation),
        ClientRequestToken: change,
      }),
    );
    return 'done';
  } catch (error) {
    if (!(error instanceof TransactionCanceledException)) throw error;
    return wroteItAlready(error, change) ? 'done' : 'conflict';
  }
};

type Lists = Omit<Store, 'read' | 'commit' | 'createConversation'>;

export const listsFrom = (parts: StoreParts): Lists => ({
  putEvidence: async (end, observation, action) => {
    if (action !== undefined) return putNumbered(parts, end, observation, action);
    const change = parts.minter.suffix();
    if (end) await putOnce(parts, 'end', end, change);
    await putOnce(parts, 'observation', observation, change);
    return 'done';
  },
  journal: (actionId) => journalOf(parts, actionId),
  likeness: (workspace, likeDigest) => likenessOf(parts, workspace, likeDigest),
  grantsOf: (workspace, agentId) =>
    partition(parts, 'Ledger', 'grant', `MND#${workspace}#${agentId}#GRANTS`, everything),
  leave: (action) => leaveOf(parts, action),
  runLikeness: (runId, likeDigest) => runLikenessOf(parts, runId, likeDigest),
  stepsOf: (runId, afterStep) =>
    partition(parts, 'Conversations', 'step', `RUN#${runId}`, after('STEP#', afterStep)),
  runsOf: (conversationId, limit) =>
    partition(parts, 'Conversations', 'run-reference', `CNV#${conversationId}`, after('RUN#', 0), {
      limit,
      newestFirst: true,
    }),
  eventsAfter: (conversationId, number, limit) =>
    partition(parts, 'Conversations', 'event', `EVT#${conversationId}`, after('', number), {
      limit,
    }),
  messagesOf: async (conversationId) => {
    const messages = await partition(parts, 'Conversations', 'message', `CNV#${conversationId}`, {
      from: 'MSG#',
      to: 'MSG#~',
    });
    return messages.sort((a, b) => a.number - b.number);
  },
  conversationsOf: (workspace, limit, cursor) =>
    listed(parts, 'Conversations', 'conversation', `CNV#${workspace}`, { limit, cursor }),
  requestsOpenIn: (workspace, limit, cursor) =>
    listed(parts, 'Requests', 'request', `REQ#${workspace}`, { limit, cursor }),
  actionsIn: (workspace, limit, cursor) =>
    listed(parts, 'Ledger', 'action', `ACT#${workspace}`, { limit, cursor }),
});
