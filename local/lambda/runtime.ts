// Lambda on one machine: the manifest's functions, run in this process. Owns: the built handlers, the running
// invocations and the reserved concurrency. Handlers get their payload as a copy, as over the wire.
import { randomUUID } from 'node:crypto';
import type { Context } from 'aws-lambda';
import type { FunctionEntry } from '../../functions/manifest.ts';
import type { Log } from '../../functions/ports/world.ts';
import type { Substrate } from '../../functions/wiring/substrate.ts';
import type { TwinClock } from '../base/clock.ts';
import { functionNameOf, type Place } from '../base/names.ts';
import { AwsFault } from '../base/wire.ts';
import { type InvocationAnswer, payloadBytesMax, runInvocation } from './invocation.ts';
import { type BuiltHandler, buildHandler, type HandlerFor } from './modules.ts';
import { ResponseStream, type StreamSink } from './streaming.ts';

export interface LambdaRuntimeOptions {
  readonly place: Place;
  readonly clock: TwinClock;
  readonly functions: Readonly<Record<string, FunctionEntry>>;
  /** Handlers that stand in for a module's, by function name (tests). */
  readonly handlers: Readonly<Record<string, HandlerFor>>;
  substrate(functionName: string): Substrate;
  /** Told what a function did wrong; its caller is told too. */
  readonly log: Pick<Log, 'error'>;
  /** Invokes a function that is not one of these; absent when there is nowhere to send it. */
  readonly forward?: (name: string, payload: string) => Promise<InvocationAnswer>;
}

export interface LambdaRuntime {
  /** Whether the name or ARN is one of the twin's own functions. */
  owns(reference: string): boolean;
  /**
   * Invokes and waits. `payload` is JSON text. Rejects with AwsFault: ResourceNotFoundException, TooManyRequestsException,
   * RequestTooLargeException, InvalidRequestContentException. What the function does wrong is an answer, not a rejection.
   */
  invoke(reference: string, payload: string): Promise<InvocationAnswer>;
  /** Invokes a streaming function; its response goes to `sink`. `abandoned` aborts when the reader has left. */
  stream(
    reference: string,
    payload: string,
    sink: StreamSink,
    abandoned: AbortSignal,
  ): Promise<InvocationAnswer>;
  /** Ends every running invocation; their ports refuse from then on. */
  close(): void;
}

interface OwnFunction {
  readonly name: string;
  readonly entry: FunctionEntry;
  handler: Promise<BuiltHandler> | undefined;
  running: number;
}

type Work = (handler: BuiltHandler, event: unknown, context: Context) => unknown;

const eventOf = (payload: string): unknown => {
  if (payload.length > payloadBytesMax || Buffer.byteLength(payload) > payloadBytesMax)
    throw new AwsFault(
      'RequestTooLargeException',
      `Request must be smaller than ${payloadBytesMax} bytes for the InvokeFunction operation`,
      413,
    );
  try {
    return JSON.parse(payload === '' ? '{}' : payload);
  } catch (cause) {
    const detail = cause instanceof Error ? cause.message : 'no JSON';
    throw new AwsFault(
      'InvalidRequestContentException',
      `Could not parse request body into json: ${detail}`,
    );
  }
};

const tellFailure = (
  log: LambdaRuntimeOptions['log'],
  functionName: string,
  { requestId, payload }: InvocationAnswer,
): void => {
  const error: unknown = JSON.parse(payload);
  log.error('A function failed.', { functionName, requestId, error });
};

const ownFunctions = ({ functions }: LambdaRuntimeOptions): Map<string, OwnFunction> =>
  new Map(
    Object.entries(functions).map(([name, entry]) => [
      name,
      { name, entry, handler: undefined, running: 0 },
    ]),
  );

export const openLambdaRuntime = (options: LambdaRuntimeOptions): LambdaRuntime => {
  const own = ownFunctions(options);
  const running = new Set<() => void>();

  const handlerOf = (fn: OwnFunction): Promise<BuiltHandler> => {
    fn.handler ??= buildHandler(
      fn.entry.module,
      options.substrate(fn.name),
      options.handlers[fn.name],
    ).catch((cause: unknown) => {
      // Tried again by the next invocation: the file may be there by then.
      fn.handler = undefined;
      throw cause;
    });
    return fn.handler;
  };

  const begin = async (fn: OwnFunction, payload: string, work: Work): Promise<InvocationAnswer> => {
    const event = eventOf(payload);
    const { timeoutMs, memoryMb, reservedConcurrency } = fn.entry;
    if (reservedConcurrency !== undefined && fn.running >= reservedConcurrency)
      throw new AwsFault('TooManyRequestsException', 'Rate Exceeded.', 429);
    fn.running += 1;
    const settings = { functionName: fn.name, timeoutMs, memoryMb };
    const invocation = runInvocation(options, settings, randomUUID(), async (context) =>
      work(await handlerOf(fn), event, context),
    );
    running.add(invocation.kill);
    try {
      const answer = await invocation.answer;
      if (answer.functionError !== undefined) tellFailure(options.log, fn.name, answer);
      return answer;
    } finally {
      running.delete(invocation.kill);
      fn.running -= 1;
    }
  };

  const find = (reference: string): OwnFunction | undefined => {
    const { name, foreign } = functionNameOf(reference, options.place);
    return foreign ? undefined : own.get(name);
  };
  const found = (reference: string): OwnFunction => {
    const fn = find(reference);
    if (fn !== undefined) return fn;
    throw new AwsFault(
      'ResourceNotFoundException',
      `Function not found: ${reference}. The twin knows ${[...own.keys()].join(', ')}; ` +
        'set AWS_ENDPOINT_URL_LAMBDA to have other functions invoked there.',
      404,
    );
  };

  return {
    owns: (reference) => find(reference) !== undefined,
    invoke: async (reference, payload) => {
      if (find(reference) === undefined && options.forward !== undefined)
        return options.forward(reference, payload);
      return begin(found(reference), payload, (handler, event, context) => {
        if (handler.kind === 'plain') return handler.run(event, context);
        return collectStream((sink) => handler.run(event, new ResponseStream(sink), context));
      });
    },
    stream: (reference, payload, sink, abandoned) =>
      begin(found(reference), payload, (handler, event, context) =>
        streamInto(handler, event, context, sink, abandoned),
      ),
    close: () => {
      for (const kill of running) kill();
    },
  };
};

const streamInto = async (
  handler: BuiltHandler,
  event: unknown,
  context: Context,
  sink: StreamSink,
  abandoned: AbortSignal,
): Promise<unknown> => {
  if (handler.kind === 'plain')
    throw new Error(
      `${context.functionName} is streamed but not wrapped in awslambda.streamifyResponse.`,
    );
  const stream = new ResponseStream(sink);
  // A stream nobody reads any more must not bring the process down.
  stream.on('error', () => undefined);
  const abandon = (): void => void stream.destroy();
  abandoned.addEventListener('abort', abandon, { once: true });
  try {
    if (abandoned.aborted) abandon();
    await handler.run(event, stream, context);
    if (!stream.writableEnded && !stream.destroyed) stream.end();
    return null;
  } finally {
    abandoned.removeEventListener('abort', abandon);
  }
};

/** A streaming function invoked without streaming answers its whole body as text. */
const collectStream = async (run: (sink: StreamSink) => unknown): Promise<string> => {
  const chunks: Uint8Array[] = [];
  await run({
    head: () => undefined,
    write: (chunk, done) => {
      chunks.push(chunk);
      done();
    },
    end: () => undefined,
  });
  return Buffer.concat(chunks).toString('utf8');
};
