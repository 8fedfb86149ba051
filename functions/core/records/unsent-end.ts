// How calls end that are never sent and that nobody decided about, so that no list shows them as if they were still planned.
// Owns: that reading. Pure and without imports at run time: the page uses it too. Laws: L14.
// Tested in test/core/turn/runs.test.ts.
import type { Action } from './action.ts';

/**
 * How a call ended of which nothing is sent and nobody made anything: with an answer (a question, a skill), or without a result (a
 * read that failed). Undefined while it may still be sent, and for whatever was sent.
 */
export const unsentEndOf = ({
  effect,
  disposition,
  told,
}: Pick<Action, 'effect' | 'disposition' | 'told'>): 'answered' | 'no_result' | undefined => {
  if (effect !== 'not_sent' || disposition.kind !== 'open' || told === undefined) return undefined;
  return told.status === 'success' ? 'answered' : 'no_result';
};
