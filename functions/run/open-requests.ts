// The calls of a run's last step that have no result yet, with the requests they wait for: those that block the run, and
// recoveries that are still being looked at and block nothing yet.

import type { ActionId } from '../core/base/ids.ts';
import { isAskedByTool } from '../core/pausing/asked.ts';
import type { Action } from '../core/records/action.ts';
import type { Versioned } from '../core/records/change.ts';
import type { Known } from '../core/records/evidence.ts';
import type { PersonRequest } from '../core/records/request.ts';
import type { Run } from '../core/records/run.ts';
import type { Store } from '../ports/store.ts';

/** `all`: for what ends a run, where every call gets its result (L16); `asked`: only the calls that wait for a person. */
export const openRequestsOf = async (
  store: Store,
  run: Run,
  calls: 'all' | 'asked' = 'all',
): Promise<{
  readonly requests: readonly Versioned<PersonRequest>[];
  readonly actions: readonly Versioned<Action>[];
  readonly known: ReadonlyMap<ActionId, Known>;
}> => {
  if (run.step === 0) return { requests: [], actions: [], known: new Map() };
  const { steps } = await store.read({ steps: [{ runId: run.runId, step: run.step }] });
  const ids = (steps[0]?.calls ?? []).flatMap((call): ActionId[] =>
    call.kind === 'action' ? [call.actionId] : [],
  );
  const found = ids.length === 0 ? [] : (await store.read({ actions: ids })).actions;
  const open = found.filter(
    ({ item }) => item.told === undefined && (calls === 'all' || item.requestId !== undefined),
  );
  const requestIds = open.flatMap(({ item }) => item.requestId ?? []);
  const { requests } =
    requestIds.length === 0 ? { requests: [] } : await store.read({ requests: requestIds });
  const asked = requests.flatMap(({ item }) => (isAskedByTool(item) ? [item.actionId] : []));
  const unfolded = open.flatMap(({ item }) => (item.unfolded === undefined ? [] : [item.actionId]));
  const known = await Promise.all(
    [...new Set([...asked, ...unfolded])].map(
      async (actionId) => [actionId, await store.journal(actionId)] as const,
    ),
  );
  return { requests, actions: open, known: new Map(known) };
};
