// What matching a regular expression can cost. Patterns are written by people and run on what others send, and a match cannot be
// broken off: one whose time doubles with each character is not taken, and the others only read as much text as they can in time.
// Owns: that estimate, from the pattern's text alone. It errs on the careful side.

/** Ways of matching that are tried at most; some seconds at worst. */
const waysMax = 300_000_000;

interface PatternCost {
  /** A repeated part can itself match in several ways: the time doubles with each character. */
  readonly explodes: boolean;
  /** Repeats of any length; the time grows by the text's length with each. */
  readonly repeats: number;
  /** Ways through what is optional or has alternatives, whatever the text. */
  readonly ways: number;
  /** It matches at the text's beginning or nowhere. */
  readonly anchored: boolean;
}

/** An escape, a class, a group's beginning or end, an alternative, a quantifier, or any character. */
const tokens =
  /\\(?:k<[^>]*>|x[\da-f]{2}|u[\da-f]{4}|c[a-z]|.)|\[(?:\\.|[^\]\\])*\]|\((?:\?(?:[:=!]|<[=!]|<[^>]*>))?|\)|\||[*+?]\??|\{\d+(?:,\d*)?\}\??|./gis;

/** Those that alternatives are told apart by: ASCII, and some beyond. */
const samples = [...Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)), 'é', '漢'];

/** What a token can match; undefined when that is not one character of its own. */
const charactersOf = (token: string): readonly string[] | undefined => {
  if (/^(?:[(|^$]|\\[bB1-9k])/.test(token)) return undefined;
  try {
    const one = new RegExp(`^(?:${token})$`, 'is');
    return samples.filter((sample) => one.test(sample));
  } catch {
    return undefined;
  }
};

/** True when the first character always tells which alternative it is. */
const areTold = (firsts: readonly (string | undefined)[]): boolean => {
  const seen = new Set<string>();
  return firsts.every((first) => {
    const characters = first === undefined ? undefined : charactersOf(first);
    if (characters === undefined || characters.length === 0) return false;
    if (characters.some((character) => seen.has(character))) return false;
    for (const character of characters) seen.add(character);
    return true;
  });
};

/** What a group, or the pattern itself, holds as far as it was read. */
interface Group {
  /** It can match in several ways. */
  varies: boolean;
  /** The first token of each alternative; undefined where it is empty. */
  readonly firsts: (string | undefined)[];
  /** An alternative begins here. */
  begins: boolean;
}
const newGroup = (): Group => ({ varies: false, firsts: [], begins: true });

const quantified = (token: string): { least: number; most: number } | undefined => {
  if (/^\*/.test(token)) return { least: 0, most: Infinity };
  if (/^\+/.test(token)) return { least: 1, most: Infinity };
  if (/^\?/.test(token)) return { least: 0, most: 1 };
  const [, least, comma, most] = /^\{(\d+)(,?)(\d*)\}/.exec(token) ?? [];
  if (least === undefined) return undefined;
  const open = most === '' ? Infinity : Number(most);
  return { least: Number(least), most: comma === '' ? Number(least) : open };
};

/** Reads a pattern token by token. */
class Reading {
  explodes = false;
  repeats = 0;
  ways = 1;
  readonly #open: Group[] = [];
  #group = newGroup();
  /** The group that a quantifier would repeat. */
  #last: Group | undefined;

  read(token: string): void {
    const times = quantified(token);
    if (times !== undefined) this.#repeat(times);
    else if (token === ')') this.#close();
    else if (token === '|') this.#endAlternative();
    else this.#begin(token);
  }

  /** The end of the pattern; groups that are still open end with it. */
  end(): PatternCost {
    while (this.#open.length > 0) this.#close();
    this.#endAlternatives(this.#group);
    const { explodes, repeats, ways } = this;
    const [first, ...others] = this.#group.firsts;
    return { explodes, repeats, ways, anchored: first === '^' && others.length === 0 };
  }

  #begin(token: string): void {
    this.#last = undefined;
    if (this.#group.begins) this.#group.firsts.push(token);
    this.#group.begins = false;
    if (/^\\[1-9k]/.test(token)) this.repeats += 1;
    if (!token.startsWith('(')) return;
    this.#open.push(this.#group);
    this.#group = newGroup();
  }

  #endAlternative(): void {
    if (this.#group.begins) this.#group.firsts.push(undefined);
    this.#group.begins = true;
    this.#last = undefined;
  }

  #endAlternatives(group: Group): void {
    this.#endAlternative();
    if (group.firsts.length === 1 || areTold(group.firsts)) return;
    group.varies = true;
    this.ways *= group.firsts.length;
  }

  #close(): void {
    const closed = this.#group;
    this.#endAlternatives(closed);
    this.#group = this.#open.pop() ?? newGroup();
    if (closed.varies) this.#group.varies = true;
    this.#last = closed;
  }

  #repeat({ least, most }: { readonly least: number; readonly most: number }): void {
    if (most > 1 && this.#last?.varies === true) this.explodes = true;
    this.#last = undefined;
    if (least === most) return;
    if (most > 1) this.repeats += 1;
    else this.ways *= 2;
    this.#group.varies = true;
  }
}

export const patternCost = (source: string): PatternCost => {
  const reading = new Reading();
  for (const [token] of source.matchAll(tokens)) reading.read(token);
  return reading.end();
};

export const explodes = (source: string): boolean => patternCost(source).explodes;

/** A regular expression that reads no more text than it can in time. Its `exec` throws for more. */
export class BoundedPattern extends RegExp {
  readonly #cost = patternCost(this.source);

  override exec(text: string): RegExpExecArray | null {
    const { explodes: never, repeats, ways, anchored } = this.#cost;
    // Where a match may begin anywhere, each place is tried.
    const grows = repeats + (anchored && !this.multiline ? 0 : 1);
    if (never || text.length ** grows * ways > waysMax)
      throw new Error('The text is too long for this regular expression.');
    return super.exec(text);
  }
}
