// Evidence at awkward moments: while a tool's question is open, after the run ended, stored alone, for chains of reissues.
// Laws: L12 and S17 (nothing stays open that nobody waits for), L16 (the next model call is told), L21.

import { describe, expect, test } from 'vitest';
import { ActionId, ObservationId, RequestId } from '../../functions/core/base/ids.ts';
import { lostFinding } from '../../functions/core/perform/finding.ts';
import { type Finding, type Settling, settle } from '../../functions/core/perform/settle.ts';
import type { Action } from '../../functions/core/records/action.ts';
import type { Change, Versioned } from '../../functions/core/records/change.ts';
import { chainOf, duplicationOf } from '../../functions/core/records/duplicate.ts';
import type { Known } from '../../functions/core/records/evidence.ts';
import { factsFor } from '../../functions/core/records/facts.ts';
import type { PersonRequest } from '../../functions/core/records/request.ts';
import { Contract } from '../../functions/core/registry/contract.ts';
import { anAction, at, startMs } from '../core/parts.ts';
import { foldedOf } from '../core/samples.ts';
import { aConversation, aRun, conversationId, idOf, runId } from './parts.ts';

const contract = Contract.parse({
  effect: 'write',
  destination: { provider: 'crm', account: 'acme', environment: 'test', apiVersion: '1' },
});
const questionId = RequestId.parse(idOf('req', 1));
const { actionId } = anAction();

const question: Versioned<PersonRequest> = {
  rev: 1,
  item: {
    schema: 1,
    workspace: 'acme',
    requestId: questionId,
    conversationId,
    runId,
    actionId,
    openedAt: at(startMs),
    on: 'question',
    message: 'Which one?',
    form: { type: 'object', properties: {} },
    onExpiry: 'continue',
    asked: { parts: {}, requestState: 'sealed' },
  },
};
const waiting = aRun({
  state: {
    status: 'waiting',
    since: at(startMs),
    blocking: [{ on: 'question', requestId: questionId }],
  },
});

const sent = (more: Partial<Action> = {}): Versioned<Action> => ({
  rev: 1,
  item: anAction({
    attempts: 1,
    head: 3,
    effect: 'in_progress',
    firstEngagedAt: at(startMs),
    ...more,
  }),
});
const askedKnown: Known = {
  attempts: [{ attempt: 1, entry: 2 }],
  ends: [{ attempt: 1, how: 'asked' }],
  observations: [{ says: 'asked', about: 1, entry: 3 }],
};
const seen = (says: Finding['says'], source: Finding['source'] = 'webhook'): Finding => ({
  about: 'all',
  says,
  source,
  because: 'Seen.',
});

const settled = (more: Partial<Settling>) =>
  settle({
    conversation: aConversation(),
    action: sent(),
    run: waiting,
    recovery: undefined,
    claim: undefined,
    twins: [],
    known: askedKnown,
    contract,
    finding: seen('nothing'),
    observationId: ObservationId.parse(idOf('obs', 1)),
    requestId: RequestId.parse(idOf('req', 2)),
    by: 'test',
    nowIso: at(startMs),
    ...more,
  });

const requestsIn = ({ writes }: Change) =>
  writes.flatMap((write) =>
    (write.do === 'put' || write.do === 'replace') && write.kind === 'request'
      ? [[write.item.requestId, write.item.decision?.kind]]
      : [],
  );

describe('while a tool’s question is open', () => {
  test('evidence that confirms closes it, and the run waits for nobody', () => {
    const { change } = settled({ request: question, finding: seen('confirms') });
    expect(requestsIn(change)).toEqual([[questionId, 'voided']]);
    const run = change.writes.flatMap((write) =>
      write.do === 'replace' && write.kind === 'run' ? [write.item.state.status] : [],
    );
    expect(run).toEqual(['running']);
    expect(change.wakes).toEqual([questionId]);
  });

  test('evidence that settles nothing leaves it the action’s request, and opens no recovery beside it', () => {
    const { change, action } = settled({
      request: question,
      action: sent({ requestId: questionId }),
    });
    expect(requestsIn(change)).toEqual([]);
    expect(action.requestId).toBe(questionId);
    expect(change.recoveries).toEqual([]);
  });
});

test('a decision is progress: deaths of executions are counted from it anew', () => {
  const run = { ...waiting, item: { ...waiting.item, deaths: 1 } };
  const { change } = settled({ request: question, run, finding: seen('confirms') });
  const deaths = change.writes.flatMap((write) =>
    write.do === 'replace' && write.kind === 'run' ? [write.item.deaths] : [],
  );
  expect(deaths).toEqual([0]);
});

describe('evidence that was stored alone', () => {
  const known: Known = {
    attempts: [{ attempt: 1, entry: 2 }],
    ends: [{ attempt: 1, how: 'replied' }],
    observations: [{ says: 'disproves', about: 1, entry: 4, because: 'It answered 422.' }],
  };
  test('is what the agent is told, not that nobody reported', () => {
    const engaged = { attempt: 1, owner: 'o', deadlineAtMs: startMs, engagedAt: at(startMs) };
    const { action, end } = settled({
      action: sent({ effect: 'engaged', engaged }),
      run: aRun(),
      known,
      finding: lostFinding(1),
    });
    expect(end).toBeUndefined();
    expect(action.engaged).toBeUndefined();
    expect(action.told?.text).toContain('It answered 422.');
    expect(action.told?.text).not.toContain('never reported');
  });
});

describe('what the next model call is told', () => {
  const over = aRun({
    state: { status: 'finished', reason: 'failed', detail: 'Failed.', at: at(startMs) },
  });
  const open: Known = { attempts: [{ attempt: 1, entry: 2 }], ends: [], observations: [] };
  const reply: Finding = {
    ...seen('confirms', 'reply'),
    end: { attempt: 1, how: 'replied', milestone: 'confirmed', milestoneIs: 'observed' },
  };

  test('includes an attempt that was confirmed after its run had failed', () => {
    const { change } = settled({
      action: sent({ effect: 'engaged' }),
      run: over,
      known: open,
      finding: reply,
    });
    expect(change.conversationNext?.facts).toEqual([actionId]);
  });

  test('does not include what the run’s own call is told', () => {
    const { change } = settled({
      action: sent({ effect: 'engaged' }),
      run: aRun(),
      known: open,
      finding: reply,
    });
    expect(change.conversationNext?.facts).toEqual([]);
  });

  test('includes what became of a reissue, which no call waits for', () => {
    const original = ActionId.parse(idOf('act', 9));
    const action = sent({ effect: 'engaged', reissueOf: original });
    const { change, action: after } = settled({ action, run: aRun(), known: open, finding: reply });
    expect(change.conversationNext?.facts).toEqual([actionId]);
    expect(factsFor([foldedOf(after)], 3)).toMatchObject({ rest: [] });
    expect(factsFor([foldedOf(after)], 3).text).toContain(`issued anew for ${original}`);
  });

  test('includes in mid-run that a person issued it anew, once', () => {
    const as = ActionId.parse(idOf('act', 9));
    const given = anAction({
      attempts: 1,
      effect: 'undetermined',
      disposition: { kind: 'reissued', as, because: 'urgent', by: 'ana', at: at(startMs) },
    });
    const facts = factsFor([given], 3);
    expect(facts.text).toContain(as);
    expect(facts.rest).toEqual([]);
  });
});

describe('a reissue of a reissue', () => {
  const ids = [1, 2, 3].map((number) => ActionId.parse(idOf('act', number)));
  /** A, B and C: each was issued for the one before. */
  const linkOf = (index: number, more: Partial<Action>): Action => {
    const [own, before, next] = [ids[index], ids[index - 1], ids[index + 1]];
    return anAction({
      actionId: own ?? actionId,
      ...(before === undefined ? {} : { reissueOf: before }),
      ...(next === undefined
        ? {}
        : {
            disposition: {
              kind: 'reissued',
              as: next,
              because: 'urgent',
              by: 'ana',
              at: at(startMs),
            },
          }),
      effect: 'undetermined',
      ...more,
    });
  };
  const stored = (item: Action): Versioned<Action> => ({ item, rev: 1 });
  const marksIn = ({ action, writes }: ReturnType<typeof duplicationOf>) =>
    [
      [action.actionId, action.duplicateOf],
      ...writes.flatMap((write) =>
        write.do === 'replace' && write.kind === 'action'
          ? [[write.item.actionId, write.item.duplicateOf]]
          : [],
      ),
    ].toSorted();

  test('the first and the last are marked when both are confirmed, though the one between is not known', () => {
    const [a, c] = [linkOf(0, {}), linkOf(2, { effect: 'confirmed' })];
    const found = duplicationOf(a, { ...a, effect: 'confirmed' }, [
      stored(linkOf(1, {})),
      stored(c),
    ]);
    expect(marksIn(found)).toEqual([
      [ids[0], ids[2]],
      [ids[2], ids[0]],
    ]);
    expect(found.events).toHaveLength(2);
  });

  test('it makes no difference which of the two is confirmed late', () => {
    const [a, c] = [linkOf(0, { effect: 'confirmed' }), linkOf(2, {})];
    const found = duplicationOf(c, { ...c, effect: 'confirmed' }, [
      stored(linkOf(1, {})),
      stored(a),
    ]);
    expect(marksIn(found)).toEqual([
      [ids[0], ids[2]],
      [ids[2], ids[0]],
    ]);
  });

  test('all of a chain that were carried out are marked, when its first is confirmed last', () => {
    const [a, b, c] = [0, 1, 2].map((index) =>
      linkOf(index, { effect: index === 0 ? 'undetermined' : 'accepted' }),
    );
    if (!a || !b || !c) throw new Error('The chain has three links.');
    const found = duplicationOf(a, { ...a, effect: 'confirmed' }, [stored(b), stored(c)]);
    expect(marksIn(found)).toEqual([
      [ids[0], ids[1]],
      [ids[1], ids[0]],
      [ids[2], ids[0]],
    ]);
  });

  test('one that has its mark marks the next one that comes to light', () => {
    const a = linkOf(0, { effect: 'confirmed', duplicateOf: ids[1] ?? actionId });
    const b = linkOf(1, { effect: 'confirmed', duplicateOf: ids[0] ?? actionId });
    const c = linkOf(2, {});
    const found = duplicationOf(c, { ...c, effect: 'confirmed' }, [stored(a), stored(b)]);
    expect(marksIn(found)).toEqual([[ids[2], ids[0]]]);
  });

  test('the chain is read from any of its links, and an ordinary action reads nothing', async () => {
    const links = [0, 1, 2].map((index) => linkOf(index, {}));
    let reads = 0;
    const read = async (wanted: readonly ActionId[]) => {
      reads += 1;
      return links.filter((link) => wanted.includes(link.actionId)).map(stored);
    };
    for (const link of links) {
      const others = links.filter((other) => other !== link).map((other) => other.actionId);
      const chain = await chainOf(link, read);
      expect(chain.map(({ item }) => item.actionId).toSorted()).toEqual(others);
    }
    reads = 0;
    expect(await chainOf(anAction(), read)).toEqual([]);
    expect(reads).toBe(0);
  });
});
