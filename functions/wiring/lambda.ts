// The shell of every function that a machine, a stream or a schedule calls: parses the input once, and lets only three error
// names out. Owns: the middy chain. Early timeouts are off: a handler that is cut must never be taken for one that ended.
import middy from '@middy/core';
import type { Context } from 'aws-lambda';
import type { z } from 'zod';
import { Defect, RunFenced, TryAgain } from '../core/base/errors.ts';
import type { Log } from '../ports/world.ts';
import { about, idsIn } from './invocation.ts';

export type LambdaHandler<Output> = (input: unknown, context: Context) => Promise<Output>;

const known = (error: unknown): boolean =>
  error instanceof RunFenced || error instanceof TryAgain || error instanceof Defect;

/** The services' own failures pass; anything else we did not foresee is a mistake of ours. */
const isPassing = (error: unknown): boolean =>
  error instanceof Error &&
  ('$metadata' in error || '$fault' in error || 'code' in error || error.name === 'TimeoutError');

const named = (error: unknown): Error => {
  if (known(error) && error instanceof Error) return error;
  const message = error instanceof Error ? error.message : String(error);
  return isPassing(error)
    ? new TryAgain(`A service did not answer: ${message}`, { cause: error })
    : new Defect(`Unforeseen: ${message}`, { cause: error });
};

export const lambdaHandler = <Schema extends z.ZodType, Output>(
  schema: Schema,
  log: Log,
  handle: (input: z.infer<Schema>, context: Context) => Promise<Output>,
): LambdaHandler<Output> => {
  const chain = middy<unknown, Output>({ timeoutEarlyInMillis: 0 })
    .onError((request) => {
      const error = named(request.error);
      if (!(error instanceof RunFenced))
        log.warn(`${error.name}: ${error.message}`, {
          cause: error.cause instanceof Error ? error.cause.stack : undefined,
        });
      throw error;
    })
    .handler(async (input: unknown, context: Context) => {
      const parsed = schema.safeParse(input);
      if (!parsed.success)
        throw new Defect(`The input does not have its form: ${parsed.error.message}`);
      return handle(parsed.data, context);
    });
  return (input, context) => about(idsIn(input), () => chain(input, context));
};
