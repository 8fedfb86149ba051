// Attempts past their deadline that nobody closed, and recoveries whose execution is gone: each gets a new round of recovery,
// which looks before anything else; and evidence that was stored alone, which is folded here. Laws: L1, L3 (only after deadline, skew and grace), L4.

import { RequestId, recoveryNameOf } from '../core/base/ids.ts';
import { recoveryLookMs, skewMs, sweepGraceMs, waitingLookMs } from '../core/base/limits.ts';
import { openRecovery } from '../core/pausing/recovery.ts';
import { type Action, orderedAtMs } from '../core/records/action.ts';
import type { Change } from '../core/records/change.ts';
import { foldFirst } from '../run/fold-first.ts';
import type { Stand } from '../run/stand.ts';
import { standAt } from '../run/stand.ts';
import { type EventsWorld, nowIso } from '../wiring/events.ts';

const actionsMax = 200;

/** What the sweep of actions and recoveries needs of its world. */
export type ActionsWorld = Pick<
  EventsWorld,
  'store' | 'registry' | 'deliveries' | 'recoverMachine' | 'clock' | 'minter'
>;

const isStranded = (action: Action, nowMs: number): boolean =>
  action.engaged !== undefined && nowMs >= action.engaged.deadlineAtMs + skewMs + sweepGraceMs;

const openRound = async (world: ActionsWorld, { action, conversation }: Stand): Promise<Change> => {
  const { item, rev } = action;
  const tool = await world.registry.tool(item.workspace, item.tool.name, item.tool.version);
  const recoverer = tool?.registration.contract.recoverer;
  const opened = openRecovery({ ...(recoverer === undefined ? {} : { recoverer }) }, item, {
    requestId: RequestId.parse(`req_${world.minter.suffix()}`),
    because: 'The attempt was engaged and nobody closed it.',
    nowIso: nowIso(world.clock),
  });
  return {
    conversation,
    events: [],
    writes: [{ do: 'replace', kind: 'action', item: opened.action, rev }, ...opened.closed.writes],
    recoveries: opened.recoveries,
  };
};

/** Another round for a recovery that is open already. */
const anotherRound = ({ action, conversation }: Stand): Change => {
  const { item, rev } = action;
  const round = item.round + 1;
  return {
    conversation,
    events: [],
    writes: [{ do: 'replace', kind: 'action', item: { ...item, round }, rev }],
    recoveries: [{ actionId: item.actionId, round }],
  };
};

/**
 * What was decided and is not done: another round when the one that should do it died. One that ended by itself has said what is
 * wanting; a start that was lost is the outbox's to repeat.
 */
const takeUpOrdered = async (world: ActionsWorld, stand: Stand): Promise<boolean> => {
  const { item } = stand.action;
  const nowMs = world.clock.now();
  if (item.engaged !== undefined || (orderedAtMs(item) ?? nowMs) >= nowMs) return false;
  const state = await world.recoverMachine.describe(recoveryNameOf(item.actionId, item.round));
  if (state === 'failed' || state === 'stopped')
    return (await world.store.commit(anotherRound(stand))).kind === 'done';
  const againMs = state === 'running' ? recoveryLookMs : waitingLookMs;
  await world.deliveries.postpone('action', item.actionId, nowMs + againMs);
  return false;
};

/** Evidence that was stored alone. */
const fold = async (world: ActionsWorld, stand: Stand): Promise<boolean> => {
  const { unfolded, actionId } = stand.action.item;
  if (unfolded === undefined) return false;
  return foldFirst(world, stand, await world.store.journal(actionId));
};

export const sweepActions = async (world: ActionsWorld): Promise<number> => {
  let taken = 0;
  const nowMs = world.clock.now();
  for (const found of await world.deliveries.due('action', nowMs - sweepGraceMs, actionsMax)) {
    const stand = await standAt(world, found);
    if (await fold(world, stand)) {
      taken += 1;
      continue;
    }
    if (await takeUpOrdered(world, stand)) taken += 1;
    if (!isStranded(stand.action.item, nowMs)) continue;
    const request = stand.request?.item;
    const open = request?.on === 'recovery' && request.decision === undefined;
    if (open) continue;
    const committed = await world.store.commit(await openRound(world, stand));
    if (committed.kind === 'done') taken += 1;
  }
  return taken;
};

export const sweepRecoveries = async (world: ActionsWorld): Promise<number> => {
  let taken = 0;
  const nowMs = world.clock.now();
  for (const found of await world.deliveries.due('request', nowMs, actionsMax)) {
    if (found.on !== 'recovery') continue;
    const stand = await standAt(world, found);
    const request = stand.request?.item;
    if (request?.on !== 'recovery' || request.decision !== undefined || request.needsPerson)
      continue;
    const { actionId, round } = stand.action.item;
    const state =
      round === 0
        ? undefined
        : await world.recoverMachine.describe(recoveryNameOf(actionId, round));
    if (state !== 'running' && (await world.store.commit(anotherRound(stand))).kind === 'done')
      taken += 1;
    await world.deliveries.postpone('request', request.requestId, nowMs + recoveryLookMs);
  }
  return taken;
};
