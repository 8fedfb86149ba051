// Change streams: a record per item written in a table with a stream, in the commit that wrote the
// item.
// Owns: sequence numbers (one rising counter for all tables, never given twice), listeners,
// trimming. Records older than 24 hours are dropped, but only when the twin has been up that long
// too: a consumer that was down together with the twin loses nothing.

import type { TwinClock } from '../base/clock.ts';
import type { Change } from './evaluation.ts';
import { itemBytes } from './sizes.ts';
import type { Storage, StreamRow } from './storage.ts';
import type { StreamView, Table, Tables } from './tables.ts';
import type { Item } from './values.ts';

/** A record as Lambda receives it; `ApproximateCreationDateTime` in seconds since the epoch. */
export interface StreamRecord {
  readonly eventID: string;
  readonly eventName: StreamRow['event'];
  readonly eventVersion: '1.1';
  readonly eventSource: 'aws:dynamodb';
  readonly awsRegion: string;
  readonly eventSourceARN: string;
  readonly dynamodb: {
    readonly ApproximateCreationDateTime: number;
    readonly Keys: Item;
    readonly NewImage?: Item;
    readonly OldImage?: Item;
    readonly SequenceNumber: string;
    readonly SizeBytes: number;
    readonly StreamViewType: StreamView;
  };
  /** Present when the time to live deleted the item. */
  readonly userIdentity?: {
    readonly type: 'Service';
    readonly principalId: 'dynamodb.amazonaws.com';
  };
}

/** What writes need of the streams. */
export interface StreamWriter {
  /** Adds the record of a change; only within `committed`. `after` is the new item's JSON text. */
  record(change: Change, after: string | undefined): void;
  /**
   * Runs a commit and, when it succeeded, tells the listeners of the tables it wrote records for.
   */
  committed<T>(commit: () => T): T;
}

export interface Streams extends StreamWriter {
  onStream(listener: (tableName: string) => void): () => void;
  /**
   * Up to `limit` records after a sequence number (exclusive; '' or '0' from the start), in order.
   * With `newKeysWith` only those of new items whose partition key, a string, begins so.
   */
  read(
    tableName: string,
    afterSequence: string,
    limit: number,
    newKeysWith?: string,
  ): StreamRecord[];
  /** Drops the table's records up to a sequence number, inclusive, and those past their time. */
  trim(tableName: string, upToSequence: string): void;
  /** Drops the records of all tables that are past their time. */
  dropOld(): void;
  /** Drops all records of a table, within the commit that drops or re-creates its stream. */
  forget(table: Table): void;
  /** The number of the newest record of any table, as a sequence number. */
  latest(): string;
  stop(): void;
}

const retentionMs = 24 * 60 * 60 * 1000;

/** Positions of one table's records lie together: the table's id above, the counter below. */
const positionsPerTable = 2 ** 40;
const sequenceBase = 10n ** 20n;

const toSequence = (counter: number): string => String(sequenceBase + BigInt(counter));

const toCounter = (sequence: string): number => {
  if (!/^\d+$/.test(sequence)) return 0;
  const number = BigInt(sequence);
  return number < sequenceBase ? 0 : Number(number - sequenceBase);
};

type Images = Pick<StreamRecord['dynamodb'], 'NewImage' | 'OldImage' | 'SizeBytes'>;
type WithoutImages = Omit<StreamRecord['dynamodb'], keyof Images>;

const imageBytes = (text: string | null): number =>
  text === null ? 0 : itemBytes(JSON.parse(text) as Item);

/** The images are parsed when somebody looks: most records are only looked at for their keys. */
const withImages = (record: WithoutImages, row: StreamRow): StreamRecord['dynamodb'] => {
  const member = (get: () => unknown): PropertyDescriptor => ({
    enumerable: true,
    configurable: true,
    get,
  });
  const { after, before, keys } = row;
  return Object.defineProperties(record as WithoutImages & Images, {
    ...(after === null ? {} : { NewImage: member(() => JSON.parse(after)) }),
    ...(before === null ? {} : { OldImage: member(() => JSON.parse(before)) }),
    SizeBytes: member(() => imageBytes(keys) + imageBytes(after) + imageBytes(before)),
  });
};

const asRecord = (table: Table, region: string, row: StreamRow): StreamRecord => {
  const view = table.record.stream?.view ?? 'NEW_AND_OLD_IMAGES';
  const sequence = toSequence(row.position % positionsPerTable);
  const keys = JSON.parse(row.keys) as Item;
  return {
    eventID: `${table.id.toString(16).padStart(8, '0')}${BigInt(sequence).toString(16).padStart(24, '0')}`,
    eventName: row.event,
    eventVersion: '1.1',
    eventSource: 'aws:dynamodb',
    awsRegion: region,
    eventSourceARN: table.record.stream?.arn ?? '',
    dynamodb: withImages(
      {
        ApproximateCreationDateTime: Math.floor(row.at / 1000),
        Keys: keys,
        SequenceNumber: sequence,
        StreamViewType: view,
      },
      row,
    ),
    ...(row.expired
      ? { userIdentity: { type: 'Service', principalId: 'dynamodb.amazonaws.com' } as const }
      : {}),
  };
};

const keysOf = (table: Table, item: Item): string =>
  JSON.stringify(Object.fromEntries(table.keyNames.map((name) => [name, item[name]])));

/** How the text of `keysOf` begins when the partition key begins so. */
const keysBeginning = (table: Table, start: string): string =>
  JSON.stringify({ [table.keyNames[0] ?? '']: { S: start } }).slice(0, -'"}}'.length);

const announcer = () => {
  const listeners = new Set<(tableName: string) => void>();
  const waiting = new Set<string>();
  let scheduled: NodeJS.Immediate | undefined;
  const announce = (): void => {
    scheduled = undefined;
    const names = [...waiting];
    waiting.clear();
    for (const name of names) for (const listener of listeners) listener(name);
  };
  return {
    listeners,
    add: (names: Iterable<string>): void => {
      for (const name of names) waiting.add(name);
      if (waiting.size > 0) scheduled ??= setImmediate(announce);
    },
    stop: (): void => {
      if (scheduled) clearImmediate(scheduled);
      waiting.clear();
      listeners.clear();
    },
  };
};

const lastCounter = (storage: Storage, tables: Tables): number => {
  let last = Number(storage.sql.getMeta.get('stream')?.value ?? 0);
  for (const { id } of tables.all()) {
    const row = storage.sql.lastPosition.get((id + 1) * positionsPerTable);
    const position = Number(row?.position ?? 0);
    if (position >= id * positionsPerTable) last = Math.max(last, position % positionsPerTable);
  }
  return last;
};

const trimming = (storage: Storage, clock: TwinClock, counterNow: () => number) => {
  const { sql } = storage;
  const openedMs = clock.now();
  const drop = (table: Table, upTo: number): void => {
    const start = table.id * positionsPerTable;
    sql.trimStream.run(start, start + upTo);
    // The counter must not start again below a dropped record.
    sql.putMeta.run('stream', counterNow());
  };
  const lastTooOld = (table: Table): number => {
    const untilMs = clock.now() - retentionMs;
    if (openedMs >= untilMs) return 0;
    const start = table.id * positionsPerTable;
    let last = 0;
    for (const row of storage.stream(start, start + positionsPerTable, -1)) {
      if (row.at >= untilMs) break;
      last = row.position % positionsPerTable;
    }
    return last;
  };
  return { drop, lastTooOld };
};

export const openStreams = (
  storage: Storage,
  tables: Tables,
  clock: TwinClock,
  region: string,
): Streams => {
  const { sql } = storage;
  const touched = new Set<string>();
  const told = announcer();
  let counter = lastCounter(storage, tables);
  const { drop, lastTooOld } = trimming(storage, clock, () => counter);
  return {
    record: ({ table, row, before, after, expired }, text) => {
      const view = table.record.stream?.view;
      if (view === undefined) return;
      counter += 1;
      const event = after === undefined ? 'REMOVE' : row === undefined ? 'INSERT' : 'MODIFY';
      const old = view === 'OLD_IMAGE' || view === 'NEW_AND_OLD_IMAGES' ? row?.item : undefined;
      const next = view === 'NEW_IMAGE' || view === 'NEW_AND_OLD_IMAGES' ? text : undefined;
      sql.insertStream.run(
        table.id * positionsPerTable + counter,
        clock.now(),
        event,
        expired ? 1 : 0,
        keysOf(table, after ?? before ?? {}),
        old ?? null,
        next ?? null,
      );
      touched.add(table.name);
    },
    committed: (commit) => {
      const counterBefore = counter;
      touched.clear();
      try {
        const result = commit();
        if (touched.size > 0) told.add(touched);
        return result;
      } catch (error) {
        counter = counterBefore;
        throw error;
      }
    },
    onStream: (listener) => {
      told.listeners.add(listener);
      return () => void told.listeners.delete(listener);
    },
    read: (tableName, afterSequence, limit, newKeysWith) => {
      const table = tables.get(tableName);
      const start = table.id * positionsPerTable;
      const rows = storage.stream(
        start + toCounter(afterSequence),
        start + positionsPerTable,
        limit,
        newKeysWith === undefined ? undefined : keysBeginning(table, newKeysWith),
      );
      return Array.from(rows, (row) => asRecord(table, region, row));
    },
    trim: (tableName, upToSequence) => {
      const table = tables.get(tableName);
      const upTo = Math.max(toCounter(upToSequence), lastTooOld(table));
      if (upTo > 0) storage.commitLazily(() => drop(table, upTo));
    },
    dropOld: () => {
      for (const table of tables.all()) {
        const upTo = lastTooOld(table);
        if (upTo > 0) storage.commitLazily(() => drop(table, upTo));
      }
    },
    forget: (table) => drop(table, positionsPerTable - 1),
    latest: () => toSequence(counter),
    stop: told.stop,
  };
};
