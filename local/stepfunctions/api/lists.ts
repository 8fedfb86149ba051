// Lists of executions for the API. Owns: their order (newest start first) and paging.
import type { DatabaseSync } from 'node:sqlite';
import { type ExecutionRow, type ExecutionStatus, executionRow } from '../store/rows.ts';

export interface ExecutionFilter {
  readonly machine: string;
  readonly version: string | undefined;
  readonly alias: string | undefined;
  readonly status: ExecutionStatus | undefined;
  readonly redriven: boolean | undefined;
}

export class ExecutionLists {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** Executions started before (`startedMs`, `no`), newest first. */
  before(
    filter: ExecutionFilter,
    from: { readonly startedMs: number; readonly no: number },
    limit: number,
  ): ExecutionRow[] {
    const { machine, version, alias, status, redriven } = filter;
    const rows = this.#database
      .prepare(
        `SELECT * FROM executions WHERE machine = ? AND (started_ms, no) < (?, ?)
         AND (? IS NULL OR version = ?) AND (? IS NULL OR alias = ?) AND (? IS NULL OR status = ?)
         AND (? IS NULL OR (redrives > 0) = ?) ORDER BY started_ms DESC, no DESC LIMIT ?`,
      )
      .all(
        machine,
        from.startedMs,
        from.no,
        ...[version ?? null, version ?? null, alias ?? null, alias ?? null],
        ...[status ?? null, status ?? null],
        ...(redriven === undefined ? [null, null] : [Number(redriven), Number(redriven)]),
        limit,
      );
    return rows.map((row) => executionRow.parse(row));
  }

  /** Numbers of the running executions of a machine. */
  running(machine: string): number[] {
    return this.#database
      .prepare(`SELECT no FROM executions WHERE machine = ? AND status = 'RUNNING'`)
      .all(machine)
      .map((row) => Number(row.no));
  }
}
