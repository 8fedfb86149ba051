// Approvals, claims and decisions: given once, by one, on what was seen (L6, L10, L13); and what a settlement tells (L16, L21).
import { describe, expect, test } from 'vitest';
import { type Answering, answerApproval } from '../../../functions/core/answers/answer.ts';
import { ActionId, DecisionId, RequestId } from '../../../functions/core/base/ids.ts';
import { takeClaim } from '../../../functions/core/pausing/claiming.ts';
import { type Finding, type Settling, settle } from '../../../functions/core/perform/settle.ts';
import type { Claim } from '../../../functions/core/records/claim.ts';
import { type Deciding, decideAction } from '../../../functions/core/recover/decision.ts';
import { contractOf } from '../../sim/contracts.ts';
import {
  actionId,
  actionWith,
  approvalWith,
  at,
  attemptOf,
  conversation,
  endOf,
  nowIso,
  nowMs,
  observationIdOf,
  requestId,
  runWith,
  seen,
  undetermined,
  workspace,
} from '../samples.ts';

const ana = { kind: 'person', subject: 'ana', name: 'Ana' } as const;
const ben = { kind: 'person', subject: 'ben', name: 'Ben' } as const;

const answering = (changes: Partial<Answering> = {}): Answering => ({
  conversation: at(conversation()),
  run: at(runWith()),
  action: at(actionWith({ requestId, mandate: { kind: 'approval', requestId } })),
  request: at(approvalWith()),
  answer: { kind: 'approve', digest: actionWith().digest },
  by: ana,
  nowMs,
  nowIso,
  ...changes,
});

describe('An approval', () => {
  test('makes a mandate for exactly this digest, and becomes the authorisation', () => {
    const answered = answerApproval(answering());
    expect(answered).toMatchObject({
      kind: 'change',
      action: { head: 2, authorised: { head: 2, attempt: 1, authorisation: { by: 'approval' } } },
    });
    expect(answered).toHaveProperty(
      'change.writes',
      expect.arrayContaining([
        expect.objectContaining({
          kind: 'mandate',
          item: expect.objectContaining({ digest: actionWith().digest, grantedBy: ana }),
        }),
      ]),
    );
  });

  test('is given once: the second is told who answered what and when', () => {
    const decided = approvalWith({
      decision: { kind: 'refused', reason: 'No.' },
      decidedBy: ben,
      decidedAt: nowIso,
    });
    expect(answerApproval(answering({ request: at(decided) }))).toMatchObject({
      kind: 'refused',
      because: 'already_decided',
      request: { decidedBy: ben, decidedAt: nowIso },
    });
  });

  test('of another content, or too late, is refused', () => {
    const other = { kind: 'approve', digest: `sha256:${'0'.repeat(64)}` } as const;
    expect(answerApproval(answering({ answer: other }))).toMatchObject({
      because: 'digest_changed',
    });
    expect(answerApproval(answering({ nowMs: nowMs + 86_400_000 }))).toMatchObject({
      because: 'expired',
    });
  });

  test.each([
    { kind: 'refuse', reason: 'No.' },
    { kind: 'request_changes', text: 'Less.' },
  ] as const)('$kind gives the call its result, and nothing may be sent any more', (answer) => {
    expect(answerApproval(answering({ answer }))).toMatchObject({
      action: { disposition: { kind: 'refused' }, told: { status: 'error' } },
    });
  });
});

const claimBy = (by: typeof ana | typeof ben, current?: Claim, atMs = nowMs) =>
  takeClaim({ workspace, actionId, current, by, forMs: 60_000, head: 4, nowMs: atMs });
const claimOf = (outcome: ReturnType<typeof takeClaim>): Claim => {
  if (outcome.kind !== 'claim') throw new Error(`The claim was refused: ${outcome.because}.`);
  return outcome.claim;
};

describe('A claim', () => {
  const first = claimOf(claimBy(ana));

  test('is one person’s while it lasts', () => {
    expect(claimBy(ben, first)).toMatchObject({ kind: 'refused', because: 'held' });
  });

  test('that lapsed is taken over with a greater fence, and its taker must look first', () => {
    const second = claimOf(claimBy(ben, first, nowMs + 60_001));
    expect(second.fence).toBeGreaterThan(first.fence);
    expect(second.tookOver).toBe(true);
  });
});

const deciding = (changes: Partial<Deciding> = {}): Deciding => {
  const contract = contractOf('write', 'key');
  const claim = claimOf(claimBy(ana));
  const action = undetermined();
  return {
    conversation: at(conversation()),
    run: at(runWith()),
    action: at(action),
    recovery: undefined,
    claim: at(claim),
    twins: [],
    known: { attempts: [attemptOf(1, 2)], ends: [endOf(1, 3)], observations: [seen(4, 'nothing')] },
    desk: {
      action,
      pinned: contract,
      current: contract,
      attempts: [attemptOf(1, 2)],
      observations: [seen(4, 'nothing')],
      claim,
      approval: undefined,
      mandateRevokedAt: undefined,
      barredAt: undefined,
      subject: 'ana',
      nowMs,
    },
    answer: { kind: 'suspend', reason: 'Later.' },
    seenHead: 4,
    claimFence: claim.fence,
    by: ana,
    decisionId: DecisionId.parse(`dec_${'1'.padStart(26, '0')}`),
    observationId: observationIdOf(9),
    newActionId: ActionId.parse(`act_${'2'.padStart(26, '0')}`),
    newRequestId: RequestId.parse(`req_${'2'.padStart(26, '0')}`),
    marker: undefined,
    nowMs,
    nowIso,
    ...changes,
  };
};

describe('A decision', () => {
  test('on the head and under the fence that were seen is taken', () => {
    expect(decideAction(deciding()).kind).toBe('change');
  });

  test('is refused when anything was written since', () => {
    expect(decideAction(deciding({ seenHead: 3 }))).toMatchObject({
      because: 'head_moved',
      head: 4,
    });
  });

  test('is refused when somebody else has claimed it since', () => {
    expect(decideAction(deciding({ claimFence: 0 }))).toMatchObject({ because: 'fence_moved' });
  });

  test('without the claim is refused', () => {
    const { desk } = deciding();
    const other = deciding({ desk: { ...desk, subject: 'ben' }, by: ben });
    expect(decideAction(other)).toMatchObject({
      because: 'forbidden',
      forbidden: { because: 'claimed_by_other' },
    });
  });
});

const finding = (changes: Partial<Finding> = {}): Finding => ({
  about: 1,
  end: { attempt: 1, how: 'replied', milestone: 'confirmed', milestoneIs: 'observed' },
  says: 'confirms',
  source: 'reply',
  because: 'The destination answered 201.',
  ...changes,
});
const settling = (changes: Partial<Settling> = {}): Settling => ({
  conversation: at(conversation()),
  action: at(
    undetermined({
      head: 2,
      effect: 'engaged',
      engaged: { attempt: 1, owner: 'me', deadlineAtMs: nowMs + 1, engagedAt: nowIso },
    }),
  ),
  run: at(runWith()),
  recovery: undefined,
  claim: undefined,
  twins: [],
  known: { attempts: [{ attempt: 1, entry: 2 }], ends: [], observations: [] },
  contract: contractOf('write', 'key'),
  finding: finding(),
  observationId: observationIdOf(4),
  requestId,
  by: 'perform',
  nowIso,
  ...changes,
});

describe('A settlement', () => {
  test('adds end and observation to the journal, and gives the call its one result', () => {
    const { action, end, observation } = settle(settling());
    expect(end?.entry).toBe(3);
    expect(observation.entry).toBe(4);
    expect(action).toMatchObject({ head: 4, effect: 'confirmed', told: { status: 'success' } });
    expect(action.engaged).toBeUndefined();
  });

  test('keeps the result that the agent was given, whatever comes later (L16)', () => {
    const told = { status: 'error', text: 'Undetermined.' } as const;
    const before = undetermined({ told });
    const known = {
      attempts: [{ attempt: 1, entry: 2 }],
      ends: [{ attempt: 1, how: 'unknown' as const, entry: 3 }],
      observations: [{ says: 'nothing' as const, about: 1, entry: 4 }],
    };
    const { action } = settle(settling({ action: at(before), known }));
    expect(action).toMatchObject({ effect: 'confirmed', told });
  });

  test('of an unknown outcome tells nothing yet, and orders a recovery that looks first', () => {
    const lost = finding({ says: 'nothing', source: 'transport' });
    const { action, change } = settle(settling({ finding: lost }));
    expect(action).toMatchObject({ effect: 'undetermined', round: 1 });
    expect(action.told).toBeUndefined();
    expect(change.recoveries).toEqual([{ actionId, round: 1 }]);
  });

  test('releases the look-alike marker only when nobody has to fear a repeat (L20)', () => {
    const releases = (given: Settling): boolean =>
      settle(given).change.writes.some((write) => write.do === 'release-likeness');
    expect(releases(settling())).toBe(true);
    expect(releases(settling({ finding: finding({ says: 'nothing' }) }))).toBe(false);
  });

  test('numbers go on after evidence that was stored alone', () => {
    const known = {
      attempts: [{ attempt: 1, entry: 2 }],
      ends: [{ attempt: 1, how: 'replied' as const, entry: 3 }],
      observations: [{ says: 'confirms' as const, about: 1, entry: 4 }],
    };
    const lost = finding({
      says: 'nothing',
      end: { attempt: 1, how: 'lost', milestone: 'prepared', milestoneIs: 'supposed' },
    });
    const { action, observation } = settle(settling({ known, finding: lost }));
    expect(observation.entry).toBe(5);
    expect(action).toMatchObject({ head: 5, effect: 'confirmed' });
  });
});
