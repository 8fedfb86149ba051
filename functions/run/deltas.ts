// Streams the model's text to readers: gathered into events, tagged with the model attempt, taken back when that attempt fails.
// Owns: text.delta and text.reset. Losing one loses nothing: the stored step holds the text. What a step does not hold is not shown
// either, so that no piece is larger than an item, however much a model says at once. Laws: L17.

import { beginningOf, jsonBytes } from '../core/base/cut.ts';
import { RunFenced, TryAgain } from '../core/base/errors.ts';
import { deltaCharacters, deltaMs, stepTextBytesMax } from '../core/base/limits.ts';
import type { EventBody } from '../core/records/event.ts';
import type { SegmentInput } from '../core/records/machine-input.ts';
import type { StoreWorld } from '../wiring/think.ts';

export interface DeltaWriter {
  text(piece: string): Promise<void>;
  /** Tells readers to drop what this attempt has said; nothing when it said nothing. */
  reset(): Promise<void>;
}

const firstHalf = /[\ud800-\udbff]$/;

const append = async (world: StoreWorld, input: SegmentInput, body: EventBody): Promise<void> => {
  try {
    await world.decide<true>({
      round: async () => {
        const { conversation } = await world.store.read({ conversation: input.conversationId });
        if (!conversation) return { kind: 'answer', answer: true };
        const guard = { guard: 'run-fence', runId: input.runId, fence: input.segment } as const;
        return {
          kind: 'commit',
          answer: true,
          change: { conversation, events: [body], writes: [{ do: 'guard', ...guard }] },
        };
      },
      refused: () => {
        throw new RunFenced(`Segment ${input.segment} of ${input.runId} is no longer the newest.`);
      },
    });
  } catch (error) {
    if (!(error instanceof TryAgain)) throw error;
    world.log.warn('A piece of streamed text was not shown; the stored step has it.', {
      runId: input.runId,
    });
  }
};

export const deltaWriter = (
  world: StoreWorld,
  input: SegmentInput,
  step: number,
  attempt: string,
): DeltaWriter => {
  let gathered = '';
  let sinceMs = world.clock.now();
  let shown = false;
  let bytesLeft = stepTextBytesMax;
  const { runId } = input;
  return {
    text: async (piece) => {
      if (bytesLeft === 0) return;
      gathered += piece;
      const due = world.clock.now() - sinceMs >= deltaMs || gathered.length >= deltaCharacters;
      if (!due) return;
      // The first half of a character waits for the second.
      const whole = gathered.length - (firstHalf.test(gathered) ? 1 : 0);
      const text = beginningOf(gathered.slice(0, whole).toWellFormed(), bytesLeft);
      // Once a piece was cut, nothing more is shown: what comes after it would not follow.
      bytesLeft = text.length < whole ? 0 : Math.max(0, bytesLeft - jsonBytes(text));
      if (text === '') return;
      gathered = gathered.slice(whole);
      shown = true;
      await append(world, input, { type: 'text.delta', runId, step, attempt, text });
      sinceMs = world.clock.now();
    },
    reset: async () => {
      gathered = '';
      if (!shown) return;
      shown = false;
      await append(world, input, { type: 'text.reset', runId, step, attempt });
    },
  };
};
