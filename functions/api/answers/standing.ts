// How an approval stands: what stands against it now, and what looks like its action, read together from the store.
// Owns: that reading, one for every face (API, page, command line, AG-UI, AI SDK). Laws: L7, L20.
// Tested in test/scenario/people/stands-against.test.ts.

import { type Against, type Standing, standsAgainst } from '../../core/answers/against.ts';
import { ActionId } from '../../core/base/ids.ts';
import type { Action } from '../../core/records/action.ts';
import type { PersonRequest } from '../../core/records/request.ts';
import type { Store } from '../../ports/store.ts';

export type StandingStore = Pick<Store, 'read' | 'leave' | 'likeness'>;

export interface Stood {
  readonly against: readonly Against[];
  /** What looks like it: those that the request shows, and those that came up since. */
  readonly lookAlikes: readonly Action[];
  /** What was read for that. */
  readonly standing: Standing | undefined;
}

export const nothingStands: Stood = { against: [], lookAlikes: [], standing: undefined };

const holdersOf = ({ request, marker, action }: Standing): readonly ActionId[] => {
  const shown = request.on === 'approval' ? (request.likeness?.holders ?? []) : [];
  const since = request.decision === undefined ? (marker?.holders ?? []) : [];
  return [...new Set([...shown, ...since])]
    .filter((holder) => holder !== action.actionId)
    .map((holder) => ActionId.parse(holder));
};

export const standingOf = async (
  store: StandingStore,
  request: PersonRequest,
  action: Action,
  nowMs: number,
): Promise<Stood> => {
  if (request.on !== 'approval') return nothingStands;
  const [{ run }, leave, marker] = await Promise.all([
    store.read({ run: request.runId }),
    store.leave(action),
    store.likeness(action.workspace, action.likeDigest),
  ]);
  if (run === undefined) return nothingStands;
  const standing: Standing = { action, request, run: run.item, leave, marker, nowMs };
  const holders = holdersOf(standing);
  const { actions } =
    holders.length === 0 ? { actions: [] } : await store.read({ actions: holders });
  return {
    against: standsAgainst(standing),
    lookAlikes: actions.map(({ item }) => item),
    standing,
  };
};
