// What a failure does: Retry, Catch, or up to the state around, to the end of the execution.
// Owns: error matching, back-off, the aborting of sibling branches.
import { type Catcher, type GuardedState, isGuarded, type Retrier } from '../asl/types.ts';
import type { Json } from '../json.ts';
import type { Failure, Frame } from './frame.ts';
import { leave } from './leave.ts';
import type { Turn } from './turn.ts';

const taskFailedCovers = (error: string): boolean =>
  error !== 'States.Timeout' && error !== 'States.Runtime';

const matches = (names: readonly string[], { error, isHeartbeat }: Failure): boolean => {
  const name = error ?? '';
  return names.some(
    (one) =>
      one === name ||
      (one === 'States.ALL' && name !== 'States.Runtime') ||
      (one === 'States.TaskFailed' && taskFailedCovers(name)) ||
      (one === 'States.HeartbeatTimeout' && isHeartbeat === true),
  );
};

const removeBranches = (turn: Turn, frame: Frame): void => {
  for (const child of turn.children(frame)) {
    removeBranches(turn, child);
    turn.removeFrame(child);
  }
};

const delayMs = (turn: Turn, retrier: Retrier, attempt: number): number => {
  const grown = retrier.intervalSeconds * retrier.backoffRate ** attempt;
  const seconds = Math.min(grown, retrier.delaySecondsMax ?? 31_622_400);
  return Math.round(seconds * 1000 * (retrier.fullJitter ? turn.world.random() : 1));
};

/** Puts the frame into back-off when a retrier takes the failure. */
const retry = (turn: Turn, frame: Frame, state: GuardedState, failure: Failure): boolean => {
  const index = state.retry.findIndex(({ errors }) => matches(errors, failure));
  const retrier = state.retry[index];
  const attempt = frame.retries[index] ?? 0;
  if (retrier === undefined || attempt >= retrier.attemptsMax) return false;
  frame.retries = state.retry.map((_, at) => (frame.retries[at] ?? 0) + (at === index ? 1 : 0));
  frame.retryCount += 1;
  removeBranches(turn, frame);
  frame.doing = { kind: 'backoff', dueMs: turn.nowMs + delayMs(turn, retrier, attempt) };
  turn.touch(frame);
  return true;
};

/** An empty text where the failure names nothing, null where a token's answer did not. */
const shown = (value: string | null | undefined): Json => (value === undefined ? '' : value);

const handle = async (
  turn: Turn,
  frame: Frame,
  state: GuardedState,
  catcher: Catcher,
  failure: Failure,
): Promise<void> => {
  const errorOutput = { Error: shown(failure.error), Cause: shown(failure.cause) };
  await leave(turn, frame, state, {
    outcome: catcher,
    otherwise: errorOutput,
    moment: { errorOutput, result: errorOutput },
    transition: { kind: 'next', state: catcher.next },
  });
  removeBranches(turn, frame);
};

/** Records that a running branch stops, inside first. */
const abort = (turn: Turn, frame: Frame, sourceId: number): void => {
  frame.status = 'aborted';
  turn.touch(frame);
  if (frame.state === '') return;
  const { type } = turn.state(frame);
  abortBranches(turn, frame, sourceId);
  if (type === 'Task' || type === 'Wait' || type === 'Map' || type === 'Parallel')
    turn.record(`${type}StateAborted`, sourceId, {});
};

const abortBranches = (turn: Turn, frame: Frame, sourceId: number): void => {
  if (frame.doing.kind !== 'children') return;
  const isMap = turn.state(frame).type === 'Map';
  for (const child of turn.children(frame)) {
    if (child.status !== 'running') continue;
    if (isMap)
      turn.record('MapIterationAborted', sourceId, {
        mapIterationAbortedEventDetails: { name: frame.state, index: child.index },
      });
    abort(turn, child, sourceId);
  }
};

const named = ({ error, cause }: Failure): { error?: string; cause?: string } => ({
  ...(typeof error === 'string' ? { error } : {}),
  ...(typeof cause === 'string' ? { cause } : {}),
});

/** Ends the execution as failed; `previousId` is the event that did it. */
export const failExecution = (turn: Turn, previousId: number, failure: Failure): void => {
  turn.record('ExecutionFailed', previousId, { executionFailedEventDetails: named(failure) });
  turn.end('FAILED', named(failure));
};

/** The failure leaves the frame. */
const rise = (turn: Turn, frame: Frame, failure: Failure): void => {
  frame.status = 'failed';
  turn.touch(frame);
  const parent = turn.parent(frame);
  if (parent === undefined) {
    failExecution(turn, frame.lastId, failure);
    return;
  }
  const sourceId = frame.lastId;
  if (turn.state(parent).type === 'Map')
    turn.record('MapIterationFailed', sourceId, {
      mapIterationFailedEventDetails: { name: parent.state, index: frame.index },
    });
  const { type } = turn.state(frame);
  if (type === 'Task' || type === 'Wait') turn.record(`${type}StateAborted`, sourceId, {});
  abortBranches(turn, parent, sourceId);
  parent.lastId = sourceId;
  parent.causeId = sourceId;
  turn.soon({ kind: 'fail', frame: parent, failure });
};

export const fail = async (
  turn: Turn,
  frame: Frame,
  failure: Failure,
  isFinal: boolean,
): Promise<void> => {
  const state = turn.state(frame);
  if (failure.endsAll === true) {
    frame.status = 'failed';
    turn.touch(frame);
    failExecution(turn, frame.lastId, failure);
    return;
  }
  if (!isFinal && isGuarded(state) && retry(turn, frame, state, failure)) return;
  if (state.type === 'Map' || state.type === 'Parallel')
    turn.event(frame, `${state.type}StateFailed`);
  const catcher =
    !isFinal && isGuarded(state)
      ? state.catch.find(({ errors }) => matches(errors, failure))
      : undefined;
  if (catcher !== undefined && isGuarded(state)) await handle(turn, frame, state, catcher, failure);
  else rise(turn, frame, failure);
};
