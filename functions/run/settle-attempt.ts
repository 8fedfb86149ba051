// Writes down what became of an attempt, against every other writer; when the conversation's event number cannot be had, the
// evidence is stored alone and the next look folds it. Laws: L1, L4 (an outcome is never dropped for an event's sake), L21.
import { Defect } from '../core/base/errors.ts';
import { ObservationId, RequestId } from '../core/base/ids.ts';
import { type Finding, type Settled, settle } from '../core/perform/settle.ts';
import type { Known } from '../core/records/evidence.ts';
import type { ToolVersion } from '../core/registry/tool.ts';
import { nowIso, type PerformWorld } from '../wiring/perform.ts';
import { type Stand, standAgain } from './stand.ts';

/** What is known of an attempt that this invocation opened: nothing but its opening. */
const knownOfOpener = (stand: Stand) => {
  const { item } = stand.action;
  return item.attempts === 1 && item.engaged !== undefined
    ? { attempts: [{ attempt: 1, entry: item.head }], ends: [], observations: [] }
    : undefined;
};

/** What this caller minted is there already. */
const isIn = ({ observations }: Known, id: ObservationId): boolean =>
  observations.some((one) => 'observationId' in one && one.observationId === id);

/** Tries against writers of the same action; only they compete here. */
const aloneTriesMax = 20;

/**
 * The evidence without its change: numbered by the action, which says that it is not folded yet. When even that cannot be written
 * it goes in alone, as it was: an outcome is never dropped.
 */
const storeAlone = async (
  world: PerformWorld,
  stand: Stand,
  last: Settled,
  settleOnce: (now: Stand, known: Known) => Settled,
): Promise<void> => {
  const { store, clock, minter } = world;
  let newest = last;
  try {
    for (let tries = 0; tries < aloneTriesMax; tries += 1) {
      const now = await standAgain(world, stand);
      const journal = await store.journal(now.action.item.actionId);
      if (isIn(journal, last.observation.observationId)) return;
      newest = settleOnce(now, journal);
      if ((await store.putEvidence(newest.end, newest.observation, now.action)) === 'done') return;
      await clock.pause(minter.fraction() * 10 * (tries + 1));
    }
  } catch (error) {
    world.log.warn('The evidence could not be numbered; it is stored as it is.', {
      actionId: stand.action.item.actionId,
      cause: error instanceof Error ? error.message : String(error),
    });
  }
  if ((await store.putEvidence(newest.end, newest.observation)) === 'conflict')
    throw new Defect('Evidence that names no action cannot be in conflict with one.');
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
  const settleOnce = (now: Stand, known: Known): Settled =>
    settle({
      ...now,
      recovery: now.request?.item.on === 'recovery' ? now.request : undefined,
      known,
      contract: tool.registration.contract,
      finding,
      observationId,
      requestId,
      by: 'perform',
      nowIso: nowIso(world.clock),
    });
  try {
    return await world.decide<Settled['action']>({
      round: async () => {
        const now: Stand = fresh ?? (await standAgain(world, stand));
        const journal =
          (fresh && knownOfOpener(now)) ?? (await world.store.journal(now.action.item.actionId));
        fresh = undefined;
        // It was written after all, and this caller was told that somebody else was faster: once is enough.
        if (isIn(journal, observationId)) return { kind: 'answer', answer: now.action.item };
        last = settleOnce(now, journal);
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
    await storeAlone(world, stand, last, settleOnce);
    return stand.action.item;
  }
};
