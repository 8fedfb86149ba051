// Fault marks on DynamoDB, beside their conversation. Owns: their queries.
// Tested in test/functions/api/routes/faults.test.ts.
import { QueryCommand } from '@aws-sdk/client-dynamodb';
import type { FaultMark } from '../../core/records/fault-mark.ts';
import type { FaultMarks } from '../../ports/fault-marks.ts';
import type { Page } from '../../ports/store.ts';
import { getOne, putOne } from './by-revision.ts';
import { faultListKey, parseItem } from './codec.ts';
import { keys } from './keys.ts';
import { listed } from './listed.ts';
import type { StoreParts } from './read-keys.ts';

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
  get: ({ conversationId, runId, markId }) =>
    getOne(parts, 'fault-mark', keys.faultMark(conversationId, runId, markId)),
  put: (mark, rev) => putOne(parts, 'fault-mark', mark, rev),
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
