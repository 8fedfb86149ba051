// Calls the model for one step: back-off between tries, text streamed as it comes.
// Owns: the retry of model calls (a model call has no effect in the world).
import { RunFenced, TryAgain } from '../core/base/errors.ts';
import { parseExact } from '../core/base/exact-json.ts';
import { modelPauseMs, modelTriesMax } from '../core/base/limits.ts';
import type { SegmentInput } from '../core/records/machine-input.ts';
import type { Transcript } from '../core/turn/transcript.ts';
import { type ModelAnswer, ModelFailed } from '../ports/model.ts';
import type { ThinkWorld } from '../wiring/think.ts';
import type { Toolbox } from '../wiring/toolbox.ts';
import { deltaWriter } from './deltas.ts';

export type ModelOutcome =
  | {
      readonly kind: 'answer';
      readonly attempt: string;
      readonly answer: ModelAnswer;
      /** Tells readers to drop what was streamed of it: the step is not stored. */
      readonly drop: () => Promise<void>;
    }
  | { readonly kind: 'failed'; readonly detail: string };

export interface Prompting {
  readonly input: SegmentInput;
  readonly step: number;
  readonly toolbox: Toolbox;
  readonly transcript: Transcript;
  /** Epoch milliseconds at which this invocation must be done. */
  readonly deadlineAtMs: number;
}

type ModelCall = ModelAnswer['calls'][number];

/** A model's port says what could not be kept of a text; a value is gone through here. */
const exactly = ({ arguments: given, unkept }: ModelCall): Omit<ModelCall, 'name'> => {
  if (unkept !== undefined || given === undefined)
    return { arguments: given, unkept: unkept ?? [] };
  const exact = parseExact(JSON.stringify(given));
  return { arguments: exact.value, unkept: exact.unkept };
};

/**
 * Models cut characters in two now and then. In what is said that is a character lost; in arguments it is refused.
 * Laws: L6 (what is digested is what is kept and sent).
 */
const inWholeCharacters = (answer: ModelAnswer): ModelAnswer => ({
  ...answer,
  text: answer.text.toWellFormed(),
  calls: answer.calls.map((call) => ({ name: call.name.toWellFormed(), ...exactly(call) })),
});

const callOnce = async (
  world: ThinkWorld,
  prompting: Prompting,
): Promise<ModelOutcome | { readonly kind: 'passing'; readonly error: ModelFailed }> => {
  const { prompt, tools, agent } = prompting.toolbox;
  const { configuration } = agent;
  const attempt = `mdl_${world.minter.suffix()}`;
  const deltas = deltaWriter(world, prompting.input, prompting.step, attempt);
  try {
    const answer = await world.model.call({
      choice: configuration.model,
      options: configuration.modelOptions,
      prompt,
      transcript: prompting.transcript,
      tools: tools.map(({ registration }) => ({
        name: registration.name,
        description: registration.description,
        arguments: registration.arguments,
      })),
      onText: deltas.text,
      signal: AbortSignal.timeout(Math.max(1, prompting.deadlineAtMs - world.clock.now())),
    });
    return { kind: 'answer', attempt, answer: inWholeCharacters(answer), drop: deltas.reset };
  } catch (error) {
    // A newer segment's own words take the place of these.
    if (!(error instanceof RunFenced)) await deltas.reset();
    if (!(error instanceof ModelFailed)) throw error;
    if (error.kind === 'passing') return { kind: 'passing', error };
    return { kind: 'failed', detail: `The model refused the call: ${error.message}` };
  }
};

export const callModel = async (world: ThinkWorld, prompting: Prompting): Promise<ModelOutcome> => {
  for (let tries = 1; ; tries += 1) {
    const outcome = await callOnce(world, prompting);
    if (outcome.kind !== 'passing') return outcome;
    if (tries >= modelTriesMax)
      return {
        kind: 'failed',
        detail: `The model did not answer after ${tries} tries: ${outcome.error.message} Send the message again when it is back.`,
      };
    const pauseMs = modelPauseMs * 2 ** (tries - 1) * (0.5 + world.minter.fraction() / 2);
    if (world.clock.now() + pauseMs >= prompting.deadlineAtMs)
      throw new TryAgain(`The model did not answer in time: ${outcome.error.message}`);
    await world.clock.pause(pauseMs);
  }
};
