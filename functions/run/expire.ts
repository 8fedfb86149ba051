// Reads what the expiry of one request stands before, and writes it. Used by Perform, whose machine waited for it, and by the
// sweep, for runs that wait in no execution. Laws: L12, L13 (who is faster decides; the other sees it decided).

import { expireRequest } from '../core/answers/expire.ts';
import { isAskedByTool } from '../core/pausing/asked.ts';
import type { Store } from '../ports/store.ts';
import type { Clock } from '../ports/world.ts';
import { openRequestsOf } from './open-requests.ts';
import type { Stand } from './stand.ts';

/** `conflict`: something changed meanwhile; the next look tells. */
export const expire = async (
  { store, clock }: { readonly store: Store; readonly clock: Clock },
  stand: Stand,
): Promise<'expired' | 'not_due' | 'conflict'> => {
  const { request, run } = stand;
  if (request === undefined) return 'not_due';
  const nowMs = clock.now();
  const known = isAskedByTool(request.item)
    ? { known: await store.journal(request.item.actionId) }
    : {};
  const stops = request.item.on === 'question' && request.item.onExpiry === 'stop';
  const change = expireRequest({
    ...stand,
    request,
    open: stops ? await openRequestsOf(store, run.item) : { requests: [], actions: [] },
    ...known,
    nowMs,
    nowIso: new Date(nowMs).toISOString(),
  });
  if (change === undefined) return 'not_due';
  return (await store.commit(change)).kind === 'done' ? 'expired' : 'conflict';
};
