// Rows as CSV (RFC 4180) that a spreadsheet opens without running anything. Owns: quoting, and neutralising formulas.
// Tested in test/functions/api/desk/desk.test.ts.

/** A cell that a spreadsheet would take for a formula gets an apostrophe before it, which is shown as text. */
const harmless = (cell: string): string => (/^[=+\-@\t\r\n]/.test(cell) ? `'${cell}` : cell);

const quoted = (cell: string): string =>
  /[",\r\n;]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;

export const csvOf = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `${row.map((cell) => quoted(harmless(cell))).join(',')}\r\n`).join('');
