// Addresses of traces, from a template that the stack or the twin gives: the Step Functions console's, or the twin's own page.
// Owns: how an execution's ARN gets into an address, and the console's host in each partition of AWS.
// Tested in test/functions/api/routes/traces.test.ts.
import type { Traces } from '../../ports/traces.ts';
import { executionArn } from './arn.ts';

/** What follows the region in the host of the console; other partitions have none that is public. */
const consoles: { readonly [partition: string]: string } = {
  aws: 'console.aws.amazon.com',
  'aws-cn': 'console.amazonaws.cn',
  'aws-us-gov': 'console.amazonaws-us-gov.com',
};

/** Escaped for a path, a query or a fragment; colons are allowed in each and stay readable. */
const escaped = (text: string): string => encodeURIComponent(text).replaceAll('%3A', ':');

/** Fills `{region}`, `{console}` and `{execution}`; undefined when the partition has no value for one of them. */
const filled = (template: string, arn: string): string | undefined => {
  const [, partition = '', , region = ''] = arn.split(':');
  const values: { readonly [name: string]: string | undefined } = {
    region,
    console: Object.hasOwn(consoles, partition) ? consoles[partition] : undefined,
    execution: arn,
  };
  const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  if (names.some((name) => values[name] === undefined)) return undefined;
  return template.replace(/\{(\w+)\}/g, (_, name: string) => escaped(values[name] ?? ''));
};

/** Without a template there are no traces to point at. */
export const tracesFrom = (settings: {
  readonly template: string | undefined;
  readonly runMachineArn: string;
  readonly recoverMachineArn: string;
}): Traces => {
  const { template, runMachineArn, recoverMachineArn } = settings;
  const of = (machineArn: string) => (name: string) =>
    template === undefined || template === ''
      ? undefined
      : filled(template, executionArn(machineArn, name));
  return { run: of(runMachineArn), recovery: of(recoverMachineArn) };
};
