// What people did, as core sees it: repeats they decided, things they set aside, looks they asked for, claims, reissues.
// Laws: L4, L7 (the authorisation is the head, no newer claim, the mandate stands), L10, L21.
import { describe, expect, test } from 'vitest';
import { ActionId, ObservationId } from '../../../functions/core/base/ids.ts';
import { releaseClaim, renewClaim, takeClaim } from '../../../functions/core/pausing/claiming.ts';
import type { Action } from '../../../functions/core/records/action.ts';
import type { Claim } from '../../../functions/core/records/claim.ts';
import { duplicationOf } from '../../../functions/core/records/duplicate.ts';
import type { Observation } from '../../../functions/core/records/evidence.ts';
import type { Run } from '../../../functions/core/records/run.ts';
import { type Case, verdictFor } from '../../../functions/core/recover/verdict.ts';
import { Contract } from '../../../functions/core/registry/contract.ts';
import { anAction, at, nowMs, startMs } from '../parts.ts';

const destination = { provider: 'crm', account: 'acme', environment: 'test', apiVersion: '1' };
const keyed = Contract.parse({
  effect: 'write',
  destination,
  key: {
    kind: 'key',
    place: { in: 'header', name: 'idempotency-key' },
    scope: 'account',
    retentionMs: 86_400_000,
    onRepeat: 'returns_first_result',
    comparesParameters: true,
  },
  verification: { by: 'Ana', at: at(startMs), how: 'Sent the same key twice.' },
});
const lookedUp = Contract.parse({
  ...keyed,
  lookUp: {
    tool: 'find',
    arguments: { reference: '$reference' },
    by: 'reference',
    hits: 'items',
    found: { status: [200] },
    absent: { status: [404] },
    compare: {},
    coverage: {
      account: 'acme',
      environment: 'test',
      archived: true,
      readRights: 'all',
      period: 'always',
      complete: true,
    },
    settleMs: 0,
  },
});
const run: Pick<Run, 'state'> = { state: { status: 'running' } };

const sent: Partial<Action> = {
  effect: 'undetermined',
  attempts: 1,
  firstEngagedAt: at(startMs),
  head: 4,
  authorised: { head: 1, attempt: 1, authorisation: { by: 'plan' } },
};
const standing = (action: Partial<Action>, more: Partial<Case> = {}): Case => ({
  action: anAction({ ...sent, ...action }),
  pinned: keyed,
  current: keyed,
  attempts: [
    {
      schema: 1,
      attemptId: `att_${'0'.repeat(26)}` as never,
      actionId: anAction().actionId,
      attempt: 1,
      entry: 2,
      owner: 'o',
      engagedAt: at(startMs),
      deadlineAtMs: startMs + 1_000,
      authorisedBy: 1,
    },
  ],
  ends: [],
  observations: [],
  mandateStands: true,
  claimed: false,
  claimFence: 0,
  run: run as Run,
  nowMs,
  ...more,
});
const byDecision = (head: number, claimFence: number): Action['authorised'] => ({
  head,
  attempt: 2,
  authorisation: { by: 'decision', decisionId: 'dec_1', claimFence },
});

describe('a repeat that a person decided', () => {
  test('is performed, also while they hold the claim and long after the repeat window', () => {
    const decided = { authorised: byDecision(4, 2) };
    const late = standing(decided, { claimed: true, claimFence: 2, nowMs: nowMs + 86_000_000 });
    expect(verdictFor(late).verdict).toBe('perform');
  });

  test('goes to a person again when somebody has claimed it since', () => {
    const at2 = standing({ authorised: byDecision(4, 2) }, { claimFence: 3 });
    expect(verdictFor(at2)).toMatchObject({
      verdict: 'person',
      because: expect.stringContaining('claimed it since'),
    });
  });

  test('goes to a person again when the mandate is gone', () => {
    const gone = standing(
      { authorised: byDecision(4, 2) },
      { claimFence: 2, mandateStands: false },
    );
    expect(verdictFor(gone).verdict).toBe('person');
  });

  test('is off once anything was written after it', () => {
    const newer = standing(
      { authorised: byDecision(4, 2), head: 5 },
      { claimed: true, claimFence: 2 },
    );
    expect(verdictFor(newer).verdict).toBe('person');
  });
});

describe('an attempt that a verdict authorised', () => {
  const authorised: Action['authorised'] = {
    head: 4,
    attempt: 2,
    authorisation: { by: 'verdict', because: 'The key covers it.' },
  };
  test('is performed within its time', () => {
    expect(verdictFor(standing({ authorised })).verdict).toBe('perform');
  });
  test('is not, once a person is in charge or the repeat window is over', () => {
    expect(verdictFor(standing({ authorised }, { claimed: true })).verdict).toBe('person');
    expect(verdictFor(standing({ authorised }, { nowMs: nowMs + 600_000 })).verdict).toBe('person');
  });
});

describe.each(['suspended', 'abandoned', 'reissued'] as const)('what a person has %s', (kind) => {
  const given = { because: 'So.', by: 'rob', at: at(startMs) };
  const disposition: Action['disposition'] =
    kind === 'reissued'
      ? { kind, as: ActionId.parse(`act_${'1'.repeat(26)}`), ...given }
      : { kind, ...given };
  test('is neither repeated nor put before anybody by itself', () => {
    expect(verdictFor(standing({ disposition })).verdict).toBe('done');
  });
  test('is looked up when somebody asks for it', () => {
    const asked = standing(
      { disposition, nextCheckAtMs: nowMs },
      { pinned: lookedUp, current: lookedUp },
    );
    expect(verdictFor(asked).verdict).toBe('look');
  });
});

describe('a look that somebody asked for', () => {
  const seen = (ms: number): Observation => ({
    schema: 1,
    observationId: ObservationId.parse(`obs_${'0'.repeat(26)}`),
    actionId: anAction().actionId,
    entry: 5,
    at: at(ms),
    source: 'look_up',
    by: 'verify',
    says: 'nothing',
    about: 'all',
    because: 'It did not answer.',
    account: 'acme',
    environment: 'test',
    lookUp: 'partial',
  });
  const asked = (looked: number, nextCheckAtMs: number) =>
    verdictFor(
      standing(
        { nextCheckAtMs },
        { pinned: lookedUp, current: lookedUp, observations: [seen(looked)] },
      ),
    ).verdict;
  test('is made although one was made before', () => expect(asked(nowMs - 1, nowMs)).toBe('look'));
  test('is made once', () => expect(asked(nowMs, nowMs)).toBe('person'));
  test('waits for its time', () => expect(asked(nowMs, nowMs + 1)).toBe('wait'));
});

describe('a reissue and its original', () => {
  const ids = { original: `act_${'1'.repeat(26)}`, reissue: `act_${'2'.repeat(26)}` } as const;
  const original = (effect: Action['effect']) =>
    anAction({
      actionId: ActionId.parse(ids.original),
      effect,
      disposition: {
        kind: 'reissued',
        as: ActionId.parse(ids.reissue),
        because: 'So.',
        by: 'rob',
        at: at(startMs),
      },
    });
  const reissue = (effect: Action['effect']) =>
    anAction({
      actionId: ActionId.parse(ids.reissue),
      reissueOf: ActionId.parse(ids.original),
      effect,
    });
  const marks = (before: Action, after: Action, twin: Action) =>
    duplicationOf(before, after, [{ item: twin, rev: 3 }]).events.map((event) =>
      event.type === 'action.duplicated' ? event.actionId : event.type,
    );
  test('are both marked when the original proves confirmed after the reissue', () =>
    expect(marks(original('undetermined'), original('confirmed'), reissue('accepted'))).toEqual([
      ids.original,
      ids.reissue,
    ]));
  test('are both marked when the reissue comes second', () =>
    expect(marks(reissue('engaged'), reissue('confirmed'), original('confirmed'))).toEqual([
      ids.reissue,
      ids.original,
    ]));
  test.each([
    ['the reissue was not sent', reissue('not_sent'), original('confirmed')],
    ['the reissue did nothing', reissue('not_performed'), original('confirmed')],
    ['the original is not known', reissue('confirmed'), original('undetermined')],
    ['the original did nothing', reissue('confirmed'), original('not_performed')],
  ])('are not when %s', (_why, twin, first) =>
    expect(marks(original('undetermined'), first, twin)).toEqual([]),
  );
});

describe('a claim', () => {
  const rob = { kind: 'person' as const, subject: 'rob', name: 'Rob' };
  const ana = { kind: 'person' as const, subject: 'ana', name: 'Ana' };
  const claiming = (current: Claim | undefined, by = rob, ms = nowMs) => ({
    workspace: 'acme',
    actionId: anAction().actionId,
    current,
    by,
    forMs: 60_000,
    head: 4,
    nowMs: ms,
  });
  const taken = (outcome: ReturnType<typeof takeClaim>): Claim => {
    if (outcome.kind !== 'claim') throw new Error(`Refused: ${outcome.because}.`);
    return outcome.claim;
  };
  test('is one person’s until it lapses, and each holder’s fence is greater', () => {
    const first = taken(takeClaim(claiming(undefined)));
    expect(takeClaim(claiming(first, ana))).toMatchObject({ kind: 'refused', because: 'held' });
    const second = taken(takeClaim(claiming(first, ana, nowMs + 60_000)));
    expect(second).toMatchObject({ fence: 2, tookOver: true, tookAtHead: 4 });
    expect(renewClaim(claiming(second, rob, nowMs + 60_001)).kind).toBe('refused');
    expect(releaseClaim(claiming(second, rob, nowMs + 60_001)).kind).toBe('refused');
  });
  test('that is renewed keeps its fence and cannot outlast the longest time', () => {
    const first = taken(takeClaim(claiming(undefined)));
    const renewed = taken(renewClaim({ ...claiming(first), forMs: 10 ** 12 }));
    expect(renewed).toMatchObject({ fence: 1, untilMs: nowMs + 8 * 3_600_000 });
  });
  test('that was released is nobody’s, and its taker looks only if the take-over before did not', () => {
    const first = taken(takeClaim(claiming(undefined)));
    const free = taken(releaseClaim(claiming(first)));
    expect(free.holder).toBeUndefined();
    expect(taken(takeClaim(claiming(free, ana)))).toMatchObject({ fence: 2, tookOver: false });
  });
});
