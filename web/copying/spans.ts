// A run as spans of time: model calls, tool calls and their attempts, waits for people. Owns: which instants bound each, so that bars and list
// say the same. Instants that were not stored are not invented: a span without an end lasts until now.
import { requestIdsOf } from '../api/cache.ts';
import type { Action, PersonRequest, RunView, Step } from '../api/types.ts';
import type { Attempts, Tried } from './attempts.ts';

export interface Span {
  readonly key: string;
  readonly kind: 'model' | 'call' | 'wait' | 'attempt';
  readonly step: number;
  readonly name: string;
  /** Epoch milliseconds. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly open: boolean;
  readonly action?: Action;
  /** Of a call: its place among the step's calls. */
  readonly call?: number;
  /** Of an attempt, where there were several: its number. */
  readonly attempt?: number;
}

export interface RunParts {
  readonly run: RunView;
  readonly steps: readonly Step[];
  readonly actions: ReadonlyMap<string, Action>;
  readonly requests: ReadonlyMap<string, PersonRequest>;
}

const ms = (iso: string | undefined): number | undefined =>
  iso === undefined ? undefined : Date.parse(iso);

const waitOf = (
  action: Action,
  request: PersonRequest | undefined,
  nowMs: number,
): Span | undefined => {
  const fromMs = ms(request?.openedAt);
  if (request === undefined || fromMs === undefined) return undefined;
  const endMs = ms(request.decidedAt);
  return {
    key: request.requestId,
    kind: 'wait',
    step: action.step,
    name: request.on,
    fromMs,
    toMs: endMs ?? nowMs,
    open: endMs === undefined,
    action,
  };
};

const callOf = (action: Action, step: Step, nowMs: number): Span => {
  const fromMs = ms(action.firstEngagedAt) ?? Date.parse(step.at);
  const endMs = ms(action.settledAt);
  const over = endMs !== undefined || action.told !== undefined;
  return {
    key: action.actionId,
    kind: 'call',
    step: step.step,
    name: action.tool.name,
    fromMs,
    toMs: Math.max(fromMs, endMs ?? (over ? fromMs : nowMs)),
    open: !over,
    action,
    call: action.call,
  };
};

const attemptOf = (action: Action, tried: Tried, nowMs: number): Span => ({
  key: `${action.actionId}-${tried.attempt}`,
  kind: 'attempt',
  step: action.step,
  name: action.tool.name,
  fromMs: tried.fromMs,
  toMs: tried.toMs ?? nowMs,
  open: tried.toMs === undefined,
  action,
  attempt: tried.attempt,
});

/** A call that never became an action got its result with its step: it takes no time. */
const fixedOf = (name: string, call: number, step: Step): Span => {
  const atMs = Date.parse(step.at);
  return {
    key: `${step.step}-fixed-${call}`,
    kind: 'call',
    step: step.step,
    name,
    fromMs: atMs,
    toMs: atMs,
    open: false,
    call,
  };
};

const callsIn = (
  step: Step,
  { actions, requests }: RunParts,
  attempts: Attempts,
  nowMs: number,
): Span[] =>
  step.calls.flatMap((call, place) => {
    if (call.kind === 'fixed') return [fixedOf(call.name, place, step)];
    const action = actions.get(call.actionId);
    if (action === undefined) return [];
    const waits = requestIdsOf(action).flatMap((id) => {
      const wait = waitOf(action, requests.get(id), nowMs);
      return wait === undefined ? [] : [wait];
    });
    const tried = attempts.get(action.actionId) ?? [];
    return [callOf(action, step, nowMs), ...tried.map((one) => attemptOf(action, one, nowMs))]
      .concat(waits)
      .toSorted((a, b) => a.fromMs - b.fromMs);
  });

/** Spans in order of their step; a step's model call begins where the step before it ended. */
export const spansOf = (parts: RunParts, attempts: Attempts, nowMs: number): readonly Span[] => {
  let readyMs = Date.parse(parts.run.startedAt);
  return parts.steps.flatMap((step) => {
    const storedMs = Date.parse(step.at);
    const model: Span = {
      key: `${step.step}-model`,
      kind: 'model',
      step: step.step,
      name: step.usage.model,
      fromMs: Math.min(readyMs, storedMs),
      toMs: storedMs,
      open: false,
    };
    const calls = callsIn(step, parts, attempts, nowMs);
    readyMs = Math.max(storedMs, ...calls.map(({ toMs }) => toMs));
    return [model, ...calls];
  });
};

export const boundsOf = (run: RunView, spans: readonly Span[], nowMs: number) => {
  const fromMs = Date.parse(run.startedAt);
  const endMs = run.state.status === 'finished' ? Date.parse(run.state.at) : nowMs;
  return {
    runId: run.runId,
    fromMs,
    toMs: Math.max(endMs, fromMs + 1, ...spans.map(({ toMs }) => toMs)),
  };
};
