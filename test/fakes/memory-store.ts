// The store in memory, for tests that need many worlds: the same port, the same conditions, no database. The conformance suite
// holds it against the DynamoDB store. Owns: its items. Every item passes its schema on the way in, and nothing stored is shared.
import { keyOfKind, keys } from '../../functions/adapters/dynamodb/keys.ts';
import { unfoldedAction } from '../../functions/core/perform/fold-stored.ts';
import type { Action } from '../../functions/core/records/action.ts';
import {
  type Change,
  type ItemKind,
  type ItemOf,
  itemSchemas,
  type Outbox,
  recordsOf,
  type Versioned,
} from '../../functions/core/records/change.ts';
import { barredAt, revokedAt } from '../../functions/core/records/mandate.ts';
import type { AgentRevision } from '../../functions/core/registry/agent.ts';
import type { Page, Store } from '../../functions/ports/store.ts';
import type { Clock, Minter } from '../../functions/ports/world.ts';
import { failureOf, type Operation, operationsOf } from './memory-writes.ts';

type Tables = { readonly [Kind in ItemKind]: Map<string, Versioned<ItemOf<Kind>>> };

export interface Marker {
  readonly rev: string;
  readonly holders: ReadonlySet<Action['actionId']>;
}

/** What the store holds, for looking at from outside. */
export interface Memory {
  readonly items: Tables;
  readonly markers: Map<string, Marker>;
  /** Keys of evidence that was put without its change. */
  readonly alone: Set<string>;
  /** Which action of a run had such a likeness, by `run likeness`. */
  readonly runMarks: Map<string, Action['actionId']>;
}

export const words = (...parts: readonly string[]): string => parts.join(' ');

export const keyOf = <Kind extends ItemKind>(kind: Kind, item: ItemOf<Kind>): string => {
  const { pk, sk } = keyOfKind[kind](item);
  return words(pk, sk);
};

const emptyTables = (): Tables =>
  Object.fromEntries(Object.keys(itemSchemas).map((kind) => [kind, new Map()])) as Tables;

type Schemas = { readonly [Kind in ItemKind]: { parse(value: unknown): ItemOf<Kind> } };
const schemas: Schemas = itemSchemas;

/** An item as it would come back. Throws ZodError when it does not have its kind's form. */
const owned = <Kind extends ItemKind>(kind: Kind, item: ItemOf<Kind>): ItemOf<Kind> =>
  schemas[kind].parse(item);

/** What puts an item at a revision; the item is checked now, so that a change is applied whole or not at all. */
export const keeping = <Kind extends ItemKind>(
  memory: Memory,
  kind: Kind,
  item: ItemOf<Kind>,
  rev: number,
): (() => void) => {
  const own = owned(kind, item);
  return () => void memory.items[kind].set(keyOf(kind, own), { item: own, rev });
};

export const keep = <Kind extends ItemKind>(
  memory: Memory,
  kind: Kind,
  item: ItemOf<Kind>,
  rev: number,
): void => keeping(memory, kind, item, rev)();

const all = <Kind extends ItemKind>(
  { items }: Memory,
  kind: Kind,
  holds: (item: ItemOf<Kind>) => boolean,
): ItemOf<Kind>[] =>
  [...items[kind].values()].map(({ item }) => item).filter((item) => holds(item));

/** The items under the ids, those that are there. */
const found = <Kind extends ItemKind>(
  { items }: Memory,
  kind: Kind,
  wanted: readonly (string | undefined)[],
): Versioned<ItemOf<Kind>>[] =>
  wanted.flatMap((key) => {
    const item = key === undefined ? undefined : items[kind].get(key);
    return item === undefined ? [] : [item];
  });

const page = <Item>(
  items: readonly Item[],
  placeOf: (item: Item) => string,
  limit: number,
  cursor: string | undefined,
): Page<Item> => {
  const sorted = items
    .filter((item) => cursor === undefined || placeOf(item) < cursor)
    .toSorted((a, b) => (placeOf(a) < placeOf(b) ? 1 : -1));
  const shown = sorted.slice(0, limit);
  const last = shown.at(-1);
  return { items: shown, next: sorted.length > limit && last ? placeOf(last) : undefined };
};

const reads = (memory: Memory): Pick<Store, 'read' | 'leave' | 'journal'> => ({
  read: async (wanted) => {
    const { conversation, run } = wanted;
    return {
      conversation: found(memory, 'conversation', [
        conversation && words(`CNV#${conversation}`, 'META'),
      ])[0],
      run: found(memory, 'run', [run && words(`RUN#${run}`, 'META')])[0],
      steps: all(memory, 'step', (step) =>
        (wanted.steps ?? []).some((one) => one.runId === step.runId && one.step === step.step),
      ),
      messages: found(
        memory,
        'message',
        (wanted.messages ?? []).map((one) =>
          words(`CNV#${one.conversationId}`, `MSG#${one.messageId}`),
        ),
      ),
      actions: found(
        memory,
        'action',
        (wanted.actions ?? []).map((id) => words(`ACT#${id}`, 'ACT')),
      ),
      requests: found(
        memory,
        'request',
        (wanted.requests ?? []).map((id) => words(`REQ#${id}`, 'META')),
      ),
      mandates: found(
        memory,
        'mandate',
        (wanted.mandates ?? []).map((id) => words(`MND#${id}`, 'APPROVAL')),
      ),
      claims: found(
        memory,
        'claim',
        (wanted.claims ?? []).map((id) => words(`CLM#${id}`, 'CLM')),
      ),
    };
  },
  leave: async ({ workspace, agentId, actionId, tool, mandate }) => {
    const key = (standingOrBar: { readonly pk: string; readonly sk: string }): string =>
      words(standingOrBar.pk, standingOrBar.sk);
    const approval =
      mandate.kind === 'approval'
        ? found(memory, 'mandate', [key(keys.approvalMandate(mandate.requestId))])[0]?.item
        : undefined;
    const grant =
      mandate.kind === 'grant'
        ? found(memory, 'grant', [key(keys.grant(workspace, agentId, mandate.requestId))])[0]?.item
        : undefined;
    const [standing] = found(memory, 'standing', [
      key(keys.standingMandate(workspace, agentId, tool.name)),
    ]);
    const bar = found(memory, 'bar', [key(keys.bar(workspace, tool.name))])[0]?.item;
    return {
      approval,
      grant,
      mandateRevokedAt: approval?.revokedAt ?? grant?.revokedAt ?? revokedAt(standing?.item),
      barredAt: barredAt(bar),
      changes: [...(standing?.item.changes ?? []), ...(bar?.changes ?? [])].toSorted((a, b) =>
        a.at.localeCompare(b.at),
      ),
      claim: found(memory, 'claim', [key(keys.claim(actionId))])[0],
    };
  },
  journal: async (actionId) => {
    const mine = (item: { readonly actionId: string }): boolean => item.actionId === actionId;
    const byEntry = (a: { readonly entry: number }, b: { readonly entry: number }): number =>
      a.entry - b.entry;
    return {
      attempts: all(memory, 'attempt', mine).toSorted(byEntry),
      ends: all(memory, 'end', mine).toSorted((a, b) => a.attempt - b.attempt),
      observations: all(memory, 'observation', mine)
        .toSorted((a, b) => (a.observationId < b.observationId ? -1 : 1))
        .toSorted(byEntry),
      authorisations: all(memory, 'authorisation', mine).toSorted(byEntry),
      decisions: all(memory, 'decision', mine).toSorted(byEntry),
    };
  },
});

type Lists = Omit<Store, 'read' | 'leave' | 'journal' | 'commit' | 'createConversation'>;

const putNumbered = (
  memory: Memory,
  end: ItemOf<'end'> | undefined,
  observation: ItemOf<'observation'>,
  { item, rev }: Versioned<Action>,
): 'done' | 'conflict' => {
  const { items } = memory;
  const taken =
    (end !== undefined && items.end.has(keyOf('end', end))) ||
    items.observation.has(keyOf('observation', observation)) ||
    items.action.get(keyOf('action', item))?.rev !== rev;
  if (taken) return 'conflict';
  if (end !== undefined) keep(memory, 'end', end, 1);
  keep(memory, 'observation', observation, 1);
  keep(memory, 'action', unfoldedAction(item, observation), rev + 1);
  return 'done';
};

const lists = (memory: Memory): Lists => ({
  putEvidence: async (end, observation, action) => {
    if (action !== undefined) return putNumbered(memory, end, observation, action);
    const putOnce = <Kind extends 'end' | 'observation'>(kind: Kind, item: ItemOf<Kind>): void => {
      const key = keyOf(kind, item);
      if (memory.items[kind].has(key)) return;
      keep(memory, kind, item, 1);
      memory.alone.add(key);
    };
    if (end) putOnce('end', end);
    putOnce('observation', observation);
    return 'done';
  },
  likeness: async (workspace, likeDigest) => {
    const marker = memory.markers.get(words(workspace, likeDigest));
    return marker && { rev: marker.rev, holders: [...marker.holders].toSorted() };
  },
  grantsOf: async (workspace, agentId) =>
    all(memory, 'grant', (grant) => grant.workspace === workspace && grant.agentId === agentId),
  runLikeness: async (runId, likeDigest) => memory.runMarks.get(words(runId, likeDigest)),
  stepsOf: async (runId, afterStep) =>
    all(memory, 'step', (step) => step.runId === runId && step.step > afterStep).toSorted(
      (a, b) => a.step - b.step,
    ),
  runsOf: async (conversationId, limit) =>
    all(memory, 'run-reference', (run) => run.conversationId === conversationId)
      .toSorted((a, b) => b.number - a.number)
      .slice(0, limit),
  eventsAfter: async (conversationId, number, limit) =>
    all(
      memory,
      'event',
      (event) => event.conversationId === conversationId && event.number > number,
    )
      .toSorted((a, b) => a.number - b.number)
      .slice(0, limit),
  messagesOf: async (conversationId) =>
    all(memory, 'message', (message) => message.conversationId === conversationId).toSorted(
      (a, b) => a.number - b.number,
    ),
  conversationsOf: async (workspace, limit, cursor) =>
    page(
      all(memory, 'conversation', (item) => item.workspace === workspace),
      (item) => `${item.createdAt}#${item.conversationId}`,
      limit,
      cursor,
    ),
  requestsOpenIn: async (workspace, limit, cursor) =>
    page(
      all(memory, 'request', (item) => item.workspace === workspace && !item.decision),
      (item) => `${item.openedAt}#${item.requestId}`,
      limit,
      cursor,
    ),
  actionsIn: async (workspace, limit, cursor) =>
    page(
      all(memory, 'action', (item) => item.workspace === workspace),
      (item) => `${item.plannedAt}#${item.actionId}`,
      limit,
      cursor,
    ),
});

export interface MemoryStore extends Store {
  readonly memory: Memory;
}

export interface MemoryParts {
  readonly clock: Pick<Clock, 'now'>;
  readonly minter: Pick<Minter, 'suffix'>;
  /** Called with each outbox entry once it is committed, as the table's stream would. */
  readonly onOutbox?: (outbox: Outbox) => void;
  /** Called with a revision of an agent that a change makes. */
  readonly onRevision?: (revision: AgentRevision) => void;
}

const commit = async (memory: Memory, parts: MemoryParts, change: Change) => {
  const name = parts.minter.suffix();
  const records = recordsOf(change, new Date(parts.clock.now()).toISOString(), name);
  const operations: readonly Operation[] = operationsOf(memory, change, records, name);
  const failure = failureOf(operations);
  if (failure) return failure;
  for (const { apply } of operations) apply();
  for (const write of change.writes)
    if (write.do === 'revise-agent') parts.onRevision?.(write.item);
  if (records.outbox) parts.onOutbox?.(records.outbox);
  return {
    kind: 'done' as const,
    conversation: { item: records.conversation, rev: change.conversation.rev + 1 },
  };
};

export const memoryStore = (parts: MemoryParts): MemoryStore => {
  const memory: Memory = {
    items: emptyTables(),
    markers: new Map(),
    alone: new Set(),
    runMarks: new Map(),
  };
  return {
    memory,
    commit: (change) => commit(memory, parts, change),
    createConversation: async (conversation) => {
      const there = memory.items.conversation.get(keyOf('conversation', conversation));
      if (there) return there;
      keep(memory, 'conversation', conversation, 1);
      return { item: conversation, rev: 1 };
    },
    ...reads(memory),
    ...lists(memory),
  };
};
