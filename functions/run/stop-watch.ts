// Watches for a stop while a model is asked: a stop reaches the provider within two seconds, also where no text comes.
// Owns: that watch. Laws: L7 (after a stop nothing new is begun).
import { stopLookMs } from '../core/base/limits.ts';
import type { SegmentInput } from '../core/records/machine-input.ts';
import { stopRequested } from '../core/records/run.ts';
import type { StoreWorld } from '../wiring/think.ts';

export interface StopWatch {
  /** Aborted once a stop was seen. */
  readonly signal: AbortSignal;
  /** Looks now. */
  stopped(): Promise<boolean>;
  end(): void;
}

export const stopWatch = (world: StoreWorld, { runId }: SegmentInput): StopWatch => {
  const stopping = new AbortController();
  let over = false;
  const stopped = async (): Promise<boolean> => {
    const { run } = await world.store.read({ run: runId });
    if (run && stopRequested(run.item)) stopping.abort();
    return stopping.signal.aborted;
  };
  const watch = async (): Promise<void> => {
    for (;;) {
      await world.clock.pause(stopLookMs);
      if (over || (await stopped())) return;
    }
  };
  // A look that fails ends the watch: the step's own write finds the stop.
  watch().catch(() => undefined);
  return {
    signal: stopping.signal,
    stopped,
    end: () => {
      over = true;
    },
  };
};
