// The operations of DynamoDB Streams (DynamoDBStreams_20120810) over the twin's streams: one shard
// per stream.
// Owns: shard iterators, which name a stream and a sequence number in plain base64.

import { z } from 'zod';
import { invalid, Refusal } from './answers.ts';
import type { Operation } from './items.ts';
import { parsed, type Schemas } from './schemas.ts';
import type { StreamRecord } from './streams.ts';
import type { Table } from './tables.ts';
import type { Body } from './values.ts';

const shardId = 'shardId-00000000000000000000-00000001';
const recordsMax = 1000;

const streamNotFound = (arn: string): Refusal =>
  new Refusal(
    'ResourceNotFoundException',
    `Requested resource not found: Stream: ${arn} not found`,
  );

const ofArn = ({ tables }: Schemas, arn: string): Table => {
  for (const table of tables.all()) if (table.record.stream?.arn === arn) return table;
  throw streamNotFound(arn);
};

const summary = (table: Table): Body => ({
  StreamArn: table.record.stream?.arn,
  StreamLabel: table.record.stream?.label,
  TableName: table.name,
});

const listStreams =
  ({ tables }: Schemas): Operation =>
  (body) => {
    const { TableName } = parsed(z.object({ TableName: z.string().nullish() }), body);
    const streams = [...tables.all()].filter(
      (table) => table.record.stream && (TableName == null || table.name === TableName),
    );
    return { Streams: streams.map(summary) };
  };

const describeStream =
  (schemas: Schemas): Operation =>
  (body) => {
    const { StreamArn } = parsed(z.object({ StreamArn: z.string() }), body);
    const table = ofArn(schemas, StreamArn);
    const [first] = schemas.streams.read(table.name, '0', 1);
    return {
      StreamDescription: {
        ...summary(table),
        StreamStatus: 'ENABLED',
        StreamViewType: table.record.stream?.view,
        CreationRequestDateTime: table.shape.CreationDateTime,
        KeySchema: table.shape.KeySchema,
        Shards: [
          {
            ShardId: shardId,
            SequenceNumberRange: {
              StartingSequenceNumber: first?.dynamodb.SequenceNumber ?? schemas.streams.latest(),
            },
          },
        ],
      },
    };
  };

const iteratorRequest = z.object({
  StreamArn: z.string(),
  ShardId: z.string(),
  ShardIteratorType: z.enum([
    'TRIM_HORIZON',
    'LATEST',
    'AT_SEQUENCE_NUMBER',
    'AFTER_SEQUENCE_NUMBER',
  ]),
  SequenceNumber: z.string().regex(/^\d+$/).nullish(),
});

const position = z.object({ arn: z.string(), after: z.string() });
type Position = z.infer<typeof position>;

const asIterator = (at: Position): string => Buffer.from(JSON.stringify(at)).toString('base64');

const fromIterator = (text: string): Position => {
  try {
    return position.parse(JSON.parse(Buffer.from(text, 'base64').toString()));
  } catch {
    throw invalid('Invalid ShardIterator');
  }
};

const getShardIterator =
  (schemas: Schemas): Operation =>
  (body) => {
    const {
      StreamArn: arn,
      ShardIteratorType: type,
      SequenceNumber,
    } = parsed(iteratorRequest, body);
    ofArn(schemas, arn);
    const after = (): string => {
      if (type === 'TRIM_HORIZON') return '0';
      if (type === 'LATEST') return schemas.streams.latest();
      if (SequenceNumber == null) throw invalid(`SequenceNumber is required for ${type}`);
      return type === 'AFTER_SEQUENCE_NUMBER'
        ? SequenceNumber
        : String(BigInt(SequenceNumber) - 1n);
    };
    return { ShardIterator: asIterator({ arn, after: after() }) };
  };

/** Records of this API do not name their stream. */
const withoutSource = ({ eventSourceARN: _arn, ...record }: StreamRecord): Body => ({ ...record });

const getRecords =
  (schemas: Schemas): Operation =>
  (body) => {
    const request = z.object({
      ShardIterator: z.string(),
      Limit: z.number().int().min(1).nullish(),
    });
    const { ShardIterator, Limit } = parsed(request, body);
    const { arn, after } = fromIterator(ShardIterator);
    const table = ofArn(schemas, arn);
    const records = schemas.streams.read(
      table.name,
      after,
      Math.min(Limit ?? recordsMax, recordsMax),
    );
    const next = records.at(-1)?.dynamodb.SequenceNumber ?? after;
    return {
      Records: records.map(withoutSource),
      NextShardIterator: asIterator({ arn, after: next }),
    };
  };

/** The operations of DynamoDB Streams, by their AWS names. */
export const streamOperations = (schemas: Schemas): Readonly<Record<string, Operation>> => ({
  ListStreams: listStreams(schemas),
  DescribeStream: describeStream(schemas),
  GetShardIterator: getShardIterator(schemas),
  GetRecords: getRecords(schemas),
});
