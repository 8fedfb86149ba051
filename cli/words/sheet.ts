// A recovery sheet on a terminal: plain text from the sheet's JSON form. Owns: that form; what others wrote cannot steer the
// terminal.
import { z } from 'zod';
import type { Say } from '../kit/speech.ts';
import { plain } from '../kit/table.ts';

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

const fieldLines = (
  { number, title, lines, missing }: z.infer<typeof Field>,
  say: Say,
): string[] => [
  '',
  `${number}. ${plain(title)}`,
  ...lines.map(
    ({ label, text, is }) =>
      `   ${is === 'supposed' ? '~' : ' '} ${plain(`${label}${say(':', ' :')} ${text}`)}`,
  ),
  ...missing.map(({ text }) => `   ? ${plain(text)}`),
];

/** What the signs mean that stand in the sheet. */
const legend = (fields: readonly z.infer<typeof Field>[], say: Say): string[] => {
  const supposed = fields.some(({ lines }) => lines.some(({ is }) => is === 'supposed'));
  const missing = fields.some((field) => field.missing.length > 0);
  const signs = [
    ...(supposed ? [say('~ supposed, not observed', '~ supposé, non observé')] : []),
    ...(missing ? [say('? not known', '? inconnu')] : []),
  ];
  return signs.length === 0 ? [] : [signs.join('   ')];
};

/** Lines: `~` supposed, `?` missing, else observed. Throws ZodError when it is no sheet. */
export const sheetText = (json: unknown, say: Say): string => {
  const { title, state, stateAt, fields } = Sheet.parse(json);
  const head = [title, state.text, stateAt].map(plain);
  return [
    ...head,
    ...legend(fields, say),
    ...fields.flatMap((field) => fieldLines(field, say)),
    '',
  ].join('\n');
};
