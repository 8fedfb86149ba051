// TransactWriteItems, TransactGetItems and batches.

import { describe, expect, it } from 'vitest';
import type { DynamoTwin } from '../../../local/dynamodb/index.ts';
import { at, ok, openThings, refused } from './twin.ts';

const TableName = 'Things';
const put = (sk: string, more: object = {}, members: object = {}) => ({
  Put: { TableName, Item: { ...at('t', sk), ...more }, ...members },
});
const absent = { ConditionExpression: 'attribute_not_exists(pk)' };
const count = (twin: DynamoTwin): unknown => ok(twin, 'Scan', { TableName, Select: 'COUNT' }).Count;
const records = (twin: DynamoTwin) => twin.readStream(TableName, '0', 1000);

describe('TransactWriteItems', () => {
  it('writes all items, or none with a reason for each and the old items asked for', () => {
    const { twin } = openThings();
    const old = { ...at('t', 'b'), v: { N: '1' } };
    ok(twin, 'PutItem', { TableName, Item: old });
    const items = [
      put('a', { grp: { S: 'g' } }),
      put('b', {}, { ...absent, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }),
      { Delete: { TableName, Key: at('t', 'b2') } },
      {
        ConditionCheck: {
          TableName,
          Key: at('t', 'c'),
          ConditionExpression: 'attribute_exists(pk)',
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        },
      },
      { Update: { TableName, Key: at('t', 'd'), UpdateExpression: 'SET a = b' } },
    ];
    const answer = refused(
      twin,
      'TransactWriteItems',
      { TransactItems: items },
      'TransactionCanceledException',
    );
    const codes = '[None, ConditionalCheckFailed, None, ConditionalCheckFailed, ValidationError]';
    expect(answer.message).toBe(
      `Transaction cancelled, please refer cancellation reasons for specific reasons ${codes}`,
    );
    expect(answer.Message).toBe(answer.message);
    expect(answer.CancellationReasons).toEqual([
      { Code: 'None' },
      { Code: 'ConditionalCheckFailed', Message: 'The conditional request failed', Item: old },
      { Code: 'None' },
      { Code: 'ConditionalCheckFailed', Message: 'The conditional request failed' },
      {
        Code: 'ValidationError',
        Message: 'The provided expression refers to an attribute that does not exist in the item',
      },
    ]);
    expect([count(twin), records(twin).length]).toEqual([1, 1]);
    ok(twin, 'TransactWriteItems', { TransactItems: [items[0], items[2]] });
    const found = ok(twin, 'Query', {
      TableName,
      IndexName: 'byGroup',
      KeyConditionExpression: 'grp = :g',
      ExpressionAttributeValues: { ':g': { S: 'g' } },
    });
    expect(found.Items).toEqual([{ ...at('t', 'a'), grp: { S: 'g' } }]);
    expect([count(twin), records(twin).length]).toEqual([2, 2]);
  });

  it('does a repeated token once, for ten minutes, and refuses it for another request', async () => {
    const { twin, clock } = openThings();
    const add = {
      TableName,
      Key: at('t', 'n'),
      UpdateExpression: 'ADD n :one',
      ExpressionAttributeValues: { ':one': { N: '1' } },
    };
    const request = { ClientRequestToken: 'once', TransactItems: [{ Update: add }] };
    const n = (): unknown => ok(twin, 'GetItem', { TableName, Key: at('t', 'n') }).Item;
    ok(twin, 'TransactWriteItems', request);
    ok(twin, 'TransactWriteItems', request);
    expect(n()).toMatchObject({ n: { N: '1' } });
    const other = { ...request, TransactItems: [put('x')] };
    refused(twin, 'TransactWriteItems', other, 'IdempotentParameterMismatchException');
    expect(count(twin)).toBe(1);
    await clock.advance(10 * 60_000);
    ok(twin, 'TransactWriteItems', request);
    expect(n()).toMatchObject({ n: { N: '2' } });
  });

  it('does not remember the token of a cancelled transaction', () => {
    const { twin } = openThings();
    const exists = { ConditionExpression: 'attribute_exists(pk)' };
    const request = { ClientRequestToken: 't', TransactItems: [put('a', {}, exists)] };
    refused(twin, 'TransactWriteItems', request, 'TransactionCanceledException');
    ok(twin, 'PutItem', put('a').Put);
    ok(twin, 'TransactWriteItems', request);
  });

  it('refuses what is no transaction', () => {
    const { twin } = openThings();
    const refusal = (TransactItems: unknown, error = 'ValidationException'): string =>
      String(refused(twin, 'TransactWriteItems', { TransactItems }, error).message);
    expect(refusal(undefined)).toMatch(/Value null at 'transactItems'/);
    expect(refusal([])).toMatch(/greater than or equal to 1/);
    expect(refusal('x', 'SerializationException')).toMatch(/Unexpected field type/);
    expect(refusal([null], 'SerializationException')).toMatch(/Unexpected value type/);
    expect(refusal([{}])).toMatch(/can only contain one of/);
    expect(refusal([{ ...put('a'), Delete: { TableName, Key: at('t', 'b') } }])).toMatch(
      /only contain one of/,
    );
    expect(refusal(Array.from({ length: 101 }, (_, at) => put(String(at))))).toMatch(
      /less than or equal to 100/,
    );
    expect(refusal([put('a'), { Delete: { TableName, Key: at('t', 'a') } }])).toMatch(
      /multiple operations/,
    );
    expect(refusal([{ Update: { TableName, Key: at('t', 'a') } }])).toMatch(
      /member.update.updateExpression/,
    );
    expect(refusal([{ ConditionCheck: { TableName, Key: at('t', 'a') } }])).toMatch(
      /conditionCheck.conditionExpression/,
    );
    const big = Array.from({ length: 11 }, (_, at) =>
      put(String(at), { v: { S: 'x'.repeat(400_000) } }),
    );
    expect(refusal(big)).toMatch(/4 MB/);
    expect(
      refusal([{ Put: { TableName: 'Nope', Item: {} } }], 'ResourceNotFoundException'),
    ).toMatch(/not found/);
    expect(count(twin)).toBe(0);
  });

  it('reports twice the capacity', () => {
    const { twin } = openThings();
    const request = { ReturnConsumedCapacity: 'TOTAL', TransactItems: [put('a'), put('b')] };
    expect(ok(twin, 'TransactWriteItems', request).ConsumedCapacity).toEqual([
      { CapacityUnits: 4, TableName, WriteCapacityUnits: 4 },
    ]);
  });
});

describe('TransactGetItems', () => {
  it('answers in order, with an empty place for what is not there', () => {
    const { twin } = openThings();
    ok(twin, 'PutItem', put('a', { v: { N: '1' }, w: { N: '2' } }).Put);
    const get = (sk: string, more: object = {}) => ({
      Get: { TableName, Key: at('t', sk), ...more },
    });
    const TransactItems = [get('x'), get('a', { ProjectionExpression: 'v' })];
    expect(ok(twin, 'TransactGetItems', { TransactItems }).Responses).toEqual([
      {},
      { Item: { v: { N: '1' } } },
    ]);
  });
});

describe('batches', () => {
  it('write and delete together, and read back what is there', () => {
    const { twin } = openThings();
    ok(twin, 'PutItem', put('old').Put);
    const requests = [
      { PutRequest: { Item: at('t', 'a') } },
      { PutRequest: { Item: { ...at('t', 'b'), v: { N: '1' } } } },
      { DeleteRequest: { Key: at('t', 'old') } },
    ];
    expect(ok(twin, 'BatchWriteItem', { RequestItems: { Things: requests } })).toEqual({
      UnprocessedItems: {},
    });
    const Keys = ['a', 'b', 'old'].map((sk) => at('t', sk));
    const read = ok(twin, 'BatchGetItem', {
      RequestItems: { Things: { Keys, ConsistentRead: true } },
    });
    expect(read).toEqual({
      Responses: { Things: [at('t', 'a'), { ...at('t', 'b'), v: { N: '1' } }] },
      UnprocessedKeys: {},
    });
  });

  it('leave for later what goes beyond 16 MiB', () => {
    const { twin } = openThings();
    const Keys = Array.from({ length: 45 }, (_, n) => at('big', String(n)));
    for (const Key of Keys)
      ok(twin, 'PutItem', { TableName, Item: { ...Key, v: { S: 'x'.repeat(400_000) } } });
    const read = (keys: unknown) =>
      ok(twin, 'BatchGetItem', {
        RequestItems: { Things: { Keys: keys, ProjectionExpression: 'sk' } },
      });
    const first = read(Keys);
    const { Things: later } = first.UnprocessedKeys as {
      Things: { Keys: unknown[]; ProjectionExpression: string };
    };
    const { Things: found } = first.Responses as { Things: unknown[] };
    expect(later.ProjectionExpression).toBe('sk');
    expect(found.length).toBeGreaterThan(30);
    expect(later.Keys.length + found.length).toBe(45);
    expect(read(later.Keys).UnprocessedKeys).toEqual({});
  });

  it('are refused as wholes', () => {
    const { twin } = openThings();
    const twice = [
      { PutRequest: { Item: at('t', 'a') } },
      { DeleteRequest: { Key: at('t', 'a') } },
    ];
    const bad = [
      { PutRequest: { Item: at('t', 'a') } },
      { PutRequest: { Item: { pk: { S: 't' } } } },
    ];
    for (const Things of [twice, bad, []])
      refused(twin, 'BatchWriteItem', { RequestItems: { Things } }, 'ValidationException');
    const same = { Things: { Keys: [at('t', 'a'), at('t', 'a')] } };
    refused(twin, 'BatchGetItem', { RequestItems: same }, 'ValidationException');
    expect(count(twin)).toBe(0);
  });
});
