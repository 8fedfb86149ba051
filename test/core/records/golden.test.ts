// What was stored once must be readable for ever: a golden file for each kind of stored item and each version of its schema.
// A new version gets a new file beside the old one; an old file is never changed.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { SkillVersion } from '../../../functions/core/answers/skill.ts';
import { itemSchemas } from '../../../functions/core/records/change.ts';
import { AgentRevision } from '../../../functions/core/registry/agent.ts';
import { ToolVersion } from '../../../functions/core/registry/tool.ts';

const folder = join(import.meta.dirname, '..', '..', 'golden');
const schemas: Readonly<Record<string, z.ZodType>> = {
  ...itemSchemas,
  agent: AgentRevision,
  tool: ToolVersion,
  skill: SkillVersion,
};
const kinds = Object.keys(schemas);
/** The newest version of every kind; all are still in their first. */
const newest = 1;

const golden = (kind: string, version: number): unknown =>
  JSON.parse(readFileSync(join(folder, `${kind}.${version}.json`), 'utf8'));

test('every kind has a file for each version, and every file is of a kind', () => {
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
  const expected = kinds.flatMap((kind) =>
    Array.from({ length: newest }, (_, index) => `${kind}.${index + 1}.json`),
  );
  expect(files.toSorted()).toEqual(expected.toSorted());
});

describe.each(kinds)('%s', (kind) => {
  test('is read as it was stored', () => {
    const stored = golden(kind, 1);
    const read = schemas[kind]?.parse(stored);
    // Fields that came later have their default; nothing that was there is lost.
    expect(read).toMatchObject(Object(stored));
  });

  test('carries its version, and no other passes', () => {
    const stored = Object(golden(kind, 1));
    expect(stored.schema).toBe(1);
    expect(schemas[kind]?.safeParse({ ...stored, schema: newest + 1 }).success).toBe(false);
  });

  test('is refused with a field that its schema does not know', () => {
    const stored = Object(golden(kind, 1));
    expect(schemas[kind]?.safeParse({ ...stored, unheardOf: true }).success).toBe(false);
  });
});
