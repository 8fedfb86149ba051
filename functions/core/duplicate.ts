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

/** One of them is the original of the other, it is proven, and both were carried out. */
const areBoth = (one: Action, other: Action): boolean => {
  const original = other.reissueOf === one.actionId ? one : other;
  return original.effect === 'confirmed' && happened(one.effect) && happened(other.effect);
};

/** The action with its mark, when it and a twin (its reissue, or its original) are both carried out and the original is proven. */
export const duplicationOf = (
  before: Action,
  after: Action,
  twins: readonly Versioned<Action>[],
): Duplication => {
  const twin = twins.find(({ item }) => areBoth(after, item));
  if (twin === undefined || before.duplicateOf !== undefined)
    return { action: after, events: [], writes: [] };
  const { item, rev } = twin;
  const { runId, actionId } = after;
  const marked: EventBody[] = [
    { type: 'action.duplicated', runId: item.runId, actionId: item.actionId, twin: actionId },
  ];
  // A twin in the middle of a chain keeps the mark it has.
  const fresh = item.duplicateOf === undefined;
  return {
    action: { ...after, duplicateOf: item.actionId },
    events: [
      { type: 'action.duplicated', runId, actionId, twin: item.actionId },
      ...(fresh ? marked : []),
    ],
    writes: fresh
      ? [{ do: 'replace', kind: 'action', rev, item: { ...item, duplicateOf: actionId } }]
      : [],
  };
};

/** The reissue of an action and the original that it reissues itself: either, both or, for an ordinary action, none. */
export const twinIdsOf = ({ reissueOf, disposition }: Action): Action['actionId'][] => [
  ...(reissueOf === undefined ? [] : [reissueOf]),
  ...(disposition.kind === 'reissued' ? [disposition.as] : []),
];
