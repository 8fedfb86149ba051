// Everything that can happen to an execution from outside, and what it starts.
// Owns: begin, the end of calls, clocks, task tokens, stop, redrive.
import type { TaskResource } from '../asl/types.ts';
import { untruncated } from './events.ts';
import type { Failure, Frame, TokenAnswer } from './frame.ts';
import { dueOf } from './frame.ts';
import { drain, withinHistory } from './loop.ts';
import { answerToken, beat, type CallOutcome, settleCall, timeOut } from './task.ts';
import type { Turn } from './turn.ts';

export type Stimulus =
  | { readonly kind: 'begin' }
  | {
      readonly kind: 'settled';
      readonly frame: number;
      readonly call: number;
      readonly outcome: CallOutcome;
    }
  /** The process that made the frame's call ended before the call did. */
  | { readonly kind: 'lost'; readonly frame: number }
  /** A clock ran out: the frame's, or the execution's own when there is no frame. */
  | { readonly kind: 'due'; readonly frame: number | undefined }
  | {
      readonly kind: 'answer';
      readonly frame: number;
      readonly token: string;
      readonly answer: TokenAnswer;
    }
  | { readonly kind: 'beat'; readonly frame: number; readonly token: string }
  | {
      readonly kind: 'stop';
      readonly error: string | undefined;
      readonly cause: string | undefined;
    }
  | { readonly kind: 'redrive' }
  /** The interpreter itself failed; the execution cannot go on. */
  | { readonly kind: 'broken'; readonly cause: string };

/** An execution may last this long (AWS quota: one year). */
const executionMsMax = 365 * 24 * 3_600_000;

const executionDueMs = (turn: Turn): number =>
  turn.nowMs + Math.min((turn.live.machine.timeoutSeconds ?? Infinity) * 1000, executionMsMax);

const begin = (turn: Turn): void => {
  const { row, input, machine } = turn.live;
  turn.record('ExecutionStarted', 0, {
    executionStartedEventDetails: {
      input: row.input,
      inputDetails: untruncated,
      roleArn: row.role,
      ...(row.version === undefined ? {} : { stateMachineVersionArn: row.version }),
      ...(row.alias === undefined ? {} : { stateMachineAliasArn: row.alias }),
    },
  });
  turn.updateRow({ status: 'RUNNING', due_ms: executionDueMs(turn) });
  // The service counts the first state from 0, not from ExecutionStarted.
  const root = turn.addFrame(undefined, { index: 0, input, lastId: 0 });
  turn.later({ kind: 'enter', frame: root, state: machine.startAt, input });
};

const lostErrors: Readonly<Record<TaskResource['kind'], string>> = {
  'lambda-arn': 'Lambda.Unknown',
  'lambda-invoke': 'Lambda.Unknown',
  'dynamodb-sdk': 'DynamoDb.SdkClientException',
  dynamodb: 'DynamoDB.SdkClientException',
  'start-execution': 'StepFunctions.SdkClientException',
};

/** The failure that stands for a call whose process ended: it may have happened or not. */
const lostFailure = (resource: TaskResource): Failure => ({
  error:
    resource.kind === 'start-execution' && resource.sdk
      ? 'Sfn.SdkClientException'
      : lostErrors[resource.kind],
  cause:
    'The process that served this call ended before the call answered; whether it took effect is unknown.',
});

const lose = (turn: Turn, frame: Frame): void => {
  const state = turn.state(frame);
  if (state.type !== 'Task' || frame.doing.kind !== 'calling') return;
  const failure = lostFailure(state.resource);
  settleCall(turn, frame, state, frame.doing.call, { kind: 'failure', failure });
};

const frameDue = async (turn: Turn, frame: Frame): Promise<void> => {
  const dueMs = dueOf(frame);
  if (dueMs === undefined || dueMs > turn.nowMs) return;
  const state = turn.state(frame);
  if (frame.doing.kind === 'backoff') {
    frame.doing = { kind: 'moving' };
    turn.later({ kind: 'attempt', frame });
  } else if (state.type === 'Task') timeOut(turn, frame, state);
  else if (state.type === 'Wait') {
    frame.causeId = frame.lastId;
    frame.doing = { kind: 'moving' };
    turn.later({ kind: 'succeed', frame, result: frame.input });
  }
};

const executionDue = (turn: Turn): void => {
  const { due_ms: dueMs } = turn.live.row;
  if (dueMs === undefined || dueMs > turn.nowMs) return;
  turn.record('ExecutionTimedOut', 0, {
    executionTimedOutEventDetails: { error: 'States.Timeout' },
  });
  turn.end('TIMED_OUT', {});
};

/** Takes a frame up again; a branch that was done stays done. */
const resume = (turn: Turn, frame: Frame, sourceId: number): void => {
  frame.status = 'running';
  frame.lastId = sourceId;
  frame.causeId = sourceId;
  turn.touch(frame);
  if (frame.state === '') {
    const { startAt } = turn.block(frame);
    turn.later({ kind: 'enter', frame, state: startAt, input: frame.input });
    return;
  }
  const children = turn.children(frame);
  if (frame.doing.kind === 'children' && children.length > 0) {
    const open = children.filter(({ status }) => status !== 'done');
    for (const child of open) resume(turn, child, sourceId);
    if (turn.state(frame).type === 'Map') turn.later({ kind: 'iterate', frame, sourceId });
    if (open.length === 0 && children.length === frame.doing.count)
      turn.later({ kind: 'join', frame, sourceId });
    return;
  }
  frame.retryCount = 0;
  frame.retries = [];
  frame.doing = { kind: 'moving' };
  if (turn.state(frame).type === 'Task') turn.later({ kind: 'attempt', frame });
  else turn.later({ kind: 'enter', frame, state: frame.state, input: frame.input });
};

const redrive = (turn: Turn): void => {
  const redriveCount = turn.live.row.redrives + 1;
  const id = turn.record('ExecutionRedriven', turn.live.lastEventId, {
    executionRedrivenEventDetails: { redriveCount },
  });
  turn.updateRow({
    status: 'RUNNING',
    error: undefined,
    cause: undefined,
    stopped_ms: undefined,
    redrives: redriveCount,
    redriven_ms: turn.nowMs,
    due_ms: executionDueMs(turn),
  });
  const root = turn.live.frames.get(0);
  if (root !== undefined) resume(turn, root, id);
};

const applyToFrame = async (
  turn: Turn,
  frame: Frame,
  stimulus: Extract<Stimulus, { frame: number | undefined }>,
): Promise<boolean> => {
  if (frame.status !== 'running') return false;
  const state = turn.state(frame);
  frame.causeId = frame.lastId;
  switch (stimulus.kind) {
    case 'settled':
      if (state.type === 'Task') settleCall(turn, frame, state, stimulus.call, stimulus.outcome);
      return true;
    case 'lost':
      lose(turn, frame);
      return true;
    case 'due':
      await frameDue(turn, frame);
      return true;
    case 'answer':
      return (
        state.type === 'Task' && answerToken(turn, frame, state, stimulus.token, stimulus.answer)
      );
    case 'beat':
      return beat(turn, frame, stimulus.token);
  }
};

const start = async (turn: Turn, stimulus: Stimulus): Promise<boolean> => {
  const isRunning = turn.live.row.status === 'RUNNING';
  if (stimulus.kind === 'redrive') {
    if (!isRunning) redrive(turn);
    return !isRunning;
  }
  if (!isRunning) return false;
  switch (stimulus.kind) {
    case 'begin':
      begin(turn);
      return true;
    case 'stop': {
      const { error, cause } = stimulus;
      const named = {
        ...(error === undefined ? {} : { error }),
        ...(cause === undefined ? {} : { cause }),
      };
      turn.record('ExecutionAborted', 0, { executionAbortedEventDetails: named });
      turn.end('ABORTED', named);
      return true;
    }
    case 'broken': {
      const named = { error: 'States.Runtime', cause: stimulus.cause };
      turn.record('ExecutionFailed', turn.live.lastEventId, { executionFailedEventDetails: named });
      turn.end('FAILED', named);
      return true;
    }
    default: {
      if (stimulus.frame === undefined) {
        executionDue(turn);
        return true;
      }
      const frame = turn.live.frames.get(stimulus.frame);
      return frame === undefined ? false : applyToFrame(turn, frame, stimulus);
    }
  }
};

/**
 * Applies stimuli that came together, first what they say, then all that follows: as the service does, whose history takes
 * in results while its decider works. Each is answered false when it no longer concerns the execution: an answer to a token
 * that is spent, a stop of one that has ended.
 */
export const apply = async (turn: Turn, stimuli: readonly Stimulus[]): Promise<boolean[]> => {
  const accepted: boolean[] = [];
  for (const stimulus of stimuli)
    accepted.push((await withinHistory(turn, () => start(turn, stimulus))) ?? true);
  await withinHistory(turn, () => drain(turn));
  return accepted;
};
