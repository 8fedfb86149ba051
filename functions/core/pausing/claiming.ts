// One person takes responsibility for a recovery. Owns: taking, renewing, releasing, taking over and ending a claim.
// Laws: L10 (at most one holder; a lapsed claim proves nothing; whoever takes over adds a fresh observation before deciding).
// Tested in test/core/recover/people.test.ts.

import type { Author } from '../base/author.ts';
import type { ActionId, RunId } from '../base/ids.ts';
import type { Versioned, Write } from '../records/change.ts';
import { type Claim, claimMsMax, holds, isHeld } from '../records/claim.ts';
import type { EventBody } from '../records/event.ts';

export interface Claiming {
  readonly workspace: string;
  readonly actionId: ActionId;
  readonly current: Claim | undefined;
  readonly by: Author;
  readonly forMs: number;
  /** The journal's head now. */
  readonly head: number;
  readonly nowMs: number;
}

export type ClaimOutcome =
  | { readonly kind: 'claim'; readonly claim: Claim }
  | { readonly kind: 'refused'; readonly because: 'held'; readonly claim: Claim }
  | { readonly kind: 'refused'; readonly because: 'not_holder'; readonly claim: Claim | undefined };

const until = (claiming: Claiming): number =>
  claiming.nowMs + Math.min(Math.max(claiming.forMs, 60_000), claimMsMax);

/**
 * A holder that is still named let it lapse: for anybody else it is a take-over. What was taken over stays so through every lapse
 * and every hand, also the same one's again, until a decision or the evidence ends it: claiming once more frees nobody from looking.
 */
const isTakeOver = (current: Claim | undefined, subject: string): boolean =>
  current !== undefined &&
  (current.tookOver || (current.holder !== undefined && current.holder.subject !== subject));

/** Who takes the own claim again, that lapsed, has looked where they looked since they took it over. */
const tookAtHeadOf = ({ current, by, head }: Claiming): number =>
  current?.tookOver && current.holder?.subject === by.subject ? current.tookAtHead : head;

/** Takes a free claim, or one that lapsed; held by the same person it is renewed. */
export const takeClaim = (claiming: Claiming): ClaimOutcome => {
  const { current, by, nowMs } = claiming;
  if (current && holds(current, by.subject, nowMs)) return renewClaim(claiming);
  if (current && isHeld(current, nowMs))
    return { kind: 'refused', because: 'held', claim: current };
  return {
    kind: 'claim',
    claim: {
      schema: 1,
      workspace: claiming.workspace,
      actionId: claiming.actionId,
      fence: (current?.fence ?? 0) + 1,
      holder: by,
      since: new Date(nowMs).toISOString(),
      untilMs: until(claiming),
      tookAtHead: tookAtHeadOf(claiming),
      tookOver: isTakeOver(current, by.subject),
    },
  };
};

export const renewClaim = (claiming: Claiming): ClaimOutcome => {
  const { current, by, nowMs } = claiming;
  if (!current || !holds(current, by.subject, nowMs))
    return { kind: 'refused', because: 'not_holder', claim: current };
  return { kind: 'claim', claim: { ...current, untilMs: until(claiming) } };
};

export const releaseClaim = (claiming: Claiming): ClaimOutcome => {
  const { current, by, nowMs } = claiming;
  if (!current || !holds(current, by.subject, nowMs))
    return { kind: 'refused', because: 'not_holder', claim: current };
  return { kind: 'claim', claim: { ...endedClaim(current, nowMs), tookOver: current.tookOver } };
};

/** Nobody holds it any more; the fence stays, so that a late decision is still refused. */
export const endedClaim = (claim: Claim, nowMs: number): Claim => {
  const { holder: _gone, ...rest } = claim;
  return { ...rest, untilMs: nowMs, tookOver: false };
};

/** The recovery is over, and so is whoever's claim on it: the write and the event that says so. Nothing when nobody holds it. */
export const endClaim = (
  claim: Versioned<Claim> | undefined,
  { runId, actionId }: { readonly runId: RunId; readonly actionId: ActionId },
  nowIso: string,
): { readonly writes: Write[]; readonly events: EventBody[] } => {
  if (claim?.item.holder === undefined) return { writes: [], events: [] };
  const item = endedClaim(claim.item, Date.parse(nowIso));
  return {
    writes: [{ do: 'replace', kind: 'claim', item, rev: claim.rev }],
    events: [{ type: 'claim.ended', runId, actionId, by: claim.item.holder.name }],
  };
};
