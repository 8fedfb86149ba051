// The result of a call, as text for the agent and as a stored body for people when it is large.
// Owns: cutting, and saying that it was cut. Laws: L16.

import { beginningOf, jsonBytes } from '../core/base/cut.ts';
import type { Json } from '../core/base/json.ts';
import { inlineBytesMax, toldBytesMax, toldCharactersMax } from '../core/base/limits.ts';
import type { Told } from '../core/records/action.ts';
import type { Blobs } from '../ports/world.ts';

export interface Result {
  readonly text: string;
  readonly blob?: NonNullable<Told['blob']>;
}

/** In whole characters, as the body is when it is put aside. */
const textOf = (body: Json): string =>
  (typeof body === 'string' ? body : JSON.stringify(body)).toWellFormed();

/** Puts a large body aside first: a result that names a blob is readable. */
export const resultFrom = async (
  blobs: Blobs,
  workspace: string,
  body: Json | undefined,
): Promise<Result | undefined> => {
  if (body === undefined) return undefined;
  const text = textOf(body);
  const bytes = Buffer.from(text);
  if (bytes.byteLength <= inlineBytesMax && jsonBytes(text) <= toldBytesMax) return { text };
  const contentType = typeof body === 'string' ? 'text/plain; charset=utf-8' : 'application/json';
  const blob = await blobs.put(workspace, bytes, contentType);
  const shown = beginningOf(text.slice(0, toldCharactersMax), toldBytesMax);
  return {
    text: `${shown}\n[Cut here: ${shown.length} of ${text.length} characters are shown. The whole result is kept and people can read it.]`,
    blob,
  };
};
