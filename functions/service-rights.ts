// Which operations each right of the manifest stands for, beside those on tables (table-rights.ts), under IAM's names: the stack
// turns them into IAM statements, and whoever plays a service can refuse what IAM would refuse. Owns: that list.
import type { FunctionEntry } from './manifest.ts';

type Operations<Right extends string> = { readonly [Each in Right]: readonly string[] };

export const machineOperations = {
  start: ['StartExecution'],
  answer: ['SendTaskSuccess', 'SendTaskFailure'],
  describe: ['DescribeExecution'],
  stop: ['StopExecution'],
} as const satisfies Operations<NonNullable<FunctionEntry['machines']>[number]>;

export const blobOperations = {
  read: ['GetObject'],
  write: ['PutObject'],
} as const satisfies Operations<NonNullable<FunctionEntry['blobs']>[number]>;

export const scheduleOperations = [
  'CreateSchedule',
  'GetSchedule',
  'UpdateSchedule',
  'DeleteSchedule',
] as const;
export const secretOperations = ['GetSecretValue'] as const;
export const toolOperations = ['InvokeFunction'] as const;
export const eventOperations = ['PutEvents'] as const;
