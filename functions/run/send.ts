// Engage, send, settle: the only place from which an effect call leaves. Owns: the order of those three.
// Laws: L2, L3 (only after this invocation's own transaction opened the attempt, only before its stored deadline), L5, L6, L7,
// L20. After engage nothing throws: what cannot be written down stays engaged, and the next look closes it.

import { continuationOf, isRefusal } from '../core/answers/answer-question.ts';
import { Defect } from '../core/base/errors.ts';
import { referenceOf } from '../core/base/ids.ts';
import { engage } from '../core/perform/engage.ts';
import { findingOf } from '../core/perform/finding.ts';
import type { Finding } from '../core/perform/settle.ts';
import type { Action } from '../core/records/action.ts';
import { type Attempt, nothingKnown } from '../core/records/evidence.ts';
import { foldAction } from '../core/records/folded.ts';
import type { ToolVersion } from '../core/registry/tool.ts';
import type { ToolReport } from '../ports/tool.ts';
import type { PerformWorld } from '../wiring/perform.ts';
import {
  askAboutTwin,
  linkDisproved,
  mustAsk,
  type NotOpened,
  refuse,
  whenRefused,
} from './not-opened.ts';
import { resultFrom } from './result.ts';
import { settleAttempt } from './settle-attempt.ts';
import { type Stand, standAgain } from './stand.ts';

type Continuation = Attempt['continuation'];

export type Engaged =
  | { readonly kind: 'opened'; readonly stand: Stand; readonly continuation: Continuation }
  | NotOpened;

/** What the next attempt hands back: what a person answered, or, with a repeat, what the attempt before it had handed back. */
const handedBack = ({ action, request }: Stand, attempts: readonly Attempt[]): Continuation =>
  action.item.authorised.authorisation.by === 'answer'
    ? continuationOf(request?.item)
    : attempts.at(-1)?.continuation;

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
      if (await linkDisproved(world, now))
        return { kind: 'answer', answer: { kind: 'look-again' } };
      const { item } = now.action;
      // The first attempt has no journal behind it.
      const journal = item.attempts > 0 ? await world.store.journal(item.actionId) : undefined;
      const nowMs = world.clock.now();
      const nowIso = new Date(nowMs).toISOString();
      const continuation = handedBack(now, journal?.attempts ?? []);
      const engagement = engage({
        conversation: now.conversation,
        action: { ...now.action, item: foldAction(item, journal ?? nothingKnown, nowIso) },
        run: now.run.item,
        approval: now.request?.item,
        continuation,
        ...options,
        nowMs,
        nowIso,
      });
      if (engagement.kind === 'digest_changed') {
        await refuse(world, now, tool, '');
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
      return { kind: 'commit', change, answer: { kind: 'opened', stand, continuation } };
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
  continuation: Continuation,
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
  continuation: Continuation,
): Promise<Action> => {
  const { item } = stand.action;
  const report = await carry(world, item, tool, deadlineAtMs, continuation);
  await world.crash.at('perform.reply-received');
  const finding = findingOf(
    tool.registration,
    item.attempts,
    report,
    world.clock.now(),
    isRefusal(continuation),
  );
  const settled = await settleAttempt(
    world,
    stand,
    tool,
    await withResult(world, item, report, finding),
  );
  await world.crash.at('perform.settled');
  return settled;
};
