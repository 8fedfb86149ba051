// Reads and writes of executions: rows, frames, history, what is due.
// Owns: the prepared statements of the interpreter's hot path. Every write happens inside the committer's transaction.
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { HistoryEvent } from '../run/events.ts';
import { dueOf, type Frame, isCalling } from '../run/frame.ts';
import { type ExecutionRow, executionRow } from './rows.ts';
import { executionOf, keyOf, positionOf, positionsPerExecution } from './schema.ts';

/** Everything that one turn of one execution changes. */
export interface TurnWrites {
  readonly execution: ExecutionRow;
  readonly executionChanged: boolean;
  readonly events: readonly HistoryEvent[];
  readonly frames: readonly Frame[];
  readonly removed: readonly number[];
}

export interface Due {
  readonly execution: number;
  /** The frame, or undefined for the execution's own timeout. */
  readonly frame: number | undefined;
}

const nothing = null;

export class ExecutionStore {
  readonly #database: DatabaseSync;
  readonly #statements: Readonly<Record<keyof typeof statements, StatementSync>>;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#statements = prepareAll(database);
  }

  /** Runs `write` in one transaction; nothing is kept when it throws. */
  transaction<Result>(write: () => Result): Result {
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      const result = write();
      this.#database.exec('COMMIT');
      return result;
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      throw error;
    }
  }

  /** Takes the next number for an execution; keeps its row for `apply`. */
  nextNo(): number {
    const row = this.#statements.lastNo.get();
    return Number(row?.seq ?? 0) + 1;
  }

  insertExecution(row: ExecutionRow): void {
    this.#statements.insertExecution.run(...executionValues(row));
  }

  apply({ execution, executionChanged, events, frames, removed }: TurnWrites): void {
    const { no } = execution;
    if (executionChanged) this.#statements.replaceExecution.run(...executionValues(execution));
    const [first] = events;
    if (first !== undefined)
      this.#statements.insertHistory.run(
        keyOf(no, first.id),
        first.id + events.length - 1,
        JSON.stringify(events),
      );
    for (const frame of removed) this.#statements.removeFrame.run(keyOf(no, frame));
    for (const frame of frames)
      this.#statements.putFrame.run(
        keyOf(no, frame.no),
        JSON.stringify(frame),
        dueOf(frame) ?? nothing,
        isCalling(frame) ? 1 : nothing,
      );
  }

  execution(no: number): ExecutionRow | undefined {
    const row = this.#statements.executionByNo.get(no);
    return row === undefined ? undefined : executionRow.parse(row);
  }

  executionByArn(arn: string): ExecutionRow | undefined {
    const row = this.#statements.executionByArn.get(arn);
    return row === undefined ? undefined : executionRow.parse(row);
  }

  frames(no: number): Frame[] {
    return this.#statements.framesOf
      .all(keyOf(no, 0), keyOf(no + 1, 0))
      .map((row): Frame => JSON.parse(String(row.body)));
  }

  frame(no: number, frame: number): Frame | undefined {
    const row = this.#statements.frameByKey.get(keyOf(no, frame));
    return row === undefined ? undefined : JSON.parse(String(row.body));
  }

  lastEventId(no: number): number {
    const row = this.#statements.lastChunk.get(keyOf(no, 0), keyOf(no + 1, 0));
    return Number(row?.last ?? 0);
  }

  /** Events from `fromId` on, oldest first, at least up to `toId` where they exist. */
  events(no: number, fromId: number, toId: number): HistoryEvent[] {
    return this.#statements.chunks
      .all(keyOf(no, 0), keyOf(no, Math.min(toId, positionsPerExecution - 1)), fromId)
      .flatMap((row): HistoryEvent[] => JSON.parse(String(row.body)))
      .filter(({ id }) => id >= fromId && id <= toId);
  }

  /** The earliest time at which anything is due. */
  nextDueMs(): number | undefined {
    const row = this.#statements.nextDue.get();
    const due = row?.due;
    return typeof due === 'number' ? due : undefined;
  }

  due(untilMs: number, limit: number): readonly Due[] {
    const frames = this.#statements.dueFrames
      .all(untilMs, limit)
      .map((row) => Number(row.key))
      .map((key) => ({ execution: executionOf(key), frame: positionOf(key) }));
    const executions = this.#statements.dueExecutions
      .all(untilMs, limit)
      .map((row) => ({ execution: Number(row.no), frame: undefined }));
    return [...frames, ...executions];
  }

  /** Frames whose call was out when the process that made it ended. */
  calling(): readonly Due[] {
    return this.#statements.callingFrames
      .all()
      .map((row) => Number(row.key))
      .map((key) => ({ execution: executionOf(key), frame: positionOf(key) }));
  }
}

const columns =
  'no, arn, machine, name, status, input, output, error, cause, started_ms, stopped_ms, due_ms, version, alias, trace,' +
  ' definition, role, revision, redrives, redriven_ms';
const places = columns.replaceAll(/\w+/g, '?');

const executionValues = (row: ExecutionRow): (string | number | null)[] =>
  columns.split(/,\s*/).map((column) => row[column as keyof ExecutionRow] ?? null);

const statements = {
  lastNo: `SELECT seq FROM sqlite_sequence WHERE name = 'executions'`,
  insertExecution: `INSERT INTO executions (${columns}) VALUES (${places})`,
  replaceExecution: `INSERT OR REPLACE INTO executions (${columns}) VALUES (${places})`,
  executionByNo: `SELECT * FROM executions WHERE no = ?`,
  executionByArn: `SELECT * FROM executions WHERE arn = ?`,
  insertHistory: `INSERT INTO history (key, last, body) VALUES (?, ?, ?)`,
  lastChunk: `SELECT last FROM history WHERE key >= ? AND key < ? ORDER BY key DESC LIMIT 1`,
  chunks: `SELECT body FROM history WHERE key >= ? AND key <= ? AND last >= ? ORDER BY key`,
  putFrame: `INSERT OR REPLACE INTO frames (key, body, due_ms, calling) VALUES (?, ?, ?, ?)`,
  removeFrame: `DELETE FROM frames WHERE key = ?`,
  framesOf: `SELECT body FROM frames WHERE key >= ? AND key < ? ORDER BY key`,
  frameByKey: `SELECT body FROM frames WHERE key = ?`,
  nextDue: `SELECT min(due) AS due FROM (SELECT min(due_ms) AS due FROM frames WHERE due_ms IS NOT NULL
    UNION ALL SELECT min(due_ms) FROM executions WHERE due_ms IS NOT NULL)`,
  dueFrames: `SELECT key FROM frames WHERE due_ms IS NOT NULL AND due_ms <= ? ORDER BY due_ms, key LIMIT ?`,
  dueExecutions: `SELECT no FROM executions WHERE due_ms IS NOT NULL AND due_ms <= ? ORDER BY due_ms, no LIMIT ?`,
  callingFrames: `SELECT key FROM frames WHERE calling IS NOT NULL ORDER BY key`,
} as const;

const prepareAll = (
  database: DatabaseSync,
): Readonly<Record<keyof typeof statements, StatementSync>> => {
  const prepared: Partial<Record<keyof typeof statements, StatementSync>> = {};
  for (const name of Object.keys(statements) as (keyof typeof statements)[])
    prepared[name] = database.prepare(statements[name]);
  return prepared as Record<keyof typeof statements, StatementSync>;
};
