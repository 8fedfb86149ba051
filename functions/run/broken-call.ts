// Counts a model call that broke off or was broken off: what no provider told is estimated, and called an estimate.
// Owns: the estimate, and writing it down. Laws: L14.
import { TryAgain } from '../core/base/errors.ts';
import { charactersPerToken } from '../core/base/limits.ts';
import type { SegmentInput } from '../core/records/machine-input.ts';
import { isEnded, type Usage } from '../core/records/run.ts';
import { type BrokenCall, withBrokenCall } from '../core/turn/model-end.ts';
import type { ModelRequest } from '../ports/model.ts';
import { nowIso, type ThinkWorld } from '../wiring/think.ts';

const tokensOf = (characters: number): number => Math.ceil(characters / charactersPerToken);

export const estimateOf = (
  { prompt, transcript, tools }: Pick<ModelRequest, 'prompt' | 'transcript' | 'tools'>,
  heard: number,
): Usage => {
  const read = prompt.length + JSON.stringify(transcript).length + JSON.stringify(tools).length;
  const tokens = { inputTokens: tokensOf(read), outputTokens: tokensOf(heard) };
  return { ...tokens, cachedInputTokens: 0, estimated: { calls: 1, ...tokens } };
};

/** Adds it to the run at once: no step may ever come of it. */
export const countBroken = async (
  world: ThinkWorld,
  { runId, conversationId, segment }: SegmentInput,
  broken: Omit<BrokenCall, 'at'>,
): Promise<void> => {
  try {
    await world.decide<true>({
      round: async () => {
        const { conversation, run } = await world.store.read({
          conversation: conversationId,
          run: runId,
        });
        if (!conversation || !run || isEnded(run.item)) return { kind: 'answer', answer: true };
        const item = withBrokenCall(run.item, { ...broken, at: nowIso(world.clock) });
        return run.item.fence === segment
          ? {
              kind: 'commit',
              answer: true,
              change: {
                conversation,
                events: [],
                writes: [{ do: 'replace', kind: 'run', item, rev: run.rev }],
              },
            }
          : { kind: 'answer', answer: true };
      },
    });
  } catch (error) {
    if (!(error instanceof TryAgain)) throw error;
    world.log.warn('The tokens of a model call that broke off were not counted.', { runId });
  }
};
