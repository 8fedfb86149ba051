// An action with all that is known of it: its effect folded from the journal. Only this can be told, opened, decided or shown.
// Owns: the type, and the two ways to one. An effect beside evidence that it lacks is read nowhere. Laws: L4, L21.
// Tested in test/functions/api/desk/desk.test.ts.
import type { Action } from './action.ts';
import { isSettled } from './action.ts';
import { fold, type Known, lastEntry } from './evidence.ts';

declare const folded: unique symbol;
/** Its effect is the fold of its journal. */
export type FoldedAction = Action & { readonly [folded]: true };

/** The action and its journal, as they were read together. What was put into the journal alone is in it, with its number. */
export const foldAction = (action: Action, known: Known, nowIso: string): FoldedAction => {
  // What was never sent has no attempts to fold: a read's outcome and an answer stand in the action itself.
  const { unfolded: _folded, ...whole } = action;
  if (known.attempts.length === 0)
    return { ...whole, head: lastEntry(action.head, known) } as FoldedAction;
  const { effect, contradicted, reference } = fold(known);
  const { engaged, ...rest } = whole;
  const ended = known.ends.some((end) => end.attempt === engaged?.attempt);
  const after: Action = {
    ...rest,
    ...(engaged !== undefined && !ended ? { engaged } : {}),
    head: lastEntry(action.head, known),
    effect,
    contradicted: action.contradicted || contradicted,
    ...(reference === undefined ? {} : { reference }),
    ...(isSettled(effect) ? { settledAt: action.settledAt ?? nowIso } : {}),
  };
  return after as FoldedAction;
};

/** Without its journal: whoever changes what is known folds in the same transaction, and what was stored alone is marked. */
export const foldedAsStored = (action: Action): FoldedAction | undefined =>
  action.unfolded === undefined ? (action as FoldedAction) : undefined;
