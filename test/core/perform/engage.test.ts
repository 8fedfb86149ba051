// Who may open an attempt, and what that transaction checks all at once (L3, L4, L6, L7, L20).
import { describe, expect, test } from 'vitest';
import { skewMs } from '../../../functions/core/base/limits.ts';
import { type Engaging, engage } from '../../../functions/core/perform/engage.ts';
import { moveFor } from '../../../functions/core/perform/move.ts';
import type { Action } from '../../../functions/core/records/action.ts';
import type { Write } from '../../../functions/core/records/change.ts';
import type { PersonRequest } from '../../../functions/core/records/request.ts';
import type { Run } from '../../../functions/core/records/run.ts';
import {
  actionId,
  actionWith,
  approvalWith,
  at,
  conversation,
  foldedOf,
  nowIso,
  nowMs,
  requestId,
  runId,
  runWith,
  timeoutMs,
  undetermined,
} from '../samples.ts';

const stopping = runWith({
  state: { status: 'stopping', by: 'Ana', since: nowIso, blocking: [] },
});
const ended = runWith({ state: { status: 'finished', reason: 'done', detail: '', at: nowIso } });
const engaged = {
  attempt: 1,
  owner: 'somebody',
  deadlineAtMs: nowMs + timeoutMs,
  engagedAt: nowIso,
};
const repeat = {
  head: 5,
  authorised: { head: 5, attempt: 2, authorisation: { by: 'verdict', because: 'Again.' } },
} as const satisfies Partial<Action>;

const move = (
  action: Action,
  run: Run = runWith(),
  request?: PersonRequest,
  atMs = nowMs,
  by: 'run' | 'recover' = 'run',
): string => moveFor(action, run, request, atMs, by).move;

describe('What Perform may do', () => {
  test('with a planned write: engage; with a read: read', () => {
    expect(move(actionWith())).toBe('engage');
    expect(move(actionWith({ effectKind: 'read' }))).toBe('read');
  });

  test('with a call that has its result: nothing', () => {
    expect(move(actionWith({ told: { status: 'success', text: 'Done.' } }))).toBe('done');
  });

  test('while somebody else may be sending: wait until the deadline and its skew, then close', () => {
    const open = undetermined({ effect: 'engaged', engaged });
    const untilMs = nowMs + timeoutMs + skewMs;
    expect(moveFor(open, runWith(), undefined, untilMs - 1)).toEqual({ move: 'wait', untilMs });
    expect(move(open, runWith(), undefined, untilMs)).toBe('close-lost');
  });

  test('after an attempt of unknown outcome: never send, but see that somebody looks (L4)', () => {
    expect(move(undetermined())).toBe('recover');
    expect(move(undetermined(), runWith(), undefined, nowMs, 'recover')).toBe('recover');
  });

  test('a repeat is the recovery’s to send, never the run’s', () => {
    expect(move(undetermined(repeat))).toBe('recover');
    expect(move(undetermined(repeat), runWith(), undefined, nowMs, 'recover')).toBe('engage');
  });

  test('a repeat whose authorisation is no longer the head is not sent', () => {
    const later = undetermined({ ...repeat, head: 6 });
    expect(move(later, runWith(), undefined, nowMs, 'recover')).not.toBe('engage');
  });

  test('with an approval: wait for it, record its expiry, go on when it was given', () => {
    const asked = actionWith({ requestId, mandate: { kind: 'approval', requestId } });
    const approved = approvalWith({ decision: { kind: 'approved' } });
    expect(move(asked, runWith(), approvalWith())).toBe('await');
    expect(move(asked, runWith(), approvalWith(), nowMs + 86_400_000)).toBe('expire');
    expect(move(asked, runWith(), approved)).toBe('engage');
  });

  test.each([
    ['stopping', stopping],
    ['over', ended],
  ])('when the run is %s: nothing new is sent, what was sent is told as it stands', (_, run) => {
    expect(move(actionWith(), run)).toBe('stop');
    expect(move(undetermined(), run)).toBe('release');
  });
});

const engaging = (changes: Partial<Engaging> = {}): Engaging => ({
  conversation: at(conversation()),
  action: at(actionWith()),
  run: runWith(),
  approval: undefined,
  fence: 1,
  owner: 'me',
  deadlineAtMs: nowMs + timeoutMs,
  nowMs,
  nowIso,
  ...changes,
});

const writesOf = (given: Engaging): readonly Write[] => {
  const engagement = engage(given);
  if (engagement.kind !== 'change') throw new Error(`It was not opened: ${engagement.kind}.`);
  return engagement.change.writes;
};
const guardsOf = (given: Engaging): string[] =>
  writesOf(given).flatMap((write) => (write.do === 'guard' ? [write.guard] : []));

describe('Opening an attempt', () => {
  test('stores the attempt with its owner and wall-clock deadline, put once (L2, L3)', () => {
    const attempt = writesOf(engaging()).find(
      (write) => write.do === 'put' && write.kind === 'attempt',
    );
    expect(attempt).toMatchObject({
      item: { attempt: 1, owner: 'me', deadlineAtMs: nowMs + timeoutMs, authorisedBy: 1, entry: 2 },
    });
  });

  test('replaces the action at the revision that was read: any later entry refuses it', () => {
    const replaced = writesOf(engaging({ action: at(actionWith(), 7) })).find(
      (write) => write.do === 'replace' && write.kind === 'action',
    );
    expect(replaced).toMatchObject({ rev: 7, item: { head: 2, effect: 'engaged', attempts: 1 } });
  });

  test('checks run, claim, mandate and bar at once (L7)', () => {
    expect(guardsOf(engaging())).toEqual([
      'run-may-act',
      'no-claim',
      'mandate-stands',
      'not-barred',
    ]);
  });

  test('under an approval checks that it stands, for this digest', () => {
    const action = actionWith({ mandate: { kind: 'approval', requestId } });
    const guard = writesOf(engaging({ action: at(action) })).find(
      (write) => write.do === 'guard' && write.guard === 'approval-stands',
    );
    expect(guard).toMatchObject({ requestId, digest: action.digest });
  });

  test('by a person’s decision needs no run, but that nobody has claimed it since', () => {
    const authorisation = { by: 'decision', decisionId: 'dec_1', claimFence: 3 } as const;
    const action = undetermined({ head: 5, authorised: { head: 5, attempt: 2, authorisation } });
    const guards = guardsOf(engaging({ action: at(action) }));
    expect(guards).toContain('no-newer-claim');
    expect(guards).not.toContain('run-may-act');
  });

  test('after a run that failed or was stopped compares with that run (L20)', () => {
    expect(guardsOf(engaging({ run: runWith({ unlikeRun: runId }) }))).toContain('unlike-last-run');
  });

  test('takes the look-alike marker, at the revision that an approval showed', () => {
    const holds = (given: Engaging) =>
      writesOf(given).find(({ do: what }) => what === 'hold-likeness');
    expect(holds(engaging())).toMatchObject({ actionId, approvedRev: undefined });
    const approval = approvalWith({
      decision: { kind: 'approved' },
      likeness: { rev: 'r7', holders: [] },
    } as Partial<PersonRequest>);
    expect(holds(engaging({ approval }))).toMatchObject({ approvedRev: 'r7' });
  });

  test('refuses what is not byte for byte what was planned (L6)', () => {
    for (const changed of [
      { arguments: { name: 'Nils' } },
      { tool: { name: 'write', version: 2 } },
      { destination: { ...actionWith().destination, account: 'b' } },
    ])
      expect(engage(engaging({ action: at(foldedOf({ ...actionWith(), ...changed })) })).kind).toBe(
        'digest_changed',
      );
  });

  test('refuses when something was written after the authorisation', () => {
    const action = undetermined({ ...repeat, head: 6 });
    expect(engage(engaging({ action: at(action) })).kind).toBe('superseded');
  });
});
