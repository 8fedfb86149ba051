// The streams of the manifest, each with its consumer: where records come from (the twin's DynamoDB or another one), which
// are wanted, and what becomes of a record that cannot be delivered. Owns: that wiring and the position in a foreign stream.
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { streams } from '../../functions/manifest.ts';
import type { TwinClock } from '../base/clock.ts';
import type { Deliveries } from '../base/deliveries.ts';
import type { AwsCall } from '../base/endpoints.ts';
import { functionArn, type Place } from '../base/names.ts';
import type { DynamoTwin } from '../dynamodb/index.ts';
import type { LambdaRuntime } from '../lambda/runtime.ts';
import { openRemoteSource } from './remote-stream.ts';
import {
  type PumpedRecord,
  type StreamPump,
  type StreamSource,
  startStreamPump,
} from './streams.ts';

export interface PumpParts {
  readonly clock: TwinClock;
  readonly place: Place;
  readonly runtime: LambdaRuntime;
  readonly deliveries: Deliveries;
  readonly database: DatabaseSync;
  readonly dynamo:
    | { readonly kind: 'own'; readonly twin: DynamoTwin }
    | { readonly kind: 'foreign'; readonly tables: AwsCall; readonly streams: AwsCall };
}

type StreamRecord = PumpedRecord & { readonly eventName: string };
type Stream = (typeof streams)[number];

const hourMs = 3_600_000;
const isolatedAttemptsMax = 12;
const foreignPollMs = 200;
const beginning = '0';
/** Reads that found nothing wanted, before what they passed over is dropped. */
const emptyReadsMax = 50;

/** Reads what is wanted alone; what was delivered is dropped at once, what nobody wants in heaps. */
const ownSource = (
  twin: DynamoTwin,
  { table, partitionKeyPrefix }: Stream,
): StreamSource<StreamRecord> => {
  let position = beginning;
  let emptyReads = 0;
  const drop = (sequence: string): void => {
    if (sequence === position) return;
    twin.trimStream(table, sequence);
    position = sequence;
    emptyReads = 0;
  };
  return {
    read: (limit) => {
      const newest = twin.latestSequence();
      const records = twin.readStream(table, position, limit, partitionKeyPrefix);
      emptyReads = records.length === 0 ? emptyReads + 1 : 0;
      if (emptyReads >= emptyReadsMax) drop(newest);
      return records;
    },
    advance: drop,
    rewind: () => {
      position = beginning;
    },
  };
};

const isWanted =
  (stream: Stream) =>
  ({ eventName, dynamodb }: StreamRecord): boolean => {
    const key = dynamodb.Keys.pk;
    const text = typeof key === 'object' && key !== null ? Reflect.get(key, 'S') : undefined;
    return (
      eventName === 'INSERT' &&
      typeof text === 'string' &&
      text.startsWith(stream.partitionKeyPrefix)
    );
  };

const batchAnswer = z.object({
  batchItemFailures: z.array(z.object({ itemIdentifier: z.string() })).optional(),
});

/** Lambda's partial batch response: an empty list is success, an unknown form is success too. */
const requireWhole = (payload: string): void => {
  const failures = batchAnswer.safeParse(JSON.parse(payload)).data?.batchItemFailures ?? [];
  if (failures.length > 0)
    throw new Error(`${failures.length} records of the batch were not taken.`);
};

const startOne = (parts: PumpParts, stream: Stream): StreamPump => {
  const { clock, runtime, deliveries, dynamo, place } = parts;
  const source =
    dynamo.kind === 'own'
      ? ownSource(dynamo.twin, stream)
      : openRemoteSource(parts.database, dynamo, stream.table);
  return startStreamPump<StreamRecord>({
    clock,
    source,
    wanted: isWanted(stream),
    deliver: async (records) => {
      const payload = JSON.stringify({ Records: records });
      const answer = await runtime.invoke(stream.function, payload);
      if (answer.functionError !== undefined) throw new Error(answer.payload);
      requireWhole(answer.payload);
    },
    isolate: (record) => {
      deliveries.add({
        target: functionArn(place, stream.function),
        input: JSON.stringify({ Records: [record] }),
        attemptsMax: isolatedAttemptsMax,
        ageMsMax: hourMs,
      });
      deliveries.wake();
    },
    ...(dynamo.kind === 'own' ? {} : { pollMs: foreignPollMs }),
  });
};

export interface Pumps {
  settled(): Promise<void>;
  close(): void;
}

export const startPumps = (parts: PumpParts): Pumps => {
  const pumps = new Map<string, StreamPump>(
    streams.map((stream) => [stream.table, startOne(parts, stream)]),
  );
  const stopListening =
    parts.dynamo.kind === 'own'
      ? parts.dynamo.twin.onStream((table) => pumps.get(table)?.wake())
      : () => undefined;
  return {
    settled: async () => {
      for (const pump of pumps.values()) await pump.settled();
    },
    close: () => {
      stopListening();
      for (const pump of pumps.values()) pump.close();
    },
  };
};
