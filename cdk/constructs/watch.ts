// What is watched: one dashboard, and alarms that each say what is wrong and where to look.
// Owns: thresholds. What is lost is taken up by the sweep, so a silent sweep is itself an alarm.
import { Aws, Duration, Stack } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import {
  Alarm,
  ComparisonOperator,
  Dashboard,
  GraphWidget,
  type IMetric,
  Metric,
  Stats,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import {
  functionNames,
  functions,
  type MachineName,
  machineNames,
} from '../../functions/manifest.ts';
import { metrics } from '../../functions/metrics.ts';
import { type AlarmEntry, machineAlarms } from '../alarms.ts';
import { pascal } from '../every.ts';
import { explain } from '../explain.ts';
import type { Settings } from '../settings.ts';
import type { Deliveries } from './deliveries.ts';
import type { Functions } from './functions.ts';
import type { Machine } from './machine.ts';

export interface WatchProps {
  readonly functions: Functions;
  readonly machines: { readonly [Name in MachineName]: Machine };
  readonly deliveries: Deliveries;
  readonly restApi: RestApi;
  readonly settings: Settings;
}

const minute = Duration.minutes(1);

export class Watch extends Construct {
  readonly topic: Topic;
  private readonly props: WatchProps;

  constructor(scope: Construct, id: string, props: WatchProps) {
    super(scope, id);
    this.props = props;
    this.topic = this.alarmTopic();
    if (props.settings.alarmEmail !== undefined) {
      this.topic.addSubscription(new EmailSubscription(props.settings.alarmEmail));
      explain(this.topic, {
        'Serverless-SNSRedrivePolicy':
          'E-mail is for people; the alarm itself stays in CloudWatch.',
      });
    }
    const entries = [
      ...this.meaning(),
      ...machineAlarms(this.props.machines),
      ...this.machinery(),
      ...this.perFunction(),
    ];
    for (const entry of entries) this.alarm(entry);
    this.dashboard();
  }

  /** A topic's own policy takes the place of the default one, which let CloudWatch publish: without this no alarm reaches anybody. */
  private alarmTopic(): Topic {
    const topic = new Topic(this, 'Alarms', { displayName: 'Reprise alarms', enforceSSL: true });
    topic.addToResourcePolicy(
      new PolicyStatement({
        sid: 'AlarmsOfThisAccount',
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [topic.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
      }),
    );
    return topic;
  }

  private own(name: string, statistic: string): Metric {
    return new Metric({
      namespace: metrics.namespace,
      metricName: name,
      dimensionsMap: { service: Stack.of(this).stackName },
      statistic,
      period: minute,
    });
  }

  /** What the product promises. */
  private meaning(): AlarmEntry[] {
    return [
      {
        id: 'UndeterminedTooLong',
        metric: this.own(metrics.names.undeterminedOldestMs, Stats.MAXIMUM),
        rings: { from: 3_600_000 },
        periods: 5,
        says: 'An action has been undetermined for an hour and nobody has decided: open its sheet.',
      },
      {
        id: 'RunsWaitingOnNobody',
        metric: this.own(metrics.names.runsWaitingOnNobody, Stats.MAXIMUM),
        rings: { from: 1 },
        periods: 1,
        says: 'A run waited although nothing would have woken it. The sweep took it up: see its log.',
      },
      {
        id: 'OutboxAge',
        metric: this.own(metrics.names.outboxOldestMs, Stats.MAXIMUM),
        rings: { from: 120_000 },
        periods: 5,
        says: 'Outbox entries are not delivered: see the logs of publish and of the sweep.',
      },
      {
        id: 'BusEntriesRefused',
        metric: this.own(metrics.names.busEntriesRefused, Stats.SUM),
        rings: { from: 1 },
        periods: 5,
        says: 'EventBridge refused entries: see the publisher’s log; the sweep sends them again.',
      },
      {
        id: 'SweepFailing',
        metric: this.own(metrics.names.sweepPartsFailed, Stats.MAXIMUM),
        rings: { from: 1 },
        periods: 5,
        says: 'Parts of the sweep keep failing: what was lost is not taken up. See its log for which and why.',
      },
    ];
  }

  private machinery(): AlarmEntry[] {
    const { deliveries, functions: made, restApi } = this.props;
    const every = { period: minute, statistic: Stats.SUM };
    const silent = Duration.minutes(5);
    const dead = { period: minute, statistic: Stats.MAXIMUM };
    return [
      {
        id: 'UnpublishedRecords',
        metric: deliveries.unpublished.metricApproximateNumberOfMessagesVisible(dead),
        rings: { from: 1 },
        periods: 1,
        says: 'Stream records could not be published; the sweep delivers them. Find the cause.',
      },
      {
        id: 'UnhandledEvents',
        metric: deliveries.unhandled.metricApproximateNumberOfMessagesVisible(dead),
        rings: { from: 1 },
        periods: 1,
        says: 'A call of the sweep, of execution-ended or of fire failed for good: the message tells why.',
      },
      {
        id: 'SweepSilent',
        metric: made.byName.sweep.metricInvocations({ period: silent }),
        rings: { below: 1 },
        periods: 1,
        says: 'The sweep does not run: nothing that was lost is taken up. See its schedule.',
      },
      {
        id: 'StreamBehind',
        metric: made.byName.publish.metric('IteratorAge', dead),
        rings: { from: 60_000 },
        periods: 5,
        says: 'The publisher is a minute behind the stream: runs start and wake late.',
      },
      {
        id: 'ServerErrors',
        metric: restApi.metricServerError(every),
        rings: { from: 5 },
        periods: 5,
        says: 'The API answers with server errors: see the api function’s log.',
      },
    ];
  }

  private perFunction(): AlarmEntry[] {
    return functionNames.flatMap((name) => {
      const made = this.props.functions.byName[name];
      const errors: AlarmEntry = {
        id: `${pascal(name)}Errors`,
        metric: made.metricErrors({ period: minute }),
        // What is called once a minute fails once a minute at most.
        rings: { from: functions[name].calledBy === 'schedule' ? 1 : 3 },
        periods: 5,
        says: `The function ${name} keeps failing: see its log.`,
      };
      if (!('reservedConcurrency' in functions[name])) return [errors];
      const throttles: AlarmEntry = {
        id: `${pascal(name)}Throttles`,
        metric: made.metricThrottles({ period: minute }),
        rings: { from: 1 },
        periods: 5,
        says: this.props.settings.reservedConcurrency
          ? `The function ${name} is at its reserved concurrency: raise it in the manifest.`
          : `Calls of ${name} find no room in the account: raise its quota "Concurrent executions".`,
      };
      return [errors, throttles];
    });
  }

  private alarm(entry: AlarmEntry): void {
    const { rings } = entry;
    new Alarm(this, entry.id, {
      alarmName: `${Stack.of(this).stackName}-${entry.id}`,
      alarmDescription: entry.says,
      metric: entry.metric,
      evaluationPeriods: entry.periods,
      ...('from' in rings
        ? {
            threshold: rings.from,
            comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
            treatMissingData: TreatMissingData.NOT_BREACHING,
          }
        : {
            threshold: rings.below,
            comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
            treatMissingData: TreatMissingData.BREACHING,
          }),
    }).addAlarmAction(new SnsAction(this.topic));
  }

  private dashboard(): void {
    const { machines, functions: made, restApi } = this.props;
    const graph = (title: string, left: IMetric[]) =>
      new GraphWidget({ title, left, width: 12, height: 6 });
    new Dashboard(this, 'Dashboard', {
      dashboardName: `${Stack.of(this).stackName}-${Aws.REGION}`, // Dashboards are the account's, not a Region's.
      widgets: [
        [
          new GraphWidget({
            title: 'Undetermined: how many, and age of the oldest (ms)',
            left: [this.own(metrics.names.undetermined, Stats.MAXIMUM)],
            right: [this.own(metrics.names.undeterminedOldestMs, Stats.MAXIMUM)],
            width: 12,
            height: 6,
          }),
          graph('Runs waiting on nobody', [
            this.own(metrics.names.runsWaitingOnNobody, Stats.MAXIMUM),
          ]),
        ],
        [
          graph('Outbox: age of the oldest (ms)', [
            this.own(metrics.names.outboxOldestMs, Stats.MAXIMUM),
            made.byName.publish.metric('IteratorAge', { statistic: Stats.MAXIMUM, period: minute }),
          ]),
          graph(
            'Executions',
            machineNames.flatMap((name) => [
              machines[name].machine.metricStarted(),
              machines[name].machine.metricSucceeded(),
              machines[name].machine.metricFailed(),
              machines[name].machine.metricTimedOut(),
              machines[name].machine.metricAborted(),
            ]),
          ),
        ],
        [
          graph(
            'Function errors',
            functionNames.map((name) => made.byName[name].metricErrors()),
          ),
          graph(
            'Function duration (p95)',
            functionNames.map((name) => made.byName[name].metricDuration({ statistic: 'p95' })),
          ),
        ],
        [
          graph('API', [
            restApi.metricCount(),
            restApi.metricClientError(),
            restApi.metricServerError(),
          ]),
          graph('Concurrency', [
            made.byName.stream.metric('ConcurrentExecutions', { statistic: Stats.MAXIMUM }),
            made.byName.perform.metric('ConcurrentExecutions', { statistic: Stats.MAXIMUM }),
          ]),
        ],
      ],
    });
  }
}
