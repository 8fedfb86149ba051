// Actions as they are shown or told where their journal is not read: evidence that was stored alone is marked in them, and only then is
// the journal read. Laws: L21 (an effect is never shown beside evidence that it lacks).
import type { Action } from '../core/records/action.ts';
import { type FoldedAction, foldAction, foldedAsStored } from '../core/records/folded.ts';
import type { Store } from '../ports/store.ts';

export const foldedOf = (
  store: Pick<Store, 'journal'>,
  actions: readonly Action[],
): Promise<FoldedAction[]> =>
  Promise.all(
    actions.map(async (action) => {
      const stored = foldedAsStored(action);
      if (stored !== undefined) return stored;
      const journal = await store.journal(action.actionId);
      // Settled when it was learnt.
      return foldAction(action, journal, journal.observations.at(-1)?.at ?? action.plannedAt);
    }),
  );
