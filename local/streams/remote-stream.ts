// The stream of a table in another DynamoDB, read through the DynamoDB Streams API. Owns: the position per shard, in
// SQLite. Shards are read in the order the service lists them; a parent comes before its children.
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import type { AwsCall } from '../base/endpoints.ts';
import { AwsFault } from '../base/wire.ts';
import type { PumpedRecord, StreamSource } from './streams.ts';

export const remoteStreamSchema = `
CREATE TABLE IF NOT EXISTS streamPositions (stream TEXT NOT NULL, shard TEXT NOT NULL, sequence TEXT NOT NULL,
  PRIMARY KEY (stream, shard)) STRICT;
`;

export type RemoteRecord = PumpedRecord & { readonly eventName: string };

const tableAnswer = z.object({ Table: z.object({ LatestStreamArn: z.string() }) });
const streamAnswer = z.object({
  StreamDescription: z.object({
    Shards: z.array(z.object({ ShardId: z.string() })),
    LastEvaluatedShardId: z.string().optional(),
  }),
});
const iteratorAnswer = z.object({ ShardIterator: z.string() });
const record = z.looseObject({
  eventName: z.string(),
  dynamodb: z.looseObject({
    Keys: z.record(z.string(), z.unknown()),
    SequenceNumber: z.string(),
  }),
});
const recordsAnswer = z.object({
  Records: z.array(record).default([]),
  NextShardIterator: z.string().nullish(),
});

interface Calls {
  readonly tables: AwsCall;
  readonly streams: AwsCall;
}

const readMax = 1000;

const shardsOf = async (calls: Calls, streamArn: string): Promise<string[]> => {
  const shards: string[] = [];
  for (let after: string | undefined; ; ) {
    const { StreamDescription: page } = streamAnswer.parse(
      await calls.streams('DescribeStream', {
        StreamArn: streamArn,
        ...(after === undefined ? {} : { ExclusiveStartShardId: after }),
      }),
    );
    shards.push(...page.Shards.map(({ ShardId }) => ShardId));
    after = page.LastEvaluatedShardId;
    if (after === undefined) return shards;
  }
};

const openPositions = (database: DatabaseSync) => {
  const get = database.prepare(
    'SELECT sequence FROM streamPositions WHERE stream = ? AND shard = ?',
  );
  const put = database.prepare('INSERT OR REPLACE INTO streamPositions VALUES (?, ?, ?)');
  return {
    get: (stream: string, shard: string) =>
      z.object({ sequence: z.string() }).optional().parse(get.get(stream, shard))?.sequence,
    put: (stream: string, shard: string, sequence: string) => void put.run(stream, shard, sequence),
  };
};

const iteratorFor = async (
  calls: Calls,
  at: { readonly StreamArn: string; readonly ShardId: string },
  after: string | undefined,
): Promise<string> => {
  const fromStart = { ...at, ShardIteratorType: 'TRIM_HORIZON' };
  const fromPosition = {
    ...at,
    ShardIteratorType: 'AFTER_SEQUENCE_NUMBER',
    SequenceNumber: after,
  };
  try {
    const given = after === undefined ? fromStart : fromPosition;
    return iteratorAnswer.parse(await calls.streams('GetShardIterator', given)).ShardIterator;
  } catch (cause) {
    // The position has been trimmed away meanwhile: what is left begins later.
    if (!(cause instanceof AwsFault) || cause.code !== 'TrimmedDataAccessException') throw cause;
    return iteratorAnswer.parse(await calls.streams('GetShardIterator', fromStart)).ShardIterator;
  }
};

export const openRemoteSource = (
  database: DatabaseSync,
  calls: Calls,
  table: string,
): StreamSource<RemoteRecord> => {
  const positions = openPositions(database);
  const iterators = new Map<string, string | null>();
  const shardOf = new Map<string, string>();
  let streamArn = '';

  const readShard = async (shard: string): Promise<RemoteRecord[]> => {
    const known = iterators.get(shard);
    if (known === null) return [];
    const at = { StreamArn: streamArn, ShardId: shard };
    const iterator = known ?? (await iteratorFor(calls, at, positions.get(streamArn, shard)));
    const page = recordsAnswer.parse(
      await calls.streams('GetRecords', { ShardIterator: iterator, Limit: readMax }),
    );
    iterators.set(shard, page.NextShardIterator ?? null);
    return page.Records;
  };
  const read = async (): Promise<RemoteRecord[]> => {
    const described = await calls.tables('DescribeTable', { TableName: table });
    streamArn = tableAnswer.parse(described).Table.LatestStreamArn;
    for (const shard of await shardsOf(calls, streamArn)) {
      const records = await readShard(shard);
      for (const each of records) shardOf.set(each.dynamodb.SequenceNumber, shard);
      if (records.length > 0) return records;
    }
    return [];
  };
  return {
    read,
    // An iterator lives for minutes only; the positions are what counts.
    rewind: () => iterators.clear(),
    advance: (sequence) => {
      const shard = shardOf.get(sequence);
      if (shard === undefined) return;
      positions.put(streamArn, shard, sequence);
      for (const [each, ofShard] of shardOf) {
        if (ofShard !== shard) continue;
        shardOf.delete(each);
        if (each === sequence) return;
      }
    },
  };
};
