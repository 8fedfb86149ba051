// Texts that must fit into an item: how large they are there, and cut copies that say they are cut.
// Owns: measuring and cutting. Laws: L16 (what the agent is told of a cut is plain).
// Tested in test/adversary/facts.test.ts.

/** Bytes a text takes in an item's document, where JSON escapes it. */
export const jsonBytes = (text: string): number => Buffer.byteLength(JSON.stringify(text));

/** The longest beginning that takes at most so many bytes in a document; no character is cut in two. */
export const beginningOf = (text: string, bytesMax: number): string => {
  if (jsonBytes(text) <= bytesMax) return text;
  let fits = 0;
  let tooLong = text.length;
  while (tooLong - fits > 1) {
    const middle = Math.floor((fits + tooLong) / 2);
    if (jsonBytes(text.slice(0, middle)) <= bytesMax) fits = middle;
    else tooLong = middle;
  }
  const isHalf = /[\uD800-\uDBFF]/.test(text.charAt(fits - 1));
  return text.slice(0, isHalf ? fits - 1 : fits);
};

/** The text, or its beginning with a word on how much is shown and `why`. The word comes on top of the bytes. */
export const cutTo = (text: string, bytesMax: number, why: string): string => {
  const shown = beginningOf(text, bytesMax);
  if (shown.length === text.length) return text;
  return `${shown}\n[Cut here: ${shown.length} of ${text.length} characters are shown. ${why}]`;
};

/** The largest share that each may take, so that all together take at most so many bytes: small ones leave theirs to the others. */
export const shareOf = (sizes: readonly number[], bytesMax: number): number => {
  let left = bytesMax;
  const rising = sizes.toSorted((a, b) => a - b);
  for (const [index, size] of rising.entries()) {
    const share = Math.floor(left / (rising.length - index));
    if (size > share) return share;
    left -= size;
  }
  return bytesMax;
};
