// Evidence that was stored alone, also about an action that is settled otherwise: it is folded, with its events and all that follows,
// before anybody decides, tells or opens on it. Laws: L4, L17, L21.

import { ObservationId, RequestId } from '../core/base/ids.ts';
import { type FoldingStored, foldStored } from '../core/perform/fold-stored.ts';
import type { Registry, Store } from '../ports/store.ts';
import type { Clock, Minter } from '../ports/world.ts';
import type { Stand } from './stand.ts';

interface FoldingWorld {
  readonly store: Store;
  readonly registry: Pick<Registry, 'tool'>;
  readonly clock: Clock;
  readonly minter: Minter;
}

/** True when the stored action was behind its journal and somebody has folded it: what stands now must be read anew. */
export const foldFirst = async (
  { store, registry, clock, minter }: FoldingWorld,
  stand: Stand,
  known: FoldingStored['known'],
): Promise<boolean> => {
  const { item } = stand.action;
  const tool = await registry.tool(item.workspace, item.tool.name, item.tool.version);
  if (tool === undefined) return false;
  const folded = foldStored({
    ...stand,
    recovery: stand.request?.item.on === 'recovery' ? stand.request : undefined,
    known,
    contract: tool.registration.contract,
    observationId: ObservationId.parse(`obs_${minter.suffix()}`),
    requestId: RequestId.parse(`req_${minter.suffix()}`),
    nowIso: new Date(clock.now()).toISOString(),
  });
  if (folded === undefined) return false;
  const { kind } = await store.commit(folded.change);
  // Whoever was faster has changed what stands.
  return kind === 'done' || kind === 'conflict';
};
