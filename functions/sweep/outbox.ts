// Outbox entries that nobody delivered (a stream record lost, a service down): delivered again, as publish would have done.
// Laws: L12, L17.
import { deliver } from '../events/deliver.ts';
import type { EventsWorld } from '../wiring/events.ts';

/** Entries of one round; the next round takes the rest. */
const entriesMax = 200;

export const sweepOutbox = async (world: EventsWorld): Promise<number> => {
  let delivered = 0;
  for (const outbox of await world.deliveries.due('outbox', world.clock.now(), entriesMax)) {
    try {
      await deliver(world, outbox);
      delivered += 1;
    } catch (error) {
      world.log.warn(
        'An overdue outbox entry could not be delivered; the next sweep tries again.',
        {
          outboxId: outbox.outboxId,
          cause: error instanceof Error ? error.message : String(error),
        },
      );
    }
  }
  return delivered;
};
