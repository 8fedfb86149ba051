// Schedules and their groups, in SQLite. Owns: those tables.
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';

export const schedulerSchema = `
CREATE TABLE IF NOT EXISTS scheduleGroups (name TEXT PRIMARY KEY, createdAtMs INTEGER NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS schedules (groupName TEXT NOT NULL, name TEXT NOT NULL, given TEXT NOT NULL,
  createdAtMs INTEGER NOT NULL, changedAtMs INTEGER NOT NULL, nextAtMs INTEGER, PRIMARY KEY (groupName, name)) STRICT;
CREATE INDEX IF NOT EXISTS schedulesByTime ON schedules (nextAtMs) WHERE nextAtMs IS NOT NULL;
INSERT OR IGNORE INTO scheduleGroups VALUES ('default', 0);
`;

/** What CreateSchedule takes; times in epoch seconds. */
export const scheduleInput = z.object({
  ScheduleExpression: z.string().min(1).max(256),
  ScheduleExpressionTimezone: z.string().min(1).max(50).default('UTC'),
  GroupName: z.string().default('default'),
  State: z.enum(['ENABLED', 'DISABLED']).default('ENABLED'),
  Description: z.string().max(512).optional(),
  StartDate: z.number().optional(),
  EndDate: z.number().optional(),
  FlexibleTimeWindow: z.object({
    Mode: z.enum(['OFF', 'FLEXIBLE']),
    MaximumWindowInMinutes: z.number().optional(),
  }),
  ActionAfterCompletion: z.enum(['NONE', 'DELETE']).default('NONE'),
  Target: z.looseObject({
    Arn: z.string().min(1),
    RoleArn: z.string().min(1),
    Input: z.string().optional(),
    RetryPolicy: z
      .object({
        MaximumEventAgeInSeconds: z.number().int().min(60).max(86_400).optional(),
        MaximumRetryAttempts: z.number().int().min(0).max(185).optional(),
      })
      .optional(),
  }),
});
export type ScheduleInput = z.infer<typeof scheduleInput>;

const groupRow = z.object({ name: z.string(), createdAtMs: z.number() });
const scheduleRow = z.object({
  groupName: z.string(),
  name: z.string(),
  given: z.string().transform((text) => scheduleInput.parse(JSON.parse(text))),
  createdAtMs: z.number(),
  changedAtMs: z.number(),
  nextAtMs: z.number().nullable(),
});
export type ScheduleGroup = z.infer<typeof groupRow>;
export type StoredSchedule = z.infer<typeof scheduleRow>;

export interface ScheduleStore {
  groups(): ScheduleGroup[];
  addGroup(group: ScheduleGroup): void;
  /** With its schedules. */
  dropGroup(name: string): void;
  schedules(): StoredSchedule[];
  schedule(groupName: string, name: string): StoredSchedule | undefined;
  put(schedule: StoredSchedule): void;
  drop(groupName: string, name: string): void;
  due(nowMs: number): StoredSchedule[];
  /** When the next one is due. */
  nextAtMs(): number | undefined;
}

export const openScheduleStore = (database: DatabaseSync): ScheduleStore => {
  const sql = {
    groups: database.prepare('SELECT * FROM scheduleGroups ORDER BY name'),
    addGroup: database.prepare('INSERT INTO scheduleGroups VALUES (?, ?)'),
    dropGroup: database.prepare('DELETE FROM scheduleGroups WHERE name = ?'),
    dropMembers: database.prepare('DELETE FROM schedules WHERE groupName = ?'),
    all: database.prepare('SELECT * FROM schedules ORDER BY groupName, name'),
    one: database.prepare('SELECT * FROM schedules WHERE groupName = ? AND name = ?'),
    put: database.prepare('INSERT OR REPLACE INTO schedules VALUES (?, ?, ?, ?, ?, ?)'),
    drop: database.prepare('DELETE FROM schedules WHERE groupName = ? AND name = ?'),
    due: database.prepare('SELECT * FROM schedules WHERE nextAtMs <= ? ORDER BY nextAtMs'),
    next: database.prepare(
      'SELECT min(nextAtMs) AS atMs FROM schedules WHERE nextAtMs IS NOT NULL',
    ),
  };
  const read = (rows: unknown): StoredSchedule[] => z.array(scheduleRow).parse(rows);
  return {
    groups: () => z.array(groupRow).parse(sql.groups.all()),
    addGroup: ({ name, createdAtMs }) => void sql.addGroup.run(name, createdAtMs),
    dropGroup: (name) => {
      sql.dropMembers.run(name);
      sql.dropGroup.run(name);
    },
    schedules: () => read(sql.all.all()),
    schedule: (groupName, name) => read(sql.one.all(groupName, name))[0],
    put: ({ groupName, name, given, createdAtMs, changedAtMs, nextAtMs }) =>
      void sql.put.run(groupName, name, JSON.stringify(given), createdAtMs, changedAtMs, nextAtMs),
    drop: (groupName, name) => void sql.drop.run(groupName, name),
    due: (nowMs) => read(sql.due.all(nowMs)),
    nextAtMs: () =>
      z.object({ atMs: z.number().nullable() }).parse(sql.next.get()).atMs ?? undefined,
  };
};
