// Entering a state, and the states that need nothing from outside: Pass, Succeed, Fail, Choice, Wait.
// Owns: their behaviour.
import type { ChoiceState, FailState, State, WaitState } from '../asl/types.ts';
import { isTimestamp, type Json } from '../json.ts';
import { unexpectedType } from '../jsonata/template.ts';
import { untruncated } from './events.ts';
import type { Frame } from './frame.ts';
import { leave } from './leave.ts';
import { numberOf, read, stringOf } from './scope.ts';
import type { Turn } from './turn.ts';

export const enter = (turn: Turn, frame: Frame, state: string, input: Json): void => {
  frame.causeId = frame.lastId;
  frame.state = state;
  frame.input = input;
  frame.enteredMs = turn.nowMs;
  frame.retryCount = 0;
  frame.retries = [];
  const { type } = turn.state(frame);
  frame.enteredId = turn.event(frame, `${type}StateEntered`, {
    stateEnteredEventDetails: {
      name: state,
      input: turn.text(input),
      inputDetails: untruncated,
    },
  });
  turn.soon({ kind: 'attempt', frame });
};

const fail = async (turn: Turn, frame: Frame, state: FailState): Promise<void> => {
  const error = await stringOf(turn, frame, state.error);
  const cause = await stringOf(turn, frame, state.cause);
  turn.soon({ kind: 'fail', frame, failure: { error, cause }, isFinal: true });
};

const choose = async (turn: Turn, frame: Frame, state: ChoiceState): Promise<void> => {
  const go = (next: string, outcome: ChoiceState | ChoiceState['rules'][number]): Promise<void> =>
    leave(turn, frame, state, {
      outcome,
      otherwise: frame.input,
      moment: {},
      transition: { kind: 'next', state: next },
    });
  for (const rule of state.rules) {
    const holds = await read(turn, frame, rule.condition, null);
    if (typeof holds !== 'boolean') throw unexpectedType(rule.condition, 'boolean', holds);
    if (holds) return go(rule.next, rule);
  }
  if (state.otherwise !== undefined) return go(state.otherwise, state);
  const cause =
    `An error occurred while executing the state '${frame.state}' (entered at the event id #${frame.enteredId}). ` +
    'Failed to transition out of the state. The state does not point to a next state.';
  turn.soon({ kind: 'fail', frame, failure: { error: 'States.Runtime', cause, endsAll: true } });
};

const waitUntil = async (turn: Turn, frame: Frame, state: WaitState): Promise<number> => {
  const seconds = await numberOf(
    turn,
    frame,
    state.seconds,
    (value) => Number.isInteger(value) && value >= 0 && value <= 99_999_999,
    'positive integer',
  );
  if (seconds !== undefined) return turn.nowMs + seconds * 1000;
  const timestamp = (await stringOf(turn, frame, state.timestamp)) ?? '';
  if (!isTimestamp(timestamp) && state.timestamp !== undefined)
    throw unexpectedType(state.timestamp, 'timestamp', timestamp);
  return Date.parse(timestamp);
};

/** Leaves a state that keeps its input and has nothing else to add. */
export const pass = (turn: Turn, frame: Frame, state: State, otherwise: Json): Promise<void> =>
  leave(turn, frame, state, {
    outcome: state,
    otherwise,
    moment: {},
    transition: 'transition' in state ? state.transition : { kind: 'end' },
  });

const wait = async (turn: Turn, frame: Frame, state: WaitState): Promise<void> => {
  const dueMs = await waitUntil(turn, frame, state);
  if (dueMs <= turn.nowMs) return pass(turn, frame, state, frame.input);
  frame.doing = { kind: 'waiting', dueMs };
  turn.touch(frame);
};

/** The work of a state that is no Task, Map or Parallel. */
export const workPlain = async (turn: Turn, frame: Frame, state: State): Promise<void> => {
  switch (state.type) {
    case 'Pass':
      return pass(
        turn,
        frame,
        state,
        state.result === undefined ? frame.input : state.result.value,
      );
    case 'Succeed':
      return pass(turn, frame, state, frame.input);
    case 'Fail':
      return fail(turn, frame, state);
    case 'Choice':
      return choose(turn, frame, state);
    case 'Wait':
      return wait(turn, frame, state);
    default:
      throw new Error(`A ${state.type} is no plain state.`);
  }
};
