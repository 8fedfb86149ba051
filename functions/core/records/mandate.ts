// Standing permissions and tools as people change them: revoked and restored, barred and let again, each with who, when and why.
// Owns: the stored shapes and those changes. Nothing is forgotten: the newest change is what stands, each is a record of its own.
// Laws: L7 (engage checks what stands in its own transaction), L13 (each change has one named identity).
// Tested in test/core/records/golden.test.ts.
import { z } from 'zod';
import { Author } from '../base/author.ts';

const ChangeOf = <What extends 'revoked' | 'restored' | 'barred' | 'unbarred'>(
  ...what: readonly [What, What]
) => z.strictObject({ what: z.enum(what), at: z.iso.datetime(), by: Author, reason: z.string() });

/** How many changes there were in all, each with a record; left out by those from before there were records. */
const Count = z.int().positive().optional();

/** An agent's standing permission to use a tool, once somebody has touched it; without one it stands. */
export const StandingMandate = z.strictObject({
  schema: z.literal(1),
  workspace: z.string(),
  agentId: z.string(),
  tool: z.string(),
  /** Oldest first; the newest ones. */
  changes: z.array(ChangeOf('revoked', 'restored')).min(1),
  count: Count,
});
export type StandingMandate = z.infer<typeof StandingMandate>;

/** A tool that was barred for the whole workspace, or was once. */
export const ToolBar = z.strictObject({
  schema: z.literal(1),
  workspace: z.string(),
  tool: z.string(),
  changes: z.array(ChangeOf('barred', 'unbarred')).min(1),
  count: Count,
});
export type ToolBar = z.infer<typeof ToolBar>;

export const MandateChange = z.union([
  StandingMandate.shape.changes.element,
  ToolBar.shape.changes.element,
]);
export type MandateChange = z.infer<typeof MandateChange>;

/** One change, put once when it was made: what the audit lists. */
export const MandateRecord = z.strictObject({
  schema: z.literal(1),
  workspace: z.string(),
  /** Whose permission; left out: the tool's bar. */
  agentId: z.string().optional(),
  tool: z.string(),
  /** Numbered from 1 within the permission or the bar. */
  number: z.int().positive(),
  change: MandateChange,
});
export type MandateRecord = z.infer<typeof MandateRecord>;

/** Names one change for ever: what it is of, and its number. */
export const mandateRecordId = ({
  agentId,
  tool,
  number,
}: Pick<MandateRecord, 'agentId' | 'tool' | 'number'>): string =>
  `${agentId ?? 'tool'}/${tool}/${number}`;

export const revokedAt = (mandate: StandingMandate | undefined): string | undefined => {
  const last = mandate?.changes.at(-1);
  return last?.what === 'revoked' ? last.at : undefined;
};
export const barredAt = (bar: ToolBar | undefined): string | undefined => {
  const last = bar?.changes.at(-1);
  return last?.what === 'barred' ? last.at : undefined;
};
