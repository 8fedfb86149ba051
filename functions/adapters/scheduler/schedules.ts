// Routines' schedules in EventBridge Scheduler, one each, named by the routine's id, in a group of their own.
// Owns: what is sent of a routine. Its delivery names the routine and the scheduled time, which are the occurrence (L19).
// Tested in test/routines/twin.test.ts.
import {
  CreateScheduleCommand,
  type CreateScheduleCommandInput,
  DeleteScheduleCommand,
  GetScheduleCommand,
  type SchedulerClient,
  UpdateScheduleCommand,
} from '@aws-sdk/client-scheduler';
import type { Schedules, WantedSchedule } from '../../ports/routines.ts';

interface Parts {
  readonly client: SchedulerClient;
  readonly group: string;
  readonly fireFunctionArn: string;
  readonly roleArn: string;
}

/** Later than the routine calls late, a delivery only gets its record, which the sweep writes as well. */
const eventAgeSeconds = 900;

const dateOf = (ms: number | undefined): Date | undefined =>
  ms === undefined ? undefined : new Date(Math.floor(ms / 1000) * 1000);

const inputOf = (parts: Parts, schedule: WantedSchedule): CreateScheduleCommandInput => {
  const { routineId, expression, zone, enabled } = schedule;
  const [StartDate, EndDate] = [dateOf(schedule.startMs), dateOf(schedule.endMs)];
  return {
    Name: routineId,
    GroupName: parts.group,
    ScheduleExpression: expression,
    ScheduleExpressionTimezone: zone,
    State: enabled ? 'ENABLED' : 'DISABLED',
    ...(StartDate === undefined ? {} : { StartDate }),
    ...(EndDate === undefined ? {} : { EndDate }),
    FlexibleTimeWindow: { Mode: 'OFF' },
    Target: {
      Arn: parts.fireFunctionArn,
      RoleArn: parts.roleArn,
      Input: JSON.stringify({
        schema: 1,
        routineId,
        scheduledTime: '<aws.scheduler.scheduled-time>',
      }),
      RetryPolicy: { MaximumRetryAttempts: 10, MaximumEventAgeInSeconds: eventAgeSeconds },
    },
  };
};

const isNamed = (error: unknown, name: string): boolean =>
  error instanceof Error && error.name === name;
const isAbsent = (error: unknown): boolean => isNamed(error, 'ResourceNotFoundException');

export const schedulesFrom = (parts: Parts): Schedules => {
  const { client, group: GroupName } = parts;
  const update = (input: CreateScheduleCommandInput) =>
    client.send(new UpdateScheduleCommand(input));
  return {
    put: async (schedule) => {
      const input = inputOf(parts, schedule);
      try {
        await update(input);
      } catch (error) {
        if (!isAbsent(error)) throw error;
        try {
          await client.send(new CreateScheduleCommand(input));
        } catch (cause) {
          // Somebody else made it in between: ours is the later word.
          if (!isNamed(cause, 'ConflictException')) throw cause;
          await update(input);
        }
      }
    },
    remove: async (routineId) => {
      try {
        await client.send(new DeleteScheduleCommand({ Name: routineId, GroupName }));
      } catch (error) {
        if (!isAbsent(error)) throw error;
      }
    },
    find: async (routineId) => {
      try {
        const found = await client.send(new GetScheduleCommand({ Name: routineId, GroupName }));
        return {
          routineId,
          expression: found.ScheduleExpression ?? '',
          zone: found.ScheduleExpressionTimezone ?? 'UTC',
          enabled: found.State === 'ENABLED',
          endMs: found.EndDate?.getTime(),
        };
      } catch (error) {
        if (isAbsent(error)) return undefined;
        throw error;
      }
    },
  };
};
