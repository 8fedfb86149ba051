// Makes the manifest's tables where they are missing. Owns: their definition in DynamoDB's words.
import { type TableEntry, tableNames, tables } from '../../functions/manifest.ts';
import type { TwinClock } from '../base/clock.ts';
import type { AwsCall } from '../base/endpoints.ts';
import { AwsFault } from '../base/wire.ts';

const attributesOf = (entry: TableEntry): { AttributeName: string; AttributeType: string }[] => {
  const types = new Map<string, string>([[entry.partitionKey, 'S']]);
  if (entry.sortKey !== undefined) types.set(entry.sortKey, 'S');
  for (const index of entry.indexes) {
    types.set(index.partitionKey, 'S');
    types.set(index.sortKey, index.sortKeyType);
  }
  return [...types].map(([AttributeName, AttributeType]) => ({ AttributeName, AttributeType }));
};

const keysOf = (partitionKey: string, sortKey: string | undefined) => [
  { AttributeName: partitionKey, KeyType: 'HASH' },
  ...(sortKey === undefined ? [] : [{ AttributeName: sortKey, KeyType: 'RANGE' }]),
];

const definitionOf = (name: string, entry: TableEntry) => ({
  TableName: name,
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: attributesOf(entry),
  KeySchema: keysOf(entry.partitionKey, entry.sortKey),
  ...(entry.indexes.length === 0
    ? {}
    : {
        GlobalSecondaryIndexes: entry.indexes.map((index) => ({
          IndexName: index.name,
          KeySchema: keysOf(index.partitionKey, index.sortKey),
          Projection: { ProjectionType: 'KEYS_ONLY' },
        })),
      }),
  ...(entry.stream
    ? { StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' } }
    : {}),
});

const looksMax = 100;
const lookEveryMs = 200;

const waitUntilActive = async (call: AwsCall, name: string, clock: TwinClock): Promise<void> => {
  for (let looks = 0; looks < looksMax; looks += 1) {
    const { Table: table } = await call('DescribeTable', { TableName: name });
    if (
      typeof table === 'object' &&
      table !== null &&
      Reflect.get(table, 'TableStatus') === 'ACTIVE'
    )
      return;
    await new Promise<void>((done) => void clock.at(clock.now() + lookEveryMs, done));
  }
  throw new Error(`The table ${name} did not become active. Look at the DynamoDB it is in.`);
};

const exists = async (call: AwsCall, name: string): Promise<boolean> => {
  try {
    await call('DescribeTable', { TableName: name });
    return true;
  } catch (cause) {
    if (cause instanceof AwsFault && cause.code === 'ResourceNotFoundException') return false;
    throw cause;
  }
};

/** Idempotent. Rejects with AwsFault when DynamoDB refuses a table. */
export const ensureTables = async (call: AwsCall, clock: TwinClock): Promise<void> => {
  for (const name of tableNames) {
    const entry = tables[name];
    if (await exists(call, name)) continue;
    await call('CreateTable', definitionOf(name, entry));
    await waitUntilActive(call, name, clock);
    if (entry.timeToLive !== undefined)
      await call('UpdateTimeToLive', {
        TableName: name,
        TimeToLiveSpecification: { AttributeName: entry.timeToLive, Enabled: true },
      });
  }
};
