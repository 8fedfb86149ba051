// What every store must do, whatever it is made of: whole changes or none, named refusals, lists in order, markers, and nothing
// that is ever overwritten unseen. Owns: the cases. Laws: L2, L3, L7, L10, L11, L17, L20.
import { describe, expect, test } from 'vitest';
import { ActionId, ConversationId, RequestId } from '../../functions/core/base/ids.ts';
import type { Change, Guard, Write } from '../../functions/core/records/change.ts';
import type { Claim } from '../../functions/core/records/claim.ts';
import type { PersonRequest } from '../../functions/core/records/request.ts';
import type { Committed, Store } from '../../functions/ports/store.ts';
import {
  actionId,
  actionWith,
  approvalWith,
  attemptOf,
  conversation,
  conversationId,
  endOf,
  nowIso,
  nowMs,
  requestId,
  runId,
  runWith,
  seen,
  workspace,
} from '../core/samples.ts';

export interface Opened {
  readonly store: Store;
  /** Takes back the agent's standing permission for the tool `write`, or bars it. */
  revoke(): Promise<void>;
  bar(): Promise<void>;
}

const suffix = (number: number): string => String(number).padStart(26, '0');
const otherId = ActionId.parse(`act_${suffix(2)}`);
const { likeDigest, digest, agentId } = actionWith();

const put = (kind: 'run' | 'action' | 'request', item: object): Write =>
  ({ do: 'put', kind, item }) as Write;
export const guard = (what: Guard): Write => ({ do: 'guard', ...what });

/** A change over the conversation as it is now. */
const change = async (
  store: Store,
  writes: readonly Write[],
  more: Partial<Change> = {},
): Promise<Change> => {
  const read = await store.read({ conversation: conversationId });
  if (!read.conversation) throw new Error('There is no conversation.');
  return { conversation: read.conversation, events: [], writes, ...more };
};
export const commit = async (store: Store, ...writes: Write[]): Promise<Committed> =>
  store.commit(await change(store, writes));

const claimWith = (changes: Partial<Claim> = {}): Claim => ({
  schema: 1,
  workspace,
  actionId,
  fence: 2,
  holder: { kind: 'person', subject: 'ana', name: 'Ana' },
  since: nowIso,
  untilMs: nowMs + 60_000,
  tookAtHead: 1,
  tookOver: false,
  ...changes,
});

/** A conversation with its run and one planned action. */
export const begun = async (opened: Opened): Promise<Opened> => {
  await opened.store.createConversation(conversation());
  expect(
    await commit(opened.store, put('run', runWith()), put('action', actionWith())),
  ).toMatchObject({
    kind: 'done',
  });
  return opened;
};

const changesTests = (open: () => Promise<Opened>): void => {
  test('a change is there whole: items, events in order, the raised number, the outbox’s cause', async () => {
    const { store } = await begun(await open());
    const events = [
      { type: 'run.resumed', runId },
      { type: 'run.stopping', runId, by: 'Ana' },
    ] as const;
    const committed = await store.commit(
      await change(store, [put('request', approvalWith())], { events: [...events] }),
    );
    expect(committed).toMatchObject({ kind: 'done', conversation: { item: { eventNumber: 2 } } });
    expect((await store.eventsAfter(conversationId, 0, 10)).map(({ number }) => number)).toEqual([
      1, 2,
    ]);
    expect((await store.eventsAfter(conversationId, 1, 10)).map(({ body }) => body)).toEqual([
      events[1],
    ]);
    const found = await store.read({ requests: [requestId], actions: [actionId], run: runId });
    expect(found.requests[0]).toEqual({ item: approvalWith(), rev: 1 });
    expect(found.actions[0]).toEqual({ item: actionWith(), rev: 1 });
    expect(found.run?.item).toEqual(runWith());
  });

  test('two changes made from the same conversation: one is written, the other conflicts and leaves nothing', async () => {
    const { store } = await begun(await open());
    const [first, second] = [
      await change(store, [], { events: [{ type: 'run.resumed', runId }] }),
      await change(store, [put('request', approvalWith())]),
    ];
    expect((await store.commit(first)).kind).toBe('done');
    expect(await store.commit(second)).toMatchObject({ kind: 'conflict', on: 'conversation' });
    expect((await store.read({ requests: [requestId] })).requests).toEqual([]);
  });

  test('a replacement names the revision it was made from', async () => {
    const { store } = await begun(await open());
    const replace = (rev: number): Write => ({
      do: 'replace',
      kind: 'action',
      item: actionWith({ head: 2 }),
      rev,
    });
    expect(await commit(store, replace(4))).toMatchObject({ kind: 'conflict', on: 'action' });
    expect((await commit(store, replace(1))).kind).toBe('done');
    expect(await commit(store, replace(1))).toMatchObject({ kind: 'conflict' });
    expect((await store.read({ actions: [actionId] })).actions[0]).toMatchObject({ rev: 2 });
  });

  test('what is put once is never put again (L3)', async () => {
    const { store } = await begun(await open());
    const attempt: Write = { do: 'put', kind: 'attempt', item: attemptOf(1, 2) };
    expect((await commit(store, attempt)).kind).toBe('done');
    expect(await commit(store, attempt)).toMatchObject({ kind: 'conflict', on: 'attempt' });
  });

  test('a conversation that is there is not made anew', async () => {
    const { store } = await begun(await open());
    const again = await store.createConversation({ ...conversation(), title: 'Another' });
    expect(again.item.title).toBe(conversation().title);
  });
};

const guardTests = (open: () => Promise<Opened>): void => {
  const run = { guard: 'run-may-act', runId, fence: 1 } as const;
  const standing = { guard: 'mandate-stands', workspace, agentId, tool: 'write' } as const;
  const barred = { guard: 'not-barred', workspace, tool: 'write' } as const;
  const approval = { guard: 'approval-stands', requestId, digest, nowMs } as const;
  const nobody = { guard: 'no-claim', actionId, nowMs } as const;

  test('hold where nothing stands against them', async () => {
    const { store } = await begun(await open());
    for (const one of [run, standing, barred, nobody])
      expect(await commit(store, guard(one)), one.guard).toMatchObject({ kind: 'done' });
  });

  test('a refusal is named, comes before a conflict, and leaves nothing', async () => {
    const { store } = await begun(await open());
    const refused = await commit(
      store,
      put('action', actionWith()),
      guard({ ...run, fence: 2 }),
      put('request', approvalWith()),
    );
    expect(refused).toEqual({ kind: 'refused', guard: 'run-may-act' });
    expect((await store.read({ requests: [requestId] })).requests).toEqual([]);
  });

  test.each(['stopping', 'finished'] as const)(
    'a run that is %s may not act, and its fence still holds',
    async (status) => {
      const { store } = await begun(await open());
      const state =
        status === 'stopping'
          ? ({ status, by: 'Ana', since: nowIso, blocking: [] } as const)
          : ({ status, reason: 'done', detail: '', at: nowIso } as const);
      const item = { ...runWith(), state: { ...state } };
      await commit(store, { do: 'replace', kind: 'run', item, rev: 1 } as Write);
      expect(await commit(store, guard(run))).toEqual({ kind: 'refused', guard: 'run-may-act' });
      expect((await commit(store, guard({ ...run, guard: 'run-fence' }))).kind).toBe('done');
    },
  );

  test('a permission that was taken back, and a tool that was barred', async () => {
    const opened = await begun(await open());
    await opened.revoke();
    await opened.bar();
    expect(await commit(opened.store, guard(standing))).toMatchObject({ guard: 'mandate-stands' });
    expect(await commit(opened.store, guard(barred))).toMatchObject({ guard: 'not-barred' });
    const leave = await opened.store.leave(actionWith());
    expect(leave.mandateRevokedAt).toBeDefined();
    expect(leave.barredAt).toBeDefined();
  });

  test('an approval stands for its digest, until it expires or is taken back', async () => {
    const { store } = await begun(await open());
    expect(await commit(store, guard(approval))).toMatchObject({ guard: 'approval-stands' });
    const item = {
      schema: 1,
      requestId,
      actionId,
      digest,
      grantedAt: nowIso,
      grantedBy: { kind: 'person', subject: 'ana', name: 'Ana' },
      expiresAtMs: nowMs + 1_000,
    } as const;
    await commit(store, { do: 'put', kind: 'mandate', item });
    expect((await commit(store, guard(approval))).kind).toBe('done');
    for (const against of [
      { ...approval, digest: 'sha256:other' },
      { ...approval, nowMs: nowMs + 1_000 },
    ])
      expect(await commit(store, guard(against))).toMatchObject({ guard: 'approval-stands' });
    await commit(store, {
      do: 'replace',
      kind: 'mandate',
      item: { ...item, revokedAt: nowIso },
      rev: 1,
    });
    expect(await commit(store, guard(approval))).toMatchObject({ guard: 'approval-stands' });
  });

  test('a claim is held by one person, under one fence, for a time (L10)', async () => {
    const { store } = await begun(await open());
    const held = { guard: 'claim-held', actionId, subject: 'ana', fence: 2, nowMs } as const;
    const newer = { guard: 'no-newer-claim', actionId, fence: 2 } as const;
    expect((await commit(store, guard(newer))).kind).toBe('done');
    await commit(store, { do: 'put', kind: 'claim', item: claimWith() });
    expect((await commit(store, guard(held))).kind).toBe('done');
    expect((await commit(store, guard(newer))).kind).toBe('done');
    expect((await commit(store, guard({ ...nobody, nowMs: nowMs + 60_001 }))).kind).toBe('done');
    for (const against of [
      nobody,
      { ...held, subject: 'ben' },
      { ...held, fence: 1 },
      { ...held, nowMs: nowMs + 60_000 },
      { ...newer, fence: 1 },
    ])
      expect(await commit(store, guard(against))).toEqual({
        kind: 'refused',
        guard: against.guard,
      });
    expect((await store.leave(actionWith())).claim).toEqual({ item: claimWith(), rev: 1 });
  });
};

const markerTests = (open: () => Promise<Opened>): void => {
  const hold = (id: ActionId, approvedRev?: string): Write => ({
    do: 'hold-likeness',
    workspace,
    likeDigest,
    actionId: id,
    approvedRev,
  });
  const release = (id: ActionId): Write => ({
    do: 'release-likeness',
    workspace,
    likeDigest,
    actionId: id,
  });

  test('the look-alike marker lets one in, the same one again, and another only as an approval showed it (L20)', async () => {
    const { store } = await begun(await open());
    expect(await store.likeness(workspace, likeDigest)).toBeUndefined();
    expect((await commit(store, hold(actionId))).kind).toBe('done');
    expect((await commit(store, hold(actionId))).kind).toBe('done');
    expect(await commit(store, hold(otherId))).toEqual({ kind: 'refused', guard: 'likeness' });
    expect(await commit(store, hold(otherId, 'old'))).toMatchObject({ guard: 'likeness' });
    const marker = await store.likeness(workspace, likeDigest);
    expect(marker?.holders).toEqual([actionId]);
    expect((await commit(store, hold(otherId, marker?.rev))).kind).toBe('done');
    expect((await store.likeness(workspace, likeDigest))?.holders).toEqual([actionId, otherId]);
  });

  test('when the last holder has let go it is free', async () => {
    const { store } = await begun(await open());
    await commit(store, hold(actionId));
    await commit(store, release(actionId));
    expect((await store.likeness(workspace, likeDigest))?.holders ?? []).toEqual([]);
    expect((await commit(store, hold(otherId))).kind).toBe('done');
  });

  test('a reissue takes its original’s place', async () => {
    const { store } = await begun(await open());
    await commit(store, hold(actionId));
    const rev = (await store.likeness(workspace, likeDigest))?.rev;
    const instead = { ...hold(otherId, rev), instead: { holders: [otherId] } } as Write;
    expect((await commit(store, instead)).kind).toBe('done');
    expect((await store.likeness(workspace, likeDigest))?.holders).toEqual([otherId]);
  });

  test('a reissue is refused once its original has let go: the approval showed it as unknown', async () => {
    const { store } = await begun(await open());
    await commit(store, hold(actionId));
    const rev = (await store.likeness(workspace, likeDigest))?.rev;
    await commit(store, release(actionId));
    const instead = { ...hold(otherId, rev), instead: { holders: [otherId] } } as Write;
    expect(await commit(store, instead)).toEqual({ kind: 'refused', guard: 'likeness' });
  });

  test('a run remembers what it engaged', async () => {
    const { store } = await begun(await open());
    const unlike = guard({ guard: 'unlike-last-run', runId, likeDigest });
    expect((await commit(store, unlike)).kind).toBe('done');
    await commit(store, { do: 'mark-run-likeness', runId, likeDigest, actionId });
    expect(await store.runLikeness(runId, likeDigest)).toBe(actionId);
    expect(await commit(store, unlike)).toEqual({ kind: 'refused', guard: 'unlike-last-run' });
  });
};

const listTests = (open: () => Promise<Opened>): void => {
  test('a journal is in the order of its entries', async () => {
    const { store } = await begun(await open());
    await commit(
      store,
      { do: 'put', kind: 'attempt', item: attemptOf(1, 2) },
      { do: 'put', kind: 'end', item: endOf(1, 3) },
      { do: 'put', kind: 'observation', item: seen(9, 'nothing') },
      { do: 'put', kind: 'observation', item: seen(4, 'confirms') },
    );
    const journal = await store.journal(actionId);
    expect(journal.attempts).toEqual([attemptOf(1, 2)]);
    expect(journal.ends).toEqual([endOf(1, 3)]);
    expect(journal.observations.map(({ entry }) => entry)).toEqual([4, 9]);
  });

  test('evidence can be put alone, once: what is there is left (L4)', async () => {
    const { store } = await begun(await open());
    await store.putEvidence(endOf(1, 3), seen(4, 'confirms'));
    await store.putEvidence(endOf(1, 7), seen(4, 'nothing', { because: 'Another word.' }));
    const journal = await store.journal(actionId);
    expect(journal.ends).toEqual([endOf(1, 3)]);
    expect(journal.observations).toEqual([seen(4, 'confirms')]);
  });

  test('evidence is numbered by its action, which says that it is not folded; another action by now refuses it', async () => {
    const { store } = await begun(await open());
    await commit(store, { do: 'put', kind: 'action', item: actionWith({ head: 2 }) });
    const action = { item: actionWith({ head: 2 }), rev: 1 };
    expect(await store.putEvidence(endOf(1, 3), seen(4, 'confirms'), action)).toBe('done');
    expect((await store.read({ actions: [actionId] })).actions).toEqual([
      { item: actionWith({ head: 4, unfolded: 4 }), rev: 2 },
    ]);
    expect(await store.putEvidence(undefined, seen(5, 'nothing'), action)).toBe('conflict');
    const journal = await store.journal(actionId);
    expect([journal.ends, journal.observations]).toEqual([[endOf(1, 3)], [seen(4, 'confirms')]]);
  });

  test('what a workspace holds comes newest first, in pages without gap or repeat', async () => {
    const opened = await begun(await open());
    const { store } = opened;
    const ids = [3, 4, 5].map((number) => ConversationId.parse(`cnv_${suffix(number)}`));
    for (const [index, id] of ids.entries())
      await store.createConversation({
        ...conversation(),
        conversationId: id,
        createdAt: `2027-01-02T00:00:0${index}.000Z`,
      });
    const first = await store.conversationsOf(workspace, 3);
    const second = await store.conversationsOf(workspace, 3, first.next);
    const shown = [...first.items, ...second.items].map((item) => item.conversationId);
    expect(shown).toEqual([...ids.toReversed(), conversationId]);
    expect((await store.conversationsOf('elsewhere', 3)).items).toEqual([]);
  });

  test('only undecided requests are open', async () => {
    const { store } = await begun(await open());
    const second = RequestId.parse(`req_${suffix(2)}`);
    const decided: PersonRequest = {
      ...approvalWith({ requestId: second }),
      decision: { kind: 'expired' },
    };
    await commit(store, put('request', approvalWith()), put('request', decided));
    const { items } = await store.requestsOpenIn(workspace, 10);
    expect(items.map((item) => item.requestId)).toEqual([requestId]);
  });
};

/** The suite, over a fresh store for each test. */
export const storeConformance = (name: string, open: () => Promise<Opened>): void => {
  describe(`${name}: changes`, () => changesTests(open));
  describe(`${name}: guards`, () => guardTests(open));
  describe(`${name}: markers`, () => markerTests(open));
  describe(`${name}: lists`, () => listTests(open));
};
