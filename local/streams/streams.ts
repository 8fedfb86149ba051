// Carries a table's stream to the function that consumes it, as Lambda's event source mapping does: filtered, in order,
// at most 100 records a batch, at least once. The position moves only after success. A batch that fails is halved until
// the record that makes it fail is alone; that one is handed on (`isolate`) and blocks nobody.
import type { CancelTimer, TwinClock } from '../base/clock.ts';

/** A stream record as Lambda receives it, as far as the pump looks into it. */
export interface PumpedRecord {
  readonly dynamodb: {
    readonly Keys: Readonly<Record<string, unknown>>;
    readonly SequenceNumber: string;
  };
}

export interface StreamSource<Record extends PumpedRecord> {
  /** The next records after the position, oldest first; none when there is nothing new. */
  read(limit: number): Record[] | Promise<Record[]>;
  /** Moves the position, durably. */
  advance(sequence: string): void | Promise<void>;
  /** The next read starts at the stored position again, after trouble. */
  rewind(): void;
}

export interface StreamPumpOptions<Record extends PumpedRecord> {
  readonly clock: TwinClock;
  readonly source: StreamSource<Record>;
  readonly wanted: (record: Record) => boolean;
  /** Rejects when the batch was not taken. */
  readonly deliver: (records: readonly Record[]) => Promise<void>;
  /** Takes over, durably, a record that cannot be delivered now. */
  readonly isolate: (record: Record, cause: unknown) => void;
  /** Looks again after this time even when not woken; for sources that cannot wake. */
  readonly pollMs?: number;
}

export interface StreamPump {
  wake(): void;
  /** Resolves when everything that was readable at the call has been delivered or isolated. */
  settled(): Promise<void>;
  close(): void;
}

const readMax = 1000;
const batchMax = 100;
const singleTriesMax = 3;
const retryMs = 50;
const troubleMs = 1000;

/** Delivers in halves until what fails is alone, then hands that on. Stops silently when `isClosed`. */
const delivererOf = <Record extends PumpedRecord>(
  { clock, deliver, isolate }: StreamPumpOptions<Record>,
  isClosed: () => boolean,
) => {
  const pause = (ms: number): Promise<void> =>
    new Promise((done) => void clock.at(clock.now() + ms, done));
  const deliverAlone = async (record: Record): Promise<void> => {
    for (let tries = 1; !isClosed(); tries += 1) {
      try {
        return await deliver([record]);
      } catch (cause) {
        if (isClosed()) return;
        if (tries >= singleTriesMax) return isolate(record, cause);
        await pause(retryMs * 4 ** (tries - 1));
      }
    }
  };
  const deliverAll = async (records: readonly Record[]): Promise<void> => {
    const [first] = records;
    if (first === undefined || isClosed()) return;
    if (records.length === 1) return deliverAlone(first);
    try {
      await deliver(records);
    } catch {
      const middle = Math.ceil(records.length / 2);
      await deliverAll(records.slice(0, middle));
      await deliverAll(records.slice(middle));
    }
  };
  return deliverAll;
};

export const startStreamPump = <Record extends PumpedRecord>(
  options: StreamPumpOptions<Record>,
): StreamPump => {
  const { clock, source, wanted, pollMs } = options;
  let closed = false;
  let working: Promise<void> | undefined;
  let again = false;
  let cancel: CancelTimer = () => undefined;
  const deliverAll = delivererOf(options, () => closed);

  const advancePast = async (record: Record | undefined): Promise<void> => {
    if (record !== undefined && !closed) await source.advance(record.dynamodb.SequenceNumber);
  };
  /** One reading; false when there was nothing. */
  const pass = async (): Promise<boolean> => {
    const records = await source.read(readMax);
    const matching = records.filter(wanted);
    for (let at = 0; at < matching.length && !closed; at += batchMax) {
      const batch = matching.slice(at, at + batchMax);
      await deliverAll(batch);
      await advancePast(batch.at(-1));
    }
    await advancePast(records.at(-1));
    return records.length > 0;
  };
  const work = async (): Promise<number | undefined> => {
    try {
      do {
        again = false;
        while (!closed && (await pass()));
      } while (again && !closed);
      return pollMs;
    } catch {
      // The store or the disk refused: nothing is lost, the position has not moved.
      source.rewind();
      return troubleMs;
    }
  };
  const wake = (): void => {
    again = true;
    if (closed || working !== undefined) return;
    working = work().then((laterMs) => {
      working = undefined;
      cancel();
      if (closed) return;
      if (laterMs !== undefined) cancel = clock.at(clock.now() + laterMs, wake);
      else if (again) wake();
    });
  };
  wake();
  return {
    wake,
    settled: async () => {
      wake();
      while (working !== undefined) await working;
    },
    close: () => {
      closed = true;
      cancel();
    },
  };
};
