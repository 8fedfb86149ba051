// The Lambda functions of the manifest, one role each with only its rights.
// Owns: runtime, environment, logs and limits. Names are fixed: a running execution keeps the ARNs of its definition.
import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import type { EventBus } from 'aws-cdk-lib/aws-events';
import { Effect, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  ApplicationLogLevel,
  Architecture,
  Code,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
  SystemLogLevel,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import {
  environmentNames,
  type FunctionEntry,
  type FunctionName,
  functionNames,
  functions,
} from '../../functions/manifest.ts';
import { metrics } from '../../functions/metrics.ts';
import { consoleTraceAddress } from '../../functions/trace-addresses.ts';
import type { Bundles } from '../bundles.ts';
import { forEvery, pascal } from '../every.ts';
import { explain, explainWildcards } from '../explain.ts';
import { machineAliasArn } from '../names.ts';
import { rightsOf } from '../rights.ts';
import type { Settings } from '../settings.ts';
import type { Identity } from './identity.ts';
import type { RoutineSchedules } from './routine-schedules.ts';
import type { Storage } from './storage.ts';

export interface FunctionsProps {
  readonly bundles: Bundles;
  readonly storage: Storage;
  readonly bus: EventBus;
  readonly settings: Settings;
  readonly routines: RoutineSchedules;
  readonly identity: Identity;
  /** Origin of the page, `https://…`. */
  readonly pageUrl: string;
}

export class Functions extends Construct {
  readonly byName: { readonly [Name in FunctionName]: LambdaFunction };
  private readonly props: FunctionsProps;

  constructor(scope: Construct, id: string, props: FunctionsProps) {
    super(scope, id);
    this.props = props;
    const environment = this.environment();
    this.byName = forEvery(functionNames, (name) => this.function(name, environment));
  }

  private environment(): { [name: string]: string } {
    const { storage, bus, settings, routines, identity, pageUrl } = this.props;
    const names = environmentNames;
    return {
      [names.conversationsTable]: storage.tables.Conversations.tableName,
      [names.requestsTable]: storage.tables.Requests.tableName,
      [names.ledgerTable]: storage.tables.Ledger.tableName,
      [names.registryTable]: storage.tables.Registry.tableName,
      [names.idempotencyTable]: storage.tables.Idempotency.tableName,
      [names.blobBucket]: storage.blobs.bucketName,
      [names.eventBus]: bus.eventBusName,
      [names.runMachineArn]: machineAliasArn(this, 'run'),
      [names.recoverMachineArn]: machineAliasArn(this, 'recover'),
      [names.traceAddress]: consoleTraceAddress,
      [names.scheduleGroup]: routines.group.scheduleGroupName,
      [names.fireFunctionArn]: routines.fireFunctionArn,
      [names.schedulerRoleArn]: routines.role.roleArn,
      [names.egress]: JSON.stringify({ hosts: settings.egressHosts }),
      [names.issuer]: identity.issuer,
      [names.audience]: identity.audience,
      [names.clientId]: identity.clientId,
      [names.scope]: identity.scope,
      [names.pageUrl]: pageUrl,
      [names.signInSecret]: identity.secret.secretName,
      [names.eventBudget]: String(settings.eventBudget),
      [names.parkAfterMs]: String(settings.parkAfterMs),
      POWERTOOLS_SERVICE_NAME: Stack.of(this).stackName,
      POWERTOOLS_METRICS_NAMESPACE: metrics.namespace,
      NODE_OPTIONS: '--enable-source-maps',
    };
  }

  private function(name: FunctionName, environment: { [name: string]: string }): LambdaFunction {
    const entry: FunctionEntry = functions[name];
    const logs = new LogGroup(this, `${pascal(name)}Logs`, {
      logGroupName: `/aws/lambda/${Stack.of(this).stackName}-${name}`,
      retention: this.props.settings.logRetentionDays satisfies RetentionDays,
      removalPolicy: RemovalPolicy.DESTROY, // Logs decide nothing; what must last is in the tables.
    });
    const made = new LambdaFunction(this, pascal(name), {
      functionName: `${Stack.of(this).stackName}-${name}`,
      description: `Reprise: ${entry.module}`,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      handler: 'index.handler',
      code: Code.fromAsset(this.props.bundles[name].folder),
      role: this.role(name, entry, logs),
      memorySize: entry.memoryMb,
      timeout: Duration.millis(entry.timeoutMs),
      ...(entry.reservedConcurrency !== undefined && this.props.settings.reservedConcurrency
        ? { reservedConcurrentExecutions: entry.reservedConcurrency }
        : {}),
      environment,
      tracing: Tracing.ACTIVE,
      logGroup: logs,
      loggingFormat: LoggingFormat.JSON,
      applicationLogLevelV2: ApplicationLogLevel.INFO, // Metrics travel as log lines of this level.
      systemLogLevelV2: SystemLogLevel.WARN,
    });
    explain(made, failureReasons(entry));
    return made;
  }

  private role(name: FunctionName, entry: FunctionEntry, logs: LogGroup): Role {
    const role = new Role(this, `${pascal(name)}Role`, {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      description: `Rights of Reprise's ${name} function`,
    });
    role.addToPolicy(
      new PolicyStatement({
        effect: Effect.ALLOW,
        actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
        resources: [logs.logGroupArn],
      }),
    );
    const { bus, identity } = this.props;
    const arns = { busArn: bus.eventBusArn, signInSecretArn: identity.secret.secretArn };
    const rights = rightsOf(entry, role, { ...this.props, ...arns });
    for (const { statement } of rights) role.addToPolicy(statement);
    explainWildcards(role, [
      {
        resource: '*',
        reason:
          entry.calledBy === 'stream'
            ? 'X-Ray and dynamodb:ListStreams, which Lambda asks for, have no resources to name.'
            : 'X-Ray has no resources to name: PutTraceSegments works on *.',
      },
      ...rights.flatMap(({ statement, reason }) =>
        reason === undefined ? [] : statement.resources.map((resource) => ({ resource, reason })),
      ),
    ]);
    return role;
  }
}

const failureReasons = (entry: FunctionEntry): { [finding: string]: string } => {
  const asynchronous = ['schedule', 'routine-schedule', 'status-event'].includes(entry.calledBy);
  const why = asynchronous
    ? 'Failed events go to an on-failure destination, which also tells why; a second queue would double them.'
    : 'Invoked synchronously: the caller gets the error; Lambda never queues such an event.';
  return { 'Serverless-LambdaDLQ': why };
};
