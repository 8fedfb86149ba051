// Engage, send, settle: the only place from which an effect call leaves. Owns: the order of those three.
// Laws: L2, L3 (only after this invocation's own transaction opened the attempt, only before its stored deadline), L5, L6, L7,
// L20. After engage nothing throws: what cannot be written down stays engaged, and the next look closes it.
import type { Action } from '../core/action.ts';
import { continuationOf } from '../core/answer-question.ts';
import { ask } from '../core/ask.ts';
import { approvedLikeness, engage } from '../core/engage.ts';
import { Defect } from '../core/errors.ts';
import { findingOf } from '../core/finding.ts';
import { type ActionId, RequestId, referenceOf } from '../core/ids.ts';
import { skewMs } from '../core/limits.ts';
import { callPerson } from '../core/recovery.ts';
import type { Finding } from '../core/settle.ts';
import { tell } from '../core/tell.ts';
import { toldDigestChanged, toldMandateGone } from '../core/told.ts';
import type { ToolVersion } from '../core/tool.ts';
import type { ToolReport } from '../ports/tool.ts';
import { nowIso, type PerformWorld } from '../wiring/perform.ts';
import { resultFrom } from './result.ts';
import { settleAttempt } from './settle-attempt.ts';
import { type Stand, standAgain } from './stand.ts';

export type Engaged =
  | { readonly kind: 'opened'; readonly stand: Stand }
  /** Something else must happen first; look again. */
  | { readonly kind: 'look-again' }
  /** A person at the recovery desk has to say more. */
  | { readonly kind: 'person' }
  | { readonly kind: 'wait'; readonly untilMs: number };

/** A claim is held by a person: nobody else opens an attempt. */
const claimPauseMs = 30_000;

const refuse = async (world: PerformWorld, stand: Stand, because: string): Promise<void> => {
  const { item } = stand.action;
  // Something was sent before: what is known of that stands, and the verdict says what follows (L1, L4).
  if (item.attempts > 0) return;
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
  if (guard === 'likeness') {
    const marker = await world.store.likeness(item.workspace, item.likeDigest);
    const holders = new Set([...(item.alike ?? []), ...(marker?.holders ?? [])]);
    return { rev: marker?.rev ?? '', holders: [...holders] };
  }
  const runId = stand.run.item.unlikeRun;
  const twin = runId && (await world.store.runLikeness(runId, item.likeDigest));
  return { rev: `run:${runId ?? ''}`, holders: twin ? [twin] : [] };
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
const mustAsk = ({ action, request }: Stand): boolean =>
  action.item.alike !== undefined &&
  action.item.attempts === 0 &&
  approvedLikeness({ action, approval: request?.item }) === undefined;

/** In mid-recovery the desk shows both: whoever decides to repeat has seen the marker. */
const callToDesk = async (world: PerformWorld, stand: Stand): Promise<Engaged> => {
  const recovery = stand.request?.item.on === 'recovery' ? stand.request : undefined;
  const because = 'Another action that looks alike is under way or undetermined.';
  const change = callPerson({ ...stand, recovery, claim: undefined }, because, nowIso(world.clock));
  if (change) await world.store.commit(change);
  return { kind: 'person' };
};

/** A look-alike was found: a twin still in flight is waited for, then a person is asked with both on view (L20). */
const askAboutTwin = async (
  world: PerformWorld,
  stand: Stand,
  tool: ToolVersion,
  guard: string,
): Promise<Engaged> => {
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
  if (stand.action.item.attempts > 0) return callToDesk(world, stand);
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

const whenRefused = async (
  world: PerformWorld,
  stand: Stand,
  tool: ToolVersion,
  guard: string,
): Promise<Engaged> => {
  switch (guard) {
    case 'likeness':
    case 'unlike-last-run':
      return askAboutTwin(world, stand, tool, guard);
    case 'mandate-stands':
      await refuse(world, stand, 'The permission to use this tool was revoked.');
      return { kind: 'look-again' };
    case 'grant-stands':
    case 'approval-stands':
      await refuse(world, stand, 'The approval has expired or was revoked.');
      return { kind: 'look-again' };
    case 'not-barred':
      await refuse(world, stand, 'The tool is barred.');
      return { kind: 'look-again' };
    case 'no-claim':
      return { kind: 'wait', untilMs: world.clock.now() + claimPauseMs };
    // run-may-act: the run was stopped, ended, or a newer segment took over; the next look says which.
    default:
      return { kind: 'look-again' };
  }
};

/** Opens attempt n, or says why not. */
export const openAttempt = async (
  world: PerformWorld,
  first: Stand,
  tool: ToolVersion,
  options: { readonly fence: number; readonly owner: string; readonly deadlineAtMs: number },
): Promise<Engaged> => {
  let now: Stand = first;
  let fresh = true;
  const mayStillOpen = ({ action }: Stand): boolean =>
    // A person may have it repeated after the agent was told.
    (action.item.told === undefined || action.item.attempts > 0) &&
    action.item.attempts === first.action.item.attempts &&
    action.item.authorised.head === first.action.item.authorised.head;
  return world.decide<Engaged>({
    round: async () => {
      if (!fresh) now = await standAgain(world, first);
      fresh = false;
      if (!mayStillOpen(now)) return { kind: 'answer', answer: { kind: 'look-again' } };
      if (mustAsk(now))
        return { kind: 'answer', answer: await askAboutTwin(world, now, tool, 'likeness') };
      const nowMs = world.clock.now();
      const engagement = engage({
        conversation: now.conversation,
        action: now.action,
        run: now.run.item,
        approval: now.request?.item,
        ...options,
        nowMs,
        nowIso: new Date(nowMs).toISOString(),
      });
      if (engagement.kind === 'digest_changed') {
        await refuse(world, now, '');
        return { kind: 'answer', answer: { kind: 'look-again' } };
      }
      if (engagement.kind === 'superseded')
        return { kind: 'answer', answer: { kind: 'look-again' } };
      const rev = now.action.rev + 1;
      const { change, action } = engagement;
      const conversation = {
        item: {
          ...now.conversation.item,
          eventNumber: now.conversation.item.eventNumber + change.events.length,
        },
        rev: now.conversation.rev + 1,
      };
      const stand: Stand = { ...now, conversation, action: { item: action, rev } };
      return { kind: 'commit', change, answer: { kind: 'opened', stand } };
    },
    refused: (guard) => whenRefused(world, now, tool, guard),
  });
};

/** The transport's word; what it throws although it may not is unknown, since something may have left. */
const carry = async (
  world: PerformWorld,
  action: Action,
  tool: ToolVersion,
  deadlineAtMs: number,
  continuation: ReturnType<typeof continuationOf>,
): Promise<ToolReport> => {
  let left = false;
  try {
    return await world.carrier.send({
      registration: tool.registration,
      arguments: action.arguments,
      reference: referenceOf(action.actionId),
      ...(continuation === undefined ? {} : { continuation }),
      deadlineAtMs,
      beforeFirstByte: () => {
        void world.crash.at('perform.before-first-byte');
        // L3: the stored wall-clock deadline, checked immediately before the first byte.
        if (world.clock.now() >= deadlineAtMs)
          throw new Defect('The attempt reached its deadline before it could be sent.');
        left = true;
      },
    });
  } catch (error) {
    const because = error instanceof Error ? error.message : String(error);
    return left
      ? { kind: 'unknown', because, milestone: 'transmitted' }
      : { kind: 'not_transmitted', because };
  }
};

const withResult = async (
  world: PerformWorld,
  action: Action,
  report: ToolReport,
  finding: Finding,
): Promise<Finding> => {
  if (report.kind !== 'reply') return finding;
  try {
    const result = await resultFrom(world.blobs, action.workspace, report.reply.body);
    return result === undefined ? finding : { ...finding, result };
  } catch {
    // The effect is known; only its large body could not be kept.
    return { ...finding, result: { text: '(the result was too large and could not be stored)' } };
  }
};

/** Sends the attempt that this invocation opened, and settles it. */
export const sendAttempt = async (
  world: PerformWorld,
  stand: Stand,
  tool: ToolVersion,
  deadlineAtMs: number,
): Promise<Action> => {
  const { item } = stand.action;
  const continuation = continuationOf(stand.request?.item);
  const report = await carry(world, item, tool, deadlineAtMs, continuation);
  await world.crash.at('perform.reply-received');
  const finding = findingOf(tool.registration, item.attempts, report, world.clock.now());
  const settled = await settleAttempt(
    world,
    stand,
    tool,
    await withResult(world, item, report, finding),
  );
  await world.crash.at('perform.settled');
  return settled;
};
