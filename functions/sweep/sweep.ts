// Sweep: every minute, and at the twin's start, it takes up what was lost: outbox entries nobody delivered. Idempotent.
// Owns: nothing; it does what publish would have done. Laws: L12.
import { z } from 'zod';
import { deliver } from '../events/deliver.ts';
import {
  type EventsWorld,
  eventsWorld,
  lambdaHandler,
  lazily,
  type Substrate,
} from '../wiring/events.ts';

export interface Swept {
  readonly delivered: number;
  readonly failed: number;
}

/** Entries of one round; the next round takes the rest. */
const entriesMax = 200;

export const sweep = async (world: EventsWorld): Promise<Swept> => {
  const overdue = await world.deliveries.overdue(world.clock.now(), entriesMax);
  let failed = 0;
  for (const outbox of overdue) {
    try {
      await deliver(world, outbox);
    } catch (error) {
      failed += 1;
      world.log.warn(
        'An overdue outbox entry could not be delivered; the next sweep tries again.',
        {
          outboxId: outbox.outboxId,
          cause: error instanceof Error ? error.message : String(error),
        },
      );
    }
  }
  return { delivered: overdue.length - failed, failed };
};

export const handlerFor = (substrate: Substrate) => {
  const world = eventsWorld(substrate);
  return lambdaHandler(z.unknown(), substrate.log, () => sweep(world));
};
export const handler = lazily(handlerFor);
