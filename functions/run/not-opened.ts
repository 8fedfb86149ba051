// What follows when engage did not open an attempt: a look-alike is asked about, a call whose permission is gone is refused, and
// where something was sent before, a recovery says what follows. Owns: that reading of a guard.
// Laws: L1, L4, L7 (after a revocation nothing opens), L16, L20 (never silently sent, never silently dropped).
import { ask } from '../core/ask.ts';
import { approvedLikeness } from '../core/engage.ts';
import { type ActionId, RequestId } from '../core/ids.ts';
import { skewMs } from '../core/limits.ts';
import { callPerson, openRecovery } from '../core/recovery.ts';
import { tell } from '../core/tell.ts';
import { toldDigestChanged, toldMandateGone } from '../core/told.ts';
import type { ToolVersion } from '../core/tool.ts';
import { nowIso, type PerformWorld } from '../wiring/perform.ts';
import type { Stand } from './stand.ts';

export type NotOpened =
  /** Something else must happen first; look again. */
  | { readonly kind: 'look-again' }
  /** A person at the recovery desk has to say more. */
  | { readonly kind: 'person' }
  | { readonly kind: 'wait'; readonly untilMs: number };

/** A claim is held by a person: nobody else opens an attempt. */
const claimPauseMs = 30_000;

const isRecovering = ({ request }: Stand): boolean =>
  request?.item.on === 'recovery' && request.item.decision === undefined;

/** Something was sent before: what is known of that stands, and a recovery's verdict says what follows (L1, L4). */
const handOver = async (
  world: PerformWorld,
  stand: Stand,
  tool: ToolVersion,
  because: string,
): Promise<void> => {
  if (isRecovering(stand)) return;
  const { item, rev } = stand.action;
  const { action, closed, recoveries } = openRecovery(tool.registration.contract, item, {
    requestId: RequestId.parse(`req_${world.minter.suffix()}`),
    because,
    nowIso: nowIso(world.clock),
  });
  await world.store.commit({
    conversation: stand.conversation,
    events: [],
    writes: [{ do: 'replace', kind: 'action', item: action, rev }, ...closed.writes],
    recoveries,
  });
};

export const refuse = async (
  world: PerformWorld,
  stand: Stand,
  tool: ToolVersion,
  because: string,
): Promise<void> => {
  const { item } = stand.action;
  if (item.attempts > 0)
    return handOver(world, stand, tool, because || toldDigestChanged(item).text);
  const told = because === '' ? toldDigestChanged(item) : toldMandateGone(item, because);
  const never = { kind: 'refused' as const, because: told.text };
  await world.store.commit(
    tell({
      conversation: stand.conversation,
      action: stand.action,
      told,
      never,
      nowIso: nowIso(world.clock),
    }),
  );
};

const holdersOf = async (world: PerformWorld, stand: Stand, guard: string) => {
  const { item } = stand.action;
  const runId = stand.run.item.unlikeRun;
  const ofLastRun = runId && (await world.store.runLikeness(runId, item.likeDigest));
  const lastRuns = ofLastRun && ofLastRun !== item.actionId ? [ofLastRun] : [];
  if (guard === 'likeness') {
    const marker = await world.store.likeness(item.workspace, item.likeDigest);
    const original = item.reissueOf === undefined ? [] : [item.reissueOf];
    // One approval stands for both: whoever gives it sees the holders and the last run's.
    const all = [...original, ...(item.alike ?? []), ...(marker?.holders ?? []), ...lastRuns];
    return { rev: marker?.rev ?? '', holders: [...new Set(all)] };
  }
  return { rev: `run:${runId ?? ''}`, holders: lastRuns };
};

/** L20: once found, always asked, whatever becomes of the twin while it is waited for. */
const remember = async (
  world: PerformWorld,
  { action, conversation }: Stand,
  found: readonly ActionId[],
): Promise<void> => {
  if (action.item.attempts > 0 || action.item.alike !== undefined) return;
  await world.store.commit({
    conversation,
    events: [],
    writes: [
      {
        do: 'replace',
        kind: 'action',
        item: { ...action.item, alike: [...found] },
        rev: action.rev,
      },
    ],
  });
};

/** A look-alike was found while it was in flight, and nobody has approved with both on view. */
export const mustAsk = ({ action, request }: Stand): boolean =>
  action.item.alike !== undefined &&
  action.item.attempts === 0 &&
  approvedLikeness({ action, approval: request?.item }) === undefined;

/** In mid-recovery the desk shows both: whoever decides to repeat has seen the marker. */
const callToDesk = async (
  world: PerformWorld,
  stand: Stand,
  tool: ToolVersion,
): Promise<NotOpened> => {
  const because = 'Another action that looks alike is under way or undetermined.';
  if (!isRecovering(stand)) {
    await handOver(world, stand, tool, because);
    return { kind: 'look-again' };
  }
  const recovery = stand.request;
  const change = callPerson({ ...stand, recovery, claim: undefined }, because, nowIso(world.clock));
  if (change) await world.store.commit(change);
  return { kind: 'person' };
};

/** A look-alike was found: a twin still in flight is waited for, then a person is asked with both on view (L20). */
export const askAboutTwin = async (
  world: PerformWorld,
  stand: Stand,
  tool: ToolVersion,
  guard: string,
): Promise<NotOpened> => {
  const likeness = await holdersOf(world, stand, guard);
  const twins = await world.store.read({ actions: likeness.holders });
  const untilMs = Math.max(
    0,
    ...twins.actions.map(({ item }) => (item.engaged ? item.engaged.deadlineAtMs + skewMs : 0)),
  );
  if (untilMs > world.clock.now()) {
    await remember(world, stand, likeness.holders);
    return { kind: 'wait', untilMs };
  }
  if (stand.action.item.attempts > 0) return callToDesk(world, stand, tool);
  const { policy } = tool.registration.contract;
  const asked = ask({
    ...stand,
    requestId: RequestId.parse(`req_${world.minter.suffix()}`),
    role: policy.role,
    expiryMs: policy.expiryMs,
    likeness,
    nowIso: nowIso(world.clock),
  });
  await world.store.commit(asked.change);
  return { kind: 'look-again' };
};

export const whenRefused = async (
  world: PerformWorld,
  stand: Stand,
  tool: ToolVersion,
  guard: string,
): Promise<NotOpened> => {
  switch (guard) {
    case 'likeness':
    case 'unlike-last-run':
      return askAboutTwin(world, stand, tool, guard);
    case 'mandate-stands':
      await refuse(world, stand, tool, 'The permission to use this tool was revoked.');
      return { kind: 'look-again' };
    case 'grant-stands':
    case 'approval-stands':
      await refuse(world, stand, tool, 'The approval has expired or was revoked.');
      return { kind: 'look-again' };
    case 'not-barred':
      await refuse(world, stand, tool, 'The tool is barred.');
      return { kind: 'look-again' };
    case 'no-claim':
      return { kind: 'wait', untilMs: world.clock.now() + claimPauseMs };
    // run-may-act: the run was stopped, ended, or a newer segment took over; the next look says which.
    default:
      return { kind: 'look-again' };
  }
};
