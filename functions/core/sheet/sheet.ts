// The recovery sheet of one action: eight fields, each saying what is observed or supposed, since when, and what is missing.
// Owns: its published schema, and building it from what is stored. Pure: no words, no clock. Laws: L10, L14, L18, L21.
// Tested in test/functions/api/desk/sheet.test.ts.
import { z } from 'zod';
import { Author } from '../base/author.ts';
import { ActionId } from '../base/ids.ts';
import { JsonObject } from '../base/json.ts';
import { effects } from '../records/action.ts';
import { isHeld } from '../records/claim.ts';
import type { SheetInput } from './input.ts';
import { destinationField, identityField, intentField, lastFactField } from './intent.ts';
import { decisionField, evidenceField, mandateField, repetitionField } from './recovery.ts';
import { type FieldFacts, type Is, missings, type SheetField, sheetFields } from './says.ts';

const Line = z.strictObject({
  /** Stable word for what the line says. */
  says: z.string(),
  label: z.string(),
  text: z.string(),
  is: z.enum(['observed', 'supposed']),
  at: z.iso.datetime().optional(),
  link: z.string().optional(),
});
const Field = z.strictObject({
  number: z.int().min(1).max(8),
  name: z.enum(sheetFields),
  title: z.string(),
  is: z.enum(['observed', 'supposed', 'mixed']),
  /** The oldest date on which what it says rests; left out when nothing in it has a date. */
  since: z.iso.datetime().optional(),
  lines: z.array(Line),
  missing: z.array(z.strictObject({ says: z.enum(missings), text: z.string() })),
});
export const Sheet = z.strictObject({
  sheet: z.literal(1),
  language: z.enum(['en', 'fr']),
  actionId: ActionId,
  title: z.string(),
  state: z.strictObject({
    effect: z.enum(effects),
    disposition: z
      .string()
      .describe('What people made of it; "open": nothing was decided, whatever its effect'),
    contradicted: z.boolean(),
    duplicateOf: ActionId.optional(),
    text: z.string(),
  }),
  owner: z.strictObject({
    /** Left out when nobody holds the claim; `name` is then who is in charge until somebody does. */
    holder: Author.optional(),
    name: z.string().optional(),
    leaseEnd: z.iso.datetime().optional(),
    claimFence: z.int().nonnegative(),
  }),
  head: z.int().positive(),
  digest: z.string(),
  /** Exactly what would be, or was, sent. */
  arguments: JsonObject,
  permalink: z.string(),
  generatedAt: z.iso.datetime(),
  generatedBy: Author,
  /** "State at this time": what the sheet says is true for `generatedAt` and not later. */
  stateAt: z.string(),
  fields: z.array(Field).length(8),
});
export type Sheet = z.infer<typeof Sheet>;
export type SheetLine = z.infer<typeof Line>;

export interface SheetFacts {
  readonly input: SheetInput;
  readonly fields: { readonly [F in SheetField]: FieldFacts };
}

export const sheetFacts = (input: SheetInput): SheetFacts => ({
  input,
  fields: {
    intent: intentField(input),
    identity: identityField(input),
    destination: destinationField(input),
    lastFact: lastFactField(input),
    evidence: evidenceField(input),
    repetition: repetitionField(input),
    mandate: mandateField(input),
    decision: decisionField(input),
  },
});

/** Observed only when everything in it is; a field that says nothing yet supposes. */
export const isOf = ({ lines, is: whole }: FieldFacts): Is => {
  if (whole !== undefined) return whole;
  const observed = lines.filter(({ is }) => is === 'observed').length;
  if (observed === 0) return 'supposed';
  return observed === lines.length ? 'observed' : 'mixed';
};

export const sinceOf = ({ lines }: FieldFacts): string | undefined =>
  lines.flatMap(({ at }) => (at === undefined ? [] : [at])).toSorted()[0];

export const ownerOf = ({ leave, recovery, pinned, nowMs }: SheetInput): Sheet['owner'] => {
  const claim = leave.claim?.item;
  const claimFence = claim?.fence ?? 0;
  if (claim?.holder && isHeld(claim, nowMs))
    return {
      holder: claim.holder,
      name: claim.holder.name,
      leaseEnd: new Date(claim.untilMs).toISOString(),
      claimFence,
    };
  const name = recovery?.recoverer ?? pinned.recoverer;
  return { claimFence, ...(name === undefined ? {} : { name }) };
};
