// What a person may decide in which situation: the whole table, each refusal with its fact and date. Laws: L3, L4, L7, L9, L10.
import { describe, expect, test } from 'vitest';
import type { Action } from '../../../functions/core/records/action.ts';
import type { Claim } from '../../../functions/core/records/claim.ts';
import {
  type DecisionKind,
  type DeskCase,
  decisionKinds,
  type Forbidden,
  needsAffirmation,
  permissions,
} from '../../../functions/core/recover/desk.ts';
import { Contract } from '../../../functions/core/registry/contract.ts';
import { anAction, at, nowMs, startMs } from '../parts.ts';

const destination = { provider: 'crm', account: 'acme', environment: 'test', apiVersion: '1' };
const contract = (more: object = {}): Contract =>
  Contract.parse({ effect: 'write', destination, ...more });
const keyed = contract({
  key: {
    kind: 'key',
    place: { in: 'header', name: 'idempotency-key' },
    scope: 'account',
    retentionMs: 3_600_000,
    marginMs: 60_000,
    onRepeat: 'returns_first_result',
    comparesParameters: true,
  },
});
const claim: Claim = {
  schema: 1,
  workspace: 'acme',
  actionId: anAction().actionId,
  fence: 1,
  holder: { kind: 'person', subject: 'rob', name: 'Rob' },
  since: at(startMs),
  untilMs: nowMs + 60_000,
  tookAtHead: 3,
  tookOver: false,
};
const lost: Partial<Action> = { effect: 'undetermined', attempts: 1, firstEngagedAt: at(startMs) };

const desk = (action: Partial<Action>, more: Partial<DeskCase> = {}): DeskCase => ({
  action: anAction({ ...lost, ...action }),
  pinned: keyed,
  current: keyed,
  attempts: [],
  observations: [],
  claim,
  approval: undefined,
  mandateRevokedAt: undefined,
  barredAt: undefined,
  subject: 'rob',
  nowMs,
  ...more,
});

type Because = Forbidden['because'];
/** What is refused, and why; everything else is allowed. */
type Row = readonly [situation: string, desk: DeskCase, refused: { [K in DecisionKind]?: Because }];

const all = (because: Because): { [K in DecisionKind]: Because } => ({
  attach: because,
  not_performed: because,
  repeat: because,
  wait: because,
  suspend: because,
  abandon: because,
  reissue: because,
});
const allBut = (allowed: DecisionKind, because: Because): { [K in DecisionKind]?: Because } => {
  const { [allowed]: _allowed, ...rest } = all(because);
  return rest;
};
const engaged = {
  attempt: 1,
  owner: 'o',
  deadlineAtMs: nowMs + 1_000,
  engagedAt: at(startMs),
};
const given = { because: 'So.', by: 'rob', at: at(startMs) };

const rows: readonly Row[] = [
  ['is undetermined and its key still covers it', desk({}), {}],
  ['was never sent', desk({ effect: 'not_sent', attempts: 0 }), all('nothing_sent')],
  ['nobody has claimed', desk({}, { claim: undefined }), all('not_claimed')],
  ['somebody else has claimed', desk({}, { subject: 'ana' }), all('claimed_by_other')],
  ['was claimed, and the claim lapsed', desk({}, { nowMs: nowMs + 60_000 }), all('not_claimed')],
  [
    'was taken over without a look',
    desk({}, { claim: { ...claim, tookOver: true } }),
    all('look_first'),
  ],
  ['may be under way', desk({ effect: 'engaged', engaged }), allBut('attach', 'attempt_running')],
  [
    'may be under way by the clock’s error alone',
    desk({ effect: 'engaged', engaged: { ...engaged, deadlineAtMs: nowMs - 1_000 } }),
    allBut('attach', 'attempt_running'),
  ],
  ['is in progress', desk({ effect: 'in_progress' }), {}],
  [
    'is accepted',
    desk({ effect: 'accepted' }),
    { repeat: 'already_settled', wait: 'already_settled', reissue: 'already_settled' },
  ],
  ['is confirmed', desk({ effect: 'confirmed' }), allBut('not_performed', 'already_settled')],
  [
    'is confirmed and contradicted',
    desk({ effect: 'confirmed', contradicted: true }),
    {
      repeat: 'already_settled',
      wait: 'already_settled',
      suspend: 'already_settled',
      abandon: 'already_settled',
      reissue: 'already_settled',
    },
  ],
  [
    'is not done, with proof',
    desk({ effect: 'not_performed', told: { status: 'error', text: 'Not done.' } }),
    {
      not_performed: 'already_settled',
      wait: 'already_settled',
      suspend: 'already_settled',
      reissue: 'already_settled',
    },
  ],
  [
    'is not done, with proof, and waits to be told so (its next attempt may not go out)',
    desk({ effect: 'not_performed' }),
    {
      wait: 'already_settled',
      suspend: 'already_settled',
      reissue: 'already_settled',
    },
  ],
  [
    'is suspended',
    desk({ disposition: { kind: 'suspended', ...given } }),
    { suspend: 'already_disposed' },
  ],
  [
    'is abandoned',
    desk({ disposition: { kind: 'abandoned', ...given } }),
    {
      repeat: 'already_disposed',
      suspend: 'already_disposed',
      abandon: 'already_disposed',
      reissue: 'already_disposed',
    },
  ],
  ['has no key', desk({}, { pinned: contract(), current: contract() }), { repeat: 'no_key' }],
  [
    'has lost its key in the newest contract',
    desk({}, { current: contract() }),
    { repeat: 'no_key' },
  ],
  [
    'has a key that no longer covers its first attempt',
    desk({ firstEngagedAt: at(nowMs - 3_600_000) }),
    { repeat: 'key_retention_passed' },
  ],
  [
    'lost its permission',
    desk({}, { mandateRevokedAt: at(startMs) }),
    { repeat: 'mandate_revoked' },
  ],
  [
    'has an approval that expired',
    desk({}, { approval: { expiresAtMs: nowMs } }),
    { repeat: 'mandate_expired' },
  ],
  [
    'is of a barred tool',
    desk({}, { barredAt: at(startMs) }),
    { repeat: 'tool_barred', reissue: 'tool_barred' },
  ],
];

describe('an action that', () => {
  test.each(rows)('%s', (_situation, standing, refused) => {
    const found = permissions(standing);
    for (const kind of decisionKinds) {
      const permission = found[kind];
      expect([kind, permission.allowed ? undefined : permission.because]).toEqual([
        kind,
        refused[kind],
      ]);
    }
  });
});

test('every refusal by time says when it ends, and every other one since when it stands', () => {
  for (const [, standing] of rows)
    for (const kind of decisionKinds) {
      const permission = permissions(standing)[kind];
      if (permission.allowed) continue;
      if (['attempt_running', 'claimed_by_other'].includes(permission.because))
        expect(permission.until).toBeDefined();
      else if (!['nothing_sent', 'not_claimed', 'no_key'].includes(permission.because))
        expect(permission.at).toBeDefined();
    }
});

test('an own observation after the take-over lifts "look first", one before it or somebody else’s does not', () => {
  const tookOver = { ...claim, tookOver: true };
  const seen = (entry: number, by: string) => ({
    schema: 1 as const,
    observationId: 'obs_00000000000000000000000000' as never,
    actionId: claim.actionId,
    entry,
    at: at(nowMs),
    source: 'person' as const,
    by,
    says: 'nothing' as const,
    about: 'all' as const,
    because: 'Looked.',
    account: 'acme',
    environment: 'test',
  });
  const withSeen = (entry: number, by: string) =>
    permissions(desk({}, { claim: tookOver, observations: [seen(entry, by)] })).attach.allowed;
  expect(withSeen(4, 'rob')).toBe(true);
  expect(withSeen(3, 'rob')).toBe(false);
  expect(withSeen(4, 'ana')).toBe(false);
});

test('a repeat after the repeat window must be affirmed', () => {
  expect(needsAffirmation(desk({ firstEngagedAt: at(nowMs - 600_000) }))).toBe(false);
  expect(needsAffirmation(desk({ firstEngagedAt: at(nowMs - 600_001) }))).toBe(true);
});
