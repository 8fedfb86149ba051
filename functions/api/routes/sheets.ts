// The recovery sheet of an action, in the form and language that the caller asks for; and its published schema.
// Laws: L18 (nothing secret is in an action, so none is here).
// Tested in test/functions/api/desk/sheet.test.ts.
import { parseAccept } from 'hono/utils/accept';
import { z } from 'zod';
import { ActionId } from '../../core/base/ids.ts';
import { Sheet } from '../../core/sheet/sheet.ts';
import { sheetIn, sheetLanguages } from '../../core/sheet/words.ts';
import { htmlOf, jsonOf, markdownOf, sheetPolicy, sheetSchema } from '../../wiring/api.ts';
import { originOf, sheetFactsFor } from '../desk/sheet-input.ts';
import { type Media, type Route, reading } from '../http/operation.ts';
import { none } from '../schemas/schemas.ts';

const forms = {
  'application/json': (sheet: Sheet): Media => ({
    contentType: 'application/json',
    text: jsonOf(sheet),
  }),
  'text/markdown': (sheet: Sheet): Media => ({
    contentType: 'text/markdown; charset=utf-8',
    text: markdownOf(sheet),
  }),
  'text/html': (sheet: Sheet): Media => ({
    contentType: 'text/html; charset=utf-8',
    text: htmlOf(sheet),
    policy: sheetPolicy,
  }),
} as const;
type Form = keyof typeof forms;
const formNames: readonly Form[] = ['application/json', 'text/markdown', 'text/html'];

/** The form the caller likes best; JSON when it says nothing that we make. */
export const formOf = (accept: string | undefined): Form => {
  const wanted = accept === undefined ? [] : parseAccept(accept).toSorted((a, b) => b.q - a.q);
  for (const { type, q } of wanted) {
    const form = formNames.find((name) => name === type.toLowerCase());
    if (form !== undefined && q > 0) return form;
    if (type === '*/*') return 'application/json';
  }
  return 'application/json';
};

const short = { json: 'application/json', md: 'text/markdown', html: 'text/html' } as const;

const sheet = reading(
  {
    operationId: 'getSheet',
    method: 'get',
    path: '/v1/actions/{actionId}/sheet',
    tag: 'desk',
    summary: 'The recovery sheet of an action',
    description:
      'As JSON, Markdown or self-contained HTML that prints on A4, by `Accept` or `format`; in English or French, by `Accept-Language` or `lang`.',
    params: z.strictObject({ actionId: ActionId }),
    query: z.strictObject({
      lang: z.enum(sheetLanguages).optional(),
      format: z.enum(['json', 'md', 'html']).optional(),
    }),
    answers: { 200: { description: 'The sheet.', schema: Sheet } },
    media: ['text/markdown', 'text/html'],
    problems: ['invalid-query'],
  },
  async ({ world, caller, params, query, language, header }) => {
    const facts = await sheetFactsFor(world, caller, params.actionId, originOf(header));
    const made = sheetIn(query.lang ?? language, facts);
    const form = query.format === undefined ? formOf(header('accept')) : short[query.format];
    return { status: 200, body: made, as: { ...forms[form](made), language: made.language } };
  },
);

const schema = reading(
  {
    operationId: 'getSheetSchema',
    method: 'get',
    path: '/v1/schemas/sheet.json',
    tag: 'desk',
    summary: 'JSON Schema of a recovery sheet',
    params: none,
    query: none,
    answers: { 200: { description: 'The schema.', schema: z.looseObject({}) } },
  },
  async () => ({ status: 200, body: sheetSchema() }),
);

export const sheetRoutes: readonly Route[] = [sheet, schema];
