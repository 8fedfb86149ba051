// Wires publish, the sweep and the status-event function: store, state machine, bus.
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { SFNClient } from '@aws-sdk/client-sfn';
import { z } from 'zod';
import { stocksFrom } from '../adapters/dynamodb/stocks.ts';
import { busFrom } from '../adapters/events/bus.ts';
import { machineFrom } from '../adapters/stepfunctions/machine.ts';
import { environmentNames } from '../manifest.ts';
import type { Bus, Machine } from '../ports/machine.ts';
import type { Measures, Stocks } from '../ports/measures.ts';
import type { Routines, Schedules } from '../ports/routines.ts';
import { routinesOver, schedulesOver } from './routine.ts';
import { dynamoClientFrom, type StoreWorld, storeWorld, tableNamesFrom } from './store.ts';
import { required, type Substrate } from './substrate.ts';

export { unmarshallOutbox } from '../adapters/dynamodb/codec.ts';
export { lambdaHandler } from './lambda.ts';
export { lazily } from './lazily.ts';
export { nowIso } from './store.ts';
export type { Substrate } from './substrate.ts';

export interface EventsWorld extends StoreWorld {
  readonly machine: Machine;
  readonly recoverMachine: Machine;
  readonly bus: Bus;
  readonly measures: Measures;
  readonly stocks: Stocks;
  readonly routines: Routines;
  readonly schedules: Schedules;
}

/** A DynamoDB stream batch, as Lambda hands it over. */
export const StreamInput = z.object({
  Records: z.array(
    z.object({
      eventName: z.enum(['INSERT', 'MODIFY', 'REMOVE']),
      dynamodb: z.object({
        SequenceNumber: z.string(),
        NewImage: z.record(z.string(), z.object({ S: z.string().optional() })).optional(),
      }),
    }),
  ),
});
export type StreamInput = z.infer<typeof StreamInput>;

export const eventsWorld = (substrate: Substrate): EventsWorld => {
  const client = new SFNClient({ ...substrate.aws('sfn') });
  const machine = (name: string) => machineFrom({ client, machineArn: required(substrate, name) });
  return {
    ...storeWorld(substrate),
    machine: machine(environmentNames.runMachineArn),
    recoverMachine: machine(environmentNames.recoverMachineArn),
    bus: busFrom({
      client: new EventBridgeClient({ ...substrate.aws('eventbridge') }),
      busName: required(substrate, environmentNames.eventBus),
      measures: substrate.measures,
    }),
    measures: substrate.measures,
    routines: routinesOver(substrate),
    schedules: schedulesOver(substrate),
    stocks: stocksFrom({ client: dynamoClientFrom(substrate), tables: tableNamesFrom(substrate) }),
  };
};
