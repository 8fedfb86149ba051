// The measures that only the sweep can take: how much lies about, and since when. Counted from the index of due times.
import type { EventsWorld } from '../wiring/events.ts';

/** Reports ages and counts; answers with how many things it saw waiting. */
export const sweepMeasures = async (world: EventsWorld): Promise<number> => {
  const nowMs = world.clock.now();
  const [undetermined, outbox] = await Promise.all([
    world.stocks.undetermined(),
    world.stocks.outbox(),
  ]);
  world.measures.put({
    undeterminedOldestMs: nowMs - (undetermined.oldestAtMs ?? nowMs),
    undetermined: undetermined.count,
    outboxOldestMs: nowMs - (outbox.oldestAtMs ?? nowMs),
  });
  return undetermined.count + outbox.count;
};
