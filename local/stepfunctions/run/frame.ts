// The stored state of an execution: frames. One frame runs one block: the machine, a branch of a Parallel, an iteration of a
// Map. What a frame waits for is data, so that an execution can be dropped from memory and taken up again anywhere.
// Owns: the shape of frames and of what can happen to them.
import type { Json } from '../json.ts';

/** A failure. `null`: answered by a token without that member, which the service shows as null and not as an empty text. */
export interface Failure {
  readonly error: string | null | undefined;
  readonly cause: string | null | undefined;
  /** A missed heartbeat: States.Timeout that States.HeartbeatTimeout matches too. */
  readonly isHeartbeat?: true;
  /** The interpreter cannot go on: ends the execution from wherever it is, past every Catch. */
  readonly endsAll?: true;
}

/** An answer to a task token, given before the call that carries the token has returned. */
export type TokenAnswer =
  | { readonly kind: 'success'; readonly output: string }
  | { readonly kind: 'failure'; readonly failure: Failure };

export type Doing =
  /** Between two steps of one turn; never stored in a running frame. */
  | { readonly kind: 'moving' }
  | { readonly kind: 'waiting'; readonly dueMs: number }
  /** A call to an integration is out. `call` is the id of its scheduled event, unique in the execution. */
  | {
      readonly kind: 'calling';
      readonly call: number;
      readonly request: Json;
      readonly token?: string;
      readonly deadlineMs?: number;
      readonly heartbeatMs?: number;
      readonly early?: TokenAnswer;
    }
  /** The call has returned; somebody outside answers with the token. */
  | {
      readonly kind: 'token';
      readonly token: string;
      readonly deadlineMs?: number;
      readonly heartbeatMs?: number;
      readonly heartbeatDueMs?: number;
    }
  /** Before the next attempt of a Retry. */
  | { readonly kind: 'backoff'; readonly dueMs: number }
  /** A Map or Parallel whose branches run in child frames. */
  | {
      readonly kind: 'children';
      readonly count: number;
      readonly concurrencyMax: number;
      readonly items?: readonly Json[];
    };

export interface Frame {
  /** Number within the execution; the root is 0. */
  readonly no: number;
  readonly parent: number | undefined;
  /** Which branch or iteration of the parent's state. */
  readonly index: number;
  /** The item of a Map iteration, for `$states.context.Map.Item`. */
  readonly item?: { readonly value: Json };
  status: 'running' | 'done' | 'failed' | 'aborted';
  state: string;
  input: Json;
  output?: Json;
  variables: Readonly<Record<string, Json>>;
  enteredId: number;
  enteredMs: number;
  /** previousEventId of the frame's next event. */
  lastId: number;
  /** previousEventId of an EvaluationFailed: the event that started the present decision. */
  causeId: number;
  /** Retries of the state so far, in all and per retrier. */
  retryCount: number;
  retries: readonly number[];
  doing: Doing;
}

/** When the frame needs the timer, if ever. */
export const dueOf = ({ status, doing }: Frame): number | undefined => {
  if (status !== 'running') return undefined;
  if (doing.kind === 'waiting' || doing.kind === 'backoff') return doing.dueMs;
  if (doing.kind === 'calling') return doing.deadlineMs;
  if (doing.kind !== 'token') return undefined;
  const clocks = [doing.deadlineMs, doing.heartbeatDueMs].filter((at) => at !== undefined);
  return clocks.length === 0 ? undefined : Math.min(...clocks);
};

export const tokenOf = ({ status, doing }: Frame): string | undefined =>
  status === 'running' && 'token' in doing ? doing.token : undefined;

export const isCalling = ({ status, doing }: Frame): boolean =>
  status === 'running' && doing.kind === 'calling';
