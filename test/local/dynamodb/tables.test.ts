// The operations on tables, and what survives a restart.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { at, ok, openThings, openTwin, refused, startMs, things } from './twin.ts';

const TableName = 'Things';
const arn = 'arn:aws:dynamodb:us-east-1:000000000000:table/Things';

it('creates a table that is active at once and described in full', () => {
  const { twin } = openThings();
  ok(twin, 'PutItem', { TableName, Item: at('a', '1') });
  const { Table } = ok(twin, 'DescribeTable', { TableName });
  expect(Table).toMatchObject({
    TableName,
    TableArn: arn,
    TableStatus: 'ACTIVE',
    CreationDateTime: startMs / 1000,
    ItemCount: 1,
    BillingModeSummary: { BillingMode: 'PAY_PER_REQUEST' },
    GlobalSecondaryIndexes: [
      { IndexName: 'byGroup', IndexStatus: 'ACTIVE' },
      { IndexName: 'byRank' },
    ],
    LocalSecondaryIndexes: [{ IndexName: 'byRankLocal', IndexArn: `${arn}/index/byRankLocal` }],
    StreamSpecification: things.StreamSpecification,
    LatestStreamArn: `${arn}/stream/2026-01-01T00:00:00.000`,
    DeletionProtectionEnabled: false,
  });
  refused(twin, 'CreateTable', things, 'ResourceInUseException');
});

it('lists tables in pages', () => {
  const { twin } = openTwin();
  for (const name of ['ccc', 'aaa', 'bbb']) ok(twin, 'CreateTable', { ...things, TableName: name });
  const first = ok(twin, 'ListTables', { Limit: 2 });
  expect(first).toEqual({ TableNames: ['aaa', 'bbb'], LastEvaluatedTableName: 'bbb' });
  const { LastEvaluatedTableName: ExclusiveStartTableName } = first;
  expect(ok(twin, 'ListTables', { ExclusiveStartTableName })).toEqual({ TableNames: ['ccc'] });
});

it('deletes a table with all it holds, but not a protected one', () => {
  const { twin } = openTwin();
  ok(twin, 'CreateTable', { ...things, DeletionProtectionEnabled: true });
  ok(twin, 'PutItem', { TableName, Item: at('a', '1') });
  expect(refused(twin, 'DeleteTable', { TableName }, 'ValidationException').message).toMatch(
    /protected/,
  );
  ok(twin, 'UpdateTable', { TableName, DeletionProtectionEnabled: false });
  ok(twin, 'DeleteTable', { TableName });
  expect(refused(twin, 'DescribeTable', { TableName }, 'ResourceNotFoundException').message).toBe(
    'Requested resource not found: Table: Things not found',
  );
  ok(twin, 'CreateTable', things);
  expect(ok(twin, 'Scan', { TableName }).Count).toBe(0);
  expect(twin.readStream(TableName, '0', 10)).toEqual([]);
});

it('adds an index over what is there, and drops it', () => {
  const { twin } = openThings();
  const colour = (sk: string, value: object) =>
    ok(twin, 'PutItem', { TableName, Item: { ...at('a', sk), colour: value } });
  colour('1', { S: 'red' });
  colour('2', { N: '5' });
  ok(twin, 'PutItem', { TableName, Item: at('a', '3') });
  const Create = {
    IndexName: 'byColour',
    KeySchema: [{ AttributeName: 'colour', KeyType: 'HASH' }],
    Projection: { ProjectionType: 'ALL' },
  };
  const add = {
    TableName,
    AttributeDefinitions: [{ AttributeName: 'colour', AttributeType: 'S' }],
    GlobalSecondaryIndexUpdates: [{ Create }],
  };
  ok(twin, 'UpdateTable', add);
  const red = {
    TableName,
    IndexName: 'byColour',
    KeyConditionExpression: 'colour = :c',
    ExpressionAttributeValues: { ':c': { S: 'red' } },
  };
  expect(ok(twin, 'Query', red).Items).toEqual([{ ...at('a', '1'), colour: { S: 'red' } }]);
  colour('4', { S: 'red' });
  expect(ok(twin, 'Query', red).Count).toBe(2);
  refused(twin, 'UpdateTable', add, 'ValidationException');
  const drop = { TableName, GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: 'byColour' } }] };
  ok(twin, 'UpdateTable', drop);
  refused(twin, 'Query', red, 'ValidationException');
  refused(twin, 'UpdateTable', drop, 'ResourceNotFoundException');
});

it('turns a stream on and off', () => {
  const { twin } = openTwin();
  ok(twin, 'CreateTable', { ...things, StreamSpecification: undefined });
  ok(twin, 'PutItem', { TableName, Item: at('a', '1') });
  const { StreamSpecification } = things;
  ok(twin, 'UpdateTable', { TableName, StreamSpecification });
  refused(twin, 'UpdateTable', { TableName, StreamSpecification }, 'ValidationException');
  ok(twin, 'PutItem', { TableName, Item: at('a', '2') });
  expect(twin.readStream(TableName, '0', 10)).toMatchObject([{ dynamodb: { Keys: at('a', '2') } }]);
  ok(twin, 'UpdateTable', { TableName, StreamSpecification: { StreamEnabled: false } });
  ok(twin, 'PutItem', { TableName, Item: at('a', '3') });
  expect(ok(twin, 'ListStreams', {}).Streams).toEqual([]);
});

it('records backups and tags', () => {
  const { twin } = openThings();
  const status = () =>
    ok(twin, 'DescribeContinuousBackups', { TableName }).ContinuousBackupsDescription;
  expect(status()).toMatchObject({
    PointInTimeRecoveryDescription: { PointInTimeRecoveryStatus: 'DISABLED' },
  });
  const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true };
  ok(twin, 'UpdateContinuousBackups', { TableName, PointInTimeRecoverySpecification });
  expect(status()).toMatchObject({
    PointInTimeRecoveryDescription: { PointInTimeRecoveryStatus: 'ENABLED' },
  });
  const Tags = [
    { Key: 'a', Value: '1' },
    { Key: 'b', Value: '2' },
  ];
  ok(twin, 'TagResource', { ResourceArn: arn, Tags });
  ok(twin, 'UntagResource', { ResourceArn: arn, TagKeys: ['a'] });
  expect(ok(twin, 'ListTagsOfResource', { ResourceArn: arn })).toEqual({ Tags: [Tags[1]] });
});

it('refuses what is no table', () => {
  const { twin } = openTwin();
  const refusal = (more: object): unknown =>
    refused(twin, 'CreateTable', { ...things, ...more }, 'ValidationException').message;
  expect(refusal({ TableName: 'x' })).toMatch(/at least 3 characters/);
  expect(refusal({ KeySchema: [{ AttributeName: 'other', KeyType: 'HASH' }] })).toMatch(
    /not defined in/,
  );
  expect(refusal({ StreamSpecification: { StreamEnabled: true } })).toMatch(
    /StreamViewType is required/,
  );
  expect(refusal({ BillingMode: 'FREE' })).toMatch(/enum value set/);
});

it('finds tables, items, indexes and settings again after a restart, and lets one process own the file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'reprise-tables-'));
  try {
    const file = join(folder, 'deeper', 'store.db');
    const first = openThings(file);
    const Item = { ...at('a', '1'), grp: { S: 'g' }, rank: { N: '1' } };
    ok(first.twin, 'PutItem', { TableName, Item });
    const described = ok(first.twin, 'DescribeTable', { TableName });
    expect(() => openTwin(file)).toThrow(/Another process uses it/);
    first.twin.close();
    const { twin } = openTwin(file);
    expect(ok(twin, 'DescribeTable', { TableName })).toEqual(described);
    const query = {
      KeyConditionExpression: 'grp = :g',
      ExpressionAttributeValues: { ':g': { S: 'g' } },
    };
    expect(ok(twin, 'Query', { TableName, IndexName: 'byGroup', ...query }).Items).toEqual([Item]);
    twin.close();
  } finally {
    rmSync(folder, { recursive: true });
  }
});
