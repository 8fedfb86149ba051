// One invocation: its context, its timeout, and what its end looks like to the caller. Owns: AWS's error payloads.
// After the timeout the caller has its answer and the code that still runs has no ports (scope.ts).
import type { Context } from 'aws-lambda';
import type { TwinClock } from '../base/clock.ts';
import { functionArn, type Place } from '../base/names.ts';
import { type InvocationScope, withinScope } from './scope.ts';

/** AWS's limit of a synchronous payload and of a response. */
export const payloadBytesMax = 6_291_556;

export interface InvocationSettings {
  readonly functionName: string;
  readonly timeoutMs: number;
  readonly memoryMb: number;
}

export interface InvocationAnswer {
  readonly statusCode: 200 | 202 | 204;
  readonly requestId: string;
  /** Present when the function threw, timed out, could not be loaded or answered too much. */
  readonly functionError?: 'Unhandled';
  /** JSON text; empty for Event and DryRun. */
  readonly payload: string;
}

interface ErrorPayload {
  readonly errorType: string;
  readonly errorMessage: string;
  readonly trace?: readonly string[];
}

const failed = (requestId: string, payload: ErrorPayload): InvocationAnswer => ({
  statusCode: 200,
  requestId,
  functionError: 'Unhandled',
  payload: JSON.stringify(payload),
});

const thrown = (requestId: string, cause: unknown): InvocationAnswer =>
  cause instanceof Error
    ? failed(requestId, {
        errorType: cause.name,
        errorMessage: cause.message,
        trace: (cause.stack ?? '').split('\n'),
      })
    : failed(requestId, { errorType: typeof cause, errorMessage: String(cause), trace: [] });

const returned = (requestId: string, value: unknown): InvocationAnswer => {
  const payload = JSON.stringify(value) ?? 'null';
  if (payload.length > payloadBytesMax || Buffer.byteLength(payload) > payloadBytesMax)
    return failed(requestId, {
      errorType: 'Function.ResponseSizeTooLarge',
      errorMessage: `Response payload size exceeded maximum allowed payload size (${payloadBytesMax} bytes).`,
    });
  return { statusCode: 200, requestId, payload };
};

const obsolete = (): void => {
  throw new Error(
    'context.done, fail and succeed are not in Node 24 runtimes. Return or throw instead.',
  );
};

const contextOf = (
  settings: InvocationSettings,
  place: Place,
  requestId: string,
  remainingMs: () => number,
): Context => ({
  callbackWaitsForEmptyEventLoop: true,
  functionName: settings.functionName,
  functionVersion: '$LATEST',
  invokedFunctionArn: functionArn(place, settings.functionName),
  memoryLimitInMB: String(settings.memoryMb),
  awsRequestId: requestId,
  logGroupName: `/aws/lambda/${settings.functionName}`,
  logStreamName: 'twin',
  getRemainingTimeInMillis: remainingMs,
  done: obsolete,
  fail: obsolete,
  succeed: obsolete,
});

export interface RunningInvocation {
  readonly answer: Promise<InvocationAnswer>;
  /** Ends it as a timeout would: the ports refuse, the caller gets an error. */
  kill(): void;
}

/** Runs `work` under the settings' timeout. `onEnd` is called once, when the caller's answer is known. */
export const runInvocation = (
  world: { readonly clock: TwinClock; readonly place: Place },
  settings: InvocationSettings,
  requestId: string,
  work: (context: Context) => unknown,
): RunningInvocation => {
  const { clock, place } = world;
  const deadlineMs = clock.now() + settings.timeoutMs;
  const scope: InvocationScope = { requestId, functionName: settings.functionName, open: true };
  const context = contextOf(settings, place, requestId, () =>
    Math.max(0, deadlineMs - clock.now()),
  );
  const { promise, resolve } = Promise.withResolvers<InvocationAnswer>();
  const end = (answer: InvocationAnswer): void => {
    scope.open = false;
    cancelTimeout();
    resolve(answer);
  };
  const timeOut = (): void => {
    const seconds = (settings.timeoutMs / 1000).toFixed(2);
    const errorMessage = `RequestId: ${requestId} Error: Task timed out after ${seconds} seconds`;
    end(failed(requestId, { errorType: 'Sandbox.Timedout', errorMessage }));
  };
  const cancelTimeout = clock.at(deadlineMs, timeOut);
  const run = async (): Promise<unknown> => work(context);
  withinScope(scope, run).then(
    (value) => end(returned(requestId, value)),
    (cause: unknown) => end(thrown(requestId, cause)),
  );
  return { answer: promise, kill: timeOut };
};
