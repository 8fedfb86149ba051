// The demo destinations' own SQLite file: their records, their keys, and the provider ledger of effects that really
// happened. Owns the tables; knows nothing of Reprise. Effects are committed with fsync before any reply.
import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import canonicalize from 'canonicalize';
import { z } from 'zod';

const tables = `
CREATE TABLE IF NOT EXISTS requests (arrival INTEGER PRIMARY KEY AUTOINCREMENT, service TEXT NOT NULL,
  operation TEXT NOT NULL, account TEXT NOT NULL, key TEXT, atMs INTEGER NOT NULL, outcome TEXT) STRICT;
CREATE TABLE IF NOT EXISTS effects (number INTEGER PRIMARY KEY AUTOINCREMENT, arrival INTEGER NOT NULL,
  service TEXT NOT NULL, operation TEXT NOT NULL, id TEXT NOT NULL, account TEXT NOT NULL, environment TEXT NOT NULL,
  reference TEXT, key TEXT, argumentsDigest TEXT NOT NULL, arguments TEXT NOT NULL, atMs INTEGER NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS keys (account TEXT NOT NULL, key TEXT NOT NULL, digest TEXT NOT NULL,
  status INTEGER NOT NULL, body TEXT NOT NULL, firstAtMs INTEGER NOT NULL, PRIMARY KEY (account, key)) STRICT;
CREATE TABLE IF NOT EXISTS records (number INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL,
  account TEXT NOT NULL, id TEXT NOT NULL, reference TEXT, createdAtMs INTEGER NOT NULL, body TEXT NOT NULL,
  UNIQUE (kind, account, id)) STRICT;
CREATE INDEX IF NOT EXISTS recordsByReference ON records (kind, account, reference);
`;

const text = z.string();
const json = text.transform((written): Record<string, unknown> => JSON.parse(written));
const effectRow = z.object({
  number: z.number(),
  arrival: z.number(),
  service: text,
  operation: text,
  id: text,
  account: text,
  environment: text,
  reference: text.nullable(),
  key: text.nullable(),
  argumentsDigest: text,
  arguments: json,
  atMs: z.number(),
});
const recordRow = z.object({
  id: text,
  reference: text.nullable(),
  createdAtMs: z.number(),
  body: json,
});
const requestRow = z.object({
  arrival: z.number(),
  service: text,
  operation: text,
  account: text,
  key: text.nullable(),
  atMs: z.number(),
  outcome: text.nullable(),
});
const countRow = z.object({ operation: text, received: z.number() });
const keyRow = z.object({ digest: text, status: z.number(), body: json, firstAtMs: z.number() });

/** One effect that really happened; `number` counts effects, `arrival` the requests received. */
export type Effect = z.output<typeof effectRow>;
export type StoredRecord = z.output<typeof recordRow>;
export type StoredKey = z.output<typeof keyRow>;
export type ReceivedRequest = z.output<typeof requestRow>;

/** What tells a record apart; `kind` and `account` always, the rest where it is a search. */
export interface RecordName {
  readonly kind: string;
  readonly account: string;
}

export interface Store {
  /** Notes a received request (survives kill -9) and returns its arrival number, from 1. */
  arrived(request: Omit<ReceivedRequest, 'arrival' | 'outcome'>): number;
  left(arrival: number, outcome: string): void;
  /** Everything `work` writes is committed with fsync, or nothing when it throws. */
  transaction<T>(work: () => T): T;
  addEffect(effect: Omit<Effect, 'number' | 'argumentsDigest'>): void;
  effects(): Effect[];
  requests(): ReceivedRequest[];
  received(): Record<string, number>;
  findKey(account: string, key: string): StoredKey | undefined;
  putKey(account: string, key: string, stored: StoredKey): void;
  /** Inserts; the id is `prefix_number` unless one is given. */
  add(name: RecordName, record: NewRecord): StoredRecord;
  replaceBody(name: RecordName, id: string, body: Record<string, unknown>): void;
  get(name: RecordName, id: string): StoredRecord | undefined;
  /** In order of creation; with `reference` only those that carry it. */
  list(name: RecordName, reference?: string): StoredRecord[];
  clear(): void;
  close(): void;
}

export interface NewRecord {
  readonly id?: string | undefined;
  readonly prefix?: string;
  readonly reference?: string | undefined;
  readonly createdAtMs: number;
  readonly body: Record<string, unknown>;
}

/** SHA-256 in hex of the canonical JSON (RFC 8785) of `value`. */
export const digestOf = (value: unknown): string =>
  createHash('sha256')
    .update(canonicalize(value) ?? 'null')
    .digest('hex');

/** Opens or creates `demo.sqlite` in `dataDir`. Throws what SQLite throws when the folder cannot be written. */
export const openStore = (dataDir: string): Store => {
  mkdirSync(dataDir, { recursive: true });
  const file = path.join(dataDir, 'demo.sqlite');
  const data = new DatabaseSync(file);
  data.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA busy_timeout = 5000;');
  data.exec(tables);
  // Arrivals need to survive a killed process, not a power cut: their own connection, without fsync.
  const log = new DatabaseSync(file);
  log.exec('PRAGMA synchronous = NORMAL; PRAGMA busy_timeout = 5000;');
  return {
    ...requestsIn(log),
    ...effectsIn(data),
    ...keysIn(data),
    ...recordsIn(data),
    transaction: (work) => {
      data.exec('BEGIN IMMEDIATE');
      try {
        const result = work();
        data.exec('COMMIT');
        return result;
      } catch (cause) {
        if (data.isTransaction) data.exec('ROLLBACK');
        throw cause;
      }
    },
    clear: () => {
      for (const table of ['requests', 'effects', 'keys', 'records', 'sqlite_sequence'])
        data.exec(`DELETE FROM ${table}`);
    },
    close: () => {
      log.close();
      data.close();
    },
  };
};

const requestsIn = (
  log: DatabaseSync,
): Pick<Store, 'arrived' | 'left' | 'requests' | 'received'> => {
  const arrive = log.prepare(
    'INSERT INTO requests (service, operation, account, key, atMs) VALUES (?, ?, ?, ?, ?)',
  );
  const leave = log.prepare('UPDATE requests SET outcome = ? WHERE arrival = ?');
  const all = log.prepare('SELECT * FROM requests ORDER BY arrival');
  const counts = log.prepare(
    `SELECT service || '.' || operation AS operation, count(*) AS received FROM requests GROUP BY 1 ORDER BY 1`,
  );
  return {
    arrived: ({ service, operation, account, key, atMs }) =>
      Number(arrive.run(service, operation, account, key, atMs).lastInsertRowid),
    left: (arrival, outcome) => void leave.run(outcome, arrival),
    requests: () => all.all().map((row) => requestRow.parse(row)),
    received: () =>
      Object.fromEntries(
        counts
          .all()
          .map((row) => countRow.parse(row))
          .map(({ operation, received }) => [operation, received]),
      ),
  };
};

const effectsIn = (data: DatabaseSync): Pick<Store, 'addEffect' | 'effects'> => {
  const add = data.prepare(
    `INSERT INTO effects (arrival, service, operation, id, account, environment, reference, key,
      argumentsDigest, arguments, atMs) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const all = data.prepare('SELECT * FROM effects ORDER BY number');
  return {
    addEffect: (effect) => {
      const { arrival, service, operation, id, account, environment, reference, key } = effect;
      const written = JSON.stringify(effect.arguments);
      const digest = digestOf(effect.arguments);
      const names = [service, operation, id, account, environment, reference, key] as const;
      add.run(arrival, ...names, digest, written, effect.atMs);
    },
    effects: () => all.all().map((row) => effectRow.parse(row)),
  };
};

const keysIn = (data: DatabaseSync): Pick<Store, 'findKey' | 'putKey'> => {
  const find = data.prepare('SELECT * FROM keys WHERE account = ? AND key = ?');
  const put = data.prepare(
    'INSERT OR REPLACE INTO keys (account, key, digest, status, body, firstAtMs) VALUES (?, ?, ?, ?, ?, ?)',
  );
  return {
    findKey: (account, key) => keyRow.optional().parse(find.get(account, key)),
    putKey: (account, key, { digest, status, body, firstAtMs }) =>
      void put.run(account, key, digest, status, JSON.stringify(body), firstAtMs),
  };
};

const recordsIn = (data: DatabaseSync): Pick<Store, 'add' | 'replaceBody' | 'get' | 'list'> => {
  const next = data.prepare('SELECT coalesce(max(number), 0) + 1 AS number FROM records');
  const insert = data.prepare(
    'INSERT INTO records (kind, account, id, reference, createdAtMs, body) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const replace = data.prepare(
    'UPDATE records SET body = ? WHERE kind = ? AND account = ? AND id = ?',
  );
  const one = data.prepare('SELECT * FROM records WHERE kind = ? AND account = ? AND id = ?');
  const all = data.prepare('SELECT * FROM records WHERE kind = ? AND account = ? ORDER BY number');
  const referred = data.prepare(
    'SELECT * FROM records WHERE kind = ? AND account = ? AND reference = ? ORDER BY number',
  );
  return {
    add: ({ kind, account }, { id, prefix, reference = null, createdAtMs, body }) => {
      const given = id ?? `${prefix ?? kind}_${String(next.get()?.number)}`;
      insert.run(kind, account, given, reference, createdAtMs, JSON.stringify(body));
      return { id: given, reference, createdAtMs, body };
    },
    replaceBody: ({ kind, account }, id, body) =>
      void replace.run(JSON.stringify(body), kind, account, id),
    get: ({ kind, account }, id) => recordRow.optional().parse(one.get(kind, account, id)),
    list: ({ kind, account }, reference) =>
      (reference === undefined
        ? all.all(kind, account)
        : referred.all(kind, account, reference)
      ).map((row) => recordRow.parse(row)),
  };
};
