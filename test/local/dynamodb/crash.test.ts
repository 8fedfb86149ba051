// kill -9 in mid-write: what was acknowledged is there, what is there is whole.

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import type { DynamoTwin } from '../../../local/dynamodb/index.ts';
import type { Item } from '../../../local/dynamodb/values.ts';
import { seeded } from './generator.ts';
import { ok, openTwin, things } from './twin.ts';

const writer = fileURLToPath(new URL('crash-writer.ts', import.meta.url));

/**
 * Runs the writer from transaction `first` and kills it once `count` are acknowledged. Returns the
 * last one.
 */
const killAfter = (file: string, first: number, count: number): Promise<number> =>
  new Promise((done, failed) => {
    const child = spawn(process.execPath, [writer, file, String(first)], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let last = first - 1;
    let complaint = '';
    child.stderr.on('data', (text: Buffer) => {
      complaint += text.toString();
    });
    createInterface({ input: child.stdout }).on('line', (line) => {
      last = Number(line);
      if (last >= first + count) child.kill('SIGKILL');
    });
    child.on('close', (_code, signal) => {
      if (signal === 'SIGKILL') done(last);
      else failed(new Error(complaint));
    });
  });

const all = (twin: DynamoTwin, operation: string, request: object): Item[] => {
  const items: Item[] = [];
  let start: unknown;
  do {
    const page = ok(twin, operation, {
      ...request,
      ...(start ? { ExclusiveStartKey: start } : {}),
    });
    items.push(...(page.Items as Item[]));
    start = page.LastEvaluatedKey;
  } while (start !== undefined);
  return items;
};

const names = (items: Iterable<Item>): string[] =>
  Array.from(items, (item) => item.pk?.S ?? '').sort();

/** The state after transaction n, whole, in tables, index and streams. Returns n. */
const checkWhole = (twin: DynamoTwin): number => {
  const stored = all(twin, 'Scan', { TableName: 'Things' });
  const counter = stored.find((item) => item.pk?.S === 'counter');
  const n = Number(counter?.n?.N);
  const numbers = Array.from({ length: n }, (_, place) => place + 1);
  const living = numbers.filter((number) => number > n - 5).map((number) => `item${number}`);
  expect(names(stored)).toEqual(['counter', ...living].sort());
  expect(names(all(twin, 'Scan', { TableName: 'Others' }))).toEqual(
    numbers.map((number) => `item${number}`).sort(),
  );
  const indexed = ['g0', 'g1', 'g2'].flatMap((group) =>
    all(twin, 'Query', {
      TableName: 'Things',
      IndexName: 'byRank',
      KeyConditionExpression: 'grp = :g',
      ExpressionAttributeValues: { ':g': { S: group } },
    }),
  );
  expect(names(indexed)).toEqual(living.sort());
  const replayed = new Map<string, Item>();
  for (const { dynamodb } of twin.readStream('Things', '0', 1_000_000)) {
    const key = JSON.stringify(dynamodb.Keys);
    expect(dynamodb.OldImage).toEqual(replayed.get(key));
    if (dynamodb.NewImage) replayed.set(key, dynamodb.NewImage);
    else replayed.delete(key);
  }
  expect(names(replayed.values())).toEqual(names(stored));
  expect(twin.readStream('Others', '0', 1_000_000)).toHaveLength(n);
  return n;
};

it('loses no acknowledged transaction and keeps no part of another, over ten kills', {
  timeout: 120_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'reprise-crash-'));
  try {
    const file = join(folder, 'store.db');
    const { twin } = openTwin(file);
    ok(twin, 'CreateTable', things);
    ok(twin, 'CreateTable', { ...things, TableName: 'Others' });
    twin.close();
    const random = seeded(9);
    let next = 1;
    for (let kill = 1; kill <= 10; kill += 1) {
      const acknowledged = await killAfter(file, next, 1 + Math.floor(random() * 60));
      const opened = openTwin(file);
      const n = checkWhole(opened.twin);
      opened.twin.close();
      expect(n).toBeGreaterThanOrEqual(acknowledged);
      expect(n).toBeLessThanOrEqual(acknowledged + 1);
      next = n + 1;
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
