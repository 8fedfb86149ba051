// A recovery sheet as JSON, and the schema that is published for it. Owns: both; the schema is the one that made the sheet's type.
// Tested in test/functions/api/desk/sheet.test.ts.
import { z } from 'zod';
import { Sheet } from '../../core/sheet/sheet.ts';

export const sheetSchemaPath = '/v1/schemas/sheet.json';

/** JSON Schema (2020-12) of a sheet. */
export const sheetSchema = (): object => ({
  ...z.toJSONSchema(Sheet),
  $id: 'https://reprise.dev/schemas/sheet.json',
  title: 'Recovery sheet',
});

/** Throws Defect-like ZodError when the sheet has not its own published form: that is ours to correct. */
export const jsonOf = (sheet: Sheet): string => JSON.stringify(Sheet.parse(sheet));
