// What single decisions write, each law by its smallest case.
// Laws: L2, L3, L4, L6, L7, L11, L12, L13, L14, L15, L17.
import { describe, expect, test } from 'vitest';
import { answerApproval } from '../../functions/core/answers/answer.ts';
import { ActionId, MessageId, RequestId, RunId } from '../../functions/core/base/ids.ts';
import { skewMs } from '../../functions/core/base/limits.ts';
import { blockRun } from '../../functions/core/pausing/waiting.ts';
import { engage } from '../../functions/core/perform/engage.ts';
import { moveFor } from '../../functions/core/perform/move.ts';
import type { Action } from '../../functions/core/records/action.ts';
import { recordsOf } from '../../functions/core/records/change.ts';
import { askUser } from '../../functions/core/registry/ask-user.ts';
import { finishRun } from '../../functions/core/turn/finish.ts';
import { storeStep } from '../../functions/core/turn/plan.ts';
import { postMessage } from '../../functions/core/turn/post-message.ts';
import { continueOrPark } from '../../functions/core/turn/segment.ts';
import { registryCache } from '../../functions/wiring/versions.ts';
import { aConversation, agent, aRun, idOf } from '../adversary/parts.ts';
import { memoryRegistry } from '../fakes/memory-registry.ts';
import { anAction, at, nowMs } from './parts.ts';
import { actionWith, approvalWith, foldedOf, undetermined } from './samples.ts';

const ana = { kind: 'person', subject: 'ana', name: 'Ana' } as const;
const ben = { kind: 'person', subject: 'ben', name: 'Ben' } as const;
const requestId = RequestId.parse(idOf('req', 1));

const opening = (action: Action = anAction()) =>
  engage({
    conversation: aConversation(),
    action: { item: foldedOf(action), rev: 1 },
    run: aRun().item,
    approval: undefined,
    fence: 1,
    owner: 'o',
    deadlineAtMs: nowMs + 10_000,
    nowMs,
    nowIso: at(nowMs),
  });

describe('Before anything is sent', () => {
  test('a step is stored with the action of each of its calls (L2)', () => {
    const actionId = ActionId.parse(idOf('act', 7));
    const { change, step } = storeStep(
      aConversation(),
      aRun(),
      {
        step: 1,
        attempt: 'mdl',
        text: '',
        calls: [
          {
            kind: 'valid',
            name: 'ask_user',
            arguments: {},
            tool: askUser,
            gate: { on: 'nothing', mandate: { kind: 'standing' } },
            actionId,
            requestId,
          },
        ],
        took: [],
        facts: undefined,
        factsTold: [],
        results: [],
        usage: { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, callId: 'c', model: 'm' },
      },
      at(nowMs),
    );
    expect(step.calls).toMatchObject([{ kind: 'action', actionId }]);
    const put = { do: 'put', kind: 'action', item: { actionId, arguments: {}, mandate: {} } };
    expect(change.writes).toContainEqual(expect.objectContaining({ do: 'put', kind: 'step' }));
    expect(change.writes.filter((write) => write.do === 'put')).toMatchObject([{}, put]);
  });

  test('content that differs from its digest opens nothing (L6)', () => {
    expect(opening(anAction({ arguments: { text: 'Other' } })).kind).toBe('digest_changed');
  });

  test('the opening checks run, claim, mandate and bar at once (L7)', () => {
    const opened = opening();
    if (opened.kind !== 'change') throw new Error(opened.kind);
    const guards = opened.change.writes.flatMap((write) =>
      write.do === 'guard' ? [write.guard] : [],
    );
    expect(guards).toEqual(['run-may-act', 'no-claim', 'mandate-stands', 'not-barred']);
    expect(opened.change.writes).toContainEqual(
      expect.objectContaining({ do: 'put', kind: 'attempt' }),
    );
  });
});

describe('After an attempt was opened', () => {
  const moveOf = (action: ReturnType<typeof actionWith>, ms: number, by: 'run' | 'recover') =>
    moveFor(action, aRun().item, undefined, ms, by).move;

  test.each(['run', 'recover'] as const)('the %s only waits until deadline and skew (L3)', (by) => {
    const deadlineAtMs = nowMs + 10_000;
    const engaged = { attempt: 1, owner: 'o', deadlineAtMs, engagedAt: at(nowMs) };
    const action = actionWith({ effect: 'engaged', attempts: 1, head: 2, engaged });
    expect(moveOf(action, nowMs, by)).toBe('wait');
    expect(moveOf(action, deadlineAtMs + skewMs - 1, by)).toBe('wait');
    expect(moveOf(action, deadlineAtMs + skewMs, by)).toBe('close-lost');
  });

  test.each(['run', 'recover'] as const)(
    'the %s opens no other without an authorisation (L4)',
    (by) => {
      expect(moveOf(undetermined(), nowMs, by)).toBe('recover');
    },
  );
});

describe('A conversation', () => {
  const post = (activeRun: RunId | undefined, text = 'Hello', title = 'Orders') => {
    const { item, rev } = aConversation();
    const { activeRun: _none, ...idle } = { ...item, title };
    const posted = postMessage({
      conversation: { item: activeRun ? { ...idle, activeRun } : idle, rev },
      agent,
      message: { messageId: MessageId.parse(idOf('msg', 1)), text, author: ana },
      runId: RunId.parse(idOf('run', 9)),
      nowIso: at(nowMs),
    });
    if (posted.kind !== 'change') throw new Error(posted.because);
    return posted;
  };

  test('has one run: a message starts one, or steers the one in progress (L11)', () => {
    expect(post(undefined)).toMatchObject({ fate: 'started', change: { starts: [{}] } });
    const active = aRun().item.runId;
    const steering = post(active);
    expect(steering).toMatchObject({ fate: 'steering', runId: active, change: { starts: [] } });
    expect(steering.change.writes).toMatchObject([{ do: 'put', kind: 'message' }]);
  });

  test('is called by the first line that is said in it, unless it was begun with a title', () => {
    const titleAfter = (text: string, title: string) =>
      post(undefined, text, title).change.conversationNext?.title;
    expect(titleAfter('\n  Refund pay_1003 \r\nby 4900', '')).toBe('Refund pay_1003');
    expect(titleAfter('Refund pay_1003', 'Orders')).toBe('Orders');
    expect(titleAfter('😀'.repeat(80), '')).toBe('😀'.repeat(80));
    expect(titleAfter('😀'.repeat(200), '')).toBe(`${'😀'.repeat(79)}…`);
  });

  test('numbers its events without gap or double, change after change (L17)', () => {
    const { change } = post(undefined);
    const first = recordsOf(change, at(nowMs), 'one');
    const conversation = { item: first.conversation, rev: 2 };
    const second = recordsOf(
      { ...change, conversation, conversationNext: first.conversation },
      '',
      '',
    );
    const numbers = [...first.events, ...second.events].map(({ number }) => number);
    expect(numbers).toEqual([1, 2, 3, 4]);
    expect(second.conversation.eventNumber).toBe(4);
  });
});

describe('A run', () => {
  test('that waits is told of each answer by a greater number (L12)', () => {
    const opened = blockRun(aRun().item, [{ on: 'approval', requestId }], [], at(nowMs)).run;
    expect(opened).toMatchObject({ wakeNo: 0, state: { status: 'waiting' } });
    const freed = blockRun(opened, [], [requestId], at(nowMs));
    expect(freed.run).toMatchObject({ wakeNo: 1, state: { status: 'running' } });
    expect(freed.events).toMatchObject([{ type: 'run.resumed' }]);
  });

  test('parks only while nothing it waits for is decided (L12)', () => {
    const waiting = blockRun(aRun().item, [{ on: 'approval', requestId }], [], at(nowMs)).run;
    const end = (request: ReturnType<typeof approvalWith>) =>
      continueOrPark(aConversation(), { item: waiting, rev: 2 }, 1, 'waiting', [request]);
    expect(end(approvalWith({ requestId }))).toMatchObject({ to: 'parked' });
    expect(end(approvalWith({ requestId, decision: { kind: 'approved' } }))).toMatchObject({
      to: 'continued',
      change: { starts: [{ segment: 2 }] },
    });
  });

  test('that a person stopped says so, in store and event alike (L14)', () => {
    const finished = finishRun({
      conversation: aConversation(),
      run: aRun({ state: { status: 'stopping', by: 'Ana', since: at(nowMs), blocking: [] } }),
      pending: [],
      requests: [],
      actions: [],
      agent,
      reason: 'done',
      detail: undefined,
      nextRunId: RunId.parse(idOf('run', 1)),
      nowIso: at(nowMs),
    });
    if (finished.kind !== 'change') throw new Error(finished.kind);
    const said = { reason: 'stopped', detail: 'Ana stopped the run.' };
    expect(finished.run.state).toMatchObject(said);
    expect(finished.change.conversationNext?.lastRun).toMatchObject({ reason: 'stopped' });
    expect(finished.change.events).toMatchObject([{ type: 'run.finished', ...said }]);
  });

  test('finds the revision it started with, whatever was read before (L15)', async () => {
    const registry = memoryRegistry();
    for (const revision of [1, 2]) await registry.putAgent({ ...agent, revision });
    const versions = registryCache(registry);
    for (const revision of [2, 1, 2])
      expect(await versions.agent('acme', agent.agentId, revision)).toMatchObject({ revision });
  });
});

describe('An approval', () => {
  const answer = (request: ReturnType<typeof approvalWith>) =>
    answerApproval({
      conversation: aConversation(),
      run: aRun(),
      action: { item: actionWith(), rev: 1 },
      request: { item: request, rev: 1 },
      answer: { kind: 'approve', digest: actionWith().digest },
      by: ben,
      nowMs: Date.parse(request.openedAt),
      nowIso: request.openedAt,
    });

  test('is given once: the second is told who answered and what (L13)', () => {
    expect(answer(approvalWith())).toMatchObject({ kind: 'change' });
    const decided = approvalWith({ decision: { kind: 'approved' }, decidedBy: ana });
    expect(answer(decided)).toMatchObject({
      kind: 'refused',
      because: 'already_decided',
      request: { decision: { kind: 'approved' }, decidedBy: ana },
    });
  });
});
