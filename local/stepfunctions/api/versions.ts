// Versions, aliases and tags of state machines. Owns: the rules of routing, and which version a start through an alias takes.
import { z } from 'zod';
import { checkName, readMachineArn } from '../arns.ts';
import { Fault } from '../faults.ts';
import { type AliasRow, type Routing, routingSchema } from '../store/rows.ts';
import { mustHave, publish } from './machines.ts';
import type { ApiParts, Operations } from './parts.ts';
import {
  arn,
  compact,
  invalid,
  nextToken,
  pageSize,
  positionIn,
  readBody,
  seconds,
  tokenOf,
} from './protocol.ts';

const missing = (one: string): Fault =>
  new Fault('ResourceNotFound', `Request references a resource that does not exist: '${one}'`);

const publishVersion = (parts: ApiParts, body: unknown): object => {
  const schema = z.object({
    stateMachineArn: arn,
    revisionId: z.string().optional(),
    description: z.string().max(256).optional(),
  });
  const given = readBody(schema, body);
  const row = mustHave(parts, given.stateMachineArn);
  if (given.revisionId !== undefined && given.revisionId !== row.revision)
    throw new Fault(
      'ConflictException',
      `Failed to publish the State Machine version for revision ${given.revisionId}. The current State Machine revision is ${row.revision}.`,
    );
  const version = parts.store.transaction(() => publish(parts, row, given.description));
  return { stateMachineVersionArn: version.arn, creationDate: seconds(version.created_ms) };
};

const listVersions = (parts: ApiParts, body: unknown): object => {
  const schema = z.object({ stateMachineArn: arn, maxResults: pageSize(100), nextToken });
  const given = readBody(schema, body);
  const { machine } = readMachineArn(given.stateMachineArn);
  const before = Number(positionIn(given.nextToken, String(Number.MAX_SAFE_INTEGER)));
  const rows = parts.machines.versions(machine, before, given.maxResults + 1);
  const page = rows.slice(0, given.maxResults);
  return compact({
    stateMachineVersions: page.map((row) => ({
      stateMachineVersionArn: row.arn,
      creationDate: seconds(row.created_ms),
    })),
    nextToken: rows.length > page.length ? tokenOf(page.at(-1)?.number ?? 0) : undefined,
  });
};

const removeVersion = (parts: ApiParts, body: unknown): object => {
  const given = readBody(z.object({ stateMachineVersionArn: arn }), body);
  const { machine, qualifier } = readMachineArn(given.stateMachineVersionArn);
  if (qualifier === undefined || !/^\d+$/.test(qualifier))
    throw invalid(`The ARN '${given.stateMachineVersionArn}' names no version.`);
  const users = parts.machines
    .aliases(machine, '', 1000)
    .filter(({ routing }) =>
      routing.some((one) => one.stateMachineVersionArn === given.stateMachineVersionArn),
    );
  if (users.length > 0)
    throw new Fault(
      'ConflictException',
      `Version to be deleted must not be referenced by an alias. Current list of aliases referencing this version: [${users.map((one) => one.name).join(', ')}]`,
    );
  parts.machines.removeVersion(given.stateMachineVersionArn);
  return {};
};

/** Weights sum up to 100, and both versions belong to one machine and exist. */
const checkRouting = (parts: ApiParts, routing: Routing): string => {
  const total = routing.reduce((sum, { weight }) => sum + weight, 0);
  if (total !== 100) throw invalid('Sum of routing configuration weights must equal 100.');
  const machines = routing.map(({ stateMachineVersionArn: one }) => {
    if (parts.machines.version(one) === undefined) throw missing(one);
    return readMachineArn(one).machine;
  });
  const [machine = ''] = machines;
  if (machines.some((one) => one !== machine))
    throw invalid('Routing configuration must refer to versions of one state machine.');
  return machine;
};

const createAlias = (parts: ApiParts, body: unknown): object => {
  const schema = z.object({
    name: z.string().min(1).max(80),
    description: z.string().max(256).optional(),
    routingConfiguration: routingSchema,
  });
  const { name, description, routingConfiguration: routing } = readBody(schema, body);
  checkName(name);
  if (/^\d+$/.test(name)) throw invalid('An alias name must not be a number.');
  const machine = checkRouting(parts, routing);
  const one = `${machine}:${name}`;
  const known = parts.machines.alias(one);
  if (known !== undefined) {
    const isSame =
      JSON.stringify(known.routing) === JSON.stringify(routing) &&
      known.description === description;
    if (!isSame)
      throw new Fault(
        'ConflictException',
        'Failed to create alias because an alias with the same name and a different routing configuration already exists.',
      );
    return { stateMachineAliasArn: one, creationDate: seconds(known.created_ms) };
  }
  const atMs = parts.nowMs();
  const row = { arn: one, machine, name, description, routing };
  parts.machines.putAlias({ ...row, created_ms: atMs, updated_ms: atMs });
  return { stateMachineAliasArn: one, creationDate: seconds(atMs) };
};

const aliasAt = (parts: ApiParts, one: string): AliasRow => {
  const row = parts.machines.alias(one);
  if (row === undefined) throw missing(one);
  return row;
};

const updateAlias = (parts: ApiParts, body: unknown): object => {
  const schema = z.object({
    stateMachineAliasArn: arn,
    description: z.string().max(256).optional(),
    routingConfiguration: routingSchema.optional(),
  });
  const given = readBody(schema, body);
  const row = aliasAt(parts, given.stateMachineAliasArn);
  const routing = given.routingConfiguration ?? row.routing;
  if (checkRouting(parts, routing) !== row.machine)
    throw invalid(
      'Routing configuration must refer to versions of the state machine of the alias.',
    );
  const atMs = parts.nowMs();
  const description = given.description ?? row.description;
  parts.machines.putAlias({ ...row, routing, description, updated_ms: atMs });
  return { updateDate: seconds(atMs) };
};

const describeAlias = (parts: ApiParts, body: unknown): object => {
  const given = readBody(z.object({ stateMachineAliasArn: arn }), body);
  const row = aliasAt(parts, given.stateMachineAliasArn);
  return compact({
    stateMachineAliasArn: row.arn,
    name: row.name,
    description: row.description,
    routingConfiguration: row.routing,
    creationDate: seconds(row.created_ms),
    updateDate: seconds(row.updated_ms),
  });
};

const listAliases = (parts: ApiParts, body: unknown): object => {
  const schema = z.object({ stateMachineArn: arn, maxResults: pageSize(100), nextToken });
  const given = readBody(schema, body);
  const { machine, qualifier } = readMachineArn(given.stateMachineArn);
  mustHave(parts, machine);
  const after = positionIn(given.nextToken, '');
  const rows = parts.machines
    .aliases(machine, after, given.maxResults + 1)
    .filter(
      ({ routing }) =>
        qualifier === undefined ||
        routing.some((one) => one.stateMachineVersionArn === given.stateMachineArn),
    );
  const page = rows.slice(0, given.maxResults);
  return compact({
    stateMachineAliases: page.map((row) => ({
      stateMachineAliasArn: row.arn,
      creationDate: seconds(row.created_ms),
    })),
    nextToken: rows.length > page.length ? tokenOf(page.at(-1)?.arn ?? '') : undefined,
  });
};

const removeAlias = (parts: ApiParts, body: unknown): object => {
  const given = readBody(z.object({ stateMachineAliasArn: arn }), body);
  parts.machines.removeAlias(aliasAt(parts, given.stateMachineAliasArn).arn);
  return {};
};

const tag = z.object({ key: z.string().min(1).max(128), value: z.string().max(256) });

const tagResource = ({ machines, store }: ApiParts, body: unknown): object => {
  const given = readBody(z.object({ resourceArn: arn, tags: z.array(tag) }), body);
  if (machines.machine(given.resourceArn) === undefined) throw missing(given.resourceArn);
  store.transaction(() => {
    for (const { key, value } of given.tags) machines.putTag(given.resourceArn, key, value);
  });
  return {};
};

const untagResource = ({ machines, store }: ApiParts, body: unknown): object => {
  const given = readBody(z.object({ resourceArn: arn, tagKeys: z.array(z.string()) }), body);
  store.transaction(() => {
    for (const key of given.tagKeys) machines.removeTag(given.resourceArn, key);
  });
  return {};
};

const listTags = ({ machines }: ApiParts, body: unknown): object => ({
  tags: machines.tags(readBody(z.object({ resourceArn: arn }), body).resourceArn),
});

export const versionOperations: Operations = {
  PublishStateMachineVersion: publishVersion,
  ListStateMachineVersions: listVersions,
  DeleteStateMachineVersion: removeVersion,
  CreateStateMachineAlias: createAlias,
  UpdateStateMachineAlias: updateAlias,
  DescribeStateMachineAlias: describeAlias,
  ListStateMachineAliases: listAliases,
  DeleteStateMachineAlias: removeAlias,
  TagResource: tagResource,
  UntagResource: untagResource,
  ListTagsForResource: listTags,
};
