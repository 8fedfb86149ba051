// Leaving a state: Assign and Output, the exit event, the way on.
// Owns: variables (both fields see the values from before), payload limits.
import type { Outcome, State, Transition } from '../asl/types.ts';
import { isObject, isOversized, type Json } from '../json.ts';
import { untruncated } from './events.ts';
import type { Frame } from './frame.ts';
import { type Moment, read } from './scope.ts';
import type { Turn } from './turn.ts';

/** A value over the payload limit; the loop turns it into a failure of the state. */
export class Oversized extends Error {
  readonly what: string;

  constructor(what: string) {
    super(what);
    this.what = what;
  }
}

export const oversizedCause = (what: string): string =>
  `The state/task '${what}' returned a result with a size exceeding the maximum number of bytes service limit.`;

export interface Leaving {
  readonly outcome: Outcome;
  /** The output when the state names none. */
  readonly otherwise: Json;
  readonly moment: Moment;
  readonly transition: Transition;
  /** Called when Assign and Output have been evaluated, before the exit event. */
  readonly before?: () => void;
}

const assignedText = (turn: Turn, assigned: Json): Record<string, unknown> => {
  if (!isObject(assigned) || Object.keys(assigned).length === 0) return {};
  const entries = Object.entries(assigned).map(([name, value]) => [name, turn.text(value as Json)]);
  return {
    assignedVariables: Object.fromEntries(entries),
    assignedVariablesDetails: untruncated,
  };
};

const assign = (turn: Turn, frame: Frame, assigned: Json): void => {
  if (!isObject(assigned)) return;
  for (const value of Object.values(assigned)) {
    if (isOversized(turn.text(value as Json))) throw new Oversized(frame.state);
  }
  frame.variables = { ...frame.variables, ...(assigned as Record<string, Json>) };
};

/** Evaluates, records the exit and moves on. Throws EvaluationError or Oversized before anything is recorded. */
export const leave = async (
  turn: Turn,
  frame: Frame,
  state: State,
  leaving: Leaving,
): Promise<void> => {
  const { outcome, otherwise, moment, transition } = leaving;
  const assigned = await read(turn, frame, outcome.assign, null, moment);
  const output = await read(turn, frame, outcome.output, otherwise, moment);
  const text = turn.text(output);
  if (isOversized(text)) throw new Oversized(frame.state);
  assign(turn, frame, assigned);
  leaving.before?.();
  turn.event(frame, `${state.type}StateExited`, {
    stateExitedEventDetails: {
      name: frame.state,
      output: text,
      outputDetails: untruncated,
      ...assignedText(turn, assigned),
    },
  });
  frame.doing = { kind: 'moving' };
  if (transition.kind === 'next')
    turn.later({ kind: 'enter', frame, state: transition.state, input: output });
  else turn.soon({ kind: 'finish', frame, output });
};
