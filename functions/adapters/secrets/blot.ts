// Keeps secrets out of what others send back, however they write them: as they are, or as JSON, URLs, HTML or base64 have it.
// Owns: what counts as a trace of a secret. Laws: L18 (an echoed secret goes no further).
// Tested in test/functions/adapters/blot.test.ts.
import type { Json } from '../../core/base/json.ts';

/** Text with the secrets in it replaced by their names. */
export type Blot = (text: string) => string;

/** Shorter values would blot out ordinary words. */
const secretCharactersMin = 6;

/** Escapes of escapes are seen through (JSON within JSON); bounded, so that no text of others takes long to read. */
const timesMax = 8;
const backslashes = `\\\\{1,${timesMax}}`;
const ampersand = `&(?:amp;){0,${timesMax}}`;

const literally = (text: string): string => text.replaceAll(/[$()*+\-./?[\\\]^{|}]/g, '\\$&');

/** Hexadecimal digits in either case. */
const inHex = (number: number, digits: number): string =>
  number
    .toString(16)
    .padStart(digits, '0')
    .replaceAll(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);

const letters = new Map([
  ['\n', 'n'],
  ['\r', 'r'],
  ['\t', 't'],
]);
const entities = new Map([
  ['&', 'amp'],
  ['<', 'lt'],
  ['>', 'gt'],
  ['"', 'quot'],
  ["'", 'apos'],
]);

/** As JSON, URLs and HTML escape a character. `times` is how many backslashes may stand before it. */
const escapesOf = (character: string, times: string): readonly string[] => {
  const code = character.codePointAt(0) ?? 0;
  const letter = letters.get(character);
  const entity = entities.get(character);
  return [
    character
      .split('')
      .map((unit) => `${times}u${inHex(unit.charCodeAt(0), 4)}`)
      .join(''),
    [...new TextEncoder().encode(character)]
      .map((byte) => `%(?:25){0,${timesMax}}${inHex(byte, 2)}`)
      .join(''),
    `${ampersand}#(?:0{0,4}${code}|[xX]0{0,4}${inHex(code, 1)});`,
    ...(letter === undefined ? [] : [`${times}${letter}`]),
    ...(entity === undefined ? [] : [`${ampersand}${entity};`]),
    ...(character === ' ' ? ['\\+'] : []),
  ];
};

/** A pattern for one character, or for a row of backslashes, in every form. What stands before the first is not its own. */
const formsOf = (part: string, index: number): string => {
  const times = index === 0 ? '\\\\' : backslashes;
  const plain = part.startsWith('\\')
    ? `\\\\{${part.length},${part.length * timesMax}}`
    : `${index === 0 ? '' : `\\\\{0,${timesMax}}`}${literally(part)}`;
  const escaped = escapesOf(part.startsWith('\\') ? '\\' : part, times).join('|');
  const often = part.startsWith('\\') ? `(?:${escaped}){${part.length}}` : escaped;
  return `(?:${plain}|${often})`;
};

const patternOf = (value: string): string =>
  (value.match(/\\+|[^\\]/gsu) ?? []).map(formsOf).join('');

/** Base64 has two signs that are not the same everywhere and that others escape. */
const base64Signs = new Map([
  ['+', `(?:[+\\-]|\\\\u002[bB]|%2[bB])`],
  ['/', `(?:\\\\{0,${timesMax}}[/_]|%2[fF])`],
]);

/** Of base64 the signs that stand for the value alone, whatever was encoded before it: three ways, by where it begins. */
const base64Texts = (value: string): readonly string[] => {
  const bytes = Buffer.from(value);
  return [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    const first = Math.ceil((before * 8) / 6);
    const last = Math.floor(((before + bytes.length) * 8) / 6);
    return text.slice(first, last);
  });
};
const base64Of = (value: string): readonly string[] =>
  base64Texts(value).map((text) => [...text].map((sign) => base64Signs.get(sign) ?? sign).join(''));

/** Replaces secrets in every form in which they are likely to come back. */
export const blotOf = (secrets: ReadonlyMap<string, string>): Blot => {
  const traces = [...secrets].flatMap(([name, value]) => {
    if (value.length < secretCharactersMin) return [];
    const patterns = [patternOf(value), ...base64Of(value)];
    return [[new RegExp(patterns.join('|'), 'g'), `[secret:${name}]`] as const];
  });
  return (text) => traces.reduce((so, [trace, mark]) => so.replaceAll(trace, () => mark), text);
};

/** How much of a text's end may be the beginning of this one. */
const begunAt = (text: string, whole: string): number => {
  for (let count = Math.min(text.length, whole.length - 1); count > 0; count -= 1)
    if (text.endsWith(whole.slice(0, count))) return count;
  return 0;
};

/** A text that comes in pieces. */
export interface BlottedPieces {
  /** What may be told by now; what can be the beginning of a secret waits for the next piece. */
  next(piece: string): string;
  /** What still waits, when no other piece comes. */
  rest(): string;
}

/** Blots a text of which any piece may end within a secret, as it is or in base64. */
export const blotPieces = (secrets: ReadonlyMap<string, string>): BlottedPieces => {
  const blot = blotOf(secrets);
  const wholes = [...secrets.values()]
    .filter((value) => value.length >= secretCharactersMin)
    .flatMap((value) => [value, ...base64Texts(value)]);
  let waiting = '';
  return {
    next: (piece) => {
      const text = blot(waiting + piece);
      const told = text.length - Math.max(0, ...wholes.map((whole) => begunAt(text, whole)));
      waiting = text.slice(told);
      return text.slice(0, told);
    },
    rest: () => {
      const text = waiting;
      waiting = '';
      return text;
    },
  };
};

/** A JSON value with the secrets in its texts, names and numbers replaced; what was JSON stays JSON. */
export const blotJson = (value: Json, blot: Blot): Json => {
  if (typeof value === 'string') return blot(value);
  if (typeof value === 'number') {
    const text = String(value);
    const clean = blot(text);
    return clean === text ? value : clean;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((part: Json) => blotJson(part, blot));
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [blot(name), blotJson(part, blot)]),
  );
};
