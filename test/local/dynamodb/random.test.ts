// Random calls: the twin against a plain model, and against AWS's DynamoDB Local where its jar is
// given.

import { describe, expect, it } from 'vitest';
import type { DynamoTwin } from '../../../local/dynamodb/index.ts';
import type { Item } from '../../../local/dynamodb/values.ts';
import { type Call, generator, type Range, seeded, type Write } from './generator.ts';
import { holds, type Model, type Outcome, openModel } from './model.ts';
import { differenceTest } from './oracle.ts';
import { inOrder, rangeRequest, sortedNames, writeRequest } from './render.ts';
import { at, ok, openThings, settled } from './twin.ts';

const TableName = 'Things';

const outcomeOf = (error: unknown): Outcome => {
  const name = String(error).split('#').at(-1) ?? '';
  if (name.startsWith('ConditionalCheckFailed')) return 'condition failed';
  return name.startsWith('Validation') ? 'invalid' : 'done';
};

const checkWrite = (twin: DynamoTwin, model: Model, write: Write, label: string): void => {
  const key = at(
    String((write.kind === 'Put' ? write.item : write.key).pk?.S),
    String((write.kind === 'Put' ? write.item : write.key).sk?.S),
  );
  const request = writeRequest(TableName, write);
  const before = model.get(key);
  const [expected] = model.apply([write]);
  const answer = twin.handle(`${write.kind}Item`, {
    ...request,
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
  expect([label, request, outcomeOf(answer.body.__type)]).toEqual([label, request, expected]);
  if (expected === 'condition failed') expect(settled(answer.body.Item)).toEqual(settled(before));
  const { Item } = ok(twin, 'GetItem', { TableName, Key: key });
  expect([label, request, settled(Item)]).toEqual([label, request, settled(model.get(key))]);
};

const checkTransaction = (twin: DynamoTwin, model: Model, writes: Write[], label: string): void => {
  const keys = writes.map((write) => {
    const { pk, sk } = write.kind === 'Put' ? write.item : write.key;
    return JSON.stringify([pk, sk]);
  });
  const request = {
    TransactItems: writes.map((write) => ({ [write.kind]: writeRequest(TableName, write) })),
  };
  const answer = twin.handle('TransactWriteItems', request);
  if (new Set(keys).size < keys.length) {
    expect([label, answer.status]).toEqual([label, 400]);
    expect(answer.body.message).toMatch(/multiple operations on one item/);
    return;
  }
  const expected = model.apply(writes);
  const reasons = (answer.body.CancellationReasons as { Code: string }[] | undefined) ?? [];
  const outcomes =
    answer.status === 200 ? expected.map(() => 'done') : reasons.map(({ Code }) => outcomeOf(Code));
  expect([label, request, outcomes]).toEqual([label, request, expected]);
};

const shown = (range: Range, item: Item): Item => {
  const projections = {
    byGroup: undefined,
    byRank: ['pk', 'sk', 'grp', 'rank', 'shown'],
    byRankLocal: ['pk', 'sk', 'rank'],
  };
  const names = range.index && projections[range.index];
  if (names === undefined) return item;
  return Object.fromEntries(Object.entries(item).filter(([name]) => names.includes(name)));
};

const readAll = (twin: DynamoTwin, range: Range): Item[] => {
  const items: Item[] = [];
  let start: unknown;
  do {
    const page = ok(twin, 'Query', rangeRequest(TableName, range, start));
    const found = page.Items as Item[];
    if (range.limit) expect(Number(page.ScannedCount)).toBeLessThanOrEqual(range.limit);
    expect(page.Count).toBe(found.length);
    items.push(...found);
    start = page.LastEvaluatedKey;
  } while (start !== undefined);
  return items;
};

const checkRange = (twin: DynamoTwin, model: Model, range: Range, label: string): void => {
  const { filter } = range;
  const expected = model
    .range(range)
    .filter((item) => filter === undefined || holds(item, filter))
    .map((item) => shown(range, item));
  const found = readAll(twin, range);
  expect([label, range, inOrder(range, found)]).toEqual([label, range, inOrder(range, expected)]);
};

const check = (twin: DynamoTwin, model: Model, call: Call, label: string): void => {
  if (call.call === 'write') checkWrite(twin, model, call.write, label);
  else if (call.call === 'transaction') checkTransaction(twin, model, call.writes, label);
  else checkRange(twin, model, call.range, label);
};

/** Every write in the stream, replayed, gives the items of the table; indexes and table agree. */
const checkWhole = (twin: DynamoTwin, model: Model): void => {
  const replayed = new Map<string, Item>();
  for (const { eventName, dynamodb } of twin.readStream(TableName, '0', 100_000)) {
    const key = JSON.stringify(dynamodb.Keys);
    expect(dynamodb.OldImage).toEqual(eventName === 'INSERT' ? undefined : replayed.get(key));
    if (dynamodb.NewImage) replayed.set(key, dynamodb.NewImage);
    else replayed.delete(key);
  }
  const sorted = (items: Iterable<unknown>): string[] =>
    Array.from(items, (item) => {
      const { pk, sk } = item as Item;
      return JSON.stringify([pk, sk]) + JSON.stringify(settled(item), sortedNames(item));
    }).sort();
  const scanned = ok(twin, 'Scan', { TableName }).Items as Item[];
  expect(sorted(scanned)).toEqual(sorted(model.items()));
  expect(sorted(replayed.values())).toEqual(sorted(model.items()));
};

describe('random calls', () => {
  for (const seed of [1, 2, 3, 4]) {
    it(`agree with a plain model (seed ${seed}, 1500 calls)`, () => {
      const { twin } = openThings();
      const model = openModel();
      const { next } = generator(seeded(seed));
      for (let count = 1; count <= 1500; count += 1)
        check(twin, model, next(), `seed ${seed}, call ${count}`);
      checkWhole(twin, model);
      twin.close();
    });
  }
  differenceTest();
});
