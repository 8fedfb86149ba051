// What the tests of the DynamoDB twin share: a twin in memory, a table, calls that must succeed or
// must be refused.

import { expect } from 'vitest';
import { type SimulatedClock, simulatedClock } from '../../../local/base/clock.ts';
import { type DynamoTwin, openDynamoTwin } from '../../../local/dynamodb/index.ts';

export const startMs = Date.parse('2026-01-01T00:00:00.000Z');

export interface Opened {
  readonly twin: DynamoTwin;
  readonly clock: SimulatedClock;
}

export const openTwin = (file = ':memory:', nowMs = startMs): Opened => {
  const clock = simulatedClock(nowMs);
  return { twin: openDynamoTwin({ file, clock }), clock };
};

/** The output of a call that must succeed. */
export const ok = (twin: DynamoTwin, operation: string, body: unknown): Record<string, unknown> => {
  const answer = twin.handle(operation, body);
  expect({ operation, ...answer }).toMatchObject({ status: 200 });
  return answer.body;
};

/** The body of a call that must be refused with this error. */
export const refused = (
  twin: DynamoTwin,
  operation: string,
  body: unknown,
  error: string,
): Record<string, unknown> => {
  const answer = twin.handle(operation, body);
  expect({ operation, ...answer }).toMatchObject({ status: 400 });
  expect(String(answer.body.__type).split('#')[1]).toBe(error);
  return answer.body;
};

const attribute = (AttributeName: string, AttributeType = 'S') => ({
  AttributeName,
  AttributeType,
});
const key = (hash: string, range?: string) => [
  { AttributeName: hash, KeyType: 'HASH' },
  ...(range === undefined ? [] : [{ AttributeName: range, KeyType: 'RANGE' }]),
];

/**
 * Table `Things`: key pk (S), sk (S); global indexes `byGroup` (grp S, sk; all), `byRank` (grp S,
 * rank N; keys and `shown`); local index `byRankLocal` (pk, rank N; keys only); stream of both
 * images.
 */
export const things = {
  TableName: 'Things',
  BillingMode: 'PAY_PER_REQUEST',
  KeySchema: key('pk', 'sk'),
  AttributeDefinitions: [
    attribute('pk'),
    attribute('sk'),
    attribute('grp'),
    attribute('rank', 'N'),
  ],
  GlobalSecondaryIndexes: [
    { IndexName: 'byGroup', KeySchema: key('grp', 'sk'), Projection: { ProjectionType: 'ALL' } },
    {
      IndexName: 'byRank',
      KeySchema: key('grp', 'rank'),
      Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['shown'] },
    },
  ],
  LocalSecondaryIndexes: [
    {
      IndexName: 'byRankLocal',
      KeySchema: key('pk', 'rank'),
      Projection: { ProjectionType: 'KEYS_ONLY' },
    },
  ],
  StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
};

export const openThings = (file?: string): Opened => {
  const opened = openTwin(file);
  ok(opened.twin, 'CreateTable', things);
  return opened;
};

export const at = (pk: string, sk: string) => ({ pk: { S: pk }, sk: { S: sk } });

/** Decimal text without zeros that say nothing. */
const plain = (text: unknown): string =>
  String(text).includes('.') ? String(text).replace(/\.?0+$/, '') : String(text);

/** A value with its sets in order and its numbers in one form: the service keeps neither. */
export const settled = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(settled);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]): [string, unknown] => {
      if (name === 'N' && typeof one === 'string') return [name, plain(one)];
      if (!['SS', 'NS', 'BS'].includes(name) || !Array.isArray(one)) return [name, settled(one)];
      return [name, (name === 'NS' ? one.map(plain) : [...one]).sort()];
    }),
  );
};
