// What is watched: one dashboard, and alarms that each say what is wrong and where to look.
// Owns: thresholds. Own metrics come from the sweep once a minute, so a silent sweep is itself an alarm.
import { Duration, Stack } from 'aws-cdk-lib';
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
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import { functionNames, functions } from '../../functions/manifest.ts';
import { metrics } from '../../functions/metrics.ts';
import { pascal } from '../every.ts';
import { explain } from '../explain.ts';
import type { Settings } from '../settings.ts';
import type { Deliveries } from './deliveries.ts';
import type { Functions } from './functions.ts';
import type { RunMachine } from './run-machine.ts';

export interface WatchProps {
  readonly functions: Functions;
  readonly runMachine: RunMachine;
  readonly deliveries: Deliveries;
  readonly restApi: RestApi;
  readonly settings: Settings;
}

interface AlarmEntry {
  readonly id: string;
  readonly metric: IMetric;
  /** The alarm rings from this value on. */
  readonly from: number;
  /** How many minutes in a row. */
  readonly minutes: number;
  /** What it means and what to do. */
  readonly says: string;
  /** No data is itself alarming. */
  readonly silenceAlarms?: true;
}

const minute = Duration.minutes(1);

export class Watch extends Construct {
  readonly topic: Topic;
  private readonly props: WatchProps;

  constructor(scope: Construct, id: string, props: WatchProps) {
    super(scope, id);
    this.props = props;
    this.topic = new Topic(this, 'Alarms', { displayName: 'Reprise alarms', enforceSSL: true });
    if (props.settings.alarmEmail !== undefined) {
      this.topic.addSubscription(new EmailSubscription(props.settings.alarmEmail));
      explain(this.topic, {
        'Serverless-SNSRedrivePolicy':
          'E-mail is for people; the alarm itself stays in CloudWatch.',
      });
    }
    const entries = [...this.meaning(), ...this.machinery(), ...this.perFunction()];
    for (const entry of entries) this.alarm(entry);
    this.dashboard();
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
        metric: this.own(metrics.undeterminedOldestMs, Stats.MAXIMUM),
        from: 3_600_000,
        minutes: 5,
        says: 'An action has been undetermined for an hour and nobody has decided: open its sheet.',
      },
      {
        id: 'RunsWaitingOnNobody',
        metric: this.own(metrics.runsWaitingOnNobody, Stats.MAXIMUM),
        from: 1,
        minutes: 10,
        says: 'A run waits although nothing open would wake it: see the sweep’s log for its id.',
      },
      {
        id: 'OutboxAge',
        metric: this.own(metrics.outboxOldestMs, Stats.MAXIMUM),
        from: 120_000,
        minutes: 5,
        silenceAlarms: true,
        says: 'Outbox entries are not delivered, or the sweep that reports them is silent.',
      },
      {
        id: 'BusEntriesRefused',
        metric: this.own(metrics.busEntriesRefused, Stats.SUM),
        from: 1,
        minutes: 5,
        says: 'EventBridge refused entries: see the publisher’s log; the sweep sends them again.',
      },
    ];
  }

  private machinery(): AlarmEntry[] {
    const { runMachine, deliveries, functions: made, restApi } = this.props;
    const { machine } = runMachine;
    const every = { period: minute, statistic: Stats.SUM };
    const dead = { period: minute, statistic: Stats.MAXIMUM };
    return [
      {
        id: 'ExecutionsFailed',
        metric: machine.metricFailed(every),
        from: 1,
        minutes: 1,
        says: 'An execution failed. Its run goes on in a new one; twice without progress ends the run.',
      },
      {
        id: 'ExecutionsTimedOut',
        metric: machine.metricTimedOut(every),
        from: 1,
        minutes: 1,
        says: 'An execution timed out, which a run that parks in time never does.',
      },
      {
        id: 'ExecutionsThrottled',
        metric: machine.metricThrottled(every),
        from: 1,
        minutes: 5,
        says: 'Step Functions throttles state transitions: ask for a higher quota.',
      },
      {
        id: 'UnpublishedRecords',
        metric: deliveries.unpublished.metricApproximateNumberOfMessagesVisible(dead),
        from: 1,
        minutes: 1,
        says: 'Stream records could not be published; the sweep delivers them. Find the cause.',
      },
      {
        id: 'UnhandledEvents',
        metric: deliveries.unhandled.metricApproximateNumberOfMessagesVisible(dead),
        from: 1,
        minutes: 1,
        says: 'A call of the sweep or of execution-ended failed for good: the message tells why.',
      },
      {
        id: 'StreamBehind',
        metric: made.byName.publish.metric('IteratorAge', dead),
        from: 60_000,
        minutes: 5,
        says: 'The publisher is a minute behind the stream: runs start and wake late.',
      },
      {
        id: 'ServerErrors',
        metric: restApi.metricServerError(every),
        from: 5,
        minutes: 5,
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
        from: 3,
        minutes: 5,
        says: `The function ${name} keeps failing: see its log.`,
      };
      if (!('reservedConcurrency' in functions[name])) return [errors];
      const throttles: AlarmEntry = {
        id: `${pascal(name)}Throttles`,
        metric: made.metricThrottles({ period: minute }),
        from: 1,
        minutes: 5,
        says: `The function ${name} is at its reserved concurrency: raise it in the manifest.`,
      };
      return [errors, throttles];
    });
  }

  private alarm(entry: AlarmEntry): void {
    new Alarm(this, entry.id, {
      alarmName: `${Stack.of(this).stackName}-${entry.id}`,
      alarmDescription: entry.says,
      metric: entry.metric,
      threshold: entry.from,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      evaluationPeriods: entry.minutes,
      treatMissingData: entry.silenceAlarms
        ? TreatMissingData.BREACHING
        : TreatMissingData.NOT_BREACHING,
    }).addAlarmAction(new SnsAction(this.topic));
  }

  private dashboard(): void {
    const { runMachine, functions: made, restApi } = this.props;
    const graph = (title: string, left: IMetric[]) =>
      new GraphWidget({ title, left, width: 12, height: 6 });
    new Dashboard(this, 'Dashboard', {
      dashboardName: Stack.of(this).stackName,
      widgets: [
        [
          graph('Undetermined: age of the oldest (ms)', [
            this.own(metrics.undeterminedOldestMs, Stats.MAXIMUM),
          ]),
          graph('Runs waiting on nobody', [this.own(metrics.runsWaitingOnNobody, Stats.MAXIMUM)]),
        ],
        [
          graph('Outbox: age of the oldest (ms)', [
            this.own(metrics.outboxOldestMs, Stats.MAXIMUM),
            made.byName.publish.metric('IteratorAge', { statistic: Stats.MAXIMUM, period: minute }),
          ]),
          graph('Executions', [
            runMachine.machine.metricStarted(),
            runMachine.machine.metricSucceeded(),
            runMachine.machine.metricFailed(),
            runMachine.machine.metricTimedOut(),
            runMachine.machine.metricAborted(),
          ]),
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
