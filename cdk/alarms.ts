// What an alarm is made of, and the alarms that each state machine has.
import { Duration } from 'aws-cdk-lib';
import { type IMetric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { type MachineName, machineNames } from '../functions/manifest.ts';
import type { Machine } from './constructs/machine.ts';
import { pascal } from './every.ts';

export interface AlarmEntry {
  readonly id: string;
  readonly metric: IMetric;
  /** From this value on, or below it (then no data is below it as well). */
  readonly rings: { readonly from: number } | { readonly below: number };
  /** For so many periods of the metric in a row. */
  readonly periods: number;
  /** What it means and what to do. */
  readonly says: string;
}

const known = {
  run: {
    failed: 'Its run goes on in a new one; twice without progress ends the run.',
    timedOut: 'A run that parks in time never does.',
  },
  recover: {
    failed: 'The sweep starts another round, which looks first.',
    timedOut: 'The sweep starts another round, which looks first.',
  },
} as const satisfies { readonly [Name in MachineName]: object };

export const machineAlarms = (
  machines: {
    readonly [Name in MachineName]: Machine;
  },
): AlarmEntry[] => {
  const every = { period: Duration.minutes(1), statistic: Stats.SUM };
  return machineNames.flatMap((name): AlarmEntry[] => {
    const { machine } = machines[name];
    const prefix = name === 'run' ? '' : pascal(name);
    return [
      {
        id: `${prefix}ExecutionsFailed`,
        metric: machine.metricFailed(every),
        rings: { from: 1 },
        periods: 1,
        says: `An execution of ${name} failed. ${known[name].failed}`,
      },
      {
        id: `${prefix}ExecutionsTimedOut`,
        metric: machine.metricTimedOut(every),
        rings: { from: 1 },
        periods: 1,
        says: `An execution of ${name} timed out. ${known[name].timedOut}`,
      },
      {
        id: `${prefix}ExecutionsThrottled`,
        metric: machine.metricThrottled(every),
        rings: { from: 1 },
        periods: 5,
        says: `Step Functions throttles the transitions of ${name}: ask for a higher quota.`,
      },
    ];
  });
};
