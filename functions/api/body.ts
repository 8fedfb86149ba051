// A request body: its limits, its JSON. Owns: what is read of a body before any schema sees it.
import { type Json, wellFormed } from '../core/json.ts';
import { problem } from './problems.ts';

/** Below the gateway's 10 MB, which it answers itself. */
export const bodyBytesMax = 1024 * 1024;
/** A client of another protocol sends its whole history each time; Lambda itself takes 6 MB. */
export const historyBytesMax = 4 * 1024 * 1024;
export const depthMax = 32;

const isJsonType = (contentType: string | undefined): boolean =>
  /^application\/([a-z0-9.+-]+\+)?json\s*(;|$)/i.test(contentType ?? '');

/** Depth by scanning the text, so that no deep value is ever built. Brackets in strings do not count. */
const isTooDeep = (text: string): boolean => {
  let depth = 0;
  let inText = false;
  for (let place = 0; place < text.length; place += 1) {
    const character = text[place];
    if (inText) {
      if (character === '\\') place += 1;
      else if (character === '"') inText = false;
    } else if (character === '"') inText = true;
    else if (character === '{' || character === '[') {
      depth += 1;
      if (depth > depthMax) return true;
    } else if (character === '}' || character === ']') depth -= 1;
  }
  return false;
};

/** Only an escape can hold half a character: the bytes are UTF-8. */
const mayHoldHalves = /\\u[dD][89a-fA-F]/;

/** The body as JSON, of whole characters. Throws the problem that it is. */
export const jsonBody = (
  bytes: ArrayBuffer,
  contentType: string | undefined,
  bytesMax: number = bodyBytesMax,
): Json => {
  if (bytes.byteLength > bytesMax) throw problem('body-too-large', { bytesMax });
  if (bytes.byteLength > 0 && !isJsonType(contentType)) throw problem('unsupported-media-type', {});
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw problem('invalid-json', {});
  }
  if (isTooDeep(text)) throw problem('too-deep', { depthMax });
  try {
    const value: Json = JSON.parse(text);
    return mayHoldHalves.test(text) ? (wellFormed(value) as Json) : value;
  } catch {
    throw problem('invalid-json', {});
  }
};
