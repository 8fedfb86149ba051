// Rows on a terminal, one line each, columns aligned. Owns: that form; control characters from outside never reach a terminal.

/** Every control character but none of the text: what the outside wrote must not steer a terminal. */
export const plain = (text: string): string => text.replace(/[\p{Cc}\p{Cf}]+/gu, ' ').trim();

/** A text of several lines, as it is, but for what would steer a terminal. */
export const prose = (text: string): string =>
  text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[^\P{Cc}\n\t]|\p{Cf}/gu, ' ')
    .trimEnd();

export const cut = (text: string, most: number): string => {
  const clean = plain(text);
  return clean.length > most ? `${clean.slice(0, most - 1)}…` : clean;
};

/** Aligned rows; the last column is not padded. */
export const table = (rows: readonly (readonly string[])[]): string => {
  const widths: number[] = [];
  for (const row of rows)
    for (const [index, cell] of row.entries())
      widths[index] = Math.max(widths[index] ?? 0, plain(cell).length);
  return rows
    .map((row) =>
      row
        .map((cell, index) =>
          index === row.length - 1 ? plain(cell) : plain(cell).padEnd(widths[index] ?? 0),
        )
        .join('  '),
    )
    .join('\n');
};

/** Names and values, one pair a line; what is undefined is left out. */
export const pairs = (
  rows: readonly (readonly [name: string, value: string | undefined])[],
): string =>
  table(rows.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])));
