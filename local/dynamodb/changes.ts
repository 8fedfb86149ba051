// The operations that change a table or what is recorded about it: UpdateTable, time to live,
// backups, tags.
// Owns: adding and dropping indexes (filled in the same commit). Backups are only recorded: the
// file is the backup.

import { z } from 'zod';
import { invalid, Refusal, tableNotFound } from './answers.ts';
import { type IndexShape, validated } from './dynalite.ts';
import { entryKey, expiry } from './index-keys.ts';
import type { Operation } from './items.ts';
import {
  describedIndex,
  namedTable,
  parsed,
  type Schemas,
  streamSpecification,
  tableArn,
  tagList,
  withStream,
} from './schemas.ts';
import type { Table, TableRecord } from './tables.ts';
import type { Body, Item } from './values.ts';

const throughput = z.object({ ReadCapacityUnits: z.number(), WriteCapacityUnits: z.number() });

const indexUpdate = z.object({
  Create: z.looseObject({ IndexName: z.string() }).nullish(),
  Delete: z.object({ IndexName: z.string() }).nullish(),
  Update: z
    .object({ IndexName: z.string(), ProvisionedThroughput: throughput.nullish() })
    .nullish(),
});

const update = z.object({
  AttributeDefinitions: z
    .array(z.object({ AttributeName: z.string(), AttributeType: z.enum(['S', 'N', 'B']) }))
    .nullish(),
  BillingMode: z.enum(['PROVISIONED', 'PAY_PER_REQUEST']).nullish(),
  ProvisionedThroughput: throughput.nullish(),
  StreamSpecification: streamSpecification.nullish(),
  DeletionProtectionEnabled: z.boolean().nullish(),
  TableClass: z.enum(['STANDARD', 'STANDARD_INFREQUENT_ACCESS']).nullish(),
  GlobalSecondaryIndexUpdates: z.array(indexUpdate).nullish(),
});

type Update = z.infer<typeof update>;

/** A record on its way to the next, with what has to happen to the rows in the same commit. */
interface Draft {
  readonly record: TableRecord;
  readonly also: ((changed: Table) => void)[];
}

const withDescription = (draft: Draft, description: Body): Draft => ({
  ...draft,
  record: { ...draft.record, description: { ...draft.record.description, ...description } },
});

const changeStream = (schemas: Schemas, table: Table, draft: Draft, wanted: Update): Draft => {
  const given = wanted.StreamSpecification;
  if (!given) return draft;
  const { stream: current, ...record } = draft.record;
  if (given.StreamEnabled && current)
    throw invalid('Table already has an enabled stream: TableName: '.concat(table.name));
  if (!given.StreamEnabled && !current)
    throw invalid(`Table is already disabled for streams: TableName: ${table.name}`);
  if (given.StreamEnabled && given.StreamViewType) {
    const { description, stream } = withStream(schemas, table.name, given.StreamViewType);
    const also = [...draft.also, () => schemas.streams.forget(table)];
    return withDescription({ record: { ...record, stream }, also }, description);
  }
  const { StreamSpecification: _gone, ...description } = record.description;
  return { ...draft, record: { ...record, description } };
};

const fill = ({ storage }: Schemas, table: Table, name: string): void => {
  const index = table.indexes.find((one) => one.name === name);
  if (index === undefined) return;
  for (const row of storage.sql.itemsOfTable.iterate(table.id)) {
    const key = entryKey(table, index, JSON.parse(String(row.item)) as Item);
    if (key !== null) storage.sql.insertEntry.run(table.id, index.number, key, Number(row.id));
  }
};

const addIndex = (schemas: Schemas, draft: Draft, given: Body, wanted: Update): Draft => {
  const { description } = draft.record;
  const name = String(given.IndexName);
  if (draft.record.indexNumbers[name] !== undefined)
    throw invalid(`Attempting to create an index which already exists: ${name}`);
  const definitions = new Map(
    [...description.AttributeDefinitions, ...(wanted.AttributeDefinitions ?? [])].map((one) => [
      one.AttributeName,
      one,
    ]),
  );
  // dynalite checks an index only as part of a new table, so it sees the table as it would be
  // created today.
  const { ProvisionedThroughput, ...shape } = given;
  const whole = validated('createTable', {
    TableName: description.TableName,
    KeySchema: description.KeySchema,
    AttributeDefinitions: [...definitions.values()],
    BillingMode: 'PAY_PER_REQUEST',
    GlobalSecondaryIndexes: [shape],
  });
  const [checked] = whole.GlobalSecondaryIndexes as (IndexShape & Body)[];
  if (checked === undefined) throw invalid('GlobalSecondaryIndexUpdates is empty');
  const arn = tableArn(schemas, description.TableName);
  const described = describedIndex(
    arn,
    { ...checked, ...(ProvisionedThroughput ? { ProvisionedThroughput } : {}) },
    true,
  );
  const { record } = withDescription(draft, {
    AttributeDefinitions: [...definitions.values()],
    GlobalSecondaryIndexes: [...(description.GlobalSecondaryIndexes ?? []), described],
  });
  return {
    record: {
      ...record,
      indexNumbers: { ...record.indexNumbers, [name]: record.nextIndex },
      nextIndex: record.nextIndex + 1,
    },
    also: [...draft.also, (changed) => fill(schemas, changed, name)],
  };
};

const dropIndex = ({ storage }: Schemas, table: Table, draft: Draft, name: string): Draft => {
  const all = draft.record.description.GlobalSecondaryIndexes ?? [];
  const index = table.indexes.find((one) => one.name === name && !one.isLocal);
  if (index === undefined)
    throw new Refusal(
      'ResourceNotFoundException',
      `Requested resource not found: Index: ${name} not found`,
    );
  const { [name]: _gone, ...indexNumbers } = draft.record.indexNumbers;
  const { GlobalSecondaryIndexes: _all, ...description } = draft.record.description;
  const left = all.filter((one) => one.IndexName !== name);
  return {
    record: {
      ...draft.record,
      indexNumbers,
      description: left.length > 0 ? { ...description, GlobalSecondaryIndexes: left } : description,
    },
    also: [...draft.also, () => void storage.sql.dropIndex.run(table.id, index.number)],
  };
};

const updateTable =
  (schemas: Schemas): Operation =>
  (body) => {
    const table = namedTable(schemas, 'describeTable', body);
    const wanted = parsed(update, body);
    let draft: Draft = { record: table.record, also: [] };
    draft = changeStream(schemas, table, draft, wanted);
    for (const { Create, Delete } of wanted.GlobalSecondaryIndexUpdates ?? []) {
      if (Create) draft = addIndex(schemas, draft, Create, wanted);
      if (Delete) draft = dropIndex(schemas, table, draft, Delete.IndexName);
    }
    const { BillingMode, ProvisionedThroughput, DeletionProtectionEnabled, TableClass } = wanted;
    draft = withDescription(draft, {
      ...(BillingMode ? { BillingModeSummary: { BillingMode } } : {}),
      ...(ProvisionedThroughput
        ? { ProvisionedThroughput: { NumberOfDecreasesToday: 0, ...ProvisionedThroughput } }
        : {}),
      ...(DeletionProtectionEnabled == null ? {} : { DeletionProtectionEnabled }),
      ...(TableClass ? { TableClassSummary: { TableClass } } : {}),
    });
    const changed = schemas.tables.change(table, draft.record, (now) => {
      for (const step of draft.also) step(now);
    });
    return { TableDescription: structuredClone(changed.shape) };
  };

const timeToLive = z.object({
  TimeToLiveSpecification: z.object({
    AttributeName: z.string().min(1).max(255),
    Enabled: z.boolean(),
  }),
});

const updateTimeToLive =
  (schemas: Schemas): Operation =>
  (body) => {
    const { tables, storage } = schemas;
    const table = namedTable(schemas, 'describeTable', body);
    const { TimeToLiveSpecification: wanted } = parsed(timeToLive, body);
    const { ttlAttribute, ...record } = table.record;
    if (wanted.Enabled === (ttlAttribute !== undefined))
      throw invalid(`TimeToLive is already ${wanted.Enabled ? 'enabled' : 'disabled'}`);
    const next = wanted.Enabled ? { ...record, ttlAttribute: wanted.AttributeName } : record;
    tables.change(table, next, (changed) => {
      for (const row of storage.sql.itemsOfTable.all(changed.id)) {
        const item = JSON.parse(String(row.item)) as Item;
        storage.sql.setExpires.run(expiry(changed, item), Number(row.id));
      }
    });
    return { TimeToLiveSpecification: wanted };
  };

const describeTimeToLive =
  (schemas: Schemas): Operation =>
  (body) => {
    const { ttlAttribute } = namedTable(schemas, 'describeTable', body).record;
    return {
      TimeToLiveDescription:
        ttlAttribute === undefined
          ? { TimeToLiveStatus: 'DISABLED' }
          : { TimeToLiveStatus: 'ENABLED', AttributeName: ttlAttribute },
    };
  };

const backups = z.object({
  PointInTimeRecoverySpecification: z.looseObject({ PointInTimeRecoveryEnabled: z.boolean() }),
});

const backupsOf = (table: Table): Body => ({
  ContinuousBackupsDescription: {
    ContinuousBackupsStatus: 'ENABLED',
    PointInTimeRecoveryDescription: {
      PointInTimeRecoveryStatus: table.record.pointInTimeRecovery ? 'ENABLED' : 'DISABLED',
    },
  },
});

const describeBackups =
  (schemas: Schemas): Operation =>
  (body) =>
    backupsOf(namedTable(schemas, 'describeTable', body));

const updateBackups =
  (schemas: Schemas): Operation =>
  (body) => {
    const table = namedTable(schemas, 'describeTable', body);
    const wanted = parsed(backups, body).PointInTimeRecoverySpecification;
    const pointInTimeRecovery = wanted.PointInTimeRecoveryEnabled;
    return backupsOf(schemas.tables.change(table, { ...table.record, pointInTimeRecovery }));
  };

const resource = z.object({ ResourceArn: z.string() });

const tagged = ({ tables }: Schemas, body: Body): Table => {
  const { ResourceArn } = parsed(resource, body);
  const name = /^arn:aws:dynamodb:[^:]*:\d*:table\/([^/]+)$/.exec(ResourceArn)?.[1];
  if (name === undefined) throw invalid(`Invalid TableArn: ${ResourceArn}`);
  const table = tables.find(name);
  if (table === undefined) throw tableNotFound(name);
  return table;
};

const listTags =
  (schemas: Schemas): Operation =>
  (body) => ({ Tags: tagged(schemas, body).record.tags ?? [] });

const retag =
  (schemas: Schemas, next: (table: Table, body: Body) => TableRecord['tags']): Operation =>
  (body) => {
    const table = tagged(schemas, body);
    const { tags: _old, ...record } = table.record;
    const tags = next(table, body);
    schemas.tables.change(table, { ...record, ...(tags ? { tags } : {}) });
    return {};
  };

/** The operations that change tables, by their AWS names. */
export const changeOperations = (schemas: Schemas): Readonly<Record<string, Operation>> => ({
  UpdateTable: updateTable(schemas),
  UpdateTimeToLive: updateTimeToLive(schemas),
  DescribeTimeToLive: describeTimeToLive(schemas),
  DescribeContinuousBackups: describeBackups(schemas),
  UpdateContinuousBackups: updateBackups(schemas),
  ListTagsOfResource: listTags(schemas),
  TagResource: retag(schemas, (table, body) => {
    const { Tags } = parsed(z.object({ Tags: tagList }), body);
    const kept = (table.record.tags ?? []).filter(
      (tag) => !Tags.some((one) => one.Key === tag.Key),
    );
    return [...kept, ...Tags];
  }),
  UntagResource: retag(schemas, (table, body) => {
    const { TagKeys } = parsed(z.object({ TagKeys: z.array(z.string()) }), body);
    return (table.record.tags ?? []).filter((tag) => !TagKeys.includes(tag.Key));
  }),
});
