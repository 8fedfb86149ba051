// JSON read without changing it. `JSON.parse` makes a number of what a double cannot hold: another one, infinity or nothing.
// Owns: which numbers and texts can be kept as they are, and what becomes of the others. What comes from a destination keeps them as
// their own text; arguments that hold them are refused. Laws: L6 (what is kept is what was written, never rounded).
import type { Json } from './json.ts';

/** Digits that a double always keeps, unless the number is out of its range. */
const digitsKept = 15;

interface Decimal {
  readonly negative: boolean;
  /** Without zeros at either end; empty for zero. */
  readonly digits: string;
  /** The power of ten of the last digit. */
  readonly exponent: number;
}

const decimalOf = (text: string): Decimal => {
  const [, sign, whole = '', part = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const written = `${whole}${part}`.replace(/^0+/, '');
  const digits = written.replace(/0+$/, '');
  return {
    negative: sign === '-' && digits !== '',
    digits,
    exponent: digits === '' ? 0 : Number(exponent) - part.length + (written.length - digits.length),
  };
};

/** Whether a number, as JSON writes it, is the one that a double stands for in its canonical form. */
const isKept = (text: string): boolean => {
  if (text.length <= digitsKept && /^-?\d+(?:\.\d+)?$/.test(text)) return true;
  const number = Number(text);
  if (!Number.isFinite(number)) return false;
  const written = decimalOf(text);
  const kept = decimalOf(String(number));
  return (
    written.digits === kept.digits &&
    written.negative === kept.negative &&
    written.exponent === kept.exponent
  );
};

/** A text, or a number; nothing else of JSON holds a digit. A text without an end goes to the end, so that none is read twice. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*\\?(?:"|$)|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/gs;
/** An escaped character; a pair of halves is one. */
const escapes = /\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u[\da-fA-F]{4}|.)/gs;
const escapedHalf = /^\\u[dD][89a-fA-F][\da-fA-F]{2}$/;

/** What costs a second look; whatever has none of it is kept as it is. */
const doubtful = /[\d.]{16}|\d[eE][+-]?\d|-0|\\u[dD][89a-fA-F]/;

const keptNumber = (token: string): string => {
  if (token.startsWith('"')) return token;
  if (!isKept(token)) return `"${token}"`;
  return Number(token) === 0 ? '0' : token;
};

const keptToken = (token: string): string =>
  token.startsWith('"')
    ? token.replace(escapes, (one) => (escapedHalf.test(one) ? `\\${one}` : one))
    : keptNumber(token);

/**
 * JSON in which every number that a double cannot hold is a text, the one that it was written as, and every half of a character
 * the escape that it was written as. What is no JSON stays none.
 */
export const keptAsText = (text: string): string =>
  doubtful.test(text) ? text.replace(tokens, keptToken) : text;

/** For what a destination says: reads it with its numbers kept. Throws a SyntaxError for what is no JSON. */
export const parseKept = (text: string): Json => JSON.parse(keptAsText(text)) as Json;

/** For what people wrote: its numbers are kept; halves of characters are the reader's to deal with. */
export const parseNumbersKept = (text: string): Json =>
  JSON.parse(doubtful.test(text) ? text.replace(tokens, keptNumber) : text) as Json;

declare global {
  interface JSON {
    /** A value that `stringify` writes as this text (ES2026; the compiler's library does not know it yet). */
    rawJSON(text: string): { readonly rawJSON: string };
  }
}

const asWritten = (
  _name: string,
  value: unknown,
  context?: { readonly source?: string },
): unknown =>
  typeof value === 'number' && context?.source !== undefined && !isKept(context.source)
    ? JSON.rawJSON(context.source)
    : value;

/** For what is put together and then written again: a number that cannot be kept is written as it was read. */
export const parseWritten = (text: string): Json => JSON.parse(text, asWritten) as Json;

/** A part of arguments that cannot be kept exactly. */
export interface Unkept {
  /** Dotted; empty for the whole. */
  readonly path: string;
  readonly is: 'number' | 'half' | 'name' | 'depth';
  /** As it was written. */
  readonly text: string;
}

/** Deeper arguments are not taken: what walks them later would run out of stack. */
export const argumentsDepthMax = 32;

/** Depth by scanning the text, so that no deep value is ever built. Brackets in texts do not count. */
export const isDeeperThan = (text: string, depthMax: number): boolean => {
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

/** An object's own name of that kind is lost wherever an object is built anew. */
const mayNameProto = /__proto__|\\u00[567]/;

const isRecord = (value: Json): value is { readonly [name: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Where the value as it was kept is not the one that was written. */
const differences = (kept: Json, plain: Json, path: string): readonly Unkept[] => {
  const within = (name: string | number) => (path === '' ? String(name) : `${path}.${name}`);
  if (typeof plain === 'number') {
    return typeof kept === 'string' ? [{ path, is: 'number', text: kept }] : [];
  }
  if (typeof plain === 'string') {
    return plain.isWellFormed() ? [] : [{ path, is: 'half', text: String(kept) }];
  }
  if (Array.isArray(plain) && Array.isArray(kept)) {
    return plain.flatMap((one: Json, index) => differences(kept[index], one, within(index)));
  }
  if (!isRecord(plain) || !isRecord(kept)) return [];
  // The same names in the same order, but for halves of characters.
  const keptNames = Object.keys(kept);
  return Object.entries(plain).flatMap(([name, one], index): readonly Unkept[] => {
    const keptName = keptNames[index] ?? name;
    if (!name.isWellFormed()) return [{ path: within(keptName), is: 'half', text: keptName }];
    if (name === '__proto__') return [{ path: within(name), is: 'name', text: name }];
    return differences(kept[name] ?? null, one, within(name));
  });
};

export interface ExactJson {
  /** What cannot be kept stands in it as a text. */
  readonly value: Json;
  /** Empty when the value is what was written. */
  readonly unkept: readonly Unkept[];
}

/** For what is to be done as it was written: says what could not be kept. Throws a SyntaxError for what is no JSON. */
export const parseExact = (text: string): ExactJson => {
  if (isDeeperThan(text, argumentsDepthMax)) {
    return { value: null, unkept: [{ path: '', is: 'depth', text: '' }] };
  }
  const kept = keptAsText(text);
  const value = JSON.parse(kept) as Json;
  const same = kept === text && !mayNameProto.test(text);
  return { value, unkept: same ? [] : differences(value, JSON.parse(text) as Json, '') };
};

const shownMax = 8;
const charactersShownMax = 120;

const shown = (text: string): string =>
  JSON.stringify(text.slice(0, charactersShownMax)).toWellFormed();

const wordsOf = ({ path, is, text }: Unkept): string => {
  const where = path === '' ? 'The value' : shown(path);
  switch (is) {
    case 'number':
      return `${where} is the number ${text.slice(0, charactersShownMax)}, which would become another number here. Give it as text where the tool takes text: ${shown(text)}.`;
    case 'half':
      return `${where} holds half a character (a surrogate without its pair). Write whole characters.`;
    case 'name':
      return `The name ${shown(text)} is not taken.`;
    case 'depth':
      return `They are nested deeper than ${argumentsDepthMax} levels.`;
  }
};

/** What could not be kept, and what to do, in words for the model. */
export const unkeptWords = (unkept: readonly Unkept[]): string => {
  const left = unkept.length - shownMax;
  const more = left > 0 ? [`There are ${left} more.`] : [];
  return [...unkept.slice(0, shownMax).map(wordsOf), ...more].join(' ');
};
