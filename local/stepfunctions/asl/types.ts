// A state machine after parsing: everything checked, every expression compiled, nothing optional that must be there.
// Owns: the shape that the interpreter runs.

import type { Json } from '../json.ts';
import type { Template } from '../jsonata/template.ts';

export type TaskResource =
  | { readonly kind: 'lambda-arn'; readonly functionArn: string }
  | { readonly kind: 'lambda-invoke'; readonly withToken: boolean }
  | { readonly kind: 'dynamodb-sdk'; readonly action: string; readonly withToken: boolean }
  | { readonly kind: 'dynamodb'; readonly action: string }
  | { readonly kind: 'start-execution'; readonly sdk: boolean; readonly withToken: boolean };

export type Transition =
  | { readonly kind: 'next'; readonly state: string }
  | { readonly kind: 'end' };

export interface Retrier {
  readonly errors: readonly string[];
  readonly intervalSeconds: number;
  readonly attemptsMax: number;
  readonly backoffRate: number;
  readonly delaySecondsMax: number | undefined;
  readonly fullJitter: boolean;
}

export interface Outcome {
  readonly assign: Template | undefined;
  readonly output: Template | undefined;
}

export interface Catcher extends Outcome {
  readonly errors: readonly string[];
  readonly next: string;
}

export interface ChoiceRule extends Outcome {
  readonly condition: Template;
  readonly next: string;
}

interface Named extends Outcome {
  readonly name: string;
}

interface Flowing extends Named {
  readonly transition: Transition;
}

export interface Guarded {
  readonly retry: readonly Retrier[];
  readonly catch: readonly Catcher[];
}

export interface PassState extends Flowing {
  readonly type: 'Pass';
  /** `Result` of a state in JSONPath mode, which replaces its output. */
  readonly result: { readonly value: Json } | undefined;
}
export interface SucceedState extends Named {
  readonly type: 'Succeed';
}
export interface FailState extends Named {
  readonly type: 'Fail';
  readonly error: Template | undefined;
  readonly cause: Template | undefined;
}
export interface ChoiceState extends Named {
  readonly type: 'Choice';
  readonly rules: readonly ChoiceRule[];
  readonly otherwise: string | undefined;
}
export interface WaitState extends Flowing {
  readonly type: 'Wait';
  readonly seconds: Template | undefined;
  readonly timestamp: Template | undefined;
}
export interface TaskState extends Flowing, Guarded {
  readonly type: 'Task';
  readonly resource: TaskResource;
  readonly arguments: Template | undefined;
  readonly timeoutSeconds: Template | undefined;
  readonly heartbeatSeconds: Template | undefined;
}
export interface MapState extends Flowing, Guarded {
  readonly type: 'Map';
  readonly items: Template | undefined;
  readonly itemSelector: Template | undefined;
  readonly concurrencyMax: Template | undefined;
  readonly toleratedFailureCount: Template | undefined;
  readonly toleratedFailurePercentage: Template | undefined;
  readonly body: Block;
}
export interface ParallelState extends Flowing, Guarded {
  readonly type: 'Parallel';
  readonly arguments: Template | undefined;
  readonly branches: readonly Block[];
}

export type State =
  | PassState
  | SucceedState
  | FailState
  | ChoiceState
  | WaitState
  | TaskState
  | MapState
  | ParallelState;

export type GuardedState = TaskState | MapState | ParallelState;

/** A set of states with an entry: the machine itself, a branch, or the body of a Map. */
export interface Block {
  readonly startAt: string;
  readonly states: ReadonlyMap<string, State>;
}

export interface Machine extends Block {
  readonly timeoutSeconds: number | undefined;
}

export const isGuarded = (state: State): state is GuardedState =>
  state.type === 'Task' || state.type === 'Map' || state.type === 'Parallel';
