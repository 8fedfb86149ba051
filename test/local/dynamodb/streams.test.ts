// Streams and time to live.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { DynamoTwin } from '../../../local/dynamodb/index.ts';
import { at, ok, openThings, openTwin, refused, startMs, things } from './twin.ts';

const TableName = 'Things';
const hourMs = 3_600_000;
const folders: string[] = [];
const newFile = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'reprise-streams-'));
  folders.push(folder);
  return join(folder, 'store.db');
};
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

const put = (twin: DynamoTwin, sk: string, more: object = {}): void =>
  void ok(twin, 'PutItem', { TableName, Item: { ...at('p', sk), ...more } });
const turn = (): Promise<void> => new Promise((done) => setImmediate(done));
const sequences = (twin: DynamoTwin, after = '0'): string[] =>
  twin.readStream(TableName, after, 1000).map((record) => record.dynamodb.SequenceNumber);

describe('a stream', () => {
  it('has one record for each change, in order, in the form Lambda gets', () => {
    const { twin } = openThings();
    put(twin, '1', { v: { N: '1' } });
    put(twin, '1', { v: { N: '2' } });
    put(twin, '1', { v: { N: '2' } }); // changes nothing
    ok(twin, 'DeleteItem', { TableName, Key: at('p', '1') });
    ok(twin, 'DeleteItem', { TableName, Key: at('p', '1') });
    const records = twin.readStream(TableName, '0', 10);
    expect(records.map((record) => record.eventName)).toEqual(['INSERT', 'MODIFY', 'REMOVE']);
    const arn = `arn:aws:dynamodb:us-east-1:000000000000:table/Things/stream/2026-01-01T00:00:00.000`;
    expect(records[1]).toEqual({
      eventID: expect.stringMatching(/^[0-9a-f]{32}$/),
      eventName: 'MODIFY',
      eventVersion: '1.1',
      eventSource: 'aws:dynamodb',
      awsRegion: 'us-east-1',
      eventSourceARN: arn,
      dynamodb: {
        ApproximateCreationDateTime: startMs / 1000,
        Keys: at('p', '1'),
        NewImage: { ...at('p', '1'), v: { N: '2' } },
        OldImage: { ...at('p', '1'), v: { N: '1' } },
        SequenceNumber: expect.stringMatching(/^\d{21}$/),
        SizeBytes: 24,
        StreamViewType: 'NEW_AND_OLD_IMAGES',
      },
    });
    const first = records[0]?.dynamodb.SequenceNumber ?? '';
    expect(twin.readStream(TableName, first, 1).map((record) => record.eventName)).toEqual([
      'MODIFY',
    ]);
  });

  it('shows only what its view shows', () => {
    const views = { KEYS_ONLY: [], NEW_IMAGE: ['NewImage'], OLD_IMAGE: ['OldImage'] };
    for (const [StreamViewType, images] of Object.entries(views)) {
      const { twin } = openTwin();
      ok(twin, 'CreateTable', {
        ...things,
        StreamSpecification: { StreamEnabled: true, StreamViewType },
      });
      put(twin, '1');
      put(twin, '1', { v: { N: '1' } });
      const shown = Object.keys(twin.readStream(TableName, '0', 10)[1]?.dynamodb ?? {});
      expect(shown.filter((name) => name.endsWith('Image'))).toEqual(images);
    }
  });

  it('calls listeners once for many writes, after the call, and not when nothing was written', async () => {
    const { twin } = openThings();
    const told: string[] = [];
    const stop = twin.onStream((name) => told.push(name));
    put(twin, '1');
    put(twin, '2');
    expect(told).toEqual([]);
    await turn();
    expect(told).toEqual(['Things']);
    const failing = {
      TableName,
      Item: at('p', '1'),
      ConditionExpression: 'attribute_not_exists(pk)',
    };
    refused(twin, 'PutItem', failing, 'ConditionalCheckFailedException');
    await turn();
    stop();
    put(twin, '3');
    await turn();
    expect(told).toEqual(['Things']);
  });

  it('never gives a sequence number twice, also after trimming everything and opening again', () => {
    const file = newFile();
    const opened = openThings(file);
    put(opened.twin, '1');
    put(opened.twin, '2');
    const [, last = ''] = sequences(opened.twin);
    opened.twin.trimStream(TableName, last);
    expect(sequences(opened.twin)).toEqual([]);
    opened.twin.close();
    const { twin } = openTwin(file);
    put(twin, '3');
    const [next = ''] = sequences(twin);
    expect(BigInt(next)).toBeGreaterThan(BigInt(last));
    twin.close();
  });

  it('keeps the records of two tables apart', () => {
    const { twin } = openThings();
    ok(twin, 'CreateTable', { ...things, TableName: 'Others' });
    put(twin, '1');
    ok(twin, 'PutItem', { TableName: 'Others', Item: at('o', '1') });
    put(twin, '2');
    twin.trimStream('Others', twin.readStream('Others', '0', 1)[0]?.dynamodb.SequenceNumber ?? '');
    expect([sequences(twin).length, twin.readStream('Others', '0', 9).length]).toEqual([2, 0]);
  });

  it('drops records after 24 hours', async () => {
    const { twin, clock } = openThings();
    put(twin, '1');
    await clock.advance(24 * hourMs);
    put(twin, '2');
    twin.sweepExpired();
    expect(sequences(twin)).toHaveLength(2);
    await clock.advance(1);
    twin.sweepExpired();
    expect(twin.readStream(TableName, '0', 9)).toMatchObject([
      { dynamodb: { Keys: at('p', '2') } },
    ]);
  });

  it('gives consumers that were down with the twin 24 hours from its start', async () => {
    const file = newFile();
    const first = openThings(file);
    put(first.twin, '1');
    first.twin.close();
    const { twin, clock } = openTwin(file, startMs + 100 * hourMs);
    await clock.advance(24 * hourMs);
    twin.sweepExpired();
    expect(sequences(twin)).toHaveLength(1);
    await clock.advance(1);
    twin.sweepExpired();
    expect(sequences(twin)).toEqual([]);
    twin.close();
  });

  it('answers the operations of DynamoDB Streams', () => {
    const { twin } = openThings();
    put(twin, '1');
    put(twin, '2');
    const [stream] = ok(twin, 'ListStreams', { TableName }).Streams as { StreamArn: string }[];
    const StreamArn = stream?.StreamArn ?? '';
    const described = ok(twin, 'DescribeStream', { StreamArn }).StreamDescription;
    const { Shards } = described as { Shards: { ShardId: string }[] };
    const ShardId = Shards[0]?.ShardId ?? '';
    const iterator = (more: object) =>
      ok(twin, 'GetShardIterator', { StreamArn, ShardId, ...more }).ShardIterator;
    const start = iterator({ ShardIteratorType: 'TRIM_HORIZON' });
    const page = ok(twin, 'GetRecords', { ShardIterator: start, Limit: 1 });
    const rest = ok(twin, 'GetRecords', { ShardIterator: page.NextShardIterator });
    const all = [...(page.Records as object[]), ...(rest.Records as object[])];
    expect(all).toMatchObject([
      { dynamodb: { Keys: at('p', '1') } },
      { dynamodb: { Keys: at('p', '2') } },
    ]);
    const latest = iterator({ ShardIteratorType: 'LATEST' });
    expect(ok(twin, 'GetRecords', { ShardIterator: latest }).Records).toEqual([]);
    const [, SequenceNumber] = sequences(twin);
    const from = iterator({ ShardIteratorType: 'AT_SEQUENCE_NUMBER', SequenceNumber });
    expect(ok(twin, 'GetRecords', { ShardIterator: from }).Records).toHaveLength(1);
    refused(twin, 'GetRecords', { ShardIterator: 'x' }, 'ValidationException');
    refused(twin, 'DescribeStream', { StreamArn: `${StreamArn}x` }, 'ResourceNotFoundException');
  });
});

describe('time to live', () => {
  const enable = { TableName, TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true } };
  const due = (afterSeconds: number): object => ({
    ttl: { N: String(startMs / 1000 + afterSeconds) },
  });

  it('deletes what has expired, as the service, with its index entries', async () => {
    const { twin, clock } = openThings();
    put(twin, 'before', { ...due(10), grp: { S: 'g' }, rank: { N: '1' } });
    ok(twin, 'UpdateTimeToLive', enable);
    put(twin, 'soon', due(20));
    put(twin, 'later', due(10_000));
    put(twin, 'text', { ttl: { S: '1' } });
    put(twin, 'long ago', { ttl: { N: '1000' } });
    expect(twin.sweepExpired()).toBe(0);
    await clock.advance(20_000);
    expect(twin.sweepExpired()).toBe(2);
    const left = ok(twin, 'Scan', { TableName, ProjectionExpression: 'sk' }).Items;
    expect(left).toHaveLength(3);
    const found = ok(twin, 'Query', {
      TableName,
      IndexName: 'byRank',
      KeyConditionExpression: 'grp = :g',
      ExpressionAttributeValues: { ':g': { S: 'g' } },
    });
    expect(found.Count).toBe(0);
    expect(twin.readStream(TableName, '0', 100).slice(-2)).toMatchObject(
      ['before', 'soon'].map((sk) => ({
        eventName: 'REMOVE',
        userIdentity: { type: 'Service', principalId: 'dynamodb.amazonaws.com' },
        dynamodb: { Keys: at('p', sk) },
      })),
    );
  });

  it('is described, and refused twice', () => {
    const { twin } = openThings();
    const described = () => ok(twin, 'DescribeTimeToLive', { TableName }).TimeToLiveDescription;
    expect(described()).toEqual({ TimeToLiveStatus: 'DISABLED' });
    ok(twin, 'UpdateTimeToLive', enable);
    expect(described()).toEqual({ TimeToLiveStatus: 'ENABLED', AttributeName: 'ttl' });
    refused(twin, 'UpdateTimeToLive', enable, 'ValidationException');
  });
});
