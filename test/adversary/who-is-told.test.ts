// Who hears of an outcome that is not known, and when: readers at once, the outside only when a verdict says that a person is needed;
// and a recovery that the machine settled by itself opens and closes for nobody. Laws: L14, L17.
import { describe, expect, test } from 'vitest';
import { ObservationId, RequestId } from '../../functions/core/base/ids.ts';
import { callPerson } from '../../functions/core/pausing/recovery.ts';
import { type Settling, settle } from '../../functions/core/perform/settle.ts';
import { type Change, recordsOf, type Versioned } from '../../functions/core/records/change.ts';
import type { PersonRequest } from '../../functions/core/records/request.ts';
import { Contract } from '../../functions/core/registry/contract.ts';
import { anAction, at, startMs } from '../core/parts.ts';
import { aConversation, aRun, conversationId, idOf, runId } from './parts.ts';

const contract = Contract.parse({
  effect: 'write',
  destination: { provider: 'crm', account: 'acme', environment: 'test', apiVersion: '1' },
});
const requestId = RequestId.parse(idOf('req', 1));
const recoveryThat = (needsPerson: boolean): Versioned<PersonRequest> => ({
  rev: 1,
  item: {
    schema: 1,
    workspace: 'acme',
    requestId,
    conversationId,
    runId,
    actionId: anAction().actionId,
    openedAt: at(startMs),
    on: 'recovery',
    because: 'The reply was lost.',
    needsPerson,
  },
});
const engaged = { attempt: 1, owner: 'o', deadlineAtMs: startMs, engagedAt: at(startMs) };
const action = anAction({ attempts: 1, head: 2, effect: 'engaged', engaged, requestId });
const lost: Settling['finding'] = {
  about: 1,
  says: 'nothing',
  source: 'transport',
  because: 'The reply was lost.',
  end: { attempt: 1, how: 'unknown', milestone: 'transmitted', milestoneIs: 'supposed' },
};
const settled = (more: Partial<Settling>): Change =>
  settle({
    conversation: aConversation(),
    action: { item: action, rev: 1 },
    run: aRun(),
    recovery: undefined,
    claim: undefined,
    twins: [],
    known: { attempts: [{ attempt: 1, entry: 2 }], ends: [], observations: [] },
    contract,
    finding: lost,
    observationId: ObservationId.parse(idOf('obs', 1)),
    requestId,
    by: 'test',
    nowIso: at(startMs),
    ...more,
  }).change;
const toldOf = (change: Change) => {
  const { events, outbox } = recordsOf(change, at(startMs), 'change');
  return {
    readers: events.map(({ body }) => body.type),
    outside: (outbox?.events ?? []).map(({ body }) => body.type),
  };
};

describe('an outcome that is not known', () => {
  test('is shown to readers at once, and tells nobody outside while the machine looks', () => {
    for (const recovery of [undefined, recoveryThat(false)])
      expect(toldOf(settled({ recovery }))).toEqual({
        readers: ['action.undetermined'],
        outside: [],
      });
  });

  test('is told outside with the request that asks for a person', () => {
    const { engaged: _over, ...known } = action;
    const change = callPerson(
      {
        conversation: aConversation(),
        run: aRun(),
        action: { item: { ...known, effect: 'undetermined' }, rev: 1 },
        recovery: recoveryThat(false),
        claim: undefined,
      },
      'The destination promises neither a look-up nor a key.',
      at(startMs),
    );
    if (change === undefined) throw new Error('Nobody was called.');
    const { outside } = toldOf(change);
    expect(outside).toEqual(['request.opened', 'action.undetermined', 'run.waiting']);
  });

  test('of a repeat that a person ordered is told outside at once: they are waiting for it', () => {
    expect(toldOf(settled({ recovery: recoveryThat(true) })).outside).toEqual([
      'action.undetermined',
    ]);
  });
});

describe('a recovery that is over', () => {
  const found: Settling['finding'] = {
    about: 'all',
    says: 'confirms',
    source: 'look_up',
    because: 'Found by the action’s own reference, and it matches.',
  };
  test('before anybody was asked closes for no reader', () => {
    const told = toldOf(settled({ recovery: recoveryThat(false), finding: found }));
    expect(told.readers).toEqual(['action.confirmed']);
    expect(told.outside).toEqual([]);
  });

  test('after a person was asked closes where it was opened', () => {
    const told = toldOf(settled({ recovery: recoveryThat(true), finding: found }));
    expect(told.readers).toEqual(['action.confirmed', 'request.closed']);
    expect(told.outside).toEqual(['request.closed']);
  });
});
