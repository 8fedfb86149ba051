// The AWS JSON protocol: reading request bodies, dates as seconds, page tokens.
// Owns: the wording of ValidationException.
import { z } from 'zod';
import { Fault } from '../faults.ts';

export const invalid = (message: string): Fault => new Fault('ValidationException', message);

const constraintOf = (issue: z.core.$ZodIssue): string => {
  switch (issue.code) {
    case 'too_big':
      return `Member must have length less than or equal to ${issue.maximum}`;
    case 'too_small':
      return `Member must have length greater than or equal to ${issue.minimum}`;
    default:
      return issue.message.includes('received undefined')
        ? 'Member must not be null'
        : issue.message;
  }
};

/** The body as the schema wants it, or ValidationException. */
export const readBody = <Schema extends z.ZodType>(
  schema: Schema,
  body: unknown,
): z.output<Schema> => {
  const result = schema.safeParse(body ?? {});
  if (result.success) return result.data;
  const wrong = result.error.issues.map(
    (issue) =>
      `Value at '${issue.path.join('.')}' failed to satisfy constraint: ${constraintOf(issue)}`,
  );
  throw invalid(
    `${wrong.length} validation error${wrong.length === 1 ? '' : 's'} detected: ${wrong.join('; ')}`,
  );
};

/** Epoch seconds, as the JSON protocol writes dates. */
export const seconds = (ms: number): number => ms / 1000;

/** The object without its undefined members. */
export const compact = <Fields extends Record<string, unknown>>(fields: Fields): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

export const arn = z.string().min(1).max(256);
export const name = z.string().min(1).max(80);
export const nextToken = z.string().min(1).max(1024).optional();

/** How many to return when the caller names no number, or 0. */
export const pageSize = (otherwise: number): z.ZodType<number> =>
  z
    .number()
    .int()
    .min(0)
    .max(1000)
    .default(0)
    .transform((value) => (value === 0 ? otherwise : value));

export const tokenOf = (position: string | number): string =>
  Buffer.from(`page ${position}`).toString('base64');

/** The position in a page token, or `otherwise` without one; throws InvalidToken. */
export const positionIn = (token: string | undefined, otherwise: string): string => {
  if (token === undefined) return otherwise;
  const text = Buffer.from(token, 'base64').toString();
  if (!text.startsWith('page ')) throw new Fault('InvalidToken', `Invalid Token: '${token}'`);
  return text.slice(5);
};
