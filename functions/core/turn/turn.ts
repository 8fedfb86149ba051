// What Think does next, decided from the store alone. Owns: the order of the questions asked before a model is called, and
// the answer given to the machine. Laws: L11, L14, L15, L16 (no step before every call of the last has its result).
// Tested in test/core/turn/runs.test.ts.

import type { ActionId } from '../base/ids.ts';
import type { Action } from '../records/action.ts';
import { isEnded, type Run, type RunEnd, stopRequested } from '../records/run.ts';
import type { Step } from '../records/step.ts';

/** One call of the Map: its action's id and nothing else. */
export interface ActCall {
  readonly actionId: ActionId;
}

export type Turn =
  | { readonly next: 'act'; readonly step: number; readonly calls: readonly ActCall[] }
  | { readonly next: 'finish'; readonly reason: RunEnd }
  | { readonly next: 'continue' }
  | { readonly next: 'think'; readonly step: number; readonly previous: Step | undefined };

export interface Standing {
  readonly run: Run;
  readonly pending: number;
  /** The last stored step, with the actions of its calls. */
  readonly last: Step | undefined;
  readonly actions: readonly Action[];
  readonly eventBudget: number;
}

/** Never asks for a model call while a stored step has work left. */
export const turnOf = (standing: Standing): Turn => {
  const { run, last } = standing;
  if (isEnded(run)) return { next: 'finish', reason: 'done' };
  const calls = standing.actions
    .filter((action) => action.told === undefined)
    .map(({ actionId }) => ({ actionId }));
  if (run.segmentEvents > standing.eventBudget) return { next: 'continue' };
  if (last && calls.length > 0) return { next: 'act', step: last.step, calls };
  if (stopRequested(run)) return { next: 'finish', reason: 'stopped' };
  const answered = last !== undefined && last.calls.length === 0;
  // An answer that broke off ends the run also beside calls, once those have their results.
  const ends = answered || last?.end !== undefined;
  if (ends && standing.pending === 0) return { next: 'finish', reason: last?.end ?? 'done' };
  // Nothing was said that this run could answer: what began it was taken back.
  if (run.step === 0 && standing.pending === 0) return { next: 'finish', reason: 'withdrawn' };
  if (run.step >= run.stepLimit) return { next: 'finish', reason: 'step_limit' };
  return { next: 'think', step: run.step + 1, previous: last };
};
