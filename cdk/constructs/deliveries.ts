// What calls functions besides the API and the machine: the outbox stream, the sweep's schedule, and executions that died.
// Owns: the event bus, and the queues that keep what could not be handled. Laws: L17 (the outbox is delivered at least once).
//
// The bus has no archive: the conversation's log is the lasting record, and a second copy could not be erased on request.
import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { Rule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { type IRole, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  FilterCriteria,
  FilterRule,
  type Function as LambdaFunctionResource,
  StartingPosition,
} from 'aws-cdk-lib/aws-lambda';
import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations';
import { DynamoEventSource, SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Schedule, ScheduleExpression, ScheduleGroup } from 'aws-cdk-lib/aws-scheduler';
import { LambdaInvoke } from 'aws-cdk-lib/aws-scheduler-targets';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { schedules, streams } from '../../functions/manifest.ts';
import { pascal } from '../every.ts';
import { explain, explainWildcards } from '../explain.ts';
import { machineArn } from '../names.ts';
import type { Functions } from './functions.ts';
import type { Storage } from './storage.ts';

export interface DeliveriesProps {
  readonly functions: Functions;
  readonly storage: Storage;
}

/** How an asynchronous call is retried before its event goes to the queue. */
interface Patience {
  readonly retryAttempts: number;
  readonly maxEventAge: Duration;
}

export class Deliveries extends Construct {
  /** Positions of stream batches that could not be published; the sweep delivers their outbox entries. */
  readonly unpublished: Queue;
  /** Calls of sweep, execution-ended and fire that failed for good. */
  readonly unhandled: Queue;
  readonly executionEndedRule: Rule;

  constructor(scope: Construct, id: string, props: DeliveriesProps) {
    super(scope, id);
    this.unpublished = this.deadLetters('Unpublished');
    this.unhandled = this.deadLetters('Unhandled');
    this.readStreams(props);
    this.executionEndedRule = this.watchExecutions(props.functions.byName['execution-ended']);
    this.runSchedules(props.functions);
    // Later than this the sweep records the occurrence.
    const patience = { retryAttempts: 2, maxEventAge: Duration.minutes(15) };
    this.keepFailures(props.functions.byName.fire, patience);
  }

  private deadLetters(name: string): Queue {
    const queue = new Queue(this, name, {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
    const reason = 'This queue is itself where failed events end.';
    explain(queue, { 'AwsSolutions-SQS3': reason, 'Serverless-SQSRedrivePolicy': reason });
    return queue;
  }

  /** A poison record is split off and its position kept; the rest goes on. */
  private readStreams({ functions, storage }: DeliveriesProps): void {
    for (const stream of streams) {
      const reader = functions.byName[stream.function];
      reader.addEventSource(
        new DynamoEventSource(storage.tables[stream.table], {
          startingPosition: StartingPosition.TRIM_HORIZON,
          batchSize: 100,
          parallelizationFactor: 4, // Order is kept within a partition key.
          filters: [
            FilterCriteria.filter({
              eventName: FilterRule.isEqual('INSERT'),
              dynamodb: { Keys: { pk: { S: FilterRule.beginsWith(stream.partitionKeyPrefix) } } },
            }),
          ],
          bisectBatchOnError: true,
          reportBatchItemFailures: true,
          retryAttempts: 5,
          maxRecordAge: Duration.hours(1),
          onFailure: new SqsDlq(this.unpublished),
        }),
      );
    }
  }

  private watchExecutions(target: LambdaFunctionResource): Rule {
    const patience = { retryAttempts: 2, maxEventAge: Duration.hours(2) };
    this.keepFailures(target, patience);
    const rule = new Rule(this, 'ExecutionEnded', {
      description:
        'An execution of the run machine died: its run goes on, or ends with the reason.',
      eventPattern: {
        source: ['aws.states'],
        detailType: ['Step Functions Execution Status Change'],
        detail: {
          stateMachineArn: [machineArn(this, 'run')],
          status: ['FAILED', 'TIMED_OUT', 'ABORTED'],
        },
      },
    });
    rule.addTarget(
      new LambdaFunction(target, {
        deadLetterQueue: this.unhandled,
        retryAttempts: 20,
        maxEventAge: Duration.hours(12),
      }),
    );
    return rule;
  }

  private runSchedules(functions: Functions): void {
    const group = new ScheduleGroup(this, 'Schedules', {
      scheduleGroupName: `${Stack.of(this).stackName}-system`,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    for (const entry of schedules) {
      const target = functions.byName[entry.function];
      // No retry: the next minute's call does the same work.
      const patience = { retryAttempts: 0, maxEventAge: Duration.minutes(entry.everyMinutes) };
      this.keepFailures(target, patience);
      const schedule = new Schedule(this, `${pascal(entry.name)}Schedule`, {
        scheduleName: `${Stack.of(this).stackName}-${entry.name}`,
        scheduleGroup: group,
        schedule: ScheduleExpression.rate(Duration.minutes(entry.everyMinutes)),
        target: new LambdaInvoke(target, {
          retryAttempts: 0,
          maxEventAge: Duration.minutes(entry.everyMinutes),
          deadLetterQueue: this.unhandled,
          role: this.schedulerRole(group, target),
        }),
      });
      schedule.node.addDependency(group);
    }
  }

  /** Only schedules of this group may use it (the confused-deputy condition). */
  private schedulerRole(group: ScheduleGroup, target: LambdaFunctionResource): IRole {
    const role = new Role(this, 'SchedulerRole', {
      assumedBy: new ServicePrincipal('scheduler.amazonaws.com', {
        conditions: { ArnEquals: { 'aws:SourceArn': group.scheduleGroupArn } },
      }),
      description: "Lets the schedules of Reprise's system group call their functions",
    });
    explainWildcards(role, [
      {
        resource: `${target.functionArn}:*`,
        reason:
          'Versions of the one function that the schedule calls, as the CDK target grants it.',
      },
    ]);
    return role as IRole;
  }

  private keepFailures(target: LambdaFunctionResource, patience: Patience): void {
    target.configureAsyncInvoke({ ...patience, onFailure: new SqsDestination(this.unhandled) });
  }
}
