// Puts in place what the stack would: tables, bus and rule, schedules, state machines. Owns: what the twin makes at every
// start; all of it is idempotent.
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type MachineName, machines, notifications, schedules } from '../../functions/manifest.ts';
import type { TwinClock } from '../base/clock.ts';
import { functionArn, type Place, roleArn, stateMachineArn, topicArn } from '../base/names.ts';
import { AwsFault, faultOf, type WireRequest, type WireService } from '../base/wire.ts';
import { eventBus, routineGroup, signInSecret } from '../lambda/environment.ts';
import { aliasArn, deployedName, ensureStateMachine, machineNames } from './machines.ts';
import type { Services } from './services.ts';
import { ensureTables } from './tables.ts';

const root = join(import.meta.dirname, '..', '..');
const group = 'reprise-system';
const rule = 'execution-ended';

/** Executions that died; their runs go on, or end with the reason. */
const diedPattern = (place: Place) => ({
  source: ['aws.states'],
  'detail-type': ['Step Functions Execution Status Change'],
  detail: {
    stateMachineArn: machineNames.map((name) => stateMachineArn(place, deployedName(name))),
    status: ['FAILED', 'TIMED_OUT', 'ABORTED'],
  },
});

/** Who is needed is told: our bus's events of these types reach the topic. */
const ensureNotifications = (bus: Services['bus'], place: Place): void => {
  const on = { EventBusName: eventBus };
  const EventPattern = JSON.stringify({ 'detail-type': notifications.detailTypes });
  const Name = notifications.topic;
  bus.handle('PutRule', { ...on, Name, EventPattern });
  const target = { Id: Name, Arn: topicArn(place, `reprise-${Name}`) };
  bus.handle('PutTargets', { ...on, Rule: Name, Targets: [target] });
};

const ensureRules = ({ bus, stepFunctions }: Services, place: Place): void => {
  const { EventBuses: buses } = bus.handle('ListEventBuses', {}).body as {
    EventBuses: { Name: string }[];
  };
  if (!buses.some(({ Name }) => Name === eventBus))
    bus.handle('CreateEventBus', { Name: eventBus });
  const EventPattern = JSON.stringify(diedPattern(place));
  bus.handle('PutRule', { Name: rule, EventPattern });
  const target = { Id: rule, Arn: functionArn(place, 'execution-ended') };
  bus.handle('PutTargets', { Rule: rule, Targets: [target] });
  ensureNotifications(bus, place);
  stepFunctions?.onStatusChange((detail) =>
    bus.emit({
      source: 'aws.states',
      'detail-type': 'Step Functions Execution Status Change',
      resources: [detail.executionArn],
      detail,
    }),
  );
};

const rest = async (
  service: WireService,
  method: string,
  path: string,
  body: object,
): Promise<number> => {
  const request: WireRequest = {
    method,
    path,
    query: new URLSearchParams(),
    headers: {},
    body: Buffer.from(JSON.stringify(body)),
  };
  return (await service(request)).status;
};

const ensureSchedules = async (service: WireService, place: Place): Promise<void> => {
  await rest(service, 'POST', `/schedule-groups/${group}`, {});
  for (const { name, function: fn, everyMinutes } of schedules) {
    const given = {
      GroupName: group,
      ScheduleExpression: `rate(${everyMinutes} minute${everyMinutes === 1 ? '' : 's'})`,
      FlexibleTimeWindow: { Mode: 'OFF' },
      Target: {
        Arn: functionArn(place, fn),
        RoleArn: roleArn(place),
        // No retry: the next call does the same work.
        RetryPolicy: { MaximumRetryAttempts: 0 },
      },
    };
    // Made anew, a rate fires at once: the twin looks for what died with it as soon as it is back.
    await service({ ...removal(name), body: new Uint8Array() });
    const status = await rest(service, 'POST', `/schedules/${name}`, given);
    if (status !== 200) throw new Error(`The schedule ${name} could not be made (${status}).`);
  }
};

const removal = (name: string) => ({
  method: 'DELETE',
  path: `/schedules/${name}`,
  query: new URLSearchParams({ groupName: group }),
  headers: {},
});

const ensureMachine = async (
  services: Services,
  name: MachineName,
  place: Place,
): Promise<string> => {
  // A definition that is not there yet is told when the machine is used, not here.
  if (!existsSync(join(root, machines[name].definition))) return aliasArn(place, name);
  try {
    return await ensureStateMachine(
      services.call.sfn,
      name,
      place,
      services.stepFunctions !== undefined,
    );
  } catch (cause) {
    const fault = faultOf(cause);
    throw new AwsFault(
      fault.code,
      `The state machine ${name} (${machines[name].definition}) was refused: ${fault.message}`,
      fault.status,
    );
  }
};

/** As Secrets Manager would make it. An older twin's folder has none yet. */
const ensureSignInSecret = async ({ secrets }: Services): Promise<void> => {
  if (secrets.read(signInSecret) !== undefined) return;
  const sealingKey = randomBytes(48).toString('base64url');
  await secrets.write(signInSecret, JSON.stringify({ sealingKey }));
};

/** Resolves with the ARNs by which the machines are started. */
export const deploy = async (
  services: Services,
  {
    clock,
    place,
    schedules: withSchedules,
  }: { readonly clock: TwinClock; readonly place: Place; readonly schedules: boolean },
): Promise<Record<MachineName, string>> => {
  await ensureTables(services.call.dynamodb, clock);
  ensureRules(services, place);
  await ensureSignInSecret(services);
  await rest(services.schedules, 'POST', `/schedule-groups/${routineGroup}`, {});
  if (withSchedules) await ensureSchedules(services.schedules, place);
  return {
    run: await ensureMachine(services, 'run', place),
    recover: await ensureMachine(services, 'recover', place),
  };
};
