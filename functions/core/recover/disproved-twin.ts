// A look-alike that a person disproved: somebody looked and saw nothing, and it may land all the same. Owns: how long it holds its
// marker, and the link between it and an equal call that goes out after it. Laws: L20, L21 (what turns up late marks both).
// Tested in test/scenario/desk/disproved-twin.test.ts.

import type { Action } from '../records/action.ts';
import type { Versioned, Write } from '../records/change.ts';
import type { Attempt } from '../records/evidence.ts';
import type { Contract } from '../registry/contract.ts';
import { mayHappenUntilMs } from './look-up.ts';

/** Where no contract says how long a destination takes to show what it did. */
const settleMs = 600_000;

/** From the decision, or from when an attempt can still act if that is later. */
export const likeHeldUntilMs = (
  contract: Contract,
  attempts: readonly Attempt[],
  decidedMs: number,
): number =>
  Math.max(decidedMs, mayHappenUntilMs(contract, attempts)) +
  (contract.lookUp?.settleMs ?? settleMs);

/** Nothing has to run when a hold ends: whoever finds the marker compares the time. */
export const isHoldOver = ({ effect, likeHeldUntilMs: untilMs }: Action, nowMs: number): boolean =>
  effect === 'not_performed' && untilMs !== undefined && untilMs <= nowMs;

/** Both remember one another; nothing where no person disproved the twin, or where they do already. */
export const linkOf = (action: Versioned<Action>, twin: Versioned<Action>): Write[] => {
  const isDisproved = twin.item.likeHeldUntilMs !== undefined;
  const isLinked = action.item.besides?.includes(twin.item.actionId) ?? false;
  if (!isDisproved || isLinked || action.item.actionId === twin.item.actionId) return [];
  return [[action, twin.item.actionId] as const, [twin, action.item.actionId] as const].map(
    ([{ item, rev }, other]) => ({
      do: 'replace',
      kind: 'action',
      rev,
      item: { ...item, besides: [...new Set([...(item.besides ?? []), other])] },
    }),
  );
};
