// Dates in French words. Owns: the first of a month, which French counts apart and the platform's formats do not.

/** "1 décembre 2026" as "1er décembre 2026", wherever it stands in a formatted date. */
export const frenchDate = (formatted: string): string =>
  formatted.replace(/(?<!\d)1 (?=\p{Lowercase}{3})/u, '1er ');
