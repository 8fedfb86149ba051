// CreateStateMachine and its family. Owns: idempotent creation, revisions, what a machine looks like to the API.
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { checkName, machineArn, readMachineArn } from '../arns.ts';
import { Fault } from '../faults.ts';
import type { MachineRow, VersionRow } from '../store/rows.ts';
import type { ApiParts, Operations } from './parts.ts';
import {
  arn,
  compact,
  name,
  nextToken,
  pageSize,
  positionIn,
  readBody,
  seconds,
  tokenOf,
} from './protocol.ts';

const tags = z.array(z.object({ key: z.string(), value: z.string() })).default([]);
const definition = z.string().min(1).max(1_048_576);
const options = z.object({
  loggingConfiguration: z.looseObject({}).optional(),
  tracingConfiguration: z.looseObject({}).optional(),
});

const creation = options.extend({
  name,
  definition,
  roleArn: arn,
  type: z.enum(['STANDARD', 'EXPRESS']).default('STANDARD'),
  publish: z.boolean().default(false),
  versionDescription: z.string().max(256).optional(),
  tags,
});

const update = options.extend({
  stateMachineArn: arn,
  definition: definition.optional(),
  roleArn: arn.optional(),
  publish: z.boolean().default(false),
  versionDescription: z.string().max(256).optional(),
});

export const machineMissing = (one: string): Fault =>
  new Fault('StateMachineDoesNotExist', `State Machine Does Not Exist: '${one}'`);

/** The revision of a machine that was never updated; the API does not show it. */
const initialRevision = 'INITIAL';

export const mustHave = ({ machines }: ApiParts, one: string): MachineRow => {
  const row = machines.machine(readMachineArn(one).machine);
  if (row === undefined) throw machineMissing(one);
  return row;
};

const checkDefinition = (parts: ApiParts, text: string): void => {
  const parsed = parts.parse(text);
  if (!parsed.ok)
    throw new Fault(
      'InvalidDefinition',
      `Invalid State Machine Definition: '${parsed.findings.text()}'`,
    );
};

const optionsOf = (given: z.output<typeof options>, before = '{}'): string => {
  const { loggingConfiguration, tracingConfiguration } = given;
  return JSON.stringify({
    ...JSON.parse(before),
    ...compact({ loggingConfiguration, tracingConfiguration }),
  });
};

/** Makes a version of the machine's present revision, or returns the one that exists. */
export const publish = (
  parts: ApiParts,
  row: MachineRow,
  description: string | undefined,
): VersionRow => {
  const { machines } = parts;
  const [newest] = machines.versions(row.arn, Number.MAX_SAFE_INTEGER, 1);
  if (newest?.revision === row.revision) return newest;
  const number = row.last_version + 1;
  const version = {
    arn: `${row.arn}:${number}`,
    machine: row.arn,
    number,
    definition: row.definition,
    role: row.role,
    revision: row.revision,
    description,
    created_ms: parts.nowMs(),
  };
  machines.putMachine({ ...row, last_version: number });
  machines.putVersion(version);
  return version;
};

const create = (parts: ApiParts, body: unknown): object => {
  const given = readBody(creation, body);
  const { machines, store } = parts;
  checkName(given.name);
  if (given.type !== 'STANDARD')
    throw new Fault('StateMachineTypeNotSupported', "State Machine Type Not Supported: 'EXPRESS'");
  checkDefinition(parts, given.definition);
  const one = machineArn(parts.place, given.name);
  return store.transaction(() => {
    const known = machines.machine(one);
    const id = machines.define(given.definition);
    const wanted = { definition: id, role: given.roleArn, options: optionsOf(given) };
    if (known !== undefined) {
      const isSame =
        known.definition === id && known.role === wanted.role && known.options === wanted.options;
      if (!isSame)
        throw new Fault('StateMachineAlreadyExists', `State Machine Already Exists: '${one}'`);
    }
    const row: MachineRow = known ?? {
      arn: one,
      name: given.name,
      ...wanted,
      revision: initialRevision,
      created_ms: parts.nowMs(),
      updated_ms: parts.nowMs(),
      last_version: 0,
    };
    if (known === undefined) machines.putMachine(row);
    for (const { key, value } of given.tags) machines.putTag(one, key, value);
    const version = given.publish ? publish(parts, row, given.versionDescription) : undefined;
    return compact({
      stateMachineArn: one,
      creationDate: seconds(row.created_ms),
      stateMachineVersionArn: version?.arn,
    });
  });
};

const change = (parts: ApiParts, body: unknown): object => {
  const given = readBody(update, body);
  const { machines, store } = parts;
  const { qualifier } = readMachineArn(given.stateMachineArn);
  if (qualifier !== undefined) throw machineMissing(given.stateMachineArn);
  const row = mustHave(parts, given.stateMachineArn);
  const { definition: text, roleArn, loggingConfiguration: logging, tracingConfiguration } = given;
  if ([text, roleArn, logging, tracingConfiguration].every((one) => one === undefined))
    throw new Fault(
      'MissingRequiredParameter',
      'Either the definition, the role ARN, the LoggingConfiguration, or the TracingConfiguration must be specified',
    );
  if (text !== undefined) checkDefinition(parts, text);
  return store.transaction(() => {
    const changed: MachineRow = {
      ...row,
      definition: text === undefined ? row.definition : machines.define(text),
      role: roleArn ?? row.role,
      options: optionsOf(given, row.options),
      revision: randomUUID(),
      updated_ms: parts.nowMs(),
    };
    machines.putMachine(changed);
    const version = given.publish ? publish(parts, changed, given.versionDescription) : undefined;
    return compact({
      updateDate: seconds(changed.updated_ms),
      revisionId: changed.revision,
      stateMachineVersionArn: version?.arn,
    });
  });
};

const remove = (parts: ApiParts, body: unknown): object => {
  const { stateMachineArn } = readBody(z.object({ stateMachineArn: arn }), body);
  const { machine } = readMachineArn(stateMachineArn);
  const stop = { kind: 'stop', error: undefined, cause: 'The state machine was deleted.' } as const;
  for (const no of parts.lists.running(machine))
    parts.engine.submit(no, stop, false).catch(() => undefined);
  parts.store.transaction(() => parts.machines.removeMachine(machine));
  return {};
};

/** What DescribeStateMachine shows of a machine or of one of its versions. */
export const described = (
  parts: ApiParts,
  row: MachineRow,
  version: VersionRow | undefined,
): object => {
  const shown = version ?? row;
  const { loggingConfiguration, tracingConfiguration } = JSON.parse(row.options);
  return compact({
    stateMachineArn: shown.arn,
    name: row.name,
    status: 'ACTIVE',
    definition: parts.machines.definition(shown.definition),
    roleArn: shown.role,
    type: 'STANDARD',
    creationDate: seconds(shown.created_ms),
    loggingConfiguration: loggingConfiguration ?? { level: 'OFF', includeExecutionData: false },
    tracingConfiguration: tracingConfiguration ?? { enabled: false },
    revisionId: shown.revision === initialRevision ? undefined : shown.revision,
    description: version?.description,
  });
};

const describe = (parts: ApiParts, body: unknown): object => {
  const { stateMachineArn } = readBody(z.looseObject({ stateMachineArn: arn }), body);
  const row = mustHave(parts, stateMachineArn);
  if (readMachineArn(stateMachineArn).qualifier === undefined)
    return described(parts, row, undefined);
  const version = parts.machines.version(stateMachineArn);
  if (version === undefined) throw machineMissing(stateMachineArn);
  return described(parts, row, version);
};

const list = (parts: ApiParts, body: unknown): object => {
  const given = readBody(z.object({ maxResults: pageSize(100), nextToken }), body);
  const rows = parts.machines.machines(positionIn(given.nextToken, ''), given.maxResults + 1);
  const page = rows.slice(0, given.maxResults);
  return compact({
    stateMachines: page.map((row) => ({
      stateMachineArn: row.arn,
      name: row.name,
      type: 'STANDARD',
      creationDate: seconds(row.created_ms),
    })),
    nextToken: rows.length > page.length ? tokenOf(page.at(-1)?.arn ?? '') : undefined,
  });
};

const validate = (parts: ApiParts, body: unknown): object => {
  const schema = z.looseObject({ definition: z.string() });
  const parsed = parts.parse(readBody(schema, body).definition);
  const diagnostics = parsed.ok ? [] : parsed.findings.list;
  return {
    result: parsed.ok ? 'OK' : 'FAIL',
    diagnostics: diagnostics.map((one) => ({ severity: 'ERROR', ...one })),
    truncated: false,
  };
};

export const machineOperations: Operations = {
  CreateStateMachine: create,
  UpdateStateMachine: change,
  DeleteStateMachine: remove,
  DescribeStateMachine: describe,
  ListStateMachines: list,
  ValidateStateMachineDefinition: validate,
};
