// The state machine that drives runs: its definition file, role, logs, versions and the alias executions start by.
// Owns: what the machine may touch: its functions and the Requests table, to bind a task token and read a decision's kind.
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
import { machines } from '../../functions/manifest.ts';
import { explainWildcards } from '../explain.ts';
import { liveAlias, machineName } from '../names.ts';
import type { Functions } from './functions.ts';
import type { Storage } from './storage.ts';

export interface RunMachineProps {
  /** Text of `statemachines/run.asl.json`. */
  readonly definition: string;
  readonly functions: Functions;
  readonly storage: Storage;
  readonly logRetentionDays: RetentionDays;
}

export class RunMachine extends Construct {
  readonly machine: StateMachine;

  constructor(scope: Construct, id: string, props: RunMachineProps) {
    super(scope, id);
    const { functions, tables } = machines.run;
    const invoked = Object.entries(functions).map(
      ([substitution, name]) => [substitution, props.functions.byName[name].functionArn] as const,
    );
    const named = Object.entries(tables).map(
      ([substitution, name]) => [substitution, props.storage.tables[name].tableName] as const,
    );
    const substitutions = Object.fromEntries([...invoked, ...named]);
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('states.amazonaws.com'),
      description: "Rights of Reprise's run machine",
    });
    role.addToPolicy(
      new PolicyStatement({
        actions: ['lambda:InvokeFunction'],
        resources: invoked.map(([, arn]) => arn),
      }),
    );
    role.addToPolicy(
      new PolicyStatement({
        actions: ['dynamodb:GetItem', 'dynamodb:UpdateItem'],
        resources: [props.storage.tables.Requests.tableArn],
      }),
    );
    this.machine = new StateMachine(this, 'Machine', {
      stateMachineName: machineName(this),
      stateMachineType: StateMachineType.STANDARD,
      definitionBody: DefinitionBody.fromString(compact(props.definition, substitutions)),
      definitionSubstitutions: substitutions,
      role,
      tracingEnabled: true,
      logs: {
        destination: new LogGroup(this, 'Logs', {
          logGroupName: `/aws/vendedlogs/states/${machineName(this)}`,
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
  definition: string,
  substitutions: { readonly [name: string]: string },
): string => {
  const used = new Set([...definition.matchAll(/\$\{(\w+)\}/g)].map((match) => match[1] ?? ''));
  const missing = [...used].filter((name) => !(name in substitutions));
  const idle = Object.keys(substitutions).filter((name) => !used.has(name));
  if (missing.length + idle.length > 0)
    throw new Error(
      `${machines.run.definition} and functions/manifest.ts disagree on substitutions: ` +
        `not filled in: ${missing.join(', ') || 'none'}; not used: ${idle.join(', ') || 'none'}.`,
    );
  return JSON.stringify(JSON.parse(definition));
};
