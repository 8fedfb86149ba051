// A reissue between its approval and its first attempt: what its approval showed is checked at engage. Laws: L7, L20, L21.
import { beforeEach, expect, test } from 'vitest';
import { ActionId, RequestId } from '../../functions/core/base/ids.ts';
import { engage } from '../../functions/core/perform/engage.ts';
import type { Action } from '../../functions/core/records/action.ts';
import type { PersonRequest } from '../../functions/core/records/request.ts';
import { anAction, at, nowMs, startMs } from '../core/parts.ts';
import { foldedOf } from '../core/samples.ts';
import { keep, type MemoryStore, memoryStore } from '../fakes/memory-store.ts';
import { aConversation, aRun, conversationId, idOf, runId } from './parts.ts';

const original = ActionId.parse(idOf('act', 1));
const other = ActionId.parse(idOf('act', 2));
const requestId = RequestId.parse(idOf('req', 1));
const ana = { kind: 'person', subject: 'ana', name: 'Ana' } as const;

const reissue: Action = anAction({
  actionId: ActionId.parse(idOf('act', 3)),
  reissueOf: original,
  mandate: { kind: 'approval', requestId },
  requestId,
  head: 2,
  authorised: { head: 2, attempt: 1, authorisation: { by: 'approval', requestId } },
});
const approval: PersonRequest = {
  schema: 1,
  workspace: 'acme',
  requestId,
  conversationId,
  runId,
  actionId: reissue.actionId,
  openedAt: at(startMs),
  on: 'approval',
  digest: reissue.digest,
  role: 'approver',
  likeness: { rev: 'shown', holders: [original, other] },
  decision: { kind: 'approved' },
};

let store: MemoryStore;
let minted: string[];
const markerKey = `acme ${reissue.likeDigest}`;
const holders = () => [...(store.memory.markers.get(markerKey)?.holders ?? [])];
const hold = (rev: string, ids: readonly ActionId[]): void =>
  void store.memory.markers.set(markerKey, { rev, holders: new Set(ids) });

beforeEach(() => {
  minted = [];
  store = memoryStore({
    clock: { now: () => nowMs },
    minter: { suffix: () => `c${minted.push('')}`.padStart(26, '0') },
  });
  const { memory } = store;
  keep(memory, 'conversation', aConversation().item, 1);
  keep(memory, 'run', aRun().item, 1);
  keep(memory, 'action', reissue, 1);
  keep(
    memory,
    'mandate',
    {
      schema: 1,
      requestId,
      actionId: reissue.actionId,
      digest: reissue.digest,
      grantedAt: at(startMs),
      grantedBy: ana,
      expiresAtMs: nowMs + 60_000,
    },
    1,
  );
});

const opened = async () => {
  const engagement = engage({
    conversation: aConversation(),
    action: { item: foldedOf(reissue), rev: 1 },
    run: aRun().item,
    approval,
    fence: 1,
    owner: 'o',
    deadlineAtMs: nowMs + 10_000,
    nowMs,
    nowIso: at(nowMs),
  });
  if (engagement.kind !== 'change') throw new Error(engagement.kind);
  return store.commit(engagement.change);
};

test('opens on what its approval showed, in the original’s place', async () => {
  hold('shown', [original, other]);
  expect(await opened()).toMatchObject({ kind: 'done' });
  expect(holders()).toEqual([other, reissue.actionId]);
});

test('does not open once the original was settled: the approval showed it as unknown', async () => {
  hold('settled since', []);
  expect(await opened()).toEqual({ kind: 'refused', guard: 'likeness' });
  expect(holders()).toEqual([]);
});

test('does not open once another look-alike is under way', async () => {
  hold('moved', [original, other, ActionId.parse(idOf('act', 4))]);
  expect(await opened()).toEqual({ kind: 'refused', guard: 'likeness' });
});

test('a later attempt of it leaves the holders that came since alone', () => {
  const engagement = engage({
    conversation: aConversation(),
    action: {
      rev: 5,
      item: foldedOf({
        ...reissue,
        attempts: 1,
        head: 6,
        authorised: {
          head: 6,
          attempt: 2,
          authorisation: { by: 'decision', decisionId: 'dec', claimFence: 1 },
        },
      }),
    },
    run: aRun().item,
    approval,
    fence: 1,
    owner: 'o',
    deadlineAtMs: nowMs + 10_000,
    nowMs,
    nowIso: at(nowMs),
  });
  if (engagement.kind !== 'change') throw new Error(engagement.kind);
  expect(engagement.change.writes.filter((write) => write.do === 'hold-likeness')).toEqual([
    expect.not.objectContaining({ instead: expect.anything() }),
  ]);
});
