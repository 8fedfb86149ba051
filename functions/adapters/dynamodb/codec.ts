// An item as DynamoDB holds it: keys, the few attributes that conditions, indexes and people's eyes need, and the whole
// document as JSON text, so that arguments come back byte for byte (L6) and numbers lose nothing.
// Owns: that form, and parsing it back through the item's schema.
// Tested in test/functions/store.test.ts.
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { z } from 'zod';
import { reminderAtMs } from '../../core/answers/expire.ts';
import { Defect } from '../../core/base/errors.ts';
import { recoveryLookMs, skewMs, waitingLookMs, workingLookMs } from '../../core/base/limits.ts';
import { orderedAtMs } from '../../core/records/action.ts';
import {
  type ItemKind,
  type ItemOf,
  itemSchemas,
  type Versioned,
} from '../../core/records/change.ts';
import { faultMarkedAt, standingFault } from '../../core/records/fault-mark.ts';
import { barredAt, mandateRecordId, revokedAt } from '../../core/records/mandate.ts';
import { type DeskPart, deskAtOf, deskPartOf } from '../../core/recover/desk-list.ts';
import { type Key, keyOfKind } from './keys.ts';

export type Attributes = Record<string, AttributeValue>;

const text = (value: string): AttributeValue => ({ S: value });
const number = (value: number): AttributeValue => ({ N: String(value) });

/** Spreads due items over this many partitions of the index. */
export const dueShards = 4;
/** A recovery that waits for a person is due to nobody: it is kept apart, to be counted. */
type Due = ItemKind | 'recovery';
/** One partition per kind and shard, so that what is due of one kind never hides what is due of another. */
export const dueShard = (kind: Due, shard: number): string => `due#${kind}#${shard}`;
const due = (kind: Due, id: string, atMs: number): Attributes => ({
  dueShard: text(dueShard(kind, (id.charCodeAt(id.length - 1) || 0) % dueShards)),
  dueAt: number(atMs),
});
const dated = (name: string, at: string | undefined): Attributes =>
  at === undefined ? {} : { [name]: text(at) };
const listed = (key: string, at: string): Attributes => ({
  listKey: text(key),
  listedAt: text(at),
});

export const auditKey = (workspace: string): string => `AUD#${workspace}`;
/** Listed for the audit, by when it was decided. */
export const audited = (
  workspace: string | undefined,
  at: string | undefined,
  id: string,
): Attributes =>
  workspace === undefined || at === undefined ? {} : listed(auditKey(workspace), `${at}#${id}`);

/** A permission or a bar whose changes have no records yet is listed itself, by the newest one. */
const auditedWhole = (item: ItemOf<'standing'> | ItemOf<'bar'>, id: string): Attributes =>
  item.count === undefined ? audited(item.workspace, item.changes.at(-1)?.at, id) : {};

/** An outbox entry that is still there after this long is delivered again by the sweep. */
export const outboxDueMs = 15_000;

/** A working run is looked at when it made no step for a while; a waiting one daily. */
const runDueMs = ({ state, touchedAt }: ItemOf<'run'>): number =>
  state.status === 'waiting'
    ? Date.parse(state.since) + waitingLookMs
    : Date.parse(touchedAt) + workingLookMs;

/** An open request is due for its reminder, then at its expiry; a recovery that the machine still works on, soon. */
const requestDue = (item: ItemOf<'request'>): Attributes => {
  if (item.decision !== undefined) return {};
  if (item.on === 'recovery')
    return item.needsPerson
      ? due('recovery', item.requestId, Date.parse(item.openedAt))
      : due('request', item.requestId, Date.parse(item.openedAt) + recoveryLookMs);
  const reminderMs = item.remindedAt === undefined ? reminderAtMs(item) : undefined;
  const dueMs = reminderMs ?? item.expiresAtMs;
  return dueMs === undefined ? {} : due('request', item.requestId, dueMs);
};

/** An attempt past its time; else what a recovery's execution has yet to do, should it have died. */
const actionDue = (item: ItemOf<'action'>): Attributes => {
  if (item.engaged !== undefined)
    return due('action', item.actionId, item.engaged.deadlineAtMs + skewMs);
  // Evidence that nobody has folded yet is due at once, whatever else is settled about the action.
  if (item.unfolded !== undefined)
    return due('action', item.actionId, Date.parse(item.firstEngagedAt ?? item.plannedAt));
  const orderedMs = orderedAtMs(item);
  return orderedMs === undefined ? {} : due('action', item.actionId, orderedMs + recoveryLookMs);
};

/** What needs somebody, or was set aside without being known; an ordinary action never enters these lists. */
const onDesk = (item: ItemOf<'action'>): Attributes => {
  const part = deskPartOf(item);
  return part === undefined
    ? {}
    : {
        deskKey: text(deskKey(item.workspace, part)),
        deskAt: text(deskAtOf(item)),
      };
};
export const faultListKey = (workspace: string, agentId: string): string =>
  `FLT#${workspace}#${agentId}`;
export const deskKey = (workspace: string, part: DeskPart): string => `${part}#${workspace}`;

type Projection = { readonly [Kind in ItemKind]?: (item: ItemOf<Kind>) => Attributes };

/** Attributes beside the document, by kind. */
const projections: Projection = {
  conversation: (item) => ({
    ...listed(`CNV#${item.workspace}`, `${item.createdAt}#${item.conversationId}`),
    eventNumber: number(item.eventNumber),
    ...(item.activeRun === undefined ? {} : { activeRun: text(item.activeRun) }),
  }),
  message: (item) => listed(`MSG#${item.workspace}`, `${item.at}#${item.messageId}`),
  run: (item) => ({
    status: text(item.state.status),
    fence: number(item.fence),
    ...listed(`RUN#${item.workspace}`, `${item.startedAt}#${item.runId}`),
    ...(item.state.status === 'finished' ? {} : due('run', item.runId, runDueMs(item))),
  }),
  routine: (item) =>
    item.state === 'deleted'
      ? {}
      : listed(`RTN#${item.workspace}`, `${item.createdAt}#${item.routineId}`),
  'routine-clock': (item) =>
    item.lookAtMs === undefined ? {} : due('routine-clock', item.routineId, item.lookAtMs),
  occurrence: (item) => listed(`OCC#${item.routineId}`, `${item.dueAt}#${item.occurrenceId}`),
  event: (item) => ({ type: text(item.body.type), at: text(item.at) }),
  outbox: (item) => due('outbox', item.outboxId, Date.parse(item.at) + outboxDueMs),
  request: (item) => ({
    on: text(item.on),
    conversationId: text(item.conversationId),
    ...(item.decision === undefined
      ? listed(`REQ#${item.workspace}`, `${item.openedAt}#${item.requestId}`)
      : {
          decisionKind: text(item.decision.kind),
          ...audited(item.workspace, item.decidedAt, item.requestId),
        }),
    ...(item.released === true ? { released: { BOOL: true } } : {}),
    ...requestDue(item),
  }),
  action: (item) => ({
    effect: text(item.effect),
    disposition: text(item.disposition.kind),
    tool: text(item.tool.name),
    ...listed(`ACT#${item.workspace}`, `${item.plannedAt}#${item.actionId}`),
    ...actionDue(item),
    ...onDesk(item),
  }),
  decision: (item) => audited(item.workspace, item.at, item.decisionId),
  grant: (item) => ({
    ...audited(item.workspace, item.revokedAt, item.requestId),
    tool: text(item.tool),
    expiresAtMs: number(item.expiresAtMs ?? Number.MAX_SAFE_INTEGER),
    ...(item.revokedAt === undefined ? {} : { revokedAt: text(item.revokedAt) }),
  }),
  standing: (item) => ({
    ...auditedWhole(item, `${item.agentId}/${item.tool}`),
    tool: text(item.tool),
    ...dated('revokedAt', revokedAt(item)),
  }),
  bar: (item) => ({
    ...auditedWhole(item, item.tool),
    tool: text(item.tool),
    ...dated('barredAt', barredAt(item)),
  }),
  'mandate-record': (item) => audited(item.workspace, item.change.at, mandateRecordId(item)),
  /** Listed for whoever edits the agent, as long as it stands. */
  'fault-mark': (item) =>
    standingFault(item) === undefined
      ? {}
      : listed(faultListKey(item.workspace, item.agentId), `${faultMarkedAt(item)}#${item.markId}`),
  claim: (item) => ({
    fence: number(item.fence),
    untilMs: number(item.untilMs),
    ...(item.holder === undefined ? {} : { holder: text(item.holder.subject) }),
  }),
  attempt: (item) => ({ owner: text(item.owner), deadlineAtMs: number(item.deadlineAtMs) }),
  mandate: (item) => ({
    ...audited(item.workspace, item.revokedAt, `${item.requestId}/approval`),
    digest: text(item.digest),
    expiresAtMs: number(item.expiresAtMs),
    ...(item.revokedAt === undefined ? {} : { revokedAt: text(item.revokedAt) }),
  }),
};

const projected = <Kind extends ItemKind>(kind: Kind, item: ItemOf<Kind>): Attributes =>
  projections[kind]?.(item) ?? {};

/** The attributes of an item apart from its keys. `change` names the transaction that wrote it. */
export const attributesOf = <Kind extends ItemKind>(
  kind: Kind,
  item: ItemOf<Kind>,
  rev: number,
  change: string,
): Attributes => ({
  kind: text(kind),
  rev: number(rev),
  change: text(change),
  doc: text(JSON.stringify(item)),
  ...projected(kind, item),
});

export const keyAttributes = (key: Key): Attributes => ({ pk: text(key.pk), sk: text(key.sk) });

export const keyFor = <Kind extends ItemKind>(kind: Kind, item: ItemOf<Kind>): Key =>
  keyOfKind[kind](item);

const schemas: { readonly [Kind in ItemKind]: z.ZodType<ItemOf<Kind>> } = itemSchemas;

/** Parses a stored item. Throws Defect when it does not have its kind's form: the store is the one border it crosses. */
export const parseItem = <Kind extends ItemKind>(
  kind: Kind,
  attributes: Attributes,
): Versioned<ItemOf<Kind>> => {
  const schema = schemas[kind];
  const doc = attributes.doc?.S;
  if (doc === undefined || attributes.kind?.S !== kind)
    throw new Defect(
      `Stored item ${attributes.pk?.S}/${attributes.sk?.S} is no ${kind}: it is of kind ${attributes.kind?.S}.`,
    );
  const parsed = schema.safeParse(JSON.parse(doc));
  if (!parsed.success)
    throw new Defect(
      `Stored ${kind} ${attributes.pk?.S} does not have its schema's form: ${parsed.error.message}`,
    );
  return { item: parsed.data, rev: Number(attributes.rev?.N ?? '0') };
};

/** The outbox entry in a stream image, or undefined when the image is something else. */
export const unmarshallOutbox = (
  image: Record<string, { readonly S?: string | undefined }>,
): ItemOf<'outbox'> | undefined =>
  image.kind?.S === 'outbox' && image.doc?.S !== undefined
    ? schemas.outbox.parse(JSON.parse(image.doc.S))
    : undefined;
