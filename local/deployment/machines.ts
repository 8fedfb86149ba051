// Puts the manifest's state machines into Step Functions, each behind its alias `live`. Owns: the filling in of the
// definitions' `${…}` names. An unchanged definition makes no new version.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { type MachineName, machines } from '../../functions/manifest.ts';
import type { AwsCall } from '../base/endpoints.ts';
import { functionArn, type Place, roleArn, stateMachineArn } from '../base/names.ts';
import { AwsFault } from '../base/wire.ts';

const root = join(import.meta.dirname, '..', '..');
const alias = 'live';

export const machineNames = Object.keys(machines).filter(
  (name): name is MachineName => name in machines,
);

/** As the stack names them. */
export const deployedName = (machine: MachineName): string => `reprise-${machine}`;

/** What executions are started by, where there are aliases. */
export const aliasArn = (place: Place, machine: MachineName): string =>
  `${stateMachineArn(place, deployedName(machine))}:${alias}`;

/** The definition with ARNs and table names in place. Throws Error when a name is left over or the file is missing. */
export const definitionOf = async (machine: MachineName, place: Place): Promise<string> => {
  const entry = machines[machine];
  const text = await readFile(join(root, entry.definition), 'utf8');
  const values = new Map<string, string>([
    ...Object.entries(entry.functions).map(([name, fn]): [string, string] => [
      name,
      functionArn(place, fn),
    ]),
    ...Object.entries(entry.tables),
  ]);
  return text.replace(/\$\{(\w+)\}/g, (_, name: string) => {
    const value = values.get(name);
    if (value === undefined)
      throw new Error(`${entry.definition} uses \${${name}}, which the manifest does not define.`);
    return value;
  });
};

const isFault = (cause: unknown, ...codes: readonly string[]): boolean =>
  cause instanceof AwsFault && codes.includes(cause.code);

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

interface Ensured {
  readonly arn: string;
  /** ARN of a version made just now; empty where there are no versions, undefined when nothing changed. */
  readonly version: string | undefined;
}

const machineList = z.object({
  stateMachines: z.array(z.object({ name: z.string(), stateMachineArn: z.string() })),
});

/** Another Step Functions may be of another account: its machines are found by name. */
const arnOf = async (call: AwsCall, name: string): Promise<string | undefined> => {
  const { stateMachines } = machineList.parse(
    await call('ListStateMachines', { maxResults: 1000 }),
  );
  return stateMachines.find((machine) => machine.name === name)?.stateMachineArn;
};

const ensureMachine = async (
  call: AwsCall,
  name: string,
  definition: string,
  place: Place,
): Promise<Ensured> => {
  const given = { definition, roleArn: roleArn(place), publish: true };
  const arn = await arnOf(call, name);
  if (arn === undefined) {
    const made = await call('CreateStateMachine', { name, type: 'STANDARD', ...given });
    return { arn: text(made.stateMachineArn), version: text(made.stateMachineVersionArn) };
  }
  const there = await call('DescribeStateMachine', { stateMachineArn: arn });
  if (there.definition === definition) return { arn, version: undefined };
  const updated = await call('UpdateStateMachine', { stateMachineArn: arn, ...given });
  return { arn, version: text(updated.stateMachineVersionArn) };
};

const ensureAlias = async (call: AwsCall, machineArn: string, version: string): Promise<void> => {
  const routingConfiguration = [{ stateMachineVersionArn: version, weight: 100 }];
  try {
    const stateMachineAliasArn = `${machineArn}:${alias}`;
    await call('UpdateStateMachineAlias', { stateMachineAliasArn, routingConfiguration });
  } catch (cause) {
    if (!isFault(cause, 'ResourceNotFound', 'ResourceNotFoundException')) throw cause;
    await call('CreateStateMachineAlias', { name: alias, routingConfiguration });
  }
};

/**
 * Idempotent. The ARN by which executions are started: the alias's, or the machine's own where the Step Functions in use
 * (not the twin's: `isOwn` false) has no versions or aliases.
 */
export const ensureStateMachine = async (
  call: AwsCall,
  machine: MachineName,
  place: Place,
  isOwn: boolean,
): Promise<string> => {
  const definition = await definitionOf(machine, place);
  const { arn, version } = await ensureMachine(call, deployedName(machine), definition, place);
  if (version === '') return arn;
  try {
    if (version !== undefined) await ensureAlias(call, arn, version);
    await call('DescribeStateMachineAlias', { stateMachineAliasArn: `${arn}:${alias}` });
    return `${arn}:${alias}`;
  } catch (cause) {
    if (isOwn) throw cause;
    return arn;
  }
};
