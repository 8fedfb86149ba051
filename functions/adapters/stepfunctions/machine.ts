// The run machine over Step Functions. Owns: what each of its errors means.
// Tested in test/adversary/dead-rounds.test.ts.
import {
  DescribeExecutionCommand,
  SendTaskSuccessCommand,
  type SFNClient,
  StartExecutionCommand,
} from '@aws-sdk/client-sfn';
import type { Machine } from '../../ports/machine.ts';
import { executionArn } from './arn.ts';

interface Parts {
  readonly client: SFNClient;
  /** The alias's ARN; runs are started by it, never by the bare machine. */
  readonly machineArn: string;
}

const named = (error: unknown, ...names: readonly string[]): boolean =>
  error instanceof Error && names.includes(error.name);

const statuses = {
  RUNNING: 'running',
  PENDING_REDRIVE: 'failed',
  SUCCEEDED: 'succeeded',
  FAILED: 'failed',
  TIMED_OUT: 'failed',
  ABORTED: 'stopped',
} as const;

export const machineFrom = ({ client, machineArn }: Parts): Machine => ({
  start: async (name, input) => {
    try {
      await client.send(
        new StartExecutionCommand({
          stateMachineArn: machineArn,
          name,
          input: JSON.stringify(input),
        }),
      );
    } catch (error) {
      if (!named(error, 'ExecutionAlreadyExists')) throw error;
    }
  },
  answer: async (token) => {
    try {
      await client.send(new SendTaskSuccessCommand({ taskToken: token, output: '{}' }));
      return 'sent';
    } catch (error) {
      if (named(error, 'TaskTimedOut', 'TaskDoesNotExist', 'InvalidToken')) return 'gone';
      throw error;
    }
  },
  describe: async (name) => {
    try {
      const found = await client.send(
        new DescribeExecutionCommand({ executionArn: executionArn(machineArn, name) }),
      );
      return statuses[found.status ?? 'RUNNING'];
    } catch (error) {
      if (named(error, 'ExecutionDoesNotExist')) return undefined;
      throw error;
    }
  },
});
