// A recovery sheet on a terminal: plain text from the sheet's JSON form. Owns: that form; what others wrote cannot steer the
// terminal.
import { z } from 'zod';
import { plain } from './table.ts';

const Field = z.looseObject({
  number: z.number(),
  title: z.string(),
  lines: z.array(z.looseObject({ label: z.string(), text: z.string(), is: z.string() })),
  missing: z.array(z.looseObject({ text: z.string() })),
});
const Sheet = z.looseObject({
  title: z.string(),
  state: z.looseObject({ text: z.string() }),
  stateAt: z.string(),
  fields: z.array(Field),
});

const fieldLines = ({ number, title, lines, missing }: z.infer<typeof Field>): string[] => [
  '',
  `${number}. ${plain(title)}`,
  ...lines.map(
    ({ label, text, is }) => `   ${is === 'supposed' ? '~' : ' '} ${plain(`${label}: ${text}`)}`,
  ),
  ...missing.map(({ text }) => `   ? ${plain(text)}`),
];

/** Lines: `~` supposed, `?` missing, else observed. Throws ZodError when it is no sheet. */
export const sheetText = (json: unknown): string => {
  const { title, state, stateAt, fields } = Sheet.parse(json);
  const head = [title, state.text, stateAt].map(plain);
  return [...head, ...fields.flatMap(fieldLines), ''].join('\n');
};
