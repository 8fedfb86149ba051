// ARNs and names of state machines, versions, aliases and executions.
// Owns: their format, and the rule for names.
import { Fault } from './faults.ts';

export interface Place {
  readonly region: string;
  readonly account: string;
}

export const machineArn = ({ region, account }: Place, name: string): string =>
  `arn:aws:states:${region}:${account}:stateMachine:${name}`;

export const executionArn = (machine: string, name: string): string =>
  `${machine.replace(':stateMachine:', ':execution:')}:${name}`;

export interface MachineReference {
  readonly machine: string;
  readonly name: string;
  /** The number of a version or the name of an alias. */
  readonly qualifier: string | undefined;
}

const machinePattern =
  /^(arn:[^:]+:states:[^:]*:[^:]*:stateMachine:([^:]{1,80}))(?::([^:]{1,80}))?$/;
const executionPattern = /^arn:[^:]+:states:[^:]*:[^:]*:execution:[^:]{1,80}:[^:]{1,80}$/;

/** Takes an ARN of a machine, version or alias apart; throws InvalidArn. */
export const readMachineArn = (arn: string): MachineReference => {
  const [, machine, name, qualifier] = machinePattern.exec(arn) ?? [];
  if (machine === undefined || name === undefined)
    throw new Fault('InvalidArn', `Invalid Arn: 'Resource type not valid in this context: ${arn}'`);
  return { machine, name, qualifier };
};

export const checkExecutionArn = (arn: string): string => {
  if (!executionPattern.test(arn))
    throw new Fault('InvalidArn', `Invalid Arn: 'Invalid ARN prefix: ${arn}'`);
  return arn;
};

const badName = /[\s?*<>{}[\]"#%\\^|~`$&,;:/\p{Cc}]/u;

/** Names of machines, aliases and executions: 1 to 80 characters without space, wildcard, bracket or special ones. */
export const checkName = (name: string): string => {
  if (name.length < 1 || name.length > 80 || badName.test(name))
    throw new Fault('InvalidName', `Invalid Name: '${name}'`);
  return name;
};
