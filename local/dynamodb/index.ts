// The DynamoDB twin: AWS's DynamoDB on one SQLite file, answered call by call, synchronously.
// Owns: which operations exist, and the promise that a failing call leaves nothing behind and the
// twin usable.

import type { TwinClock } from '../base/clock.ts';
import { answerFor, Refusal, type TwinAnswer } from './answers.ts';
import { changeOperations } from './changes.ts';
import { openEvaluator } from './evaluation.ts';
import { sweeper } from './expiry.ts';
import { openGroup } from './group.ts';
import { itemOperations, type Operation } from './items.ts';
import { type Schemas, schemaOperations } from './schemas.ts';
import { openStorage } from './storage.ts';
import { streamOperations } from './stream-api.ts';
import { openStreams, type StreamRecord } from './streams.ts';
import { openTables } from './tables.ts';
import { transactionOperations } from './transactions.ts';
import { type Body, isObject } from './values.ts';
import { openWriter } from './writes.ts';

export type { TwinAnswer } from './answers.ts';
export type { StreamRecord } from './streams.ts';

export interface DynamoTwin {
  /**
   * One API call, e.g. `handle('PutItem', {…})`; also the operations of DynamoDB Streams. 200 with
   * AWS's output, 400 with AWS's error (`__type`, `message`, …), 500 when the disk or the twin
   * failed: then nothing of the call was kept.
   */
  handle(operation: string, body: unknown): TwinAnswer;
  /** As `handle`, answered a moment later: writes that arrive together share one commit. */
  take(operation: string, body: unknown): Promise<TwinAnswer>;
  /**
   * Calls back with a table's name after commits that wrote stream records for it: soon, never
   * within the call, once for many. Returns its own removal.
   */
  onStream(listener: (tableName: string) => void): () => void;
  /**
   * Up to `limit` records after a sequence number (exclusive; `'0'` from the start), oldest first.
   * With `newKeysWith` only those of new items whose partition key, a string, begins so.
   */
  readStream(
    tableName: string,
    afterSequence: string,
    limit: number,
    newKeysWith?: string,
  ): StreamRecord[];
  /** The newest sequence number of any table. */
  latestSequence(): string;
  /**
   * Drops a table's records up to a sequence number, inclusive: the durable position of its
   * consumer.
   */
  trimStream(tableName: string, upToSequence: string): void;
  /**
   * Deletes items past their time to live, drops old stream records and tokens. Returns the number
   * of items deleted.
   */
  sweepExpired(): number;
  close(): void;
}

export interface DynamoTwinOptions {
  /** Path of the SQLite file (its folder is made), or `:memory:`. */
  readonly file: string;
  readonly clock: TwinClock;
  readonly region?: string;
  readonly account?: string;
  /**
   * FULL (default) has every acknowledged write on the disk; NORMAL may lose the last ones in a
   * power cut.
   */
  readonly synchronous?: 'FULL' | 'NORMAL';
}

/** Opens the twin on a file. Throws when the file is in use or of another version. */
export const openDynamoTwin = (options: DynamoTwinOptions): DynamoTwin => {
  const { clock, region = 'us-east-1', account = '000000000000' } = options;
  const storage = openStorage({ file: options.file, synchronous: options.synchronous ?? 'FULL' });
  const tables = openTables(storage);
  const streams = openStreams(storage, tables, clock, region);
  const evaluator = openEvaluator(storage, tables);
  const writer = openWriter(storage, streams);
  const schemas: Schemas = { storage, tables, evaluator, writer, streams, clock, region, account };
  const operations = new Map<string, Operation>(
    Object.entries({
      ...itemOperations(schemas),
      ...transactionOperations(schemas, clock),
      ...schemaOperations(schemas),
      ...changeOperations(schemas),
      ...streamOperations(schemas),
    }),
  );
  const run = (operation: string, body: unknown): Body => {
    const found = operations.get(operation);
    if (found === undefined)
      throw new Refusal('UnknownOperationException', `The twin does not know ${operation}`);
    if (!isObject(body))
      throw new Refusal('SerializationException', 'The request is not a JSON object');
    return found(body);
  };
  const handle = (operation: string, body: unknown): TwinAnswer => {
    try {
      return { status: 200, body: run(operation, body) };
    } catch (error) {
      return answerFor(operation, error);
    }
  };
  const group = openGroup({ writer, run, handle });
  return {
    handle,
    take: group.take,
    onStream: streams.onStream,
    readStream: streams.read,
    latestSequence: streams.latest,
    trimStream: streams.trim,
    sweepExpired: sweeper(schemas),
    close: () => {
      group.flush();
      streams.stop();
      storage.close();
    },
  };
};
