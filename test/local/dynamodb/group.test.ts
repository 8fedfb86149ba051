// Calls that arrive together share a commit; each stays one whole and is answered for itself.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ok, openTwin, things } from './twin.ts';

const TableName = 'Things';
const key = (pk: string) => ({ pk: { S: pk }, sk: { S: 'x' } });
const put = (pk: string, condition?: string) => ({
  TableName,
  Item: key(pk),
  ...(condition === undefined ? {} : { ConditionExpression: condition }),
});
const increase = (pk: string, was: number) => ({
  TableName,
  Key: key(pk),
  UpdateExpression: 'SET n = :next',
  ConditionExpression: 'n = :was',
  ExpressionAttributeValues: { ':was': { N: String(was) }, ':next': { N: String(was + 1) } },
  ReturnValues: 'ALL_NEW',
});

it('evaluates calls of one commit in their order, and refuses one without harm to the others', async () => {
  const { twin } = openTwin();
  ok(twin, 'CreateTable', things);
  ok(twin, 'PutItem', { TableName, Item: { ...key('counter'), n: { N: '0' } } });
  const answers = await Promise.all([
    twin.take('PutItem', put('a')),
    twin.take('UpdateItem', increase('counter', 0)),
    twin.take('UpdateItem', increase('counter', 0)),
    twin.take('UpdateItem', increase('counter', 1)),
    twin.take('TransactWriteItems', {
      TransactItems: [{ Put: put('b') }, { Put: put('a', 'attribute_not_exists(pk)') }],
    }),
    twin.take('PutItem', put('c')),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 400, 200, 400, 200]);
  const { Items } = ok(twin, 'Scan', { TableName });
  expect(Items).toEqual(
    expect.arrayContaining([{ ...key('counter'), n: { N: '2' } }, key('a'), key('c')]),
  );
  expect(Items).toHaveLength(3);
  // The table's first item, then two puts and two updates.
  expect(twin.readStream(TableName, '0', 100)).toHaveLength(5);
  twin.close();
});

it('answers a call only when it is on the disk, and shows nothing of it before', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'reprise-group-'));
  try {
    const file = join(folder, 'store.db');
    const { twin } = openTwin(file);
    ok(twin, 'CreateTable', things);
    const both = Promise.all([twin.take('PutItem', put('a')), twin.take('PutItem', put('b'))]);
    expect(ok(twin, 'Scan', { TableName }).Count).toBe(0);
    await both;
    expect(ok(twin, 'Scan', { TableName }).Count).toBe(2);
    // What waits at the close is still done.
    const last = twin.take('PutItem', put('c'));
    twin.close();
    expect((await last).status).toBe(200);
    const reopened = openTwin(file).twin;
    expect(ok(reopened, 'Scan', { TableName }).Count).toBe(3);
    reopened.close();
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('reads from a stream the new items of a kind alone', () => {
  const { twin } = openTwin();
  ok(twin, 'CreateTable', things);
  for (const pk of ['OUT#1', 'CNV#1', 'OUT#"2"', 'XOUT#']) ok(twin, 'PutItem', put(pk));
  ok(twin, 'PutItem', { TableName, Item: { ...key('OUT#1'), changed: { BOOL: true } } });
  const wanted = twin.readStream(TableName, '0', 100, 'OUT#');
  expect(wanted.map(({ dynamodb }) => dynamodb.Keys.pk?.S)).toEqual(['OUT#1', 'OUT#"2"']);
  const all = twin.readStream(TableName, '0', 100);
  expect(all.at(-1)?.dynamodb.SequenceNumber).toBe(twin.latestSequence());
  twin.close();
});
