// Fault marks on DynamoDB, beside their conversation. Owns: their queries, and replacing one by its revision.
import {
  ConditionalCheckFailedException,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
} from '@aws-sdk/client-dynamodb';
import type { FaultMark } from '../../core/fault-mark.ts';
import type { FaultMarks, FaultPlace } from '../../ports/fault-marks.ts';
import type { Page } from '../../ports/store.ts';
import { faultListKey, keyAttributes, parseItem } from './codec.ts';
import { keys } from './keys.ts';
import { listed } from './listed.ts';
import type { StoreParts } from './read-keys.ts';
import { putOperation, replace } from './writes.ts';

const get = async (
  { client, tables }: StoreParts,
  { conversationId, runId, markId }: FaultPlace,
) => {
  const key = keys.faultMark(conversationId, runId, markId);
  const { Item } = await client.send(
    new GetItemCommand({
      TableName: tables[key.table],
      Key: keyAttributes(key),
      ConsistentRead: true,
    }),
  );
  return Item === undefined ? undefined : parseItem('fault-mark', Item);
};

const put = async (
  { client, tables, minter }: StoreParts,
  mark: FaultMark,
  rev: number,
): Promise<'put' | 'conflict'> => {
  const change = minter.suffix();
  const { operation } =
    rev === 0
      ? putOperation(tables, 'fault-mark', mark, change)
      : replace(tables, 'fault-mark', mark, rev, change);
  if (!operation.Put) return 'conflict';
  try {
    await client.send(new PutItemCommand(operation.Put));
    return 'put';
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    // Our own earlier, unanswered send fulfilled the condition: the item carries this change's name.
    return error.Item?.change?.S === change ? 'put' : 'conflict';
  }
};

const marksOf = async (
  { client, tables }: StoreParts,
  conversationId: string,
  prefix: string,
  limit: number,
  cursor: string | undefined,
): Promise<Page<FaultMark>> => {
  const { table, pk } = keys.conversation(conversationId);
  // Beyond the last one seen; every sort key goes on in printable ASCII. A cursor from elsewhere begins nowhere else.
  const beyond = cursor === undefined ? prefix : `${cursor}!`;
  const [from, to] = [beyond < prefix ? prefix : beyond, `${prefix}~`];
  if (from > to) return { items: [], next: undefined };
  const answer = await client.send(
    new QueryCommand({
      TableName: tables[table],
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
      ExpressionAttributeValues: { ':pk': { S: pk }, ':from': { S: from }, ':to': { S: to } },
      ConsistentRead: true,
      Limit: limit,
    }),
  );
  return {
    items: (answer.Items ?? []).map((item) => parseItem('fault-mark', item).item),
    next: answer.LastEvaluatedKey?.sk?.S,
  };
};

export const faultMarksFrom = (parts: StoreParts): FaultMarks => ({
  get: (place) => get(parts, place),
  put: (mark, rev) => put(parts, mark, rev),
  of: (conversationId, runId, limit, cursor) =>
    marksOf(
      parts,
      conversationId,
      runId === undefined ? 'FAULT#' : `FAULT#${runId}#`,
      limit,
      cursor,
    ),
  ofAgent: (workspace, agentId, limit, cursor) =>
    listed(parts, 'Conversations', 'fault-mark', faultListKey(workspace, agentId), {
      limit,
      cursor,
    }),
});
