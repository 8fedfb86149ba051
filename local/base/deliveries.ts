// What has to reach a target although nobody waits for it: asynchronous invocations, bus events, fired schedules.
// Owns: the durable queue, its back-off and its dead letters. At least once; a target may see an item twice.
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import type { CancelTimer, TwinClock } from './clock.ts';

export const deliveriesSchema = `
CREATE TABLE IF NOT EXISTS deliveries (id INTEGER PRIMARY KEY AUTOINCREMENT, target TEXT NOT NULL, input TEXT NOT NULL,
  attempts INTEGER NOT NULL, attemptsMax INTEGER NOT NULL, dueAtMs INTEGER NOT NULL, expiresAtMs INTEGER NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS undelivered (id INTEGER PRIMARY KEY, target TEXT NOT NULL, input TEXT NOT NULL,
  attempts INTEGER NOT NULL, error TEXT NOT NULL, atMs INTEGER NOT NULL) STRICT;
`;

const row = z.object({
  id: z.number(),
  target: z.string(),
  input: z.string(),
  attempts: z.number(),
  attemptsMax: z.number(),
  dueAtMs: z.number(),
  expiresAtMs: z.number(),
});
type Row = z.infer<typeof row>;

const undeliveredRow = z.object({
  target: z.string(),
  input: z.string(),
  attempts: z.number(),
  error: z.string(),
  atMs: z.number(),
});
export type Undelivered = z.infer<typeof undeliveredRow>;

export interface Delivery {
  /** ARN of a function or state machine. */
  readonly target: string;
  /** JSON text. */
  readonly input: string;
  /** First try included. */
  readonly attemptsMax: number;
  readonly ageMsMax: number;
}

export interface Deliveries {
  /** Stores; within the caller's transaction if it has one open. Call `wake` after the commit. */
  add(delivery: Delivery): void;
  wake(): void;
  undelivered(): Undelivered[];
  close(): void;
}

/**
 * Tries for a target: a function is invoked asynchronously, so Lambda's own two retries count, not those of the sender.
 */
export const attemptsMaxFor = (target: string, otherwise: number): number =>
  target.includes(':lambda:') ? Math.min(3, otherwise) : otherwise;

const parallelMax = 32;
const pauseMs = (attempts: number): number => Math.min(60_000, 1000 * 2 ** (attempts - 1));

/** `deliver` resolves when the target has taken the item and throws when it has not. */
export const openDeliveries = (
  database: DatabaseSync,
  clock: TwinClock,
  deliver: (target: string, input: string) => Promise<void>,
): Deliveries => {
  const insert = database.prepare(
    `INSERT INTO deliveries (target, input, attempts, attemptsMax, dueAtMs, expiresAtMs) VALUES (?, ?, 0, ?, ?, ?)`,
  );
  const next = database.prepare('SELECT * FROM deliveries ORDER BY dueAtMs, id LIMIT ?');
  const remove = database.prepare('DELETE FROM deliveries WHERE id = ?');
  const postpone = database.prepare('UPDATE deliveries SET attempts = ?, dueAtMs = ? WHERE id = ?');
  const bury = database.prepare('INSERT OR REPLACE INTO undelivered VALUES (?, ?, ?, ?, ?, ?)');
  const buried = database.prepare('SELECT * FROM undelivered ORDER BY id');
  const inFlight = new Set<number>();
  let cancel: CancelTimer = () => undefined;
  let closed = false;

  const settle = (item: Row, cause: unknown): void => {
    const attempts = item.attempts + 1;
    const dueAtMs = clock.now() + pauseMs(attempts);
    if (cause === undefined) remove.run(item.id);
    else if (attempts < item.attemptsMax && dueAtMs < item.expiresAtMs)
      postpone.run(attempts, dueAtMs, item.id);
    else {
      const error = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
      bury.run(item.id, item.target, item.input, attempts, error, clock.now());
      remove.run(item.id);
    }
  };
  const attempt = async (item: Row): Promise<void> => {
    inFlight.add(item.id);
    const cause: unknown = await deliver(item.target, item.input).then(
      () => undefined,
      (thrown: unknown) => thrown ?? 'failed',
    );
    if (closed) return;
    try {
      settle(item, cause);
      inFlight.delete(item.id);
      wake();
    } catch {
      // The disk refuses: the item stays stored, and is tried again later.
      clock.at(clock.now() + 1000, () => {
        inFlight.delete(item.id);
        wake();
      });
    }
  };
  const wake = (): void => {
    if (closed) return;
    cancel();
    const items = z.array(row).parse(next.all(parallelMax + inFlight.size));
    for (const item of items) {
      if (inFlight.has(item.id)) continue;
      if (item.dueAtMs > clock.now()) {
        cancel = clock.at(item.dueAtMs, wake);
        return;
      }
      if (inFlight.size >= parallelMax) return;
      void attempt(item);
    }
  };
  return {
    add: ({ target, input, attemptsMax, ageMsMax }) =>
      void insert.run(target, input, attemptsMax, clock.now(), clock.now() + ageMsMax),
    wake,
    undelivered: () => z.array(undeliveredRow).parse(buried.all()),
    close: () => {
      closed = true;
      cancel();
    },
  };
};
