// The stream pump: order, redelivery after failure and crash, and poison that blocks nobody.
import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import type { DynamoDBStreamEvent } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { simulatedClock } from '../../local/base/clock.ts';
import { type PumpedRecord, startStreamPump } from '../../local/streams/streams.ts';
import type { Twin } from '../../local/twin.ts';
import { eventually, handling, temporaryFolder, twinForTest } from './twin-for-tests.ts';

const recordOf = (number: number): PumpedRecord => ({
  dynamodb: { Keys: { pk: { S: `OUT#${number}` } }, SequenceNumber: String(number) },
});
const numberOf = ({ dynamodb }: PumpedRecord): number => Number(dynamodb.SequenceNumber);

/** A stream in memory whose position is kept apart, as on a disk. */
const streamOf = (count: number) => {
  const records = Array.from({ length: count }, (_, at) => recordOf(at + 1));
  const stream = { position: 0 };
  return {
    stream,
    source: {
      read: (limit: number) =>
        records.filter((record) => numberOf(record) > stream.position).slice(0, limit),
      advance: (sequence: string) => {
        stream.position = Math.max(stream.position, Number(sequence));
      },
      rewind: () => undefined,
    },
  };
};

describe('the pump', () => {
  it('delivers in order, at most 100 at a time, only what is wanted, and moves past the rest', async () => {
    const { source, stream } = streamOf(450);
    const batches: number[][] = [];
    const pump = startStreamPump({
      clock: simulatedClock(0),
      source,
      wanted: (record) => numberOf(record) % 2 === 1,
      deliver: async (records) => void batches.push(records.map(numberOf)),
      isolate: () => undefined,
    });
    await pump.settled();
    expect(batches.map((batch) => batch.length)).toEqual([100, 100, 25]);
    expect(batches.flat()).toEqual([...batches.flat()].sort((a, b) => a - b));
    expect(stream.position).toBe(450);
    pump.close();
  });

  it('halves a failing batch until the poison is alone, hands it on and delivers everything else in order', async () => {
    const clock = simulatedClock(0);
    const { source, stream } = streamOf(64);
    const taken: number[] = [];
    const isolated: number[] = [];
    const pump = startStreamPump({
      clock,
      source,
      wanted: () => true,
      deliver: async (records) => {
        if (records.some((record) => numberOf(record) === 23)) throw new Error('poison');
        taken.push(...records.map(numberOf));
      },
      isolate: (record) => void isolated.push(numberOf(record)),
    });
    await clock.advance(1_000);
    await pump.settled();
    expect(isolated).toEqual([23]);
    expect(taken).toEqual(Array.from({ length: 64 }, (_, at) => at + 1).filter((n) => n !== 23));
    expect(stream.position).toBe(64);
    pump.close();
  });

  it('moves its position only after success: a pump that ends in between is followed by one that delivers again', async () => {
    const { source, stream } = streamOf(3);
    const gate = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    const seen: number[] = [];
    const options = {
      clock: simulatedClock(0),
      source,
      wanted: () => true,
      isolate: () => undefined,
    };
    const first = startStreamPump({
      ...options,
      deliver: async (records) => {
        seen.push(...records.map(numberOf));
        reached.resolve();
        await gate.promise;
      },
    });
    await reached.promise;
    first.close();
    gate.resolve();
    await first.settled();
    expect(stream.position).toBe(0);
    const second = startStreamPump({
      ...options,
      deliver: async (records) => void seen.push(...records.map(numberOf)),
    });
    await second.settled();
    expect(seen).toEqual([1, 2, 3, 1, 2, 3]);
    expect(stream.position).toBe(3);
    second.close();
  });

  it('starts again from its position when the store fails', async () => {
    const clock = simulatedClock(0);
    const { source } = streamOf(2);
    let failures = 1;
    const seen: number[] = [];
    const pump = startStreamPump({
      clock,
      source: {
        ...source,
        advance: (sequence) => {
          failures -= 1;
          if (failures >= 0) throw new Error('disk full');
          source.advance(sequence);
        },
      },
      wanted: () => true,
      deliver: async (records) => void seen.push(...records.map(numberOf)),
      isolate: () => undefined,
    });
    await clock.advance(2_000);
    expect(seen).toEqual([1, 2, 1, 2]);
    pump.close();
  });
});

const put = async (twin: Twin, pk: string): Promise<void> => {
  const client = new DynamoDBClient({ ...twin.substrate('api').aws('dynamodb') });
  const Item = { pk: { S: pk }, sk: { S: 'x' } };
  await client.send(new PutItemCommand({ TableName: 'Conversations', Item }));
};

const isStreamEvent = (event: unknown): event is DynamoDBStreamEvent =>
  typeof event === 'object' && event !== null && 'Records' in event;

const keysOf = (event: unknown): string[] =>
  isStreamEvent(event) ? event.Records.map((record) => String(record.dynamodb?.Keys?.pk?.S)) : [];

describe('the outbox of the twin', () => {
  it('reaches publish by itself, new items only, and again after a restart when it was not taken', async () => {
    const dataDir = await temporaryFolder();
    const gate = Promise.withResolvers<void>();
    const lost: string[] = [];
    const first = await twinForTest({
      dataDir,
      handlers: {
        publish: handling(async (event) => {
          lost.push(...keysOf(event));
          await gate.promise;
        }),
      },
    });
    await put(first, 'OUT#1');
    await put(first, 'OUT#1');
    await put(first, 'CNV#1');
    await eventually(() => lost.length > 0);
    await first.close();
    gate.resolve();
    const delivered: string[] = [];
    const second = await twinForTest({
      dataDir,
      handlers: { publish: handling((event) => void delivered.push(...keysOf(event))) },
    });
    await second.settled();
    expect(lost).toEqual(['OUT#1']);
    expect(delivered).toEqual(['OUT#1']);
  });

  it('gets past a record that publish cannot take', async () => {
    const delivered: string[] = [];
    const twin = await twinForTest({
      handlers: {
        publish: handling((event) => {
          if (keysOf(event).includes('OUT#bad')) throw new Error('cannot');
          delivered.push(...keysOf(event));
        }),
      },
    });
    for (const pk of ['OUT#1', 'OUT#bad', 'OUT#2']) await put(twin, pk);
    await eventually(() => delivered.includes('OUT#2'));
    expect(delivered).toEqual(['OUT#1', 'OUT#2']);
  });
});
