// The writes and guards of a change against a store in memory: whether each condition holds, and what to do when all hold.
// Owns: the condition of every write, written anew, so that the two stores can be held against each other.

import { ActionId } from '../../functions/core/base/ids.ts';
import type {
  Change,
  Guard,
  ItemKind,
  ItemOf,
  MarkerWrite,
  MutableKind,
  recordsOf,
  Write,
} from '../../functions/core/records/change.ts';
import { barredAt, revokedAt } from '../../functions/core/records/mandate.ts';
import type { Committed } from '../../functions/ports/store.ts';
import { keeping, keyOf, type Memory, words } from './memory-store.ts';

export interface Operation {
  /** One item may be written or checked once in a transaction. */
  readonly target: string;
  readonly on: { readonly conflict: string } | { readonly guard: Guard['guard'] | 'likeness' };
  readonly holds: boolean;
  readonly apply: () => void;
}

const nothing = (): void => undefined;

const put = <Kind extends ItemKind>(memory: Memory, kind: Kind, item: ItemOf<Kind>): Operation => ({
  target: keyOf(kind, item),
  on: { conflict: kind },
  holds: !memory.items[kind].has(keyOf(kind, item)),
  apply: keeping(memory, kind, item, 1),
});

const replace = <Kind extends MutableKind>(
  memory: Memory,
  kind: Kind,
  item: ItemOf<Kind>,
  rev: number,
): Operation => ({
  target: keyOf(kind, item),
  on: { conflict: kind },
  holds: memory.items[kind].get(keyOf(kind, item))?.rev === rev,
  apply: keeping(memory, kind, item, rev + 1),
});

/** The item a guard looks at, and whether it holds. */
const guardOf = (memory: Memory, guard: Guard): readonly [target: string, holds: boolean] => {
  const { items, runMarks } = memory;
  const claimKey = 'actionId' in guard ? words(`CLM#${guard.actionId}`, 'CLM') : '';
  const claim = items.claim.get(claimKey)?.item;
  switch (guard.guard) {
    case 'run-may-act':
    case 'run-fence': {
      const key = words(`RUN#${guard.runId}`, 'META');
      const run = items.run.get(key)?.item;
      const mayAct = run?.state.status === 'running' || run?.state.status === 'waiting';
      return [key, run?.fence === guard.fence && (mayAct || guard.guard === 'run-fence')];
    }
    case 'mandate-stands': {
      const key = words(`MND#${guard.workspace}#${guard.agentId}`, guard.tool);
      return [key, revokedAt(items.standing.get(key)?.item) === undefined];
    }
    case 'approval-stands': {
      const key = words(`MND#${guard.requestId}`, 'APPROVAL');
      const mandate = items.mandate.get(key)?.item;
      const stands =
        mandate !== undefined &&
        mandate.digest === guard.digest &&
        mandate.expiresAtMs > guard.nowMs &&
        mandate.revokedAt === undefined;
      return [key, stands];
    }
    case 'grant-stands': {
      const key = words(`MND#${guard.workspace}#${guard.agentId}#GRANTS`, guard.requestId);
      const grant = items.grant.get(key)?.item;
      const until = grant?.expiresAtMs ?? Number.MAX_SAFE_INTEGER;
      return [key, grant !== undefined && until > guard.nowMs && grant.revokedAt === undefined];
    }
    case 'not-barred': {
      const key = words(`BAR#${guard.workspace}`, guard.tool);
      return [key, barredAt(items.bar.get(key)?.item) === undefined];
    }
    case 'no-claim':
      return [claimKey, claim?.holder === undefined || claim.untilMs < guard.nowMs];
    case 'claim-held': {
      const mine = claim?.holder?.subject === guard.subject && claim.fence === guard.fence;
      return [claimKey, mine && claim.untilMs > guard.nowMs];
    }
    case 'no-newer-claim':
      return [claimKey, claim === undefined || claim.fence <= guard.fence];
    case 'unlike-last-run': {
      const key = words(guard.runId, guard.likeDigest);
      return [`LIKE#${key}`, !runMarks.has(key)];
    }
  }
};

type Holders = readonly MarkerWrite['actionId'][];

const mark = (memory: Memory, key: string, rev: string, holders: Holders): void =>
  void memory.markers.set(key, { rev, holders: new Set(holders) });

const marker = (memory: Memory, write: MarkerWrite, name: string): Operation => {
  if (write.do === 'mark-run-likeness') {
    const key = words(write.runId, write.likeDigest);
    return {
      target: `LIKE#${key}`,
      on: { conflict: 'run-likeness' },
      holds: true,
      apply: () => void memory.runMarks.set(key, write.actionId),
    };
  }
  const key = words(write.workspace, write.likeDigest);
  const before = memory.markers.get(key);
  const holders = [...(before?.holders ?? [])];
  if (write.do === 'release-likeness')
    return {
      target: `LIKE#${key}`,
      on: { conflict: 'likeness' },
      holds: true,
      apply: () =>
        mark(
          memory,
          key,
          name,
          holders.filter((id) => id !== write.actionId),
        ),
    };
  const empty = write.instead ? before === undefined : holders.length === 0;
  const free = empty || holders.includes(write.actionId);
  const approved = write.approvedRev !== undefined && before?.rev === write.approvedRev;
  const after = write.instead
    ? write.instead.holders.map((id) => ActionId.parse(id))
    : [...holders, write.actionId];
  return {
    target: `LIKE#${key}`,
    on: { guard: 'likeness' },
    holds: free || approved,
    apply: () => mark(memory, key, name, after),
  };
};

export const operationOf = (memory: Memory, write: Write, name: string): Operation => {
  switch (write.do) {
    case 'put':
      return put(memory, write.kind, write.item);
    case 'replace':
      return replace(memory, write.kind, write.item, write.rev);
    case 'guard': {
      const [target, holds] = guardOf(memory, write);
      return { target, on: { guard: write.guard }, holds, apply: nothing };
    }
    case 'hold-likeness':
    case 'release-likeness':
    case 'mark-run-likeness':
      return marker(memory, write, name);
    case 'revise-agent':
      return {
        target: `AGT#${write.item.agentId} ${write.item.revision}`,
        on: { conflict: 'agent' },
        holds: true,
        apply: nothing,
      };
  }
};

/** TransactWriteItems takes this many operations, and no two on one item. */
const operationsMax = 100;

export const requireOneEach = (operations: readonly Operation[]): void => {
  const targets = operations.map(({ target }) => target);
  const twice = targets.find((target, index) => targets.indexOf(target) !== index);
  if (twice !== undefined)
    throw new Error(`A transaction may name an item once; this one names ${twice} twice.`);
  if (operations.length > operationsMax)
    throw new Error(`A transaction takes ${operationsMax} operations, not ${operations.length}.`);
};

export const operationsOf = (
  memory: Memory,
  change: Change,
  records: ReturnType<typeof recordsOf>,
  name: string,
): Operation[] => {
  const operations = [
    replace(memory, 'conversation', records.conversation, change.conversation.rev),
    ...change.writes.map((write) => operationOf(memory, write, name)),
    ...records.events.map((event) => put(memory, 'event', event)),
    ...(records.outbox ? [put(memory, 'outbox', records.outbox)] : []),
  ];
  requireOneEach(operations);
  return operations;
};

/** A guard that does not hold is told before a conflict. */
export const failureOf = (
  operations: readonly Operation[],
): Exclude<Committed, { kind: 'done' }> | undefined => {
  const failed = operations.filter(({ holds }) => !holds).map(({ on }) => on);
  const guard = failed.find((on) => 'guard' in on);
  if (guard && 'guard' in guard) return { kind: 'refused', guard: guard.guard };
  const conflict = failed.find((on) => 'conflict' in on);
  return conflict && 'conflict' in conflict
    ? { kind: 'conflict', on: conflict.conflict }
    : undefined;
};
