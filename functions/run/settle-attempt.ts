// Writes down what became of an attempt, against every other writer; when the conversation's event number cannot be had, the
// evidence is stored alone and the next look folds it. Laws: L1, L4 (an outcome is never dropped for an event's sake), L21.
import { ObservationId, RequestId } from '../core/ids.ts';
import { type Finding, type Settled, settle } from '../core/settle.ts';
import type { ToolVersion } from '../core/tool.ts';
import { nowIso, type PerformWorld } from '../wiring/perform.ts';
import { type Stand, standAgain } from './stand.ts';

/** What is known of an attempt that this invocation opened: nothing but its opening. */
const knownOfOpener = (stand: Stand) => {
  const { item } = stand.action;
  return item.attempts === 1 && item.engaged !== undefined
    ? { attempts: [{ attempt: 1, entry: item.head }], ends: [], observations: [] }
    : undefined;
};

/** Settles attempt n with a finding. `fresh` is the stand right after engage, which saves a read. */
export const settleAttempt = async (
  world: PerformWorld,
  stand: Stand,
  tool: ToolVersion,
  finding: Finding,
): Promise<Settled['action']> => {
  const observationId = ObservationId.parse(`obs_${world.minter.suffix()}`);
  const requestId = RequestId.parse(`req_${world.minter.suffix()}`);
  let fresh: Stand | undefined = stand;
  let last: Settled | undefined;
  try {
    return await world.decide<Settled['action']>({
      round: async () => {
        const now: Stand = fresh ?? (await standAgain(world, stand));
        const journal =
          (fresh && knownOfOpener(now)) ?? (await world.store.journal(now.action.item.actionId));
        fresh = undefined;
        const recovery = now.request?.item.on === 'recovery' ? now.request : undefined;
        last = settle({
          ...now,
          recovery,
          known: journal,
          contract: tool.registration.contract,
          finding,
          observationId,
          requestId,
          by: 'perform',
          nowIso: nowIso(world.clock),
        });
        return { kind: 'commit', change: last.change, answer: last.action };
      },
    });
  } catch (error) {
    // Whatever kept the change from being written, rivals or a fault: the evidence goes in alone, and what is there is left.
    if (last === undefined) throw error;
    world.log.warn('The outcome could not be settled; its evidence is stored alone.', {
      actionId: stand.action.item.actionId,
      cause: error instanceof Error ? error.message : String(error),
    });
    await world.store.putEvidence(last.end, last.observation);
    return stand.action.item;
  }
};
