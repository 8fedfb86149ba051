// Wires the firing of routines: store, registry, routines; and the Scheduler for those who keep it in step.
import { SchedulerClient } from '@aws-sdk/client-scheduler';
import { routinesFrom } from '../adapters/dynamodb/routines.ts';
import { schedulesFrom } from '../adapters/scheduler/schedules.ts';
import { environmentNames } from '../manifest.ts';
import type { Routines, Schedules } from '../ports/routines.ts';
import { dynamoClientFrom, type StoreWorld, storeWorld, tableNamesFrom } from './store.ts';
import { required, type Substrate } from './substrate.ts';

export { lambdaHandler } from './lambda.ts';
export { lazily } from './lazily.ts';
export type { Substrate } from './substrate.ts';

export interface RoutineWorld extends StoreWorld {
  readonly routines: Routines;
}

export const routinesOver = (substrate: Substrate): Routines =>
  routinesFrom({
    client: dynamoClientFrom(substrate),
    tables: tableNamesFrom(substrate),
    clock: substrate.clock,
    minter: substrate.minter,
  });

export const schedulesOver = (substrate: Substrate): Schedules =>
  schedulesFrom({
    client: new SchedulerClient({ ...substrate.aws('scheduler') }),
    group: required(substrate, environmentNames.scheduleGroup),
    fireFunctionArn: required(substrate, environmentNames.fireFunctionArn),
    roleArn: required(substrate, environmentNames.schedulerRoleArn),
  });

export const routineWorld = (substrate: Substrate): RoutineWorld => ({
  ...storeWorld(substrate),
  routines: routinesOver(substrate),
});
