// One page of the audit, narrowed by what the caller asked for. Owns: how a decision is told as an entry, filling a page, and how
// far one answer looks. Laws: L13 (each decision has one named identity; a machine's is shown as such).
// Tested in test/functions/api/lists/audit.test.ts.
import type { z } from 'zod';
import { system } from '../../core/pausing/close-request.ts';
import type { Grant } from '../../core/records/grant.ts';
import { type MandateChange, mandateRecordId } from '../../core/records/mandate.ts';
import { registrationId } from '../../core/registry/tool.ts';
import type { Audited, Decided } from '../../ports/people.ts';
import type { ApiWorld } from '../../wiring/api.ts';
import { type Filtered, filtered } from '../http/walk.ts';
import type { Caller } from '../identity/identity.ts';
import type { AuditQuery } from '../schemas/lists.ts';
import type { AuditEntry } from '../schemas/people.ts';

type Wanted = z.infer<typeof AuditQuery>;

/** Pages of the list that one answer looks through when it leaves some out. */
const pagesMax = 5;
const pageOfIndex = 500;

const optional = <Name extends string, Value>(name: Name, value: Value | undefined) =>
  value === undefined ? {} : { [name]: value };

const reasonOf = (decision: object | undefined): string | undefined => {
  for (const name of ['reason', 'text', 'because']) {
    const value: unknown = decision === undefined ? undefined : Reflect.get(decision, name);
    if (typeof value === 'string') return value;
  }
  return undefined;
};

/** One change of a permission, or of a tool's bar. */
const changeEntry = (
  of: { readonly agentId?: string | undefined; readonly tool: string },
  number: number,
  change: MandateChange | undefined,
): AuditEntry => ({
  id: mandateRecordId({ ...of, number }),
  at: change?.at ?? '',
  by: change?.by ?? system,
  kind: of.agentId === undefined ? 'bar' : 'permission',
  decision: change?.what ?? '',
  ...optional('reason', change?.reason),
  ...optional('agentId', of.agentId),
  tool: of.tool,
});

type Registered = Extract<Decided, { readonly kind: 'agent' | 'tool' | 'skill' }>;

const registrationOf = ({ kind, item }: Registered) => {
  switch (kind) {
    case 'agent': {
      const { agentId, revision: version, configuration } = item;
      return { version, name: agentId, is: { agentId, agentName: configuration.name } };
    }
    case 'tool': {
      const { name } = item.registration;
      return { version: item.version, name, is: { tool: name } };
    }
    case 'skill': {
      const { name } = item.content;
      return { version: item.version, name, is: { skill: name } };
    }
  }
};

/** A version or revision that somebody made. */
const registrationEntry = (registered: Registered): AuditEntry => {
  const { kind: on, item } = registered;
  const { version, name, is } = registrationOf(registered);
  const { createdAt, createdBy, author } = item;
  return {
    id: registrationId(on, name, version),
    at: createdAt,
    by: author ?? { kind: 'machine', subject: createdBy, name: createdBy },
    kind: 'registration',
    decision: version === 1 ? 'registered' : on === 'agent' ? 'new_revision' : 'new_version',
    on,
    ...is,
    version,
  };
};

/** What was remembered with an approval, as it stands: with its scope, its condition and its end. */
const grantEntry = (item: Grant): AuditEntry => ({
  id: `${item.requestId}/grant`,
  at: item.revokedAt ?? item.grantedAt,
  by: item.revokedBy ?? item.grantedBy,
  kind: 'grant',
  decision: item.revokedAt === undefined ? 'granted' : 'revoked',
  requestId: item.requestId,
  agentId: item.agentId,
  tool: item.tool,
  remembered: {
    scope: item.runId === undefined ? 'agent' : 'run',
    condition: item.condition,
    ...(item.expiresAtMs === undefined ? {} : { until: new Date(item.expiresAtMs).toISOString() }),
  },
});

const entryOf = ({ kind, item }: Audited): AuditEntry => {
  switch (kind) {
    case 'request': {
      const { requestId, actionId, conversationId, runId, on, decision } = item;
      return {
        id: requestId,
        at: item.decidedAt ?? item.openedAt,
        by: item.decidedBy ?? system,
        kind: 'answer',
        decision: decision?.kind ?? 'open',
        on,
        ...optional('reason', reasonOf(decision)),
        ...optional('revoked', decision?.kind === 'granted' ? decision.revoked : undefined),
        ...optional('remembered', decision?.kind === 'approved' ? decision.remembered : undefined),
        requestId,
        actionId,
        conversationId,
        runId,
      };
    }
    case 'decision':
      return {
        id: item.decisionId,
        at: item.at,
        by: item.by,
        kind: 'decision',
        decision: item.kind,
        ...optional('reason', item.reason),
        actionId: item.actionId,
      };
    case 'mandate':
      return {
        id: `${item.requestId}/approval`,
        at: item.revokedAt ?? item.grantedAt,
        by: item.revokedBy ?? item.grantedBy,
        kind: 'approval',
        decision: 'revoked',
        ...optional('reason', item.revokedBecause),
        requestId: item.requestId,
        actionId: item.actionId,
      };
    case 'grant':
      return grantEntry(item);
    case 'mandate-record':
      return changeEntry(item, item.number, item.change);
    case 'standing':
    case 'bar':
      return changeEntry(item, item.changes.length, item.changes.at(-1));
    case 'agent':
      return registrationEntry({ kind, item });
    case 'tool':
      return registrationEntry({ kind, item });
    case 'skill':
      return registrationEntry({ kind, item });
  }
};

/** When it was decided, as its entry says. */
export const decidedAt = (audited: Audited): string => entryOf(audited).at;

/** Entries about an action's approval, recovery or decision name its tool; a question or a skill goes to no tool. */
const withTools = async (
  { store }: ApiWorld,
  entries: readonly AuditEntry[],
): Promise<readonly AuditEntry[]> => {
  const about = ({ on, tool }: AuditEntry): boolean =>
    tool === undefined && on !== 'question' && on !== 'skill';
  const ids = new Set(entries.flatMap((one) => (about(one) ? (one.actionId ?? []) : [])));
  if (ids.size === 0) return entries;
  const { actions } = await store.read({ actions: [...ids] });
  const tools = new Map(actions.map(({ item }) => [item.actionId, item.tool.name]));
  return entries.map((one) => {
    const tool = one.actionId && about(one) ? tools.get(one.actionId) : undefined;
    return tool === undefined ? one : { ...one, tool };
  });
};

/** By the entry alone, before anything is read of it. */
const fits = (entry: AuditEntry, { kind, by, agentId, actionId }: Wanted, me: string): boolean =>
  (kind === undefined || entry.kind === kind) &&
  (by === undefined || entry.by.subject === (by === 'me' ? me : by)) &&
  (agentId === undefined || entry.agentId === agentId) &&
  (actionId === undefined || entry.actionId === actionId);

/** `cursor` is the place of the last entry looked at. */
export const auditPage = async (
  world: ApiWorld,
  { workspace, author }: Caller,
  wanted: Wanted,
  cursor: string | undefined,
): Promise<Filtered<Audited, AuditEntry>> => {
  const { kind, by, tool, agentId, actionId, limit } = wanted;
  const narrow = [kind, by, tool, agentId, actionId].some((given) => given !== undefined);
  const show = async (page: readonly Audited[]) => {
    const entries = page.map((one) => {
      const entry = entryOf(one);
      return fits(entry, wanted, author.subject) ? entry : undefined;
    });
    if (tool === undefined) return entries;
    const may = entries.filter((entry) => entry !== undefined);
    const of = new Map((await withTools(world, may)).map((entry, index) => [may[index], entry]));
    return entries.map((entry) => {
      const named = of.get(entry);
      return named?.tool === tool ? named : undefined;
    });
  };
  const page = await filtered(
    (from) => world.people.decided(workspace, narrow ? pageOfIndex : limit, from),
    { limit, pagesMax: narrow ? pagesMax : 1, cursor, placeOf: ({ place }) => place },
    show,
  );
  return tool === undefined ? { ...page, items: await withTools(world, page.items) } : page;
};
