// Evidence that was stored without its conversation: how the action says so, and how it is folded into the effect afterwards.
// Owns: that mark, and the settling that takes it away. Laws: L4 (what was learnt is never dropped), L7 (it takes an authorisation
// back that it is newer than), L17 (the fold is one change, with its events), L21.
// Tested in test/core/margins-of-changes.test.ts.

import type { Action } from '../records/action.ts';
import type { Attempt, AttemptEnd, Observation } from '../records/evidence.ts';
import { foldAction } from '../records/folded.ts';
import { type Settled, type Settling, settle } from './settle.ts';

/** The action that numbered the observation, until somebody folds it. */
export const unfoldedAction = (action: Action, { entry }: Observation): Action => ({
  ...action,
  head: entry,
  unfolded: entry,
});

export interface FoldingStored extends Omit<Settling, 'finding' | 'stored' | 'by' | 'known'> {
  readonly known: {
    readonly attempts: readonly Attempt[];
    readonly ends: readonly AttemptEnd[];
    readonly observations: readonly Observation[];
  };
}

/** Undefined: nothing is left to fold, or its attempt is still open, whose closing folds it. */
export const foldStored = (folding: FoldingStored): Settled | undefined => {
  const { item } = folding.action;
  if (item.engaged !== undefined) return undefined;
  const { ends, observations } = folding.known;
  // It is marked, or what it says is not what its journal does.
  const { effect } = foldAction(item, folding.known, folding.nowIso);
  if (item.unfolded === undefined && effect === item.effect) return undefined;
  const stored = observations.find(({ entry }) => entry === item.unfolded) ?? observations.at(-1);
  if (stored === undefined) return undefined;
  const { about, says, source, because, reference, notBeforeMs, lasting, ended, ...by } = stored;
  const { author, uncounted } = by;
  const end = ends.find(({ attempt }) => attempt === about);
  return settle({
    ...folding,
    stored,
    by: stored.by,
    finding: {
      about,
      says,
      source,
      because,
      ...(reference === undefined ? {} : { reference }),
      ...(notBeforeMs === undefined ? {} : { notBeforeMs }),
      ...(lasting === undefined ? {} : { lasting }),
      ...(ended === undefined ? {} : { ended }),
      ...(author === undefined ? {} : { author }),
      ...(uncounted === undefined ? {} : { uncounted }),
      ...(end === undefined ? {} : { end }),
    },
  });
};
