// A claim: one person's exclusive, time-limited responsibility for a recovery, with a fence that grows.
// Owns: taking, renewing, releasing and taking over. Laws: L10 (at most one holder; a lapsed claim proves nothing; whoever takes
// over adds a fresh observation before deciding).
// Tested in test/core/recover/people.test.ts.
import { z } from 'zod';
import { Author } from '../base/author.ts';
import { ActionId } from '../base/ids.ts';

export const Claim = z.strictObject({
  schema: z.literal(1),
  workspace: z.string(),
  actionId: ActionId,
  /** Grows with each holder; a decision carries it. */
  fence: z.int().positive(),
  /** Absent when nobody holds it (released, or the action is settled). */
  holder: Author.optional(),
  since: z.iso.datetime(),
  /** Epoch milliseconds. */
  untilMs: z.int(),
  /** The journal's head when this holder took it. */
  tookAtHead: z.int().positive(),
  /** The holder before let it lapse: this one must look for itself before deciding. */
  tookOver: z.boolean(),
});
export type Claim = z.infer<typeof Claim>;

export const claimMsDefault = 30 * 60_000;
export const claimMsMax = 8 * 3_600_000;

export const isHeld = (claim: Claim | undefined, nowMs: number): boolean =>
  claim?.holder !== undefined && nowMs < claim.untilMs;

export const holds = (claim: Claim | undefined, subject: string, nowMs: number): boolean =>
  isHeld(claim, nowMs) && claim?.holder?.subject === subject;
