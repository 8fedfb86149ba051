// Finding words in texts: all of them, wherever they stand, case and accents aside. Owns: that rule, and the excerpt. Pure.
// Tested in test/core/reports/overview.test.ts.

const folded = (text: string): string =>
  text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();

/** The words of what is looked for, as they are compared. */
export const wordsOf = (query: string): readonly string[] =>
  folded(query)
    .split(/\s+/u)
    .filter((word) => word !== '');

export const holdsAll = (text: string, words: readonly string[]): boolean => {
  const whole = folded(text);
  return words.every((word) => whole.includes(word));
};

const before = 40;
const longest = 160;

/** Where the first of the words stands in the text itself; its beginning when folding moved it out of sight. */
const placeOf = (text: string, words: readonly string[]): number => {
  // Composed letters keep their length when only their marks are taken away, so places stay the same for nearly all texts.
  const plain = [...text.normalize('NFC')].map((letter) => folded(letter).slice(0, 1) || letter);
  const line = plain.join('');
  const found = words.map((word) => line.indexOf(word)).filter((place) => place >= 0);
  return found.length === 0 ? 0 : Math.min(...found);
};

/** A piece of the text, on one line, around the first word found. */
export const excerptOf = (text: string, words: readonly string[]): string => {
  const line = text.normalize('NFC').replaceAll(/\s+/gu, ' ').trim();
  const letters = [...line];
  const from = Math.max(0, placeOf(line, words) - before);
  const piece = letters.slice(from, from + longest).join('');
  return `${from > 0 ? '…' : ''}${piece}${from + longest < letters.length ? '…' : ''}`;
};
