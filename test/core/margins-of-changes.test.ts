// What a change leaves alone: a call that is in flight, what is decided already, a run that is over; and what an opening keeps from
// before. Laws: L4, L7, L9, L11, L13, L16, L20.
import { describe, expect, test } from 'vitest';
import { ActionId, MessageId, RunId } from '../../functions/core/base/ids.ts';
import type { Asked } from '../../functions/core/pausing/asked.ts';
import { releaseAlone } from '../../functions/core/pausing/release.ts';
import { stopRun } from '../../functions/core/pausing/stop.ts';
import { replaceRun } from '../../functions/core/pausing/waiting.ts';
import { engage } from '../../functions/core/perform/engage.ts';
import { foldStored } from '../../functions/core/perform/fold-stored.ts';
import { learn } from '../../functions/core/perform/settle.ts';
import type { Action } from '../../functions/core/records/action.ts';
import type { Change, Versioned } from '../../functions/core/records/change.ts';
import type { PersonRequest } from '../../functions/core/records/request.ts';
import type { RunState } from '../../functions/core/records/run.ts';
import type { Contract } from '../../functions/core/registry/contract.ts';
import { finishRun } from '../../functions/core/turn/finish.ts';
import { agentOf } from '../fakes/items.ts';
import { contractOf } from '../sim/contracts.ts';
import {
  actionWith,
  agentId,
  approvalWith,
  at,
  attemptOf,
  conversation,
  endOf,
  foldedOf,
  nowIso,
  nowMs,
  observationIdOf,
  requestId,
  runId,
  runWith,
  seen,
  timeoutMs,
  undetermined,
  workspace,
} from './samples.ts';

const ana = { kind: 'person', subject: 'ana', name: 'Ana' } as const;
const engaged = { attempt: 1, owner: 'o', deadlineAtMs: nowMs + timeoutMs, engagedAt: nowIso };
const over: RunState = { status: 'finished', reason: 'done', detail: '', at: nowIso };

const written = (change: Change, kind: 'action' | 'request' | 'run') =>
  change.writes.flatMap((write) =>
    write.do === 'replace' && write.kind === kind ? [write.item] : [],
  );

const stopped = (action: Action, request: PersonRequest): Change => {
  const requests: Versioned<PersonRequest>[] = [at(request)];
  const given = { conversation: at(conversation()), run: at(runWith()), requests };
  const outcome = stopRun({ ...given, actions: [at(action)], by: ana, nowIso });
  if (outcome.kind !== 'change') throw new Error('It was not stopped.');
  return outcome.change;
};

describe('A stop', () => {
  test('leaves a call that is in flight to its own settling (L16)', () => {
    const inFlight = undetermined({ effect: 'engaged', engaged });
    expect(written(stopped(inFlight, approvalWith()), 'action')).toEqual([]);
  });

  test('leaves what is decided as it was decided (L13)', () => {
    const refused = approvalWith({ decision: { kind: 'refused', reason: 'No.' } });
    expect(written(stopped(actionWith({ requestId }), refused), 'request')).toEqual([]);
  });

  test('leaves a recovery open: only the run waits for it no longer', () => {
    const recovery: PersonRequest = {
      schema: 1,
      workspace,
      requestId,
      conversationId: conversation().conversationId,
      runId,
      actionId: actionWith().actionId,
      openedAt: nowIso,
      on: 'recovery',
      because: 'The reply was lost.',
      needsPerson: true,
    };
    const change = stopped(undetermined({ requestId }), recovery);
    expect(written(change, 'request')).toEqual([{ ...recovery, released: true }]);
    expect(change.events.map(({ type }) => type)).not.toContain('request.closed');
  });
});

describe('A run that is over', () => {
  test('is not written again, and starts nothing, by what frees it', () => {
    const run = at(runWith({ state: over, parked: true }));
    expect(replaceRun(run, run.item)).toEqual([]);
    const change = releaseAlone(
      { conversation: at(conversation()), run, nowIso },
      {
        more: false,
        left: [],
        writes: [],
        events: [],
        inward: [],
        recoveries: [],
        wakes: [requestId],
        conversation: (before) => before,
      },
    );
    expect([change.starts, change.writes]).toEqual([[], []]);
  });
});

test('an answer at the very last step lets the message that waits open the next run (L11)', () => {
  const messageId = MessageId.parse(`msg_${'1'.padStart(26, '0')}`);
  const nextRunId = RunId.parse(`run_${'2'.padStart(26, '0')}`);
  const finished = (step: number) =>
    finishRun({
      conversation: at({ ...conversation(), pending: [messageId] }),
      run: at(runWith({ step, stepLimit: 40 })),
      pending: [],
      requests: [],
      actions: [],
      agent: agentOf(workspace, agentId, []),
      reason: 'done',
      detail: undefined,
      nextRunId,
      nowIso,
    });
  expect(finished(39).kind).toBe('one_more_step');
  expect(finished(40)).toMatchObject({ change: { starts: [{ runId: nextRunId, segment: 1 }] } });
});

describe('Evidence that was stored alone', () => {
  const contract = contractOf('write', 'key');
  const fold = (action: Action) =>
    foldStored({
      conversation: at(conversation()),
      action: at(action),
      run: at(runWith()),
      request: undefined,
      recovery: undefined,
      claim: undefined,
      twins: [],
      known: {
        attempts: [attemptOf(1, 2)],
        ends: [endOf(1, 3)],
        observations: [
          seen(4, 'nothing', { because: 'The proxy gave up.' }),
          seen(5, 'nothing', { source: 'webhook', because: 'Something else.' }),
        ],
      },
      contract,
      observationId: observationIdOf(9),
      requestId,
      nowIso,
    });

  test('is folded as the entry that the action names, not as the newest', () => {
    const folded = fold(undetermined({ unfolded: 4, head: 5, effect: 'in_progress' }, contract));
    const said = JSON.stringify(folded?.change);
    expect(said).toContain('The proxy gave up.');
    expect(said).not.toContain('Something else.');
  });

  test('waits while its attempt is open: whoever closes that folds it', () => {
    expect(fold(undetermined({ unfolded: 4, head: 5, effect: 'engaged', engaged }))).toBe(
      undefined,
    );
    expect(fold(undetermined({ head: 5 }))).toBe(undefined);
  });
});

describe('A tool that asks when nobody will be asked any more', () => {
  const contract = contractOf('write', 'key');
  const asked: Asked = {
    message: 'Sure?',
    form: { type: 'object', properties: {} },
    asked: { parts: {} },
  };
  const saysOf = (action: Action, state: RunState, given: Contract = contract) =>
    learn({
      conversation: at(conversation()),
      action: at(action),
      run: at(runWith({ state })),
      request: undefined,
      recovery: undefined,
      claim: undefined,
      twins: [],
      known: { attempts: [attemptOf(1, 2)], ends: [], observations: [] },
      contract: given,
      finding: { about: 1, says: 'asked', source: 'reply', because: 'It asks.', asked },
      observationId: observationIdOf(9),
      requestId,
      by: 'perform',
      nowIso,
    }).observations.map(({ says }) => says);
  const open = undetermined({ effect: 'engaged', engaged }, contract);

  test('its question is closed at once: the run is stopping or over, or its agent has its result', () => {
    const stopping: RunState = { status: 'stopping', by: 'Ana', since: nowIso, blocking: [] };
    expect(saysOf(open, { status: 'running' })).toEqual(['asked']);
    expect(saysOf(open, stopping)).toEqual(['asked', 'nothing']);
    expect(saysOf(open, over)).toEqual(['asked', 'nothing']);
    const told = { status: 'error' as const, text: 'Suspended.' };
    expect(saysOf({ ...open, told }, { status: 'running' })).toEqual(['asked', 'nothing']);
  });

  test('is disproved where its contract says that it acts only after it has asked (L21)', () => {
    const first: Contract = { ...contract, asksBeforeActing: true };
    expect(saysOf(open, over, first)).toEqual(['asked', 'disproves']);
    expect(saysOf(open, { status: 'running' }, first)).toEqual(['asked']);
  });
});

describe('The opening of an attempt', () => {
  const opened = (action: Action, more: { unlike?: boolean; approval?: PersonRequest } = {}) => {
    const outcome = engage({
      conversation: at(conversation()),
      action: at(foldedOf(action)),
      run: runWith(more.unlike ? { unlikeRun: RunId.parse(`run_${'7'.padStart(26, '0')}`) } : {}),
      approval: more.approval,
      fence: 1,
      owner: 'o',
      deadlineAtMs: nowMs + timeoutMs,
      nowMs,
      nowIso,
    });
    if (outcome.kind !== 'change') throw new Error(outcome.kind);
    return outcome;
  };
  const guardsOf = ({ change }: ReturnType<typeof opened>) =>
    change.writes.flatMap((write) => (write.do === 'guard' ? [write.guard] : []));
  const holdOf = ({ change }: ReturnType<typeof opened>) =>
    change.writes.flatMap((write) => (write.do === 'hold-likeness' ? [write] : []))[0];
  const original = ActionId.parse(`act_${'5'.padStart(26, '0')}`);
  const repeated = (by: Action['authorised']['authorisation'], more: Partial<Action> = {}) =>
    undetermined({ head: 5, authorised: { head: 5, attempt: 2, authorisation: by }, ...more });
  const again = { by: 'verdict', because: 'Again.' } as const;
  const likeness = { rev: 'r1', holders: [original] };
  const approved = approvalWith({
    decision: { kind: 'approved' },
    likeness,
  });
  const byApproval = { by: 'approval', requestId } as const;

  test('again keeps the time of the first: keys and repeats are counted from it (L9)', () => {
    const firstEngagedAt = '2026-12-31T23:00:00.000Z';
    expect(opened(repeated(again, { firstEngagedAt })).action.firstEngagedAt).toBe(firstEngagedAt);
  });

  test('is held against the last run, if that failed, the first time only, and not once a person saw both (L20)', () => {
    expect(guardsOf(opened(actionWith(), { unlike: true }))).toContain('unlike-last-run');
    expect(guardsOf(opened(repeated(again), { unlike: true }))).not.toContain('unlike-last-run');
    const first = actionWith({
      authorised: { head: 1, attempt: 1, authorisation: byApproval },
      mandate: { kind: 'approval', requestId },
    });
    const seenBoth = opened(first, { unlike: true, approval: approved });
    expect(guardsOf(seenBoth)).not.toContain('unlike-last-run');
  });

  test('by a decision takes the marker as the person saw it (L20)', () => {
    const decision = { by: 'decision', decisionId: 'dec_1', claimFence: 2, likeRev: 'r7' } as const;
    expect(holdOf(opened(repeated(decision)))?.approvedRev).toBe('r7');
  });

  test('of a reissue replaces its original among the holders, the first time only (L20)', () => {
    const reissue: Partial<Action> = { reissueOf: original };
    const first = actionWith({
      ...reissue,
      authorised: { head: 1, attempt: 1, authorisation: byApproval },
    });
    const { actionId } = first;
    expect(holdOf(opened(first, { approval: approved }))?.instead).toEqual({ holders: [actionId] });
    const second = opened(repeated(again, reissue), { approval: approved });
    expect(holdOf(second)?.instead).toBe(undefined);
  });
});
