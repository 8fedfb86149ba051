// A state machine of the manifest: its definition file, role, logs, versions and the alias executions start by.
// Owns: what a machine may touch: its functions and its tables, where it binds a task token and reads a decision's kind.
// Laws: L12, L18 (the log carries no execution data, since task tokens are in it).
import { RemovalPolicy } from 'aws-cdk-lib';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import {
  CfnStateMachineAlias,
  CfnStateMachineVersion,
  DefinitionBody,
  LogLevel,
  StateMachine,
  StateMachineType,
} from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import { type MachineName, machines, type TableName } from '../../functions/manifest.ts';
import { explainWildcards } from '../explain.ts';
import { liveAlias, machineName } from '../names.ts';
import type { Functions } from './functions.ts';
import type { Storage } from './storage.ts';

export interface MachineProps {
  readonly name: MachineName;
  /** Text of its definition file. */
  readonly definition: string;
  readonly functions: Functions;
  readonly storage: Storage;
  readonly logRetentionDays: RetentionDays;
}

export class Machine extends Construct {
  readonly machine: StateMachine;

  constructor(scope: Construct, id: string, props: MachineProps) {
    super(scope, id);
    const { name } = props;
    const invoked = Object.entries(machines[name].functions).map(
      ([substitution, each]) => [substitution, props.functions.byName[each].functionArn] as const,
    );
    const tables: [string, TableName][] = Object.entries(machines[name].tables);
    const named = tables.map(
      ([substitution, each]) => [substitution, props.storage.tables[each].tableName] as const,
    );
    const substitutions = Object.fromEntries([...invoked, ...named]);
    const role = this.role(
      props,
      invoked.map(([, arn]) => arn),
      tables.map(([, each]) => each),
    );
    this.machine = new StateMachine(this, 'Machine', {
      stateMachineName: machineName(this, name),
      stateMachineType: StateMachineType.STANDARD,
      definitionBody: DefinitionBody.fromString(compact(name, props.definition, substitutions)),
      definitionSubstitutions: substitutions,
      role,
      tracingEnabled: true,
      logs: {
        destination: new LogGroup(this, 'Logs', {
          logGroupName: `/aws/vendedlogs/states/${machineName(this, name)}`,
          retention: props.logRetentionDays,
          removalPolicy: RemovalPolicy.DESTROY,
        }),
        level: LogLevel.ALL,
        includeExecutionData: false,
      },
    });
    explainWildcards(role, [
      { resource: '*', reason: 'Vended log delivery and X-Ray have no resources to name.' },
    ]);
    this.publishVersion();
  }

  private role(
    { name, storage }: MachineProps,
    functionArns: string[],
    tables: readonly TableName[],
  ): Role {
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('states.amazonaws.com'),
      description: `Rights of Reprise's ${name} machine`,
    });
    role.addToPolicy(
      new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: functionArns }),
    );
    if (tables.length > 0)
      role.addToPolicy(
        new PolicyStatement({
          actions: ['dynamodb:GetItem', 'dynamodb:UpdateItem'],
          resources: tables.map((each) => storage.tables[each].tableArn),
        }),
      );
    return role;
  }

  /** Every deployed definition stays a version; the alias moves to the newest at once. */
  private publishVersion(): void {
    const version = new CfnStateMachineVersion(this, 'Version', {
      stateMachineArn: this.machine.stateMachineArn,
      stateMachineRevisionId: this.machine.stateMachineRevisionId,
    });
    version.applyRemovalPolicy(RemovalPolicy.RETAIN);
    const alias = new CfnStateMachineAlias(this, 'Live', {
      name: liveAlias,
      description: 'Executions are started by this alias.',
      deploymentPreference: {
        type: 'ALL_AT_ONCE',
        stateMachineVersionArn: version.attrArn,
      },
    });
    alias.applyRemovalPolicy(RemovalPolicy.RETAIN);
  }
}

/** The definition without white space, after checking that its `${…}` names are exactly those the manifest fills in. */
const compact = (
  name: MachineName,
  definition: string,
  substitutions: { readonly [name: string]: string },
): string => {
  const used = new Set([...definition.matchAll(/\$\{(\w+)\}/g)].map((match) => match[1] ?? ''));
  const missing = [...used].filter((name) => !(name in substitutions));
  const idle = Object.keys(substitutions).filter((name) => !used.has(name));
  if (missing.length + idle.length > 0)
    throw new Error(
      `${machines[name].definition} and functions/manifest.ts disagree on substitutions: ` +
        `not filled in: ${missing.join(', ') || 'none'}; not used: ${idle.join(', ') || 'none'}.`,
    );
  return JSON.stringify(JSON.parse(definition));
};
