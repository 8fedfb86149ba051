// ARNs that are built from fixed names instead of references: a machine's functions must know the machine, and the machine
// its functions. Owns: those names. They never change, or runs in flight lose their machine.
import { ArnFormat, Stack } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';
import type { FunctionName, MachineName } from '../functions/manifest.ts';

/** The alias every execution is started by. */
export const liveAlias = 'live';
/** Stage of the API; part of the page's origin path. */
export const apiStage = 'live';

export const machineName = (scope: IConstruct, machine: MachineName): string =>
  `${Stack.of(scope).stackName}-${machine}`;

export const machineArn = (scope: IConstruct, machine: MachineName): string =>
  Stack.of(scope).formatArn({
    service: 'states',
    resource: 'stateMachine',
    resourceName: machineName(scope, machine),
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });

export const machineAliasArn = (scope: IConstruct, machine: MachineName): string =>
  `${machineArn(scope, machine)}:${liveAlias}`;

/** Every execution of the machine. */
export const executionArns = (scope: IConstruct, machine: MachineName): string =>
  Stack.of(scope).formatArn({
    service: 'states',
    resource: 'execution',
    resourceName: `${machineName(scope, machine)}:*`,
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });

/** A function of the manifest, by its fixed name. */
export const functionArn = (scope: IConstruct, name: FunctionName): string =>
  Stack.of(scope).formatArn({
    service: 'lambda',
    resource: 'function',
    resourceName: `${Stack.of(scope).stackName}-${name}`,
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });

/** Secrets that tools and model providers may be given. */
export const secretArns = (scope: IConstruct): string =>
  Stack.of(scope).formatArn({
    service: 'secretsmanager',
    resource: 'secret',
    resourceName: 'reprise/*',
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });

/** Lambda functions that agents may use as tools: those whose name says so. */
export const toolFunctionPrefix = 'reprise-tool-';
export const toolFunctionArns = (scope: IConstruct): string =>
  Stack.of(scope).formatArn({
    service: 'lambda',
    resource: 'function',
    resourceName: `${toolFunctionPrefix}*`,
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });
