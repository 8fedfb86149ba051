// Which actions the recovery desk lists. Owns: that rule; the store keeps a sparse list by it.
// Laws: L21 (what was abandoned or reissued keeps its uncertainty, and can be found).
// Tested in test/functions/api/desk/count.test.ts.
import type { Action } from '../records/action.ts';

/** `open`: its recovery is open, or its outcome is not known; `aside`: abandoned or reissued, and still not known. */
export const deskParts = ['open', 'aside'] as const;
export type DeskPart = (typeof deskParts)[number];

/** Its place in the list: oldest first attempt first. */
export const deskAtOf = ({ firstEngagedAt, plannedAt, actionId }: Action): string =>
  `${firstEngagedAt ?? plannedAt}#${actionId}`;

/**
 * Undefined for what needs nobody. An attempt in flight is not listed: should its owner be lost, it is due, and then undetermined.
 */
export const deskPartOf = (action: Action): DeskPart | undefined => {
  if (action.recovering === true) return 'open';
  const known = action.effect !== 'undetermined' && action.effect !== 'in_progress';
  if (known) return undefined;
  const given = action.disposition.kind === 'abandoned' || action.disposition.kind === 'reissued';
  return given ? 'aside' : 'open';
};
