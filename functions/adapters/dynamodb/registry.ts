// Agents and tools on DynamoDB: immutable numbered versions, and one head per agent or tool that names its newest.
// Owns: their keys and the transaction that puts one. Laws: L15 (a version is put once and never changed).
// Tested in test/functions/adapters/registry.test.ts.
import { randomUUID } from 'node:crypto';
import {
  type DynamoDBClient,
  GetItemCommand,
  QueryCommand,
  TransactionCanceledException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import type { z } from 'zod';
import { SkillVersion } from '../../core/answers/skill.ts';
import { Defect } from '../../core/base/errors.ts';
import { AgentRevision } from '../../core/registry/agent.ts';
import { registrationId, ToolVersion } from '../../core/registry/tool.ts';
import type { Registrations } from '../../ports/registrations.ts';
import { type Attributes, audited } from './codec.ts';
import { padded } from './keys.ts';
import type { TableNames } from './operation.ts';

export interface RegistryParts {
  readonly client: DynamoDBClient;
  readonly tables: Pick<TableNames, 'Registry'>;
}

/** One kind of thing in the registry. */
interface Family<Item> {
  readonly prefix: 'AGT' | 'TOL' | 'SKL';
  readonly kind: 'agent' | 'tool' | 'skill';
  readonly schema: z.ZodType<Item>;
  readonly workspaceOf: (item: Item) => string;
  readonly nameOf: (item: Item) => string;
  readonly numberOf: (item: Item) => number;
  readonly createdAtOf: (item: Item) => string;
}

const agents: Family<AgentRevision> = {
  prefix: 'AGT',
  kind: 'agent',
  schema: AgentRevision,
  workspaceOf: (item) => item.workspace,
  nameOf: (item) => item.agentId,
  numberOf: (item) => item.revision,
  createdAtOf: (item) => item.createdAt,
};
const tools: Family<ToolVersion> = {
  prefix: 'TOL',
  kind: 'tool',
  schema: ToolVersion,
  workspaceOf: (item) => item.workspace,
  nameOf: (item) => item.registration.name,
  numberOf: (item) => item.version,
  createdAtOf: (item) => item.createdAt,
};

const skills: Family<SkillVersion> = {
  prefix: 'SKL',
  kind: 'skill',
  schema: SkillVersion,
  workspaceOf: (item) => item.workspace,
  nameOf: (item) => item.content.name,
  numberOf: (item) => item.version,
  createdAtOf: (item) => item.createdAt,
};

interface RowKey {
  readonly pk: string;
  readonly sk: string;
}
/** All heads of a workspace share a partition, so that its list is one consistent query. */
const headKey = (prefix: string, workspace: string, name: string): RowKey => ({
  pk: `${prefix}#${workspace}`,
  sk: name,
});
const versionKey = (prefix: string, workspace: string, name: string, number: number): RowKey => ({
  pk: `${prefix}#${workspace}#${name}`,
  sk: padded(number),
});
const onceKey = (prefix: string, workspace: string, once: string): RowKey => ({
  pk: `${prefix}#${workspace}#ONCE`,
  sk: once,
});
const attributesOf = (key: RowKey): Attributes => ({ pk: { S: key.pk }, sk: { S: key.sk } });

const parse = <Item>(family: Family<Item>, attributes: Attributes): Item => {
  const doc = attributes.doc?.S;
  const read = family.schema.safeParse(doc === undefined ? undefined : JSON.parse(doc));
  if (read.success) return read.data;
  throw new Defect(
    `Registry item ${attributes.pk?.S}/${attributes.sk?.S} does not have its schema's form: ${read.error.message}`,
  );
};

const get = async <Item>(
  { client, tables }: RegistryParts,
  family: Family<Item>,
  key: RowKey,
): Promise<Item | undefined> => {
  const { Item } = await client.send(
    new GetItemCommand({
      TableName: tables.Registry,
      Key: attributesOf(key),
      ConsistentRead: true,
    }),
  );
  return Item === undefined ? undefined : parse(family, Item);
};

const partition = async <Item>(
  { client, tables }: RegistryParts,
  family: Family<Item>,
  pk: string,
  newestFirst: boolean,
): Promise<Item[]> => {
  const items: Item[] = [];
  let from: Attributes | undefined;
  do {
    const answer = await client.send(
      new QueryCommand({
        TableName: tables.Registry,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': { S: pk } },
        ConsistentRead: true,
        ScanIndexForward: !newestFirst,
        ...(from === undefined ? {} : { ExclusiveStartKey: from }),
      }),
    );
    items.push(...(answer.Items ?? []).map((item) => parse(family, item)));
    from = answer.LastEvaluatedKey;
  } while (from !== undefined);
  return items;
};

/** Puts version n and moves the head from n−1 to it, both or neither; so numbers have no gap and no twin. */
const putOperations = <Item>(
  tables: RegistryParts['tables'],
  family: Family<Item>,
  item: Item,
  { once, change }: { readonly once: string | undefined; readonly change: string },
): TransactWriteItem[] => {
  const TableName = tables.Registry;
  const [workspace, name, number] = [
    family.workspaceOf(item),
    family.nameOf(item),
    family.numberOf(item),
  ];
  const body: Attributes = {
    doc: { S: JSON.stringify(item) },
    newest: { N: String(number) },
    change: { S: change },
  };
  const returnOld = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;
  const version = versionKey(family.prefix, workspace, name, number);
  const head = headKey(family.prefix, workspace, name);
  const put = (key: RowKey, beside: Attributes = {}): TransactWriteItem => ({
    Put: {
      TableName,
      Item: { ...attributesOf(key), ...body, ...beside },
      ConditionExpression: 'attribute_not_exists(pk)',
      ...returnOld,
    },
  });
  return [
    put(version, {
      kind: { S: family.kind },
      ...audited(workspace, family.createdAtOf(item), registrationId(family.kind, name, number)),
    }),
    number === 1
      ? put(head)
      : {
          Put: {
            TableName,
            Item: { ...attributesOf(head), ...body },
            ConditionExpression: 'newest = :before',
            ExpressionAttributeValues: { ':before': { N: String(number - 1) } },
            ...returnOld,
          },
        },
    ...(once === undefined ? [] : [put(onceKey(family.prefix, workspace, once))]),
  ];
};

/** An agent's next revision as part of a larger transaction. */
export const revisionOperations = (
  tables: RegistryParts['tables'],
  revision: AgentRevision,
  change: string,
): TransactWriteItem[] => putOperations(tables, agents, revision, { once: undefined, change });

/** A failed condition that our own earlier, unanswered send fulfilled is no failure: the items carry its name. */
const wroteItAlready = (error: TransactionCanceledException, change: string): boolean =>
  (error.CancellationReasons ?? []).some((reason) => reason.Item?.change?.S === change);

const put = async <Item>(
  parts: RegistryParts,
  family: Family<Item>,
  item: Item,
  once: string | undefined,
): Promise<'put' | 'exists'> => {
  const change = randomUUID();
  try {
    await parts.client.send(
      new TransactWriteItemsCommand({
        TransactItems: putOperations(parts.tables, family, item, { once, change }),
        ClientRequestToken: change,
      }),
    );
    return 'put';
  } catch (error) {
    if (!(error instanceof TransactionCanceledException)) throw error;
    return wroteItAlready(error, change) ? 'put' : 'exists';
  }
};

export const registryFrom = (parts: RegistryParts): Registrations => ({
  agent: (workspace, agentId, revision) =>
    get(parts, agents, versionKey('AGT', workspace, agentId, revision)),
  newestAgent: (workspace, agentId) => get(parts, agents, headKey('AGT', workspace, agentId)),
  agentsOf: (workspace) => partition(parts, agents, `AGT#${workspace}`, false),
  revisionsOf: (workspace, agentId) =>
    partition(parts, agents, `AGT#${workspace}#${agentId}`, true),
  putAgent: (revision, once) => put(parts, agents, revision, once),
  agentMadeBy: (workspace, once) => get(parts, agents, onceKey('AGT', workspace, once)),
  tool: (workspace, name, version) =>
    get(parts, tools, versionKey('TOL', workspace, name, version)),
  newestTool: (workspace, name) => get(parts, tools, headKey('TOL', workspace, name)),
  toolsOf: (workspace) => partition(parts, tools, `TOL#${workspace}`, false),
  putTool: (version, once) => put(parts, tools, version, once),
  toolMadeBy: (workspace, once) => get(parts, tools, onceKey('TOL', workspace, once)),
  skill: (workspace, name, version) =>
    get(parts, skills, versionKey('SKL', workspace, name, version)),
  newestSkill: (workspace, name) => get(parts, skills, headKey('SKL', workspace, name)),
  skillsOf: (workspace) => partition(parts, skills, `SKL#${workspace}`, false),
  putSkill: (version, once) => put(parts, skills, version, once),
  skillMadeBy: (workspace, once) => get(parts, skills, onceKey('SKL', workspace, once)),
});
