// The audit: who decided what, and when. Read from the requests and journals themselves, so that it cannot say otherwise.
// Laws: L13 (each decision has one named identity; a machine's is shown as such).
import { system } from '../../core/close-request.ts';
import type { Audited } from '../../ports/people.ts';
import { cursorIn, cursorOut } from '../cursor.ts';
import { type Route, reading } from '../operation.ts';
import { none, PageQuery, pageOf } from '../schemas.ts';
import { AuditEntry } from '../schemas-people.ts';

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
        at: item.at,
        by: item.by,
        kind: 'decision',
        decision: item.kind,
        ...optional('reason', item.reason),
        actionId: item.actionId,
      };
    case 'grant':
      return {
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
        at: last?.at ?? '',
        by: last?.by ?? system,
        kind: kind === 'bar' ? 'bar' : 'permission',
        decision: last?.what ?? '',
        ...optional('reason', last?.reason),
        ...('agentId' in item ? { agentId: item.agentId } : {}),
        tool: item.tool,
      };
    }
  }
};

const list = reading(
  {
    operationId: 'readAudit',
    method: 'get',
    path: '/v1/audit',
    tag: 'audit',
    summary: 'Answers and decisions, newest first, each with who took it and when',
    params: none,
    query: PageQuery,
    answers: { 200: { description: 'A page.', schema: pageOf(AuditEntry) } },
    problems: ['invalid-query', 'bad-cursor'],
  },
  async ({ world, caller, query }) => {
    const { workspace } = caller;
    const cursor = cursorIn('audit', workspace, query.cursor);
    const page = await world.people.decided(workspace, query.limit, cursor);
    const next = page.next && cursorOut('audit', workspace, page.next);
    return { status: 200, body: { items: page.items.map(entryOf), next } };
  },
);

export const auditRoutes: readonly Route[] = [list];
