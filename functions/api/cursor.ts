// Cursors as callers see them: opaque, and bound to the list and workspace they came from. Owns: that form.
import { z } from 'zod';
import { problem } from './problems.ts';

/** What may stand for a place in a list: what a sort key can be. */
const bytesMax = 1_024;
export const Place = z
  .string()
  .min(1)
  .refine((at) => at.isWellFormed() && Buffer.byteLength(at) <= bytesMax);

const Cursor = z.strictObject({
  v: z.literal(1),
  list: z.string(),
  of: z.string(),
  at: Place,
});

export const cursorOut = (list: string, workspace: string, next: string): string =>
  Buffer.from(JSON.stringify({ v: 1, list, of: workspace, at: next })).toString('base64url');

/** The store's own cursor. Throws the problem `bad-cursor`. */
export const cursorIn = (
  list: string,
  workspace: string,
  cursor: string | undefined,
): string | undefined => {
  if (cursor === undefined) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    throw problem('bad-cursor', {});
  }
  const read = Cursor.safeParse(value);
  if (!read.success || read.data.list !== list || read.data.of !== workspace)
    throw problem('bad-cursor', {});
  return read.data.at;
};
