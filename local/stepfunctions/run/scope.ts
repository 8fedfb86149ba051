// What an expression sees: the variables of its frame and the frames around it, and `$states`.
// Owns: the context object, the evaluation of typed fields.
import { isGuarded } from '../asl/types.ts';
import type { Json, JsonObject } from '../json.ts';
import { type Bindings, evaluate, type Template, unexpectedType } from '../jsonata/template.ts';
import type { Frame } from './frame.ts';
import type { Turn } from './turn.ts';

/** What `$states` holds at this moment besides input and context. */
export interface Moment {
  readonly result?: Json;
  readonly errorOutput?: Json;
  readonly token?: string;
  /** The item of an iteration about to start (for ItemSelector). */
  readonly item?: { readonly index: number; readonly value: Json };
}

const iso = (ms: number): string => new Date(ms).toISOString();

/** The item of the innermost Map around a frame. */
const itemAround = (
  turn: Turn,
  frame: Frame,
): { readonly index: number; readonly value: Json } | undefined => {
  for (let at: Frame | undefined = frame; at !== undefined; at = turn.parent(at)) {
    if (at.item !== undefined) return { index: at.index, value: at.item.value };
  }
  return undefined;
};

export const contextOf = (turn: Turn, frame: Frame, moment: Moment): JsonObject => {
  const { row, input, machineName } = turn.live;
  const item = moment.item ?? itemAround(turn, frame);
  const state = turn.state(frame);
  return {
    Execution: {
      Id: row.arn,
      Input: input,
      Name: row.name,
      RoleArn: row.role,
      StartTime: iso(row.started_ms),
      RedriveCount: row.redrives,
      ...(row.redriven_ms === undefined ? {} : { RedriveTime: iso(row.redriven_ms) }),
    },
    State: {
      EnteredTime: iso(frame.enteredMs),
      Name: frame.state,
      ...(isGuarded(state) ? { RetryCount: frame.retryCount } : {}),
    },
    StateMachine: { Id: row.machine, Name: machineName },
    ...(moment.token === undefined ? {} : { Task: { Token: moment.token } }),
    ...(item === undefined ? {} : { Map: { Item: { Index: item.index, Value: item.value } } }),
  };
};

const variablesOf = (turn: Turn, frame: Frame): Record<string, unknown> => {
  const parent = turn.parent(frame);
  const outer = parent === undefined ? {} : variablesOf(turn, parent);
  return Object.assign(outer, frame.variables);
};

const bindingsOf = (turn: Turn, frame: Frame, moment: Moment): Bindings => {
  const { result, errorOutput } = moment;
  return {
    ...variablesOf(turn, frame),
    states: {
      input: frame.input,
      context: contextOf(turn, frame, moment),
      ...(result === undefined ? {} : { result }),
      ...(errorOutput === undefined ? {} : { errorOutput }),
    },
  };
};

/** The value of a field, or `otherwise` when the field is missing. Throws EvaluationError. */
export const read = async (
  turn: Turn,
  frame: Frame,
  template: Template | undefined,
  otherwise: Json,
  moment: Moment = {},
): Promise<Json> => {
  if (template === undefined) return otherwise;
  if (template.kind === 'literal') return template.value;
  return evaluate(template, bindingsOf(turn, frame, moment));
};

/** Like `read`, for a field that must be a number that `isRight`. */
export const numberOf = async (
  turn: Turn,
  frame: Frame,
  template: Template | undefined,
  isRight: (value: number) => boolean,
  expected: string,
): Promise<number | undefined> => {
  if (template === undefined) return undefined;
  const value = await read(turn, frame, template, null);
  if (typeof value === 'number' && isRight(value)) return value;
  throw unexpectedType(template, typeof value === 'number' ? expected : 'number', value);
};

/** Like `read`, for a field that must be a string. */
export const stringOf = async (
  turn: Turn,
  frame: Frame,
  template: Template | undefined,
): Promise<string | undefined> => {
  if (template === undefined) return undefined;
  const value = await read(turn, frame, template, null);
  if (typeof value === 'string') return value;
  throw unexpectedType(template, 'string', value);
};
