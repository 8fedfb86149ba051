// How much of a list fits into one answer: Lambda takes 6 MB, and fails as a whole beyond. Owns: that bound.
// Tested in test/functions/api/http/large-answers.test.ts.

/** Below Lambda's, for what an answer adds: the language, the links, the next page. */
export const answerBytesMax = 4 * 1024 * 1024;

export const bytesOf = (item: unknown): number => Buffer.byteLength(JSON.stringify(item));

/** The first ones that fit together, at least one. */
export const fitting = <Item>(items: readonly Item[]): readonly Item[] => {
  let bytes = 0;
  const beyond = items.findIndex((item, index) => {
    bytes += bytesOf(item);
    return index > 0 && bytes > answerBytesMax;
  });
  return beyond === -1 ? items : items.slice(0, beyond);
};
