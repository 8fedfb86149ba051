// Group commit: many writes, one transaction; a write that fails harms no other, and one that nobody waits for is tried again.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { simulatedClock } from '../../../local/base/clock.ts';
import { Committer } from '../../../local/stepfunctions/store/committer.ts';
import { openDatabase } from '../../../local/stepfunctions/store/schema.ts';
import { ExecutionStore } from '../../../local/stepfunctions/store/store.ts';
import { turns } from './rig.ts';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'reprise-commit-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = () => {
  const database = openDatabase(join(folder, 'db'), 'NORMAL');
  const store = new ExecutionStore(database);
  const clock = simulatedClock(0);
  const put = (name: string) => (): void => {
    database.prepare('INSERT INTO meta (name, value) VALUES (?, ?)').run(name, '');
  };
  const names = (): unknown[] =>
    database
      .prepare('SELECT name FROM meta ORDER BY name')
      .all()
      .map((row) => row.name);
  return { database, store, clock, put, names, committer: new Committer(store, clock) };
};

const full = (): never => {
  throw new Error('database or disk is full');
};

it('commits what comes in one turn of the event loop together, and tells each writer', async () => {
  const { committer, names, put, database } = open();
  const all = ['a', 'b', 'c'].map((name) => committer.commit(put(name), false));
  expect(names()).toEqual([]);
  await Promise.all(all);
  expect(names()).toEqual(['a', 'b', 'c']);
  database.close();
});

it('stores the others when one fails', async () => {
  const { committer, names, put, database } = open();
  const good = committer.commit(put('a'), false);
  const bad = committer.commit(full, true);
  const late = committer.commit(put('b'), false);
  await expect(bad).rejects.toThrow('full');
  await Promise.all([good, late]);
  expect(names()).toEqual(['a', 'b']);
  database.close();
});

it('tries a write that nobody waits for again until the disk takes it', async () => {
  const { committer, names, put, clock, database } = open();
  let isFull = true;
  const waiting = committer.commit(() => (isFull ? full() : put('a')()), false);
  await clock.advance(5000);
  expect(names()).toEqual([]);
  isFull = false;
  await clock.advance(1000);
  await waiting;
  expect(names()).toEqual(['a']);
  database.close();
});

it('writes what is pending when it closes, and then gives up', async () => {
  const { committer, names, put, clock, database } = open();
  const pending = committer.commit(put('a'), false);
  committer.close();
  await pending;
  expect(names()).toEqual(['a']);
  const refused = committer.commit(full, false);
  await Promise.all([expect(refused).rejects.toThrow('full'), turns(3)]);
  expect(clock.nextAtMs()).toBeUndefined();
  database.close();
});
