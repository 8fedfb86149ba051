// Runs and their conversation: one at a time, a fate for each message, numbers without gap, a reason at the end
// (L11, L12, L14, L15, L17).
import { describe, expect, test } from 'vitest';
import { MessageId, RunId } from '../../../functions/core/base/ids.ts';
import { stopRun } from '../../../functions/core/pausing/stop.ts';
import { blockRun } from '../../../functions/core/pausing/waiting.ts';
import { type Change, recordsOf } from '../../../functions/core/records/change.ts';
import type { Message } from '../../../functions/core/records/conversation.ts';
import { mayChange, type Run, type RunState } from '../../../functions/core/records/run.ts';
import { unsentEndOf } from '../../../functions/core/records/unsent-end.ts';
import { finishRun } from '../../../functions/core/turn/finish.ts';
import { postMessage } from '../../../functions/core/turn/post-message.ts';
import { admit, continueOrPark } from '../../../functions/core/turn/segment.ts';
import { turnOf } from '../../../functions/core/turn/turn.ts';
import { withdraw } from '../../../functions/core/turn/withdraw.ts';
import { agentOf } from '../../fakes/items.ts';
import {
  actionWith,
  agentId,
  approvalWith,
  at,
  conversation,
  conversationId,
  nowIso,
  requestId,
  runId,
  runWith,
  workspace,
} from '../samples.ts';

const ana = { kind: 'person', subject: 'ana', name: 'Ana' } as const;
const messageId = MessageId.parse(`msg_${'1'.padStart(26, '0')}`);
const nextRunId = RunId.parse(`run_${'2'.padStart(26, '0')}`);
const agent = { ...agentOf(workspace, agentId, []), revision: 4 };
const idle = () => {
  const { activeRun: _none, ...rest } = conversation();
  return rest;
};
const waiting: Message = {
  schema: 1,
  workspace,
  conversationId,
  messageId,
  number: 1,
  text: 'And this.',
  author: ana,
  at: nowIso,
  fate: { fate: 'waiting' },
};

const post = (given = idle(), text = 'Go.') =>
  postMessage({
    conversation: at(given),
    agent,
    message: { messageId, text, author: ana },
    runId: nextRunId,
    nowIso,
  });
const changeOf = (outcome: object): Change => {
  if (!('change' in outcome)) throw new Error('It made no change.');
  return outcome.change as Change;
};
const runIn = (change: Change): Run | undefined =>
  change.writes.flatMap((write) =>
    'kind' in write && write.kind === 'run' ? [write.item] : [],
  )[0];

describe('A message', () => {
  test('starts a run where there is none, and takes the lock in the same change', () => {
    const posted = post();
    expect(posted).toMatchObject({ fate: 'started', runId: nextRunId });
    expect(changeOf(posted).conversationNext).toMatchObject({
      activeRun: nextRunId,
      pending: [messageId],
    });
    expect(changeOf(posted).starts).toEqual([{ runId: nextRunId, segment: 1 }]);
  });

  test('steers the run in progress, and starts none', () => {
    const posted = post(conversation());
    expect(posted).toMatchObject({ fate: 'steering', runId });
    expect(changeOf(posted).starts).toEqual([]);
    expect(changeOf(posted).conversationNext).toMatchObject({ activeRun: runId });
  });

  test('pins the agent’s revision of that moment (L15)', () => {
    expect(runIn(changeOf(post()))).toMatchObject({ revision: 4 });
  });

  test('is withdrawn by its sender before it was taken, and by nobody else', () => {
    const held = at({ ...conversation(), pending: [messageId] });
    expect(withdraw(held, at(waiting), 'ben', nowIso)).toMatchObject({ because: 'not_sender' });
    const taken = { ...waiting, fate: { fate: 'taken', runId, step: 1 } } as const;
    expect(withdraw(held, at(taken), 'ana', nowIso)).toMatchObject({ because: 'taken' });
    const done = changeOf(withdraw(held, at(waiting), 'ana', nowIso));
    expect(done.conversationNext?.pending).toEqual([]);
  });
});

describe('A segment', () => {
  test('is admitted once, and never after a newer one', () => {
    expect(admit(runWith({ fence: 0 }), 1).kind).toBe('change');
    expect(admit(runWith({ fence: 1 }), 1).kind).toBe('already');
    expect(admit(runWith({ fence: 2, segment: 2 }), 1)).toMatchObject({ because: 'superseded' });
    expect(admit(runWith({ fence: 1, segment: 2 }), 1)).toMatchObject({ because: 'superseded' });
  });

  test('parks while it waits, and goes on when somebody has answered (L12)', () => {
    const state: RunState = {
      status: 'waiting',
      blocking: [{ on: 'approval', requestId }],
      since: nowIso,
    };
    const run = at(runWith({ state }));
    const park = (request = approvalWith()) =>
      continueOrPark(at(conversation()), run, 1, 'waiting', [request]);
    expect(park()).toMatchObject({ to: 'parked' });
    expect(park(approvalWith({ decision: { kind: 'approved' } }))).toMatchObject({
      to: 'continued',
    });
    expect(continueOrPark(at(conversation()), run, 1, 'budget', [])).toMatchObject({
      to: 'continued',
    });
  });

  test('each answer raises the number that parking compares', () => {
    const blocked = blockRun(runWith(), [{ on: 'approval', requestId }], [], nowIso);
    expect(blocked.run.state).toMatchObject({ status: 'waiting', blocking: [{ requestId }] });
    const freed = blockRun(blocked.run, [], [requestId], nowIso);
    expect(freed.run).toMatchObject({ wakeNo: 1, state: { status: 'running' } });
    expect(freed.events).toEqual([{ type: 'run.resumed', runId }]);
  });
});

const finish = (changes: Partial<Parameters<typeof finishRun>[0]> = {}) =>
  finishRun({
    conversation: at(conversation()),
    run: at(runWith()),
    pending: [],
    requests: [],
    actions: [],
    agent,
    reason: 'done',
    detail: undefined,
    nextRunId,
    nowIso,
    ...changes,
  });
const withPending = at({ ...conversation(), pending: [messageId] });

describe('The end of a run', () => {
  test('writes its reason and lets the conversation go', () => {
    const ended = finish();
    expect(ended).toMatchObject({ run: { state: { status: 'finished', reason: 'done' } } });
    expect(changeOf(ended).conversationNext).not.toHaveProperty('activeRun');
  });

  test('is refused while a message waits that it can still read', () => {
    expect(finish({ conversation: withPending, pending: [at(waiting)] }).kind).toBe(
      'one_more_step',
    );
  });

  test('at the step limit opens the next run for what waits, in the same change', () => {
    const change = changeOf(
      finish({
        conversation: withPending,
        pending: [at(waiting)],
        run: at(runWith({ step: 40 })),
        reason: 'step_limit',
      }),
    );
    expect(change.conversationNext).toMatchObject({ activeRun: nextRunId });
    expect(change.starts).toEqual([{ runId: nextRunId, segment: 1 }]);
  });

  test.each(['stopped', 'failed'] as const)(
    '%s holds what waits, to be offered again',
    (reason) => {
      const state: RunState = { status: 'stopping', by: 'Ana', since: nowIso, blocking: [] };
      const run = at(reason === 'stopped' ? runWith({ state }) : runWith());
      const change = changeOf(
        finish({ conversation: withPending, pending: [at(waiting)], run, reason }),
      );
      expect(change.conversationNext?.pending).toEqual([]);
      expect(change.events).toContainEqual({ type: 'message.held', messageId, runId });
    },
  );

  test('says "stopped" when a person has stopped it, whatever the machine says', () => {
    const state: RunState = { status: 'stopping', by: 'Ana', since: nowIso, blocking: [] };
    expect(finish({ run: at(runWith({ state })) })).toMatchObject({
      run: { state: { reason: 'stopped', detail: 'Ana stopped the run.' } },
    });
  });

  test('says of what was never sent why: the run failed, or was stopped, or ended', () => {
    const becauseOf = (reason: 'failed' | 'stopped' | 'step_limit') => {
      const { writes } = changeOf(finish({ reason, actions: [at(actionWith())] }));
      return writes.flatMap((write) =>
        write.do === 'replace' && write.kind === 'action' ? [write.item.disposition] : [],
      );
    };
    expect(becauseOf('failed')).toMatchObject([{ kind: 'stopped', because: 'The run failed.' }]);
    expect(becauseOf('stopped')).toMatchObject([{ because: 'The run was stopped.' }]);
    expect(becauseOf('step_limit')).toMatchObject([
      { because: 'The run ended at its step limit.' },
    ]);
  });

  test('leaves no call as planned: one that was answered, or that read in vain, has ended', () => {
    const told = (status: 'success' | 'error') => ({ told: { status, text: 'So.' } });
    expect(unsentEndOf(actionWith())).toBeUndefined();
    expect(unsentEndOf(actionWith(told('success')))).toBe('answered');
    expect(unsentEndOf(actionWith(told('error')))).toBe('no_result');
    expect(unsentEndOf(actionWith({ ...told('success'), effect: 'confirmed' }))).toBeUndefined();
  });

  test('is written once', () => {
    const state: RunState = { status: 'finished', reason: 'done', detail: 'x', at: nowIso };
    expect(finish({ run: at(runWith({ state })) }).kind).toBe('already');
  });
});

describe('A stop', () => {
  const stop = (run: Run, requests = [at(approvalWith())]) =>
    stopRun({
      conversation: at(conversation()),
      run: at(run),
      requests,
      actions: [at(actionWith({ requestId }))],
      by: ana,
      nowIso,
    });

  test('voids what waits for a person and gives each unsent call its result (L13, L16)', () => {
    const { writes } = changeOf(stop(runWith()));
    expect(writes).toContainEqual(
      expect.objectContaining({
        kind: 'request',
        item: expect.objectContaining({ decision: expect.objectContaining({ kind: 'voided' }) }),
      }),
    );
    expect(writes).toContainEqual(
      expect.objectContaining({
        kind: 'action',
        item: expect.objectContaining({
          disposition: expect.objectContaining({ kind: 'stopped' }),
          told: expect.objectContaining({ status: 'error' }),
        }),
      }),
    );
  });

  test('of a run that is over changes nothing', () => {
    const state: RunState = { status: 'finished', reason: 'done', detail: '', at: nowIso };
    expect(stop(runWith({ state })).kind).toBe('unchanged');
  });
});

describe('Transitions and turns', () => {
  test('a finished run changes no more, and only a person stops one', () => {
    for (const change of ['wait', 'resume', 'stop', 'finish'] as const)
      expect(mayChange('finished', change)).toBe(false);
    expect(mayChange('stopping', 'finish')).toBe(true);
    expect(mayChange('stopping', 'wait')).toBe(false);
  });

  test('no model is called while a stored step has a call without its result (L16)', () => {
    const standing = { pending: 0, actions: [actionWith()], eventBudget: 1e6 };
    const usage = {
      inputTokens: 0,
      outputTokens: 0,
      cachedInputTokens: 0,
      callId: 'c',
      model: 'm',
    };
    const last = {
      schema: 1,
      runId,
      step: 1,
      attempt: 'a',
      text: '',
      calls: [],
      took: [],
      results: [],
      usage,
      at: nowIso,
    } as const;
    const turn = turnOf({
      ...standing,
      run: runWith(),
      last: { ...last, calls: [], took: [], results: [] },
    });
    expect(turn.next).toBe('act');
  });
});

test('the events of a change are numbered after the conversation’s last, without gap (L17)', () => {
  const change: Change = {
    conversation: at({ ...conversation(), eventNumber: 5 }),
    events: [
      { type: 'run.resumed', runId },
      { type: 'run.resumed', runId },
    ],
    writes: [],
  };
  const records = recordsOf(change, nowIso, 'out-1');
  expect(records.events.map(({ number }) => number)).toEqual([6, 7]);
  expect(records.conversation.eventNumber).toBe(7);
});
