// What follows when engage did not open an attempt: a look-alike is asked about, a call whose permission is gone is refused, and
// where something was sent before, a recovery says what follows. Owns: that reading of a guard.
// Laws: L1, L4, L7 (after a revocation nothing opens), L16, L20 (never silently sent, never silently dropped).

import { ActionId, RequestId } from '../core/base/ids.ts';
import { skewMs } from '../core/base/limits.ts';
import { callPerson, openRecovery } from '../core/pausing/recovery.ts';
import { ask } from '../core/perform/ask.ts';
import { approvedLikeness } from '../core/perform/engage.ts';
import { tell } from '../core/perform/tell.ts';
import type { Action } from '../core/records/action.ts';
import type { Change } from '../core/records/change.ts';
import { release } from '../core/records/effect-events.ts';
import { toldDigestChanged, toldMandateGone } from '../core/records/told.ts';
import { isHoldOver, linkOf } from '../core/recover/disproved-twin.ts';
import type { ToolVersion } from '../core/registry/tool.ts';
import { nowIso, type PerformWorld } from '../wiring/perform.ts';
import { type Stand, standAgain } from './stand.ts';

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

/** What was decided on is still so: nobody has sent it, told it, or authorised or asked about it anew. */
const isAsSeen = (seen: Stand, { action: { item } }: Stand): boolean => {
  const before = seen.action.item;
  return (
    item.attempts === before.attempts &&
    item.authorised.head === before.authorised.head &&
    item.requestId === before.requestId &&
    (item.told === undefined) === (before.told === undefined)
  );
};

/**
 * Writes what follows, read and decided anew until it is written: the twin that was found has just written in the same
 * conversation, so what was read before is always old. What others moved on meanwhile is left to the next look. Throws TryAgain.
 */
const write = (
  world: PerformWorld,
  seen: Stand,
  changeOf: (now: Stand) => Promise<Change | undefined> | Change | undefined,
): Promise<'written' | 'left'> =>
  world.decide<'written' | 'left'>({
    round: async () => {
      const now = await standAgain(world, seen);
      const change = isAsSeen(seen, now) ? await changeOf(now) : undefined;
      return change === undefined
        ? { kind: 'answer', answer: 'left' }
        : { kind: 'commit', change, answer: 'written' };
    },
  });

/** Something was sent before: what is known of that stands, and a recovery's verdict says what follows (L1, L4). */
const handOver = async (
  world: PerformWorld,
  seen: Stand,
  tool: ToolVersion,
  because: string,
): Promise<'written' | 'left'> =>
  write(world, seen, (now) => {
    if (isRecovering(now)) return undefined;
    const { item, rev } = now.action;
    const { action, closed, recoveries } = openRecovery(tool.registration.contract, item, {
      requestId: RequestId.parse(`req_${world.minter.suffix()}`),
      because,
      nowIso: nowIso(world.clock),
    });
    return {
      conversation: now.conversation,
      events: [],
      writes: [{ do: 'replace', kind: 'action', item: action, rev }, ...closed.writes],
      recoveries,
    };
  });

export const refuse = async (
  world: PerformWorld,
  stand: Stand,
  tool: ToolVersion,
  because: string,
): Promise<'written' | 'left'> => {
  const { item } = stand.action;
  if (item.attempts > 0)
    return handOver(world, stand, tool, because || toldDigestChanged(item).text);
  const told = because === '' ? toldDigestChanged(item) : toldMandateGone(item, because);
  const never = { kind: 'refused' as const, because: told.text };
  return write(world, stand, ({ conversation, action }) =>
    tell({ conversation, action, told, never, nowIso: nowIso(world.clock) }),
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
const remember = (
  world: PerformWorld,
  seen: Stand,
  found: readonly ActionId[],
): Promise<'written' | 'left'> =>
  write(world, seen, ({ action, conversation }) => {
    const { item, rev } = action;
    const alike = [...new Set([...(item.alike ?? []), ...found])];
    if (item.attempts > 0 || alike.length === item.alike?.length) return undefined;
    return {
      conversation,
      events: [],
      writes: [{ do: 'replace', kind: 'action', item: { ...item, alike }, rev }],
    };
  });

/** A look-alike was found before it was sent, and nobody has approved with both on view. */
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
  await write(world, stand, (now) =>
    callPerson({ ...now, recovery: now.request, claim: undefined }, because, nowIso(world.clock)),
  );
  return { kind: 'person' };
};

/** How long an equal call of the same step is left to go first, and after which time of its plan nobody waits for it. */
const firstPauseMs = 2_000;
const firstPatienceMs = 10_000;

/** Until when the twins may still be going on: one in flight has its deadline, one that is about to leave gets a moment. */
const busyUntilMs = (twins: readonly Action[], nowMs: number): number =>
  Math.max(
    0,
    ...twins.map(({ engaged, attempts, told, requestId, plannedAt }) => {
      if (engaged !== undefined) return engaged.deadlineAtMs + skewMs;
      const isLeaving = attempts === 0 && told === undefined && requestId === undefined;
      return isLeaving && nowMs < Date.parse(plannedAt) + firstPatienceMs
        ? nowMs + firstPauseMs
        : 0;
    }),
  );

/** The twin as it stands, and the action linked with it; undefined when they are, or when there is nothing to link. */
const linked = async (
  world: PerformWorld,
  now: Stand,
  twinId: ActionId,
): Promise<Change | undefined> => {
  const [twin] = (await world.store.read({ actions: [twinId] })).actions;
  const writes = twin === undefined ? [] : linkOf(now.action, twin);
  return writes.length === 0 ? undefined : { conversation: now.conversation, events: [], writes };
};

/** The hold of a look-alike that a person disproved is over: nobody is asked about it, and should both turn up, both say so. */
const letGo = (world: PerformWorld, seen: Stand, twinId: ActionId): Promise<'written' | 'left'> =>
  write(world, seen, async (now) => {
    const [twin] = (await world.store.read({ actions: [twinId] })).actions;
    if (twin === undefined || !isHoldOver(twin.item, world.clock.now())) return undefined;
    const writes = [...linkOf(now.action, twin), release(twin.item)];
    return { conversation: now.conversation, events: [], writes };
  });

/** Whoever approved it saw a look-alike that a person had disproved: linked before it goes out. True when a link was written. */
export const linkDisproved = async (world: PerformWorld, seen: Stand): Promise<boolean> => {
  const { item } = seen.action;
  const shown = seen.request?.item.on === 'approval' ? seen.request.item.likeness : undefined;
  const ids = [...new Set([...(item.alike ?? []), ...(shown?.holders ?? [])])];
  if (item.attempts > 0 || ids.length === 0) return false;
  const { actions } = await world.store.read({ actions: ids.map((id) => ActionId.parse(id)) });
  const twin = actions.find((found) => linkOf(seen.action, found).length > 0);
  if (twin === undefined) return false;
  await write(world, seen, (now) => linked(world, now, twin.item.actionId));
  return true;
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
  const nowMs = world.clock.now();
  const over = twins.actions.find(({ item }) => isHoldOver(item, nowMs));
  const isFree = over !== undefined && !stand.action.item.alike?.includes(over.item.actionId);
  if (guard === 'likeness' && isFree) {
    await letGo(world, stand, over.item.actionId);
    return { kind: 'look-again' };
  }
  const untilMs = busyUntilMs(
    twins.actions.map(({ item }) => item),
    nowMs,
  );
  if (untilMs > nowMs) {
    await remember(world, stand, likeness.holders);
    return { kind: 'wait', untilMs };
  }
  if (stand.action.item.attempts > 0) return callToDesk(world, stand, tool);
  const { policy } = tool.registration.contract;
  await write(world, stand, async (now) => {
    const asked = ask({
      ...now,
      requestId: RequestId.parse(`req_${world.minter.suffix()}`),
      policy,
      likeness: await holdersOf(world, now, guard),
      nowIso: nowIso(world.clock),
    });
    return asked.change;
  });
  return { kind: 'look-again' };
};

/** Which of the two it was: somebody took it back, or its time was over. */
const whyGone = async ({ store }: PerformWorld, { action: { item } }: Stand): Promise<string> => {
  const { approval, grant } = await store.leave(item);
  if (approval?.revokedAt !== undefined) return 'The approval was revoked.';
  if (grant?.revokedAt !== undefined) return 'The remembered approval was revoked.';
  if (grant !== undefined) return 'The remembered approval has expired.';
  return approval?.digest === item.digest
    ? 'The approval was given, and expired before it was begun.'
    : 'The approval is of another content.';
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
      await refuse(world, stand, tool, await whyGone(world, stand));
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
