// Intentions that were issued one for the other, or one after a person had disproved the other, and of which more than one was
// carried out. An action may be reissued, and its reissue again: the whole chain counts. Owns: reading the chain, noticing, and
// marking all of them. Laws: L21.
// Tested in test/core/recover/people.test.ts.

import type { ActionId } from '../base/ids.ts';
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

/** Whether `later` was issued for `earlier`, or for what was issued for it, and so on. */
const comesFrom = (later: Action, earlier: Action, chain: readonly Action[]): boolean => {
  const seen = new Set<ActionId>();
  let at: Action | undefined = later;
  while (at?.reissueOf !== undefined && !seen.has(at.actionId)) {
    if (at.reissueOf === earlier.actionId) return true;
    seen.add(at.actionId);
    const { reissueOf }: Action = at;
    at = chain.find(({ actionId }) => actionId === reissueOf);
  }
  return false;
};

/** Of look-alikes that were not issued for one another, the one that was planned first. */
const cameFirst = (one: Action, other: Action, chain: readonly Action[]): Action => {
  if (comesFrom(one, other, chain)) return other;
  if (comesFrom(other, one, chain)) return one;
  return other.plannedAt < one.plannedAt ? other : one;
};

/** Both were carried out, and the one that came first is proven. */
const areBoth = (one: Action, other: Action, chain: readonly Action[]): boolean => {
  const original = cameFirst(one, other, chain);
  return original.effect === 'confirmed' && happened(one.effect) && happened(other.effect);
};

const event = ({ runId, actionId }: Action, twin: ActionId): EventBody => ({
  type: 'action.duplicated',
  runId,
  actionId,
  twin,
});

/**
 * The action with its mark, when it and others of its chain are carried out; each of them that has no mark yet gets one. `twins`:
 * the rest of the chain.
 */
export const duplicationOf = (
  before: Action,
  after: Action,
  twins: readonly Versioned<Action>[],
): Duplication => {
  const chain = [after, ...twins.map(({ item }) => item)];
  const both = twins.filter(({ item }) => areBoth(after, item, chain));
  const twin = before.duplicateOf ?? both[0]?.item.actionId;
  if (twin === undefined || both.length === 0) return { action: after, events: [], writes: [] };
  const fresh = both.filter(({ item }) => item.duplicateOf === undefined);
  const { actionId } = after;
  return {
    action: { ...after, duplicateOf: twin },
    events: [
      ...(before.duplicateOf === undefined ? [event(after, twin)] : []),
      ...fresh.map(({ item }) => event(item, actionId)),
    ],
    writes: fresh.map(({ item, rev }) => ({
      do: 'replace',
      kind: 'action',
      rev,
      item: { ...item, duplicateOf: actionId },
    })),
  };
};

/** The reissue of an action, the original that it reissues itself, and the look-alikes beside it; for an ordinary action none. */
const neighboursOf = ({ reissueOf, disposition, besides }: Action): ActionId[] => [
  ...(besides ?? []),
  ...(reissueOf === undefined ? [] : [reissueOf]),
  ...(disposition.kind === 'reissued' ? [disposition.as] : []),
];

/** Longer chains are cut: each link took a person's decision and its approval. */
const chainMax = 40;

/** The rest of the action's chain, read link by link; nothing is read for an action that has no neighbours. */
export const chainOf = async (
  action: Action,
  read: (ids: readonly ActionId[]) => Promise<readonly Versioned<Action>[]>,
): Promise<Versioned<Action>[]> => {
  const chain: Versioned<Action>[] = [];
  const known = new Set([action.actionId]);
  let next = neighboursOf(action);
  while (next.length > 0 && chain.length < chainMax) {
    const found = await read(next);
    for (const id of next) known.add(id);
    chain.push(...found);
    next = found.flatMap(({ item }) => neighboursOf(item)).filter((id) => !known.has(id));
  }
  return chain;
};
