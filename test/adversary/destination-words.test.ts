// What a destination says can be as long as it likes; what is stored of it is not. And a tool that asks where nobody can be asked.
// Laws: L16 (a cut says that it is one), L21.
import { describe, expect, test } from 'vitest';
import { ObservationId, RequestId } from '../../functions/core/base/ids.ts';
import { findingOf } from '../../functions/core/perform/finding.ts';
import { type Settling, settle } from '../../functions/core/perform/settle.ts';
import type { Action } from '../../functions/core/records/action.ts';
import { type Change, recordsOf, type Versioned } from '../../functions/core/records/change.ts';
import type { Known } from '../../functions/core/records/evidence.ts';
import type { PersonRequest } from '../../functions/core/records/request.ts';
import type { Run } from '../../functions/core/records/run.ts';
import { Contract } from '../../functions/core/registry/contract.ts';
import { ToolRegistration } from '../../functions/core/registry/tool.ts';
import { anAction, at, startMs } from '../core/parts.ts';
import { aConversation, aRun, conversationId, idOf, runId } from './parts.ts';

const destination = { provider: 'crm', account: 'acme', environment: 'test', apiVersion: '1' };
const contract = Contract.parse({
  effect: 'write',
  destination,
  success: [{ reply: { status: [201] }, reference: 'id' }],
});
const registration = ToolRegistration.parse({
  name: 'note',
  description: 'Notes.',
  arguments: { type: 'object', properties: {} },
  transport: { kind: 'mcp', url: 'https://crm.example/mcp', tool: 'note' },
  contract,
});
const engaged = { attempt: 1, owner: 'o', deadlineAtMs: startMs, engagedAt: at(startMs) };
const sent = (more: Partial<Action> = {}): Versioned<Action> => ({
  rev: 1,
  item: anAction({
    attempts: 1,
    head: 2,
    effect: 'engaged',
    engaged,
    firstEngagedAt: at(startMs),
    ...more,
  }),
});
const opened: Known = { attempts: [{ attempt: 1, entry: 2 }], ends: [], observations: [] };
type Report = Parameters<typeof findingOf>[2];
const settled = (report: Report, more: Partial<Settling> = {}) =>
  settle({
    conversation: aConversation(),
    action: sent(),
    run: aRun(),
    recovery: undefined,
    claim: undefined,
    twins: [],
    known: opened,
    contract,
    finding: findingOf(registration, 1, report, startMs),
    observationId: ObservationId.parse(idOf('obs', 1)),
    requestId: RequestId.parse(idOf('req', 2)),
    by: 'test',
    nowIso: at(startMs),
    ...more,
  });
const largestIn = (change: Change): number => {
  const { events, outbox, conversation } = recordsOf(change, at(startMs), 'change');
  const items = [
    ...change.writes.flatMap((write) => ('item' in write ? [write.item] : [])),
    ...events,
    conversation,
    outbox,
  ];
  return Math.max(...items.map((item) => Buffer.byteLength(JSON.stringify(item ?? null))));
};
const itemMost = 32 * 1024;
const huge = 'é'.repeat(400_000);

describe('a destination that says too much', () => {
  test('gives a reference of 800 KB: it is cut, says so, and every item stays small', () => {
    const { action, observation, change } = settled({
      kind: 'reply',
      reply: { status: 201, body: { id: huge } },
    });
    expect(action).toMatchObject({ effect: 'confirmed' });
    expect(observation.reference).toMatch(/^é+… \(cut\)$/);
    expect(action.reference).toBe(observation.reference);
    expect(largestIn(change)).toBeLessThan(itemMost);
  });

  test('fails with an error of 800 KB: the reason is cut in journal, events and result', () => {
    for (const report of [
      { kind: 'unknown', because: huge, milestone: 'transmitted' },
      { kind: 'not_transmitted', because: huge },
    ] as const) {
      const { observation, change } = settled(report);
      expect(observation.because).toContain('[Cut here:');
      expect(largestIn(change)).toBeLessThan(itemMost);
    }
  });

  const asking = (message: string, requestState?: string): Report => ({
    kind: 'input_required',
    requestState,
    inputRequests: {
      confirm: {
        method: 'elicitation/create',
        params: {
          message,
          requestedSchema: { type: 'object', properties: { sure: { type: 'boolean' } } },
        },
      },
    },
  });

  test('asks with a text or a state of 800 KB: no form, a person at the desk, and every item stays small', () => {
    for (const report of [asking(huge), asking('Sure?', huge)]) {
      const { action, change } = settled(report);
      expect(action).toMatchObject({ effect: 'undetermined', recovering: true });
      expect(largestIn(change)).toBeLessThan(itemMost);
    }
  });

  describe('a tool that asks', () => {
    const requestsIn = ({ writes }: Change) =>
      writes.flatMap((write) =>
        write.do === 'put' && write.kind === 'request' ? [write.item.on] : [],
      );

    test('puts its question also where an unknown outcome is only told', () => {
      const { action, change } = settled(asking('Sure?'), {
        contract: { ...contract, whenUndetermined: 'tell' },
      });
      expect(requestsIn(change)).toEqual(['question']);
      expect(action.told).toBeUndefined();
    });

    const states: [string, Run['state']][] = [
      ['is stopping', { status: 'stopping', by: 'Ana', since: at(startMs), blocking: [] }],
      ['is over', { status: 'finished', reason: 'failed', detail: 'It failed.', at: at(startMs) }],
    ];
    test.each(states)(
      'when its run %s is undetermined, and looked for: that it asked is no proof',
      (_, state) => {
        const { action, change } = settled(asking('Sure?'), { run: aRun({ state }) });
        expect(action).toMatchObject({ effect: 'undetermined', head: 5, recovering: true });
        expect(action.told?.text).toContain('Undetermined');
        expect(requestsIn(change)).toEqual(['recovery']);
        expect(change.recoveries).toHaveLength(1);
      },
    );

    const first = { ...contract, asksBeforeActing: true as const };
    test.each(states)(
      'when its run %s has done nothing, with proof, where its contract says that it asks first',
      (_, state) => {
        const { action, change } = settled(asking('Sure?'), {
          run: aRun({ state }),
          contract: first,
        });
        expect(action).toMatchObject({ effect: 'not_performed', head: 5 });
        expect(action.told?.text).toContain('Not done, with proof');
        expect(requestsIn(change)).toEqual([]);
        expect(change.recoveries).toEqual([]);
      },
    );

    test('in a repeat that a person ordered ends the recovery when nothing else is open', () => {
      const requestId = RequestId.parse(idOf('req', 7));
      const recovery: Versioned<PersonRequest> = {
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
          needsPerson: true,
        },
      };
      const told = { status: 'error' as const, text: 'Undetermined.' };
      const { action, change } = settled(asking('Sure?'), {
        contract: first,
        action: sent({ told, requestId, recovering: true }),
        recovery,
        request: recovery,
      });
      expect(action).toMatchObject({ effect: 'not_performed' });
      expect(action.recovering).toBeUndefined();
      expect(change.events.map(({ type }) => type)).toContain('request.closed');
    });
  });
});
