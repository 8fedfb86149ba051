// Calls the model for one step: back-off between tries, text streamed as it comes.
// Owns: the retry of model calls (a model call has no effect in the world).
import { RunFenced, TryAgain } from '../core/base/errors.ts';
import { parseExact } from '../core/base/exact-json.ts';
import { modelPauseMs, modelTriesMax } from '../core/base/limits.ts';
import { retryAtMs } from '../core/base/retry-after.ts';
import type { ThinkInput } from '../core/records/machine-input.ts';
import type { Usage } from '../core/records/run.ts';
import { type PutOff, putOff } from '../core/turn/model-end.ts';
import type { Transcript } from '../core/turn/transcript.ts';
import { type ModelAnswer, ModelFailed, type ModelRequest } from '../ports/model.ts';
import type { ThinkWorld } from '../wiring/think.ts';
import type { Toolbox } from '../wiring/toolbox.ts';
import { countBroken, estimateOf } from './broken-call.ts';
import { deltaWriter } from './deltas.ts';
import { type StopWatch, stopWatch } from './stop-watch.ts';

export type ModelOutcome =
  | {
      readonly kind: 'answer';
      readonly attempt: string;
      readonly answer: ModelAnswer;
      /** Tells readers to drop what was streamed of it: the step is not stored. */
      readonly drop: () => Promise<void>;
    }
  /** A person stopped the run: what was said until then. */
  | {
      readonly kind: 'stopped';
      readonly attempt: string;
      readonly text: string;
      /** Undefined where the provider had not been asked. */
      readonly usage: Usage | undefined;
      readonly drop: () => Promise<void>;
    }
  /** The model asked to be called later, or is given up. */
  | PutOff;

export interface Prompting {
  readonly input: ThinkInput;
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
  calls: answer.calls.map((call) => ({
    ...call,
    name: call.name.toWellFormed(),
    ...exactly(call),
  })),
});

/** How long a provider's adapter may take to say what it heard. */
const lastWordMs = 250;

/** Rejects soon after the signal was aborted, whoever does not heed it. */
const until = (
  world: ThinkWorld,
  signal: AbortSignal,
): { readonly aborted: Promise<never>; readonly end: () => void } => {
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(() => undefined);
  const abort = async (): Promise<void> => {
    await world.clock.pause(lastWordMs);
    reject(new ModelFailed('passing', 'The model call was cut short.'));
  };
  signal.addEventListener('abort', abort, { once: true });
  return { aborted: promise, end: () => signal.removeEventListener('abort', abort) };
};

const callOnce = async (
  world: ThinkWorld,
  prompting: Prompting,
  watch: StopWatch,
): Promise<ModelOutcome | { readonly kind: 'passing'; readonly error: ModelFailed }> => {
  const { prompt, tools, agent } = prompting.toolbox;
  const { configuration } = agent;
  const attempt = `mdl_${world.minter.suffix()}`;
  const deltas = deltaWriter(world, prompting.input, prompting.step, attempt);
  let said = '';
  const request: ModelRequest = {
    choice: configuration.model,
    options: configuration.modelOptions,
    prompt,
    transcript: prompting.transcript,
    tools: tools.map(({ registration }) => ({
      name: registration.name,
      description: registration.description,
      arguments: registration.arguments,
    })),
    onText: (piece) => {
      if (watch.signal.aborted) return Promise.resolve();
      said += piece;
      return deltas.text(piece);
    },
    signal: AbortSignal.any([
      AbortSignal.timeout(Math.max(1, prompting.deadlineAtMs - world.clock.now())),
      watch.signal,
    ]),
  };
  const stop = until(world, watch.signal);
  try {
    const answer = await Promise.race([world.model.call(request), stop.aborted]);
    return { kind: 'answer', attempt, answer: inWholeCharacters(answer), drop: deltas.reset };
  } catch (error) {
    if (error instanceof ModelFailed && watch.signal.aborted) {
      const usage = estimateOf(request, error.heard ?? said.length);
      return { kind: 'stopped', attempt, text: said.toWellFormed(), usage, drop: deltas.reset };
    }
    // A newer segment's own words take the place of these.
    if (!(error instanceof RunFenced)) await deltas.reset();
    if (!(error instanceof ModelFailed)) throw error;
    if (error.heard !== undefined) {
      const usage = estimateOf(request, error.heard);
      const broken = { step: prompting.step, attempt, because: 'broke_off', usage } as const;
      await countBroken(world, prompting.input, broken);
    }
    if (error.kind === 'passing') return { kind: 'passing', error };
    return { kind: 'failed', detail: `The model refused the call: ${error.message}` };
  } finally {
    stop.end();
  }
};

export const callModel = async (world: ThinkWorld, prompting: Prompting): Promise<ModelOutcome> => {
  const watch = stopWatch(world, prompting.input);
  try {
    return await callWatched(world, prompting, watch);
  } finally {
    watch.end();
  }
};

const callWatched = async (
  world: ThinkWorld,
  prompting: Prompting,
  watch: StopWatch,
): Promise<ModelOutcome> => {
  for (let tries = 1 + (prompting.input.modelTries ?? 0); ; tries += 1) {
    const outcome = await callOnce(world, prompting, watch);
    if (outcome.kind !== 'passing') return outcome;
    const { retryAfter, message } = outcome.error;
    const nowMs = world.clock.now();
    const untilMs = retryAtMs(retryAfter ?? {}, nowMs);
    const asked = untilMs === undefined ? undefined : putOff(untilMs, nowMs, tries, message);
    if (asked) return asked;
    if (tries >= modelTriesMax)
      return {
        kind: 'failed',
        detail: `The model did not answer after ${tries} tries: ${message} Send the message again when it is back.`,
      };
    const pauseMs = modelPauseMs * 2 ** (tries - 1) * (0.5 + world.minter.fraction() / 2);
    if (world.clock.now() + pauseMs >= prompting.deadlineAtMs)
      throw new TryAgain(`The model did not answer in time: ${message}`);
    await world.clock.pause(pauseMs);
    if (await watch.stopped())
      return { kind: 'stopped', attempt: '', text: '', usage: undefined, drop: async () => {} };
  }
};
