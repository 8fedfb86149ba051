// Sweep: every minute, and at the twin's start, it takes up what was lost. Idempotent: each part reads what is due, reads it
// again consistently, and does what should have been done. One part failing keeps no other from its work.
// Laws: L11, L12, L14; nothing remains without an owner after the next sweep.
import { z } from 'zod';
import {
  type EventsWorld,
  eventsWorld,
  lambdaHandler,
  lazily,
  type Substrate,
} from '../wiring/events.ts';
import { sweepActions, sweepRecoveries } from './actions.ts';
import { sweepMeasures } from './measure.ts';
import { sweepOutbox } from './outbox.ts';
import { sweepRequests } from './requests.ts';
import { sweepRoutines } from './routines.ts';
import { sweepRuns } from './runs.ts';

const parts = {
  outbox: sweepOutbox,
  runs: sweepRuns,
  requests: sweepRequests,
  actions: sweepActions,
  recoveries: sweepRecoveries,
  routines: sweepRoutines,
  measures: sweepMeasures,
} as const;
type Part = keyof typeof parts;

/** How many things each part took up; -1 where it failed and the next sweep tries again. */
export type Swept = { readonly [P in Part]: number };

const one = async (world: EventsWorld, part: Part): Promise<number> => {
  try {
    return await parts[part](world);
  } catch (error) {
    world.log.error(`The sweep of ${part} failed; the next one tries again.`, {
      cause: error instanceof Error ? error.message : String(error),
    });
    return -1;
  }
};

/** A sweep that fails does not throw, or its work would be called again at once: that it failed is a figure, which somebody is told of. */
export const sweep = async (world: EventsWorld): Promise<Swept> => {
  const swept: Swept = {
    outbox: await one(world, 'outbox'),
    runs: await one(world, 'runs'),
    requests: await one(world, 'requests'),
    actions: await one(world, 'actions'),
    recoveries: await one(world, 'recoveries'),
    routines: await one(world, 'routines'),
    measures: await one(world, 'measures'),
  };
  const sweepPartsFailed = Object.values(swept).filter((taken) => taken === -1).length;
  world.measures.put({ sweepPartsFailed });
  return swept;
};

export const handlerFor = (substrate: Substrate) => {
  const world = eventsWorld(substrate);
  return lambdaHandler(z.unknown(), substrate.log, () => sweep(world));
};
export const handler = lazily(handlerFor);
