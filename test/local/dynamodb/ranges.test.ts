// Query and Scan: order, paging, indexes and what they show.

import { describe, expect, it } from 'vitest';
import type { DynamoTwin } from '../../../local/dynamodb/index.ts';
import type { Item } from '../../../local/dynamodb/values.ts';
import { at, ok, openThings, openTwin, refused, things } from './twin.ts';

const TableName = 'Things';

const pages = (twin: DynamoTwin, operation: string, request: object): Item[][] => {
  const found: Item[][] = [];
  let start: unknown;
  do {
    const page = ok(twin, operation, {
      ...request,
      ...(start ? { ExclusiveStartKey: start } : {}),
    });
    found.push(page.Items as Item[]);
    start = page.LastEvaluatedKey;
  } while (start !== undefined);
  return found;
};

const ofGroup = (more: object = {}) => ({
  TableName,
  IndexName: 'byRank',
  KeyConditionExpression: 'grp = :g',
  ExpressionAttributeValues: { ':g': { S: 'g' } },
  ...more,
});
const ofPartition = (more: object = {}, values: object = {}) => ({
  TableName,
  KeyConditionExpression: 'pk = :p',
  ExpressionAttributeValues: { ':p': { S: 'p' }, ...values },
  ...more,
});

describe('a range', () => {
  it('orders numbers as numbers and texts by their bytes', () => {
    const { twin } = openThings();
    const numbers = [
      '-100',
      '-10',
      '-9.91',
      '-9.9',
      '-1',
      '-0.001',
      '0',
      '1e-130',
      '0.5',
      '2',
      '10',
      '10.5',
      '1e125',
    ];
    const texts = ['a', 'a/', 'a0', 'ab', 'b', 'é', 'ﬀ', '😀'];
    for (const [place, N] of numbers.entries())
      ok(twin, 'PutItem', {
        TableName,
        Item: { ...at(`n${place}`, 'x'), grp: { S: 'g' }, rank: { N } },
      });
    for (const text of [...texts].reverse())
      ok(twin, 'PutItem', { TableName, Item: at('p', text) });
    const ranks = pages(twin, 'Query', ofGroup({ Limit: 3 })).flat();
    expect(ranks.map((item) => item.pk?.S)).toEqual(numbers.map((_number, place) => `n${place}`));
    const sorted = pages(twin, 'Query', ofPartition({ Limit: 1 })).flat();
    expect(sorted.map((item) => item.sk?.S)).toEqual(texts);
    const backward = pages(
      twin,
      'Query',
      ofPartition({ Limit: 3, ScanIndexForward: false }),
    ).flat();
    expect(backward.map((item) => item.sk?.S)).toEqual([...texts].reverse());
    const begins = ofPartition(
      { KeyConditionExpression: 'pk = :p AND begins_with(sk, :a)' },
      { ':a': { S: 'a' } },
    );
    expect(
      pages(twin, 'Query', begins)
        .flat()
        .map((item) => item.sk?.S),
    ).toEqual(['a', 'a/', 'a0', 'ab']);
  });

  it('keeps every item of an index in which thousands have the same key', () => {
    const { twin } = openThings();
    const total = 6000;
    for (let from = 0; from < total; from += 25) {
      const requests = Array.from({ length: 25 }, (_, n) => ({
        PutRequest: { Item: { ...at(`c${from + n}`, 's'), grp: { S: 'g' }, rank: { N: '1' } } },
      }));
      ok(twin, 'BatchWriteItem', { RequestItems: { Things: requests } });
    }
    const found = pages(twin, 'Query', ofGroup({ Limit: 700 })).flat();
    expect(new Set(found.map((item) => item.pk?.S)).size).toBe(total);
    expect(found.length).toBe(total);
  });

  it('ends a page at 1 MiB', () => {
    const { twin } = openThings();
    for (let n = 0; n < 12; n += 1)
      ok(twin, 'PutItem', {
        TableName,
        Item: { ...at('p', String(n).padStart(2, '0')), v: { S: 'x'.repeat(300_000) } },
      });
    expect(pages(twin, 'Query', ofPartition()).map((page) => page.length)).toEqual([4, 4, 4, 0]);
    const filtered = ofPartition({ FilterExpression: 'attribute_not_exists(v)' });
    expect(pages(twin, 'Query', filtered).map((page) => page.length)).toEqual([0, 0, 0, 0]);
  });

  it('counts what it read and what it kept', () => {
    const { twin } = openThings();
    for (const n of ['1', '2', '3'])
      ok(twin, 'PutItem', { TableName, Item: { ...at('p', n), v: { N: n } } });
    const request = ofPartition(
      { FilterExpression: 'v >= :v', Select: 'COUNT' },
      { ':v': { N: '2' } },
    );
    expect(ok(twin, 'Query', request)).toEqual({ Count: 2, ScannedCount: 3 });
    const limited = ok(twin, 'Query', ofPartition({ Limit: 3 }));
    expect(limited.LastEvaluatedKey).toEqual(at('p', '3'));
  });
});

describe('an index', () => {
  const item = {
    ...at('p', '1'),
    grp: { S: 'g' },
    rank: { N: '1' },
    shown: { S: 's' },
    extra: { S: 'i' },
  };
  const filled = (): DynamoTwin => {
    const { twin } = openThings();
    ok(twin, 'PutItem', { TableName, Item: item });
    return twin;
  };
  const local = (more: object) => ofPartition({ IndexName: 'byRankLocal', ...more });

  it('shows what it projects', () => {
    const { extra: _extra, ...projected } = item;
    expect(ok(filled(), 'Query', ofGroup()).Items).toEqual([projected]);
    const { shown: _shown, grp: _grp, ...keys } = projected;
    expect(ok(filled(), 'Query', local({})).Items).toEqual([keys]);
  });

  it('that is local fetches the rest from the table', () => {
    expect(ok(filled(), 'Query', local({ Select: 'ALL_ATTRIBUTES' })).Items).toEqual([item]);
    expect(ok(filled(), 'Query', local({ ProjectionExpression: 'extra' })).Items).toEqual([
      { extra: item.extra },
    ]);
  });

  it('refuses what it does not project, consistent reads when global, and unknown names', () => {
    const twin = filled();
    const refusal = (request: object): unknown =>
      refused(twin, 'Query', request, 'ValidationException').message;
    expect(refusal(ofGroup({ ProjectionExpression: 'extra, shown' }))).toMatch(
      /byRank does not project \[extra\]/,
    );
    expect(refusal(ofGroup({ FilterExpression: 'attribute_exists(extra)' }))).toMatch(
      /filter attributes: \[extra\]/,
    );
    expect(refusal(ofGroup({ Select: 'ALL_ATTRIBUTES' }))).toMatch(
      /not supported for global secondary index/,
    );
    expect(refusal(ofGroup({ ConsistentRead: true }))).toMatch(/Consistent reads/);
    expect(refusal(ofGroup({ IndexName: 'byNothing' }))).toMatch(
      /does not have the specified index/,
    );
    expect(refusal(ofPartition({ Select: 'ALL_PROJECTED_ATTRIBUTES' }))).toMatch(
      /only when Querying using an IndexName/,
    );
    expect(refusal(ofPartition({ Select: 'SPECIFIC_ATTRIBUTES' }))).toMatch(/SPECIFIC_ATTRIBUTES/);
    expect(refusal(ofPartition({}, { ':p': { S: '' } }))).toMatch(/empty string value/);
  });

  it('loses an item that loses its key, and takes it again', () => {
    const twin = filled();
    const change = (UpdateExpression: string, values?: object): number => {
      ok(twin, 'UpdateItem', {
        TableName,
        Key: at('p', '1'),
        UpdateExpression,
        ExpressionAttributeNames: { '#rank': 'rank' },
        ...(values ? { ExpressionAttributeValues: values } : {}),
      });
      return Number(ok(twin, 'Query', ofGroup()).Count);
    };
    expect(change('REMOVE #rank')).toBe(0);
    expect(change('SET #rank = :r', { ':r': { N: '5' } })).toBe(1);
    ok(twin, 'DeleteItem', { TableName, Key: at('p', '1') });
    expect(ok(twin, 'Query', ofGroup()).Count).toBe(0);
  });
});

describe('a Scan', () => {
  it('reads each item once over its segments and pages', () => {
    const { twin } = openTwin();
    ok(twin, 'CreateTable', { ...things, StreamSpecification: undefined });
    const names = Array.from({ length: 100 }, (_, n) => String(n));
    for (const n of names) ok(twin, 'PutItem', { TableName, Item: at(n, 's') });
    const found = [0, 1, 2].flatMap((Segment) =>
      pages(twin, 'Scan', { TableName, Segment, TotalSegments: 3, Limit: 7 }).flat(),
    );
    expect(found.map((item) => item.pk?.S).sort()).toEqual([...names].sort());
  });
});
