// Buses, rules and targets, in SQLite. Owns: those tables.
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';

export const busSchema = `
CREATE TABLE IF NOT EXISTS buses (name TEXT PRIMARY KEY) STRICT;
CREATE TABLE IF NOT EXISTS rules (bus TEXT NOT NULL, name TEXT NOT NULL, pattern TEXT NOT NULL, state TEXT NOT NULL,
  description TEXT NOT NULL, PRIMARY KEY (bus, name)) STRICT;
CREATE TABLE IF NOT EXISTS targets (bus TEXT NOT NULL, rule TEXT NOT NULL, id TEXT NOT NULL, arn TEXT NOT NULL, input TEXT,
  PRIMARY KEY (bus, rule, id)) STRICT;
INSERT OR IGNORE INTO buses VALUES ('default');
`;

const busRow = z.object({ name: z.string() });
const ruleRow = z.object({
  bus: z.string(),
  name: z.string(),
  pattern: z.string(),
  state: z.enum(['ENABLED', 'DISABLED']),
  description: z.string(),
});
const targetRow = z.object({
  bus: z.string(),
  rule: z.string(),
  id: z.string(),
  arn: z.string(),
  input: z.string().nullable(),
});
export type Rule = z.infer<typeof ruleRow>;
export type Target = z.infer<typeof targetRow>;

export interface BusStore {
  buses(): string[];
  hasBus(name: string): boolean;
  addBus(name: string): void;
  dropBus(name: string): void;
  rules(bus: string): Rule[];
  rule(bus: string, name: string): Rule | undefined;
  putRule(rule: Rule): void;
  dropRule(bus: string, name: string): void;
  targets(bus: string, rule: string): Target[];
  putTarget(target: Target): void;
  dropTarget(bus: string, rule: string, id: string): void;
}

export const openBusStore = (database: DatabaseSync): BusStore => {
  const sql = {
    buses: database.prepare('SELECT name FROM buses ORDER BY name'),
    addBus: database.prepare('INSERT OR IGNORE INTO buses VALUES (?)'),
    dropBus: database.prepare('DELETE FROM buses WHERE name = ?'),
    rules: database.prepare('SELECT * FROM rules WHERE bus = ? ORDER BY name'),
    putRule: database.prepare('INSERT OR REPLACE INTO rules VALUES (?, ?, ?, ?, ?)'),
    dropRule: database.prepare('DELETE FROM rules WHERE bus = ? AND name = ?'),
    targets: database.prepare('SELECT * FROM targets WHERE bus = ? AND rule = ? ORDER BY id'),
    putTarget: database.prepare('INSERT OR REPLACE INTO targets VALUES (?, ?, ?, ?, ?)'),
    dropTarget: database.prepare('DELETE FROM targets WHERE bus = ? AND rule = ? AND id = ?'),
  };
  const buses = (): string[] =>
    z
      .array(busRow)
      .parse(sql.buses.all())
      .map(({ name }) => name);
  const rules = (bus: string): Rule[] => z.array(ruleRow).parse(sql.rules.all(bus));
  return {
    buses,
    hasBus: (name) => buses().includes(name),
    addBus: (name) => void sql.addBus.run(name),
    dropBus: (name) => void sql.dropBus.run(name),
    rules,
    rule: (bus, name) => rules(bus).find((each) => each.name === name),
    putRule: ({ bus, name, pattern, state, description }) =>
      void sql.putRule.run(bus, name, pattern, state, description),
    dropRule: (bus, name) => void sql.dropRule.run(bus, name),
    targets: (bus, rule) => z.array(targetRow).parse(sql.targets.all(bus, rule)),
    putTarget: ({ bus, rule, id, arn, input }) => void sql.putTarget.run(bus, rule, id, arn, input),
    dropTarget: (bus, rule, id) => void sql.dropTarget.run(bus, rule, id),
  };
};
