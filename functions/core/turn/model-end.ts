// How a model call ended, and what that makes of its step and its run: an answer that was cut or withheld, a call that broke off, one
// that is put off. Owns: those decisions. Laws: L14 (the end says what happened and what to do), L16 (an answer that was cut is not
// *done*).
// Tested in test/scenario/runs/model-ends.test.ts.
import {
  brokenCallsKeptMax,
  cutCallsToldMax,
  modelWaitMsMax,
  modelWaitsMax,
} from '../base/limits.ts';
import { type AnswerEnd, addUsage, type Run } from '../records/run.ts';
import type { Step } from '../records/step.ts';

/** Why this step ends the run; nothing where the run goes on. A call that was cut is told so, and the model asked again, twice. */
export const endOfStep = (
  end: 'whole' | AnswerEnd,
  calls: readonly { readonly cut?: boolean }[],
  last: Pick<Step, 'cuts'> | undefined,
): { readonly end?: AnswerEnd; readonly cuts?: number } => {
  if (end === 'whole') return {};
  if (end !== 'cut_off' || calls.length === 0) return { end };
  if (calls.every(({ cut }) => cut !== true)) return {};
  const cuts = (last?.cuts ?? 0) + 1;
  return cuts > cutCallsToldMax ? { end, cuts } : { cuts };
};

export type BrokenCall = NonNullable<Run['brokenCalls']>[number];

/** The run with a model call counted of which no step comes. */
export const withBrokenCall = (run: Run, broken: BrokenCall): Run => ({
  ...run,
  usage: addUsage(run.usage, broken.usage),
  brokenCalls: [...(run.brokenCalls ?? []), broken].slice(-brokenCallsKeptMax),
});

export type PutOff =
  | { readonly kind: 'wait'; readonly untilMs: number; readonly tries: number }
  | { readonly kind: 'failed'; readonly detail: string };

/** The model said when to come back, epoch milliseconds: the machine waits, up to a limit. Undefined when that time is here. */
export const putOff = (
  untilMs: number,
  nowMs: number,
  tries: number,
  message: string,
): PutOff | undefined => {
  if (untilMs <= nowMs) return undefined;
  const waitMs = untilMs - nowMs;
  if (waitMs > modelWaitMsMax)
    return {
      kind: 'failed',
      detail: `The model asks to be called again in ${Math.ceil(waitMs / 1_000)} s; a run waits at most ${modelWaitMsMax / 1_000} s for it: ${message} Send the message again then.`,
    };
  if (tries >= modelWaitsMax)
    return {
      kind: 'failed',
      detail: `The model put off ${tries} calls in a row: ${message} Send the message again when it is back.`,
    };
  return { kind: 'wait', untilMs, tries };
};
