// Attempts that were authorised and may not open any more: nothing loops over them, and nothing sends them later.
// Laws: L4, L7, L14 (a run never waits on nobody), L16 (what was told stands).

import { describe, expect, test } from 'vitest';
import { AttemptId, ObservationId, RequestId } from '../../functions/core/base/ids.ts';
import { moveFor } from '../../functions/core/perform/move.ts';
import type { Action } from '../../functions/core/records/action.ts';
import type { Observation } from '../../functions/core/records/evidence.ts';
import type { FoldedAction } from '../../functions/core/records/folded.ts';
import type { PersonRequest } from '../../functions/core/records/request.ts';
import { type Case, verdictFor } from '../../functions/core/recover/verdict.ts';
import { Contract } from '../../functions/core/registry/contract.ts';
import { anAction, at, nowMs, startMs } from '../core/parts.ts';
import { aRun, conversationId, idOf, runId } from './parts.ts';

const contract = Contract.parse({
  effect: 'write',
  destination: { provider: 'crm', account: 'acme', environment: 'test', apiVersion: '1' },
  repeatWindowMs: 3_600_000,
});
const requestId = RequestId.parse(idOf('req', 1));
const run = aRun().item;

/** Attempt 1 only asked, was answered, and attempt 2 is authorised by the answer. */
const answered = (more: Partial<Action> = {}): FoldedAction =>
  anAction({
    attempts: 1,
    head: 6,
    effect: 'not_performed',
    firstEngagedAt: at(startMs),
    requestId,
    authorised: { head: 6, attempt: 2, authorisation: { by: 'answer', requestId } },
    ...more,
  });
const request = (more: object): PersonRequest =>
  ({
    schema: 1,
    workspace: 'acme',
    requestId,
    conversationId,
    runId,
    actionId: anAction().actionId,
    openedAt: at(startMs),
    ...more,
  }) as PersonRequest;
const recovery = request({ on: 'recovery', because: 'Why', needsPerson: false });
const question = request({
  on: 'question',
  message: 'Which?',
  form: { type: 'object', properties: {} },
  onExpiry: 'continue',
  asked: { parts: {} },
  decision: { kind: 'answered', answer: {} },
});

const seen: Observation = {
  schema: 1,
  observationId: ObservationId.parse(idOf('obs', 1)),
  actionId: anAction().actionId,
  entry: 5,
  at: at(startMs),
  source: 'reply',
  by: 'ana',
  says: 'disproves',
  about: 1,
  because: 'The attempt only asked; its question is closed.',
  account: 'acme',
  environment: 'test',
};
const standing = (action: FoldedAction, more: Partial<Case> = {}): Case => ({
  action,
  pinned: contract,
  current: contract,
  attempts: [
    {
      schema: 1,
      attemptId: AttemptId.parse(idOf('att', 1)),
      actionId: action.actionId,
      attempt: 1,
      entry: 2,
      owner: 'o',
      engagedAt: at(startMs),
      deadlineAtMs: startMs + 1_000,
      authorisedBy: 1,
    },
  ],
  ends: [],
  observations: [seen],
  mandateStands: true,
  claimed: false,
  claimFence: 0,
  run,
  nowMs,
  ...more,
});

describe('an attempt that a person’s answer authorised', () => {
  test('is the run’s to send', () => {
    expect(moveFor(answered(), run, question, nowMs)).toEqual({ move: 'engage', attempt: 2 });
    expect(moveFor(answered(), run, question, nowMs, 'recover').move).toBe('recover');
    expect(verdictFor(standing(answered())).verdict).toBe('tell');
  });
  test('is not tried for ever once something newer was written: a recovery says what follows', () =>
    expect(moveFor(answered({ head: 7 }), run, question, nowMs).move).toBe('recover'));
  test('is left to its recovery once one is open', () =>
    expect(moveFor(answered(), run, recovery, nowMs).move).toBe('await'));
  test('whose mandate is gone ends in proof that nothing was done, with the reason', () =>
    expect(verdictFor(standing(answered(), { mandateStands: false }))).toEqual({
      verdict: 'tell',
      because: `${seen.because} The mandate no longer stands.`,
    }));
});

test('a repeat that was decided in time is not sent once the key no longer covers the first attempt', () => {
  const keyed = Contract.parse({
    ...contract,
    key: {
      kind: 'key',
      place: { in: 'header', name: 'idempotency-key' },
      scope: 'account',
      retentionMs: 86_400_000,
      onRepeat: 'returns_first_result',
      comparesParameters: true,
    },
  });
  const action = answered({
    effect: 'undetermined',
    authorised: {
      head: 6,
      attempt: 2,
      authorisation: { by: 'decision', decisionId: 'dec', claimFence: 1 },
    },
  });
  const late = startMs + 86_400_000;
  const given = { pinned: keyed, current: keyed, observations: [] };
  expect(verdictFor(standing(action, given)).verdict).toBe('perform');
  expect(verdictFor(standing(action, { ...given, nowMs: late }))).toEqual({
    verdict: 'person',
    because: 'The key no longer covers the first attempt.',
  });
});

describe('an attempt that a verdict authorised, and that was not opened', () => {
  const authorised = (told: Action['told']): FoldedAction =>
    answered({
      authorised: {
        head: 6,
        attempt: 2,
        authorisation: { by: 'verdict', because: 'It never left.' },
      },
      ...(told === undefined ? {} : { told }),
    });
  test('is sent by the recovery', () => {
    expect(verdictFor(standing(authorised(undefined))).verdict).toBe('perform');
    expect(moveFor(authorised(undefined), run, recovery, nowMs, 'recover').move).toBe('engage');
  });
  test('is never sent once the agent was told that nothing was done', () => {
    const told = { status: 'error', text: 'Not done, with proof.' } as const;
    expect(verdictFor(standing(authorised(told))).verdict).toBe('done');
    expect(moveFor(authorised(told), run, recovery, nowMs, 'recover')).toEqual({ move: 'done' });
  });
});
