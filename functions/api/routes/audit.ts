// The audit: who decided what, and when. Read from the requests and journals themselves, so that it cannot say otherwise.
// Laws: L13 (each decision has one named identity; a machine's is shown as such).
import { z } from 'zod';
import { system } from '../../core/close-request.ts';
import { ActionId } from '../../core/ids.ts';
import type { Audited } from '../../ports/people.ts';
import type { ApiWorld } from '../../wiring/api.ts';
import { auditKinds } from '../audit-kinds.ts';
import { cursorIn, cursorOut } from '../cursor.ts';
import { type Route, reading } from '../operation.ts';
import { none, PageQuery, pageOf } from '../schemas.ts';
import { AuditEntry } from '../schemas-people.ts';

const AuditQuery = PageQuery.extend({
  kind: z.enum(auditKinds).optional(),
  by: z.string().min(1).max(256).optional().describe('Subject of who decided, or `me`.'),
  tool: z
    .string()
    .min(1)
    .max(64)
    .optional()
    .describe('Of what was decided about an action, and of grants, permissions, bars.'),
  agentId: z.string().min(1).max(64).optional(),
  actionId: ActionId.optional(),
  until: z.iso.datetime().optional().describe('Nothing newer. A cursor stands before it.'),
});
type AuditQuery = z.infer<typeof AuditQuery>;

/** Whether an entry is asked for. */
const asked =
  ({ kind, by, tool, agentId, actionId }: AuditQuery, subject: string) =>
  (entry: AuditEntry): boolean =>
    (kind === undefined || entry.kind === kind) &&
    (by === undefined || entry.by.subject === (by === 'me' ? subject : by)) &&
    (tool === undefined || entry.tool === tool) &&
    (agentId === undefined || entry.agentId === agentId) &&
    (actionId === undefined || entry.actionId === actionId);

const optional = <Name extends string>(name: Name, value: string | undefined) =>
  value === undefined ? {} : { [name]: value };

const reasonOf = (decision: object | undefined): string | undefined => {
  for (const name of ['reason', 'text', 'because']) {
    const value: unknown = decision === undefined ? undefined : Reflect.get(decision, name);
    if (typeof value === 'string') return value;
  }
  return undefined;
};

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
      return {
        id: `${item.requestId}/grant`,
        at: item.revokedAt ?? item.grantedAt,
        by: item.revokedBy ?? item.grantedBy,
        kind: 'grant',
        decision: item.revokedAt === undefined ? 'granted' : 'revoked',
        requestId: item.requestId,
        agentId: item.agentId,
        tool: item.tool,
      };
    case 'standing':
    case 'bar': {
      const last = item.changes.at(-1);
      return {
        id: 'agentId' in item ? `${item.agentId}/${item.tool}` : `tool/${item.tool}`,
        at: last?.at ?? '',
        by: last?.by ?? system,
        kind: kind === 'bar' ? 'bar' : 'permission',
        decision: last?.what ?? '',
        ...optional('reason', last?.reason),
        ...('agentId' in item ? { agentId: item.agentId } : {}),
        tool: item.tool,
        changes: item.changes,
      };
    }
  }
};

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

const list = reading(
  {
    operationId: 'readAudit',
    method: 'get',
    path: '/v1/audit',
    tag: 'audit',
    summary: 'Answers and decisions, newest first, each with who took it and when',
    description:
      'With a filter a page can hold fewer than `limit`, or none, and still have a next one.',
    params: none,
    query: AuditQuery,
    answers: { 200: { description: 'A page.', schema: pageOf(AuditEntry) } },
    problems: ['invalid-query', 'bad-cursor'],
  },
  async ({ world, caller, query }) => {
    const { workspace } = caller;
    // What was decided at that very instant is listed before it.
    const newest = query.until === undefined ? undefined : `${query.until}~`;
    const cursor = cursorIn('audit', workspace, query.cursor) ?? newest;
    const page = await world.people.decided(workspace, query.limit, cursor);
    const next = page.next && cursorOut('audit', workspace, page.next);
    const items = await withTools(world, page.items.map(entryOf));
    return {
      status: 200,
      body: { items: items.filter(asked(query, caller.author.subject)), next },
    };
  },
);

export const auditRoutes: readonly Route[] = [list];
