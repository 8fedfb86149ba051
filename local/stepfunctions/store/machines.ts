// State machines, their versions and aliases, and the definitions all of them point to.
// Owns: the tables of what can be started. A definition is stored once, whoever uses it, and never changed.
import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import {
  type AliasRow,
  aliasRow,
  type MachineRow,
  machineRow,
  type VersionRow,
  versionRow,
} from './rows.ts';

type Value = string | number | null;

export class MachineStore {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  #one(sql: string, ...values: Value[]): unknown {
    return this.#database.prepare(sql).get(...values);
  }

  #all(sql: string, ...values: Value[]): unknown[] {
    return this.#database.prepare(sql).all(...values);
  }

  #run(sql: string, ...values: Value[]): number {
    return Number(this.#database.prepare(sql).run(...values).changes);
  }

  /** The number of a definition's text, stored if it is new. */
  define(text: string): number {
    const digest = createHash('sha256').update(text).digest('hex');
    this.#run('INSERT OR IGNORE INTO definitions (digest, text) VALUES (?, ?)', digest, text);
    const row = this.#one('SELECT id FROM definitions WHERE digest = ?', digest);
    return Number((row as { id: number }).id);
  }

  definition(id: number): string {
    const row = this.#one('SELECT text FROM definitions WHERE id = ?', id);
    return (row as { text: string } | undefined)?.text ?? '';
  }

  machine(arn: string): MachineRow | undefined {
    const row = this.#one('SELECT * FROM machines WHERE arn = ?', arn);
    return row === undefined ? undefined : machineRow.parse(row);
  }

  machines(afterArn: string, limit: number): MachineRow[] {
    return this.#all(
      'SELECT * FROM machines WHERE arn > ? ORDER BY arn LIMIT ?',
      afterArn,
      limit,
    ).map((row) => machineRow.parse(row));
  }

  putMachine(row: MachineRow): void {
    this.#run(
      `INSERT OR REPLACE INTO machines (arn, name, definition, role, revision, options, created_ms, updated_ms, last_version)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      row.arn,
      row.name,
      row.definition,
      row.role,
      row.revision,
      row.options,
      row.created_ms,
      row.updated_ms,
      row.last_version,
    );
  }

  removeMachine(arn: string): void {
    this.#run('DELETE FROM machines WHERE arn = ?', arn);
    this.#run('DELETE FROM versions WHERE machine = ?', arn);
    this.#run('DELETE FROM aliases WHERE machine = ?', arn);
    this.#run('DELETE FROM tags WHERE arn = ?', arn);
  }

  version(arn: string): VersionRow | undefined {
    const row = this.#one('SELECT * FROM versions WHERE arn = ?', arn);
    return row === undefined ? undefined : versionRow.parse(row);
  }

  /** Newest first. */
  versions(machine: string, beforeNumber: number, limit: number): VersionRow[] {
    return this.#all(
      'SELECT * FROM versions WHERE machine = ? AND number < ? ORDER BY number DESC LIMIT ?',
      machine,
      beforeNumber,
      limit,
    ).map((row) => versionRow.parse(row));
  }

  putVersion(row: VersionRow): void {
    this.#run(
      `INSERT INTO versions (arn, machine, number, definition, role, revision, description, created_ms)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      row.arn,
      row.machine,
      row.number,
      row.definition,
      row.role,
      row.revision,
      row.description ?? null,
      row.created_ms,
    );
  }

  removeVersion(arn: string): void {
    this.#run('DELETE FROM versions WHERE arn = ?', arn);
  }

  alias(arn: string): AliasRow | undefined {
    const row = this.#one('SELECT * FROM aliases WHERE arn = ?', arn);
    return row === undefined ? undefined : aliasRow.parse(row);
  }

  aliases(machine: string, afterArn: string, limit: number): AliasRow[] {
    return this.#all(
      'SELECT * FROM aliases WHERE machine = ? AND arn > ? ORDER BY arn LIMIT ?',
      machine,
      afterArn,
      limit,
    ).map((row) => aliasRow.parse(row));
  }

  putAlias(row: AliasRow): void {
    this.#run(
      `INSERT OR REPLACE INTO aliases (arn, machine, name, description, routing, created_ms, updated_ms)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
      row.arn,
      row.machine,
      row.name,
      row.description ?? null,
      JSON.stringify(row.routing),
      row.created_ms,
      row.updated_ms,
    );
  }

  removeAlias(arn: string): void {
    this.#run('DELETE FROM aliases WHERE arn = ?', arn);
  }

  tags(arn: string): { key: string; value: string }[] {
    return this.#all('SELECT name, value FROM tags WHERE arn = ? ORDER BY name', arn).map((row) => {
      const { name, value } = row as { name: string; value: string };
      return { key: name, value };
    });
  }

  putTag(arn: string, key: string, value: string): void {
    this.#run('INSERT OR REPLACE INTO tags (arn, name, value) VALUES (?, ?, ?)', arn, key, value);
  }

  removeTag(arn: string, key: string): void {
    this.#run('DELETE FROM tags WHERE arn = ? AND name = ?', arn, key);
  }

  /** A value kept beside everything else, made on first use. */
  remembered(name: string, make: () => string): string {
    const row = this.#one('SELECT value FROM meta WHERE name = ?', name);
    if (row !== undefined) return (row as { value: string }).value;
    const value = make();
    this.#run('INSERT INTO meta (name, value) VALUES (?, ?)', name, value);
    return value;
  }
}
