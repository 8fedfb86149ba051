// The people of a simulated world: they speak, approve, claim, decide, stop and revoke, by the same core functions as the API.
// A person is honest: what they attach or rule out, they have seen at the destination. Owns: their words.

import { answerApproval } from '../../functions/core/answers/answer.ts';
import { changeStanding } from '../../functions/core/answers/permissions.ts';
import type { Author } from '../../functions/core/base/author.ts';
import {
  ActionId,
  type ConversationId,
  DecisionId,
  MessageId,
  ObservationId,
  RequestId,
  RunId,
} from '../../functions/core/base/ids.ts';
import { takeClaim } from '../../functions/core/pausing/claiming.ts';
import { stopRun } from '../../functions/core/pausing/stop.ts';
import type { Action } from '../../functions/core/records/action.ts';
import type { Change, Versioned } from '../../functions/core/records/change.ts';
import { decide, type Round } from '../../functions/core/records/decide.ts';
import { foldAction } from '../../functions/core/records/folded.ts';
import { type DecisionAnswer, decideAction } from '../../functions/core/recover/decision.ts';
import type { DecisionKind, DeskCase } from '../../functions/core/recover/desk.ts';
import { observe } from '../../functions/core/recover/observe.ts';
import { postMessage } from '../../functions/core/turn/post-message.ts';
import { openRequestsOf } from '../../functions/run/open-requests.ts';
import { standAt } from '../../functions/run/stand.ts';
import { keep } from '../fakes/memory-store.ts';
import type { Destination } from './destination.ts';
import type { Timeline } from './timeline.ts';
import type { World } from './world.ts';

export const person = (subject: string): Author => ({ kind: 'person', subject, name: subject });
export const ana = person('ana');

export interface PeopleParts {
  readonly time: Timeline;
  readonly world: World;
  readonly destination: Destination;
}

/** What came of asking for something. */
export type Came = 'done' | `refused: ${string}`;

const iso = (ms: number): string => new Date(ms).toISOString();

export const peopleOf = ({ time, world, destination }: PeopleParts) => {
  const { store, registry, suffix } = world;
  const deciding = <Answer>(round: () => Promise<Round<Answer>>): Promise<Answer> =>
    decide({
      round,
      commit: store.commit,
      pause: time.pause,
      fraction: () => 0.5,
    });
  const now = () => ({ nowMs: time.now(), nowIso: iso(time.now()) });

  const say = (conversationId: ConversationId, text: string): Promise<RunId> => {
    const ids = {
      messageId: MessageId.parse(`msg_${suffix()}`),
      runId: RunId.parse(`run_${suffix()}`),
    };
    return deciding<RunId>(async () => {
      const { conversation } = await store.read({ conversation: conversationId });
      if (!conversation) throw new Error(`There is no conversation ${conversationId}.`);
      const { workspace, agentId } = conversation.item;
      const agent = await registry.newestAgent(workspace, agentId);
      if (!agent) throw new Error(`There is no agent ${agentId}.`);
      const posted = postMessage({
        conversation,
        agent,
        message: { messageId: ids.messageId, text, author: ana },
        runId: ids.runId,
        nowIso: now().nowIso,
      });
      if (posted.kind === 'refused') throw new Error(`The message was refused: ${posted.because}.`);
      return { kind: 'commit', change: posted.change, answer: posted.runId };
    });
  };

  const claim = (actionId: ActionId, by: Author, forMs = 30 * 60_000): Promise<Came> =>
    deciding<Came>(async () => {
      const { actions, claims } = await store.read({ actions: [actionId], claims: [actionId] });
      const action = actions[0]?.item;
      const { conversation } = await store.read({ conversation: action?.conversationId });
      if (!action || !conversation) throw new Error(`There is no action ${actionId}.`);
      const current = claims[0];
      const outcome = takeClaim({
        workspace: action.workspace,
        actionId,
        current: current?.item,
        by,
        forMs,
        head: action.head,
        nowMs: time.now(),
      });
      if (outcome.kind === 'refused')
        return { kind: 'answer', answer: `refused: ${outcome.because}` };
      const { untilMs } = outcome.claim;
      const change: Change = {
        conversation,
        events: [{ type: 'claim.taken', runId: action.runId, actionId, by: by.name, untilMs }],
        writes: [
          current
            ? { do: 'replace', kind: 'claim', item: outcome.claim, rev: current.rev }
            : { do: 'put', kind: 'claim', item: outcome.claim },
        ],
      };
      return { kind: 'commit', change, answer: 'done' };
    });

  const deskFor = async (action: Action, by: Author): Promise<DeskCase> => {
    const { name, version } = action.tool;
    const pinned = await registry.tool(action.workspace, name, version);
    const newest = await registry.newestTool(action.workspace, name);
    if (!pinned || !newest) throw new Error(`There is no tool ${name}.`);
    const [journal, leave] = [await store.journal(action.actionId), await store.leave(action)];
    return {
      ...leave,
      ...journal,
      action: foldAction(action, journal, iso(time.now())),
      pinned: pinned.registration.contract,
      current: newest.registration.contract,
      claim: leave.claim?.item,
      subject: by.subject,
      nowMs: time.now(),
    };
  };

  const seenAt = (action: Action): boolean =>
    destination.effects.some(({ reference }) => reference === action.actionId);

  const evidenceOf = (action: Action) => ({
    what: seenAt(action) ? 'It is there.' : 'It is not there.',
    where: 'The list of the destination',
    when: iso(time.now()),
    coverage: 'Every effect of the account',
  });

  /** Undefined when the person would have to state what they have not seen. */
  const answerOf = (kind: DecisionKind, action: Action): DecisionAnswer | undefined => {
    const evidence = evidenceOf(action);
    switch (kind) {
      case 'attach':
        return seenAt(action) ? { kind, evidence } : undefined;
      case 'not_performed':
        return seenAt(action) ? undefined : { kind, evidence };
      case 'repeat':
        return { kind, affirmed: true };
      case 'wait':
        return { kind, untilMs: time.now() + 60_000, reason: 'Later.' };
      case 'suspend':
      case 'abandon':
        return { kind, reason: 'Enough.' };
      case 'reissue':
        return { kind, reason: 'It is needed.', riskAccepted: 'It may be there twice.' };
    }
  };

  const decideOn = (actionId: ActionId, kind: DecisionKind, by: Author): Promise<Came> =>
    deciding<Came>(async () => {
      const { actions } = await store.read({ actions: [actionId] });
      const found = actions[0]?.item;
      if (!found) throw new Error(`There is no action ${actionId}.`);
      const stand = await standAt({ store }, found);
      const { item } = stand.action;
      const answer = answerOf(kind, item);
      if (!answer) return { kind: 'answer', answer: 'refused: it is not so' };
      const { claim: held } = await store.leave(item);
      const outcome = decideAction({
        ...stand,
        recovery: stand.request?.item.on === 'recovery' ? stand.request : undefined,
        claim: held,
        known: await store.journal(actionId),
        desk: await deskFor(item, by),
        answer,
        seenHead: item.head,
        claimFence: held?.item.fence ?? 0,
        by,
        decisionId: DecisionId.parse(`dec_${suffix()}`),
        observationId: ObservationId.parse(`obs_${suffix()}`),
        newActionId: ActionId.parse(`act_${suffix()}`),
        newRequestId: RequestId.parse(`req_${suffix()}`),
        marker:
          kind === 'reissue' ? await store.likeness(item.workspace, item.likeDigest) : undefined,
        ...now(),
      });
      if (outcome.kind === 'change')
        return { kind: 'commit', change: outcome.change, answer: 'done' };
      const why = outcome.because === 'forbidden' ? outcome.forbidden.because : outcome.because;
      return { kind: 'answer', answer: `refused: ${why}` };
    });

  /** Writes down what is to be seen at the destination, without deciding. */
  const look = (actionId: ActionId, by: Author): Promise<Came> =>
    deciding<Came>(async () => {
      const { actions } = await store.read({ actions: [actionId] });
      const found = actions[0]?.item;
      if (!found) throw new Error(`There is no action ${actionId}.`);
      const stand = await standAt({ store }, found);
      const desk = await deskFor(stand.action.item, by);
      const outcome = observe({
        ...stand,
        recovery: stand.request?.item.on === 'recovery' ? stand.request : undefined,
        known: await store.journal(actionId),
        contract: desk.pinned,
        evidence: evidenceOf(found),
        says: 'nothing',
        author: by,
        reports: false,
        observationId: ObservationId.parse(`obs_${suffix()}`),
        requestId: RequestId.parse(`req_${suffix()}`),
        ...now(),
      });
      return outcome.kind === 'change'
        ? { kind: 'commit', change: outcome.change, answer: 'done' }
        : { kind: 'answer', answer: `refused: ${outcome.forbidden.because}` };
    });

  const approve = (requestId: RequestId, by: Author, yes = true): Promise<Came> =>
    deciding<Came>(async () => {
      const { requests } = await store.read({ requests: [requestId] });
      const request = requests[0];
      if (request?.item.on !== 'approval')
        return { kind: 'answer', answer: 'refused: not_an_approval' };
      const { actionId, runId, conversationId, digest } = request.item;
      const stand = await standAt({ store }, { actionId, runId, conversationId });
      const outcome = answerApproval({
        ...stand,
        request,
        answer: yes ? { kind: 'approve', digest } : { kind: 'refuse', reason: 'No.' },
        by,
        ...now(),
      });
      return outcome.kind === 'change'
        ? { kind: 'commit', change: outcome.change, answer: 'done' }
        : { kind: 'answer', answer: `refused: ${outcome.because}` };
    });

  const stop = (runId: RunId, by: Author): Promise<Came> =>
    deciding<Came>(async () => {
      const { run } = await store.read({ run: runId });
      const { conversation } = await store.read({ conversation: run?.item.conversationId });
      if (!run || !conversation) throw new Error(`There is no run ${runId}.`);
      const open = await openRequestsOf(store, run.item);
      const stopped = stopRun({ conversation, run, ...open, by, nowIso: now().nowIso });
      return stopped.kind === 'change'
        ? { kind: 'commit', change: stopped.change, answer: 'done' }
        : { kind: 'answer', answer: 'refused: over' };
    });

  /** Takes back an agent's standing permission for a tool. */
  const revoke = (workspace: string, agentId: string, tool: string): void => {
    const mandate = changeStanding(undefined, { workspace, agentId, tool }, 'revoked', {
      by: ana,
      reason: 'Withdrawn.',
      nowIso: now().nowIso,
    });
    if (mandate) keep(store.memory, 'standing', mandate.item, 1);
  };

  /** Takes back every approval that was given. */
  const revokeApprovals = (): void => {
    for (const { item, rev } of store.memory.items.mandate.values())
      if (item.revokedAt === undefined)
        keep(store.memory, 'mandate', { ...item, revokedAt: now().nowIso }, rev + 1);
  };

  /** Open requests that somebody sees in the inbox. */
  const inbox = (): Versioned<Parameters<typeof isShown>[0]>[] =>
    [...store.memory.items.request.values()].filter(({ item }) => isShown(item));

  return { say, claim, decideOn, look, approve, stop, revoke, revokeApprovals, inbox };
};
export type People = ReturnType<typeof peopleOf>;

type Request = Awaited<ReturnType<World['store']['read']>>['requests'][number]['item'];

/** A recovery is shown once a verdict has asked for a person; every other request at once. */
export const isShown = (request: Request): boolean =>
  request.decision === undefined && (request.on !== 'recovery' || request.needsPerson);
