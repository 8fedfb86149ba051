// Task states: scheduling a call, what its answer does, task tokens and both clocks (timeout and heartbeat).
// Owns: the events of a task.
import { eventNames, takesToken } from '../asl/resource.ts';
import type { TaskState } from '../asl/types.ts';
import { isOversized, type Json } from '../json.ts';
import { untruncated } from './events.ts';
import type { Doing, Failure, Frame, TokenAnswer } from './frame.ts';
import { leave, oversizedCause } from './leave.ts';
import { numberOf, read } from './scope.ts';
import type { Turn } from './turn.ts';

/** How a call ended. */
export type CallOutcome =
  | { readonly kind: 'success'; readonly output: Json }
  | { readonly kind: 'failure'; readonly failure: Failure };

type Kind = 'Scheduled' | 'Started' | 'Submitted' | 'Succeeded' | 'Failed' | 'TimedOut';

/** Adds `TaskFailed` or `LambdaFunctionFailed` and the like, with what every event of that resource carries. */
const taskEvent = (
  turn: Turn,
  frame: Frame,
  state: TaskState,
  kind: Kind,
  details: Record<string, unknown>,
): number => {
  if (state.resource.kind !== 'lambda-arn')
    return turn.event(frame, `Task${kind}`, {
      [`task${kind}EventDetails`]: { ...details, ...eventNames(state.resource) },
    });
  const member = `lambdaFunction${kind}EventDetails`;
  return turn.event(
    frame,
    `LambdaFunction${kind}`,
    kind === 'Started' ? {} : { [member]: details },
  );
};

const isPositiveInteger = (value: number): boolean => Number.isInteger(value) && value > 0;

export const workTask = async (turn: Turn, frame: Frame, state: TaskState): Promise<void> => {
  const { resource } = state;
  const token = takesToken(resource) ? turn.world.token(turn.live.row.no, frame.no) : undefined;
  const moment = token === undefined ? {} : { token };
  const request = await read(turn, frame, state.arguments, frame.input, moment);
  const rule = 'positive integer';
  const timeout = await numberOf(turn, frame, state.timeoutSeconds, isPositiveInteger, rule);
  const heartbeat = await numberOf(turn, frame, state.heartbeatSeconds, isPositiveInteger, rule);
  const parameters = turn.text(request);
  const clocks = {
    ...(timeout === undefined ? {} : { timeoutInSeconds: timeout }),
    ...(heartbeat === undefined ? {} : { heartbeatInSeconds: heartbeat }),
  };
  const details =
    resource.kind === 'lambda-arn'
      ? {
          input: parameters,
          inputDetails: untruncated,
          resource: resource.functionArn,
          ...(timeout === undefined ? {} : { timeoutInSeconds: timeout }),
        }
      : { parameters, region: turn.world.region, ...clocks };
  const call = taskEvent(turn, frame, state, 'Scheduled', details);
  frame.doing = {
    kind: 'calling',
    call,
    request,
    ...(token === undefined ? {} : { token }),
    ...(timeout === undefined ? {} : { deadlineMs: turn.nowMs + timeout * 1000 }),
    ...(heartbeat === undefined ? {} : { heartbeatMs: heartbeat * 1000 }),
  };
  turn.later({ kind: 'started', frame, call });
};

export const startTask = (turn: Turn, frame: Frame, state: TaskState, call: number): void => {
  const { doing } = frame;
  if (doing.kind !== 'calling' || doing.call !== call) return;
  taskEvent(turn, frame, state, 'Started', {});
  const { resource } = state;
  turn.willCall({ frame: frame.no, call, resource, request: doing.request });
};

/** The task's event is there: nothing else can settle it any more. */
const settle = (frame: Frame): void => {
  frame.causeId = frame.lastId;
  frame.doing = { kind: 'moving' };
};

const failTask = (turn: Turn, frame: Frame, state: TaskState, failure: Failure): void => {
  taskEvent(turn, frame, state, 'Failed', {
    ...(typeof failure.error === 'string' ? { error: failure.error } : {}),
    ...(typeof failure.cause === 'string' ? { cause: failure.cause } : {}),
  });
  settle(frame);
  turn.later({ kind: 'fail', frame, failure });
};

const succeedTask = (turn: Turn, frame: Frame, state: TaskState, result: Json): void => {
  taskEvent(turn, frame, state, 'Succeeded', {
    output: turn.text(result),
    outputDetails: untruncated,
  });
  settle(frame);
  turn.later({ kind: 'succeed', frame, result });
};

export const leaveTask = (
  turn: Turn,
  frame: Frame,
  state: TaskState,
  result: Json,
): Promise<void> =>
  leave(turn, frame, state, {
    outcome: state,
    otherwise: result,
    moment: { result },
    transition: state.transition,
  });

const applyAnswer = (turn: Turn, frame: Frame, state: TaskState, answer: TokenAnswer): void => {
  if (answer.kind === 'failure') failTask(turn, frame, state, answer.failure);
  else succeedTask(turn, frame, state, JSON.parse(answer.output));
};

type Calling = Extract<Doing, { kind: 'calling' }>;

/** The call with the token has returned: from now on the token's holder answers. */
const submit = (turn: Turn, frame: Frame, state: TaskState, doing: Calling, output: Json): void => {
  taskEvent(turn, frame, state, 'Submitted', {
    output: turn.text(output),
    outputDetails: untruncated,
  });
  const { token = '', deadlineMs, heartbeatMs, early } = doing;
  frame.doing = {
    kind: 'token',
    token,
    ...(deadlineMs === undefined ? {} : { deadlineMs }),
    ...(heartbeatMs === undefined ? {} : { heartbeatMs, heartbeatDueMs: turn.nowMs + heartbeatMs }),
  };
  if (early !== undefined) applyAnswer(turn, frame, state, early);
};

/** Takes the outcome of call number `call`; one that nobody waits for any more changes nothing. */
export const settleCall = (
  turn: Turn,
  frame: Frame,
  state: TaskState,
  call: number,
  outcome: CallOutcome,
): void => {
  const { doing } = frame;
  if (doing.kind !== 'calling' || doing.call !== call) return;
  if (outcome.kind === 'failure') {
    if (doing.early === undefined) failTask(turn, frame, state, outcome.failure);
    else applyAnswer(turn, frame, state, doing.early);
    return;
  }
  const { resource } = state;
  if (isOversized(turn.text(outcome.output))) {
    const name =
      resource.kind === 'lambda-arn' ? resource.functionArn : eventNames(resource).resourceType;
    const failure = { error: 'States.DataLimitExceeded', cause: oversizedCause(name) };
    failTask(turn, frame, state, failure);
  } else if (doing.token === undefined) succeedTask(turn, frame, state, outcome.output);
  else submit(turn, frame, state, doing, outcome.output);
};

/** A task token was answered. False when the frame no longer waits for this token. */
export const answerToken = (
  turn: Turn,
  frame: Frame,
  state: TaskState,
  token: string,
  answer: TokenAnswer,
): boolean => {
  const { doing } = frame;
  if (frame.status !== 'running' || !('token' in doing) || doing.token !== token) return false;
  if (doing.kind === 'token') applyAnswer(turn, frame, state, answer);
  else if (doing.early === undefined) {
    frame.doing = { ...doing, early: answer };
    turn.touch(frame);
  } else return false;
  return true;
};

/** A heartbeat arrived. False when the frame no longer waits for this token. */
export const beat = (turn: Turn, frame: Frame, token: string): boolean => {
  const { doing } = frame;
  if (frame.status !== 'running' || !('token' in doing) || doing.token !== token) return false;
  if (doing.kind === 'token' && doing.heartbeatMs !== undefined) {
    frame.doing = { ...doing, heartbeatDueMs: turn.nowMs + doing.heartbeatMs };
    turn.touch(frame);
  }
  return true;
};

/** One of the task's clocks has run out. */
export const timeOut = (turn: Turn, frame: Frame, state: TaskState): void => {
  const { doing } = frame;
  const isHeartbeat =
    doing.kind === 'token' && (doing.deadlineMs === undefined || doing.deadlineMs > turn.nowMs);
  taskEvent(turn, frame, state, 'TimedOut', { error: 'States.Timeout' });
  settle(frame);
  const failure: Failure = {
    error: 'States.Timeout',
    cause: undefined,
    ...(isHeartbeat ? { isHeartbeat: true } : {}),
  };
  turn.later({ kind: 'fail', frame, failure });
};
