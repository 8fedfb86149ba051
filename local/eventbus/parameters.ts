// Reads the parameters of bus operations. Owns: the words of what is wrong with them.
import type { z } from 'zod';
import { AwsFault } from '../base/wire.ts';

/** Reads parameters. Throws ValidationException naming the wrong ones. */
export const parameters = <Output>(schema: z.ZodType<Output>, body: unknown): Output => {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const wrong = result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  throw new AwsFault('ValidationException', `Wrong parameters: ${wrong.join('; ')}`);
};

/** A bus is named by name or ARN. */
export const busNameOf = (reference: string | undefined): string =>
  reference === undefined ? 'default' : (reference.split('event-bus/')[1] ?? reference);
