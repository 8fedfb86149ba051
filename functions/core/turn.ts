// What Think does next, decided from the store alone. Owns: the order of the questions asked before a model is called, and
// the answer given to the machine. Laws: L11, L14, L15, L16 (no step before every call of the last has its result).
import type { Action } from './action.ts';
import type { PersonRequest } from './request.ts';
import { isEnded, type Run, type RunEnd, stopRequested } from './run.ts';
import type { Step } from './step.ts';

/** One call of the Map: ids and small verdicts only. `requestId` and `requestExpiresAt` are '' and 0 where there is none. */
export interface ActCall {
  readonly actionId: string;
  readonly gate: 'perform' | 'approval' | 'question' | 'skill' | 'recovery';
  readonly requestId: string;
  readonly requestExpiresAtMs: number;
}

export type Turn =
  | { readonly next: 'act'; readonly step: number; readonly calls: readonly ActCall[] }
  | { readonly next: 'finish'; readonly reason: RunEnd }
  | { readonly next: 'continue' }
  | { readonly next: 'think'; readonly step: number; readonly previous: Step | undefined };

const gateOf = (request: PersonRequest | undefined): ActCall['gate'] => {
  if (request === undefined || request.decision !== undefined || request.released) return 'perform';
  return request.on;
};

/** The calls that have no result yet, each with the gate it stands at now. */
export const openCalls = (
  actions: readonly Action[],
  requests: readonly PersonRequest[],
): ActCall[] =>
  actions
    .filter((action) => action.told === undefined)
    .map((action) => {
      const request = requests.find((entry) => entry.requestId === action.requestId);
      return {
        actionId: action.actionId,
        gate: gateOf(request),
        requestId: request?.requestId ?? '',
        requestExpiresAtMs: request?.expiresAtMs ?? 0,
      };
    });

export interface Standing {
  readonly run: Run;
  readonly pending: number;
  /** The last stored step, with the actions of its calls and their requests. */
  readonly last: Step | undefined;
  readonly actions: readonly Action[];
  readonly requests: readonly PersonRequest[];
  readonly eventBudget: number;
}

/** Never asks for a model call while a stored step has work left. */
export const turnOf = (standing: Standing): Turn => {
  const { run, last } = standing;
  if (isEnded(run)) return { next: 'finish', reason: 'done' };
  const calls = openCalls(standing.actions, standing.requests);
  if (run.segmentEvents > standing.eventBudget) return { next: 'continue' };
  if (last && calls.length > 0) return { next: 'act', step: last.step, calls };
  if (stopRequested(run)) return { next: 'finish', reason: 'stopped' };
  const answered = last !== undefined && last.calls.length === 0;
  if (answered && standing.pending === 0) return { next: 'finish', reason: 'done' };
  if (run.step >= run.stepLimit) return { next: 'finish', reason: 'step_limit' };
  return { next: 'think', step: run.step + 1, previous: last };
};
