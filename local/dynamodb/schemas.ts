// The operations on tables: create, describe, list, delete.
// Owns: what a table's description says. Everything takes effect at once: no table is ever CREATING
// or DELETING.

import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { TwinClock } from '../base/clock.ts';
import { invalid, Refusal } from './answers.ts';
import { type IndexShape, type TableShape, validated } from './dynalite.ts';
import type { Engine, Operation } from './items.ts';
import type { Streams } from './streams.ts';
import type { StreamView, Table, TableRecord } from './tables.ts';
import type { Body } from './values.ts';

/** What the operations on tables work with; region and account appear in ARNs. */
export interface Schemas extends Engine {
  readonly streams: Streams;
  readonly clock: TwinClock;
  readonly region: string;
  readonly account: string;
}

/** Parses the members of a request that dynalite does not know. */
export const parsed = <T>(schema: z.ZodType<T>, body: Body): T => {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const { path, message } = result.error.issues[0] ?? { path: [], message: 'malformed' };
  throw invalid(
    `1 validation error detected: Value at '${path.join('.')}' failed to satisfy constraint: ${message}`,
  );
};

export const streamSpecification = z
  .object({
    StreamEnabled: z.boolean(),
    StreamViewType: z
      .enum(['KEYS_ONLY', 'NEW_IMAGE', 'OLD_IMAGE', 'NEW_AND_OLD_IMAGES'])
      .optional(),
  })
  .refine((given) => !given.StreamEnabled || given.StreamViewType !== undefined, {
    message: 'StreamViewType is required when StreamEnabled is true',
  });

export const tagList = z.array(
  z.object({ Key: z.string().min(1).max(128), Value: z.string().max(256) }),
);

const extras = z.object({
  StreamSpecification: streamSpecification.nullish(),
  DeletionProtectionEnabled: z.boolean().nullish(),
  TableClass: z.enum(['STANDARD', 'STANDARD_INFREQUENT_ACCESS']).nullish(),
  Tags: tagList.nullish(),
});

export const tableArn = ({ region, account }: Schemas, name: string): string =>
  `arn:aws:dynamodb:${region}:${account}:table/${name}`;

/** The members about a stream of a description, and of the record. */
export const withStream = (
  schemas: Schemas,
  name: string,
  view: StreamView,
): { readonly description: Body; readonly stream: NonNullable<TableRecord['stream']> } => {
  const label = new Date(schemas.clock.now()).toISOString().slice(0, -1);
  const arn = `${tableArn(schemas, name)}/stream/${label}`;
  return {
    description: {
      StreamSpecification: { StreamEnabled: true, StreamViewType: view },
      LatestStreamLabel: label,
      LatestStreamArn: arn,
    },
    stream: { view, arn, label },
  };
};

const throughput = (given: unknown): Body => ({
  NumberOfDecreasesToday: 0,
  ReadCapacityUnits: 0,
  WriteCapacityUnits: 0,
  ...(given as Body | undefined),
});

/** An index as its table's description shows it. */
export const describedIndex = (
  arn: string,
  index: IndexShape & Body,
  isGlobal: boolean,
): IndexShape & Body => ({
  ...index,
  IndexArn: `${arn}/index/${index.IndexName}`,
  IndexSizeBytes: 0,
  ItemCount: 0,
  ...(isGlobal
    ? { IndexStatus: 'ACTIVE', ProvisionedThroughput: throughput(index.ProvisionedThroughput) }
    : {}),
});

type CreateData = TableShape & Body;

const describe = (schemas: Schemas, data: CreateData): TableShape & Body => {
  const arn = tableArn(schemas, data.TableName);
  const createdSeconds = schemas.clock.now() / 1000;
  const {
    BillingMode,
    LocalSecondaryIndexes: local,
    GlobalSecondaryIndexes: global,
    ...rest
  } = data;
  const described = (indexes: readonly IndexShape[] | undefined, isGlobal: boolean) =>
    indexes?.map((index) => describedIndex(arn, { ...index }, isGlobal));
  return {
    ...rest,
    TableStatus: 'ACTIVE',
    CreationDateTime: createdSeconds,
    TableArn: arn,
    TableId: randomUUID(),
    TableSizeBytes: 0,
    ItemCount: 0,
    ProvisionedThroughput: throughput(data.ProvisionedThroughput),
    ...(BillingMode === 'PAY_PER_REQUEST'
      ? {
          BillingModeSummary: {
            BillingMode: 'PAY_PER_REQUEST',
            LastUpdateToPayPerRequestDateTime: createdSeconds,
          },
        }
      : {}),
    ...(local ? { LocalSecondaryIndexes: described(local, false) ?? [] } : {}),
    ...(global ? { GlobalSecondaryIndexes: described(global, true) ?? [] } : {}),
  };
};

const createTable =
  (schemas: Schemas): Operation =>
  (body) => {
    const { StreamSpecification, DeletionProtectionEnabled, TableClass, Tags } = parsed(
      extras,
      body,
    );
    const data = validated('createTable', body) as CreateData;
    const name = data.TableName;
    if (schemas.tables.find(name))
      throw new Refusal('ResourceInUseException', `Table already exists: ${name}`);
    const view = StreamSpecification?.StreamEnabled
      ? StreamSpecification.StreamViewType
      : undefined;
    const stream = view === undefined ? undefined : withStream(schemas, name, view);
    const indexes = [...(data.LocalSecondaryIndexes ?? []), ...(data.GlobalSecondaryIndexes ?? [])];
    const record: TableRecord = {
      description: {
        ...describe(schemas, data),
        DeletionProtectionEnabled: DeletionProtectionEnabled ?? false,
        ...(TableClass ? { TableClassSummary: { TableClass } } : {}),
        ...stream?.description,
      },
      indexNumbers: Object.fromEntries(indexes.map((index, at) => [index.IndexName, at + 1])),
      nextIndex: indexes.length + 1,
      ...(stream ? { stream: stream.stream } : {}),
      ...(Tags ? { tags: Tags } : {}),
    };
    return { TableDescription: structuredClone(schemas.tables.create(record).shape) };
  };

/** AWS accepts an ARN wherever a table's name is asked for; the twin knows tables by name. */
const nameIn = (body: Body): Body => {
  const { TableName } = body;
  const match =
    typeof TableName === 'string'
      ? /^arn:aws:dynamodb:[^:]*:\d*:table\/([^/]+)$/.exec(TableName)
      : null;
  return match?.[1] === undefined ? body : { ...body, TableName: match[1] };
};

/** The table a request about a table names. */
export const namedTable = (
  { tables }: Engine,
  operation: 'describeTable' | 'deleteTable',
  body: Body,
): Table => tables.get(String(validated(operation, nameIn(body)).TableName));

const withCounts = ({ storage }: Schemas, table: Table): Body => ({
  ...structuredClone(table.shape),
  ItemCount: Number(storage.sql.countItems.get(table.id)?.count ?? 0),
});

const describeTable =
  (schemas: Schemas): Operation =>
  (body) => ({ Table: withCounts(schemas, namedTable(schemas, 'describeTable', body)) });

const deleteTable =
  (schemas: Schemas): Operation =>
  (body) => {
    const table = namedTable(schemas, 'deleteTable', body);
    if (table.shape.DeletionProtectionEnabled === true)
      throw invalid(
        'Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first.',
      );
    schemas.tables.drop(table, () => schemas.streams.forget(table));
    return { TableDescription: { ...structuredClone(table.shape), TableStatus: 'DELETING' } };
  };

const listTables =
  ({ tables }: Schemas): Operation =>
  (body) => {
    const { ExclusiveStartTableName: start, Limit } = validated('listTables', body);
    const after = tables.names().filter((name) => typeof start !== 'string' || name > start);
    const names = after.slice(0, typeof Limit === 'number' ? Limit : 100);
    return {
      TableNames: names,
      ...(names.length < after.length ? { LastEvaluatedTableName: names.at(-1) } : {}),
    };
  };

/** The operations on tables as wholes, by their AWS names. */
export const schemaOperations = (schemas: Schemas): Readonly<Record<string, Operation>> => ({
  CreateTable: createTable(schemas),
  DescribeTable: describeTable(schemas),
  DeleteTable: deleteTable(schemas),
  ListTables: listTables(schemas),
});
