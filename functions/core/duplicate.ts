// A reissue and its original that were both carried out. Owns: noticing it, and marking both. Laws: L21.
import type { Action, Effect } from './action.ts';
import type { Versioned, Write } from './change.ts';
import type { EventBody } from './event.ts';

/** Carried out, as far as the destination says; `accepted` is supposed, and is shown as such beside it. */
const happened = (effect: Effect): boolean => effect === 'confirmed' || effect === 'accepted';

export interface Duplication {
  readonly action: Action;
  readonly events: EventBody[];
  readonly writes: Write[];
}

/** The action with its mark, when it and its twin (its reissue, or its original) are both carried out and the original is proven. */
export const duplicationOf = (
  before: Action,
  after: Action,
  twin: Versioned<Action> | undefined,
): Duplication => {
  const nothing = { action: after, events: [], writes: [] };
  if (twin === undefined || before.duplicateOf !== undefined) return nothing;
  const { item, rev } = twin;
  const original = after.reissueOf === undefined ? after : item;
  if (original.effect !== 'confirmed' || !happened(after.effect) || !happened(item.effect))
    return nothing;
  const { runId, actionId } = after;
  return {
    action: { ...after, duplicateOf: item.actionId },
    events: [
      { type: 'action.duplicated', runId, actionId, twin: item.actionId },
      { type: 'action.duplicated', runId: item.runId, actionId: item.actionId, twin: actionId },
    ],
    writes: [{ do: 'replace', kind: 'action', rev, item: { ...item, duplicateOf: actionId } }],
  };
};

/** The other one of a reissue and its original; undefined for an ordinary action. */
export const twinIdOf = (action: Action): Action['actionId'] | undefined =>
  action.reissueOf ?? (action.disposition.kind === 'reissued' ? action.disposition.as : undefined);
