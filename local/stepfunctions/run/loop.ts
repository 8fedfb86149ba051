// Takes the steps of a turn until nothing is left to do.
// Owns: which function does which step, and what an evaluation error or a full history becomes.
import { EvaluationError } from '../jsonata/template.ts';
import { finish, iterate, join, workMap, workParallel } from './branching.ts';
import { fail, failExecution } from './failing.ts';
import type { Failure, Frame } from './frame.ts';
import { Oversized, oversizedCause } from './leave.ts';
import { enter, pass, workPlain } from './plain.ts';
import { leaveTask, startTask, workTask } from './task.ts';
import { HistoryFull, type Step, type Turn } from './turn.ts';

const attempt = (turn: Turn, frame: Frame): Promise<void> => {
  const state = turn.state(frame);
  switch (state.type) {
    case 'Task':
      return workTask(turn, frame, state);
    case 'Map':
      return workMap(turn, frame, state);
    case 'Parallel':
      return workParallel(turn, frame, state);
    default:
      return workPlain(turn, frame, state);
  }
};

const take = async (turn: Turn, step: Step): Promise<void> => {
  const { frame } = step;
  switch (step.kind) {
    case 'enter':
      return enter(turn, frame, step.state, step.input);
    case 'attempt':
      return attempt(turn, frame);
    case 'finish':
      return finish(turn, frame, step.output);
    case 'fail':
      return fail(turn, frame, step.failure, step.isFinal === true);
    default:
      return takeTyped(turn, step);
  }
};

/** Steps that belong to one type of state. */
const takeTyped = async (
  turn: Turn,
  step: Extract<Step, { kind: 'started' | 'succeed' | 'iterate' | 'join' }>,
): Promise<void> => {
  const { frame } = step;
  const state = turn.state(frame);
  if (state.type === 'Task') {
    if (step.kind === 'started') startTask(turn, frame, state, step.call);
    if (step.kind === 'succeed') await leaveTask(turn, frame, state, step.result);
  }
  if (state.type === 'Wait') await pass(turn, frame, state, frame.input);
  if (state.type === 'Map' && step.kind === 'iterate')
    await iterate(turn, frame, state, step.sourceId);
  if ((state.type === 'Map' || state.type === 'Parallel') && step.kind === 'join')
    await join(turn, frame, state, step.sourceId);
};

const evaluationFailed = (turn: Turn, frame: Frame, error: EvaluationError): Failure => {
  const cause =
    `An error occurred while executing the state '${frame.state}' ` +
    `(entered at the event id #${frame.enteredId}). ${error.reason}`;
  const failure = { error: 'States.QueryEvaluationError', cause };
  frame.lastId = turn.record('EvaluationFailed', frame.causeId, {
    evaluationFailedEventDetails: { ...failure, location: error.location, state: frame.state },
  });
  turn.touch(frame);
  return failure;
};

const failureOf = (turn: Turn, frame: Frame, error: unknown): Failure => {
  if (error instanceof EvaluationError) return evaluationFailed(turn, frame, error);
  if (error instanceof Oversized)
    return { error: 'States.DataLimitExceeded', cause: oversizedCause(error.what) };
  throw error;
};

const takeSafely = async (turn: Turn, step: Step): Promise<void> => {
  try {
    await take(turn, step);
  } catch (error) {
    const failure = failureOf(turn, step.frame, error);
    // A catcher that cannot be evaluated must not be asked again.
    const isFinal = step.kind === 'fail' ? { isFinal: true as const } : {};
    turn.soon({ kind: 'fail', frame: step.frame, failure, ...isFinal });
  }
};

/** Runs `work`; a full history ends the execution, which nothing can catch. */
export const withinHistory = async <Result>(
  turn: Turn,
  work: () => Promise<Result>,
): Promise<Result | undefined> => {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof HistoryFull)) throw error;
    failExecution(turn, turn.live.lastEventId, {
      error: 'States.Runtime',
      cause: 'The execution reached the maximum number of history events (25000).',
    });
    return undefined;
  }
};

export const drain = async (turn: Turn): Promise<void> => {
  for (let step = turn.nextStep(); step !== undefined; step = turn.nextStep()) {
    if (step.frame.status === 'running') await takeSafely(turn, step);
  }
};
