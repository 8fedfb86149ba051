// The audit: who decided what, and when. Read from the requests and journals themselves, so that it cannot say otherwise.
// Laws: L13 (each decision has one named identity; a machine's is shown as such).
// Tested in test/functions/api/lists/audit.test.ts.

import { cursorIn, cursorOut } from '../http/cursor.ts';
import { type Route, reading } from '../http/operation.ts';
import { auditPage, decidedAt } from '../lists/audit-entries.ts';
import { AuditPage, AuditQuery } from '../schemas/lists.ts';
import { none } from '../schemas/schemas.ts';

const list = reading(
  {
    operationId: 'readAudit',
    method: 'get',
    path: '/v1/audit',
    tag: 'audit',
    summary: 'Answers and decisions, newest first, each with who took it and when',
    description:
      'A page can hold fewer than `limit`, or none, and still have a next one: `lookedTo` says how far it looked.',
    params: none,
    query: AuditQuery,
    answers: { 200: { description: 'A page.', schema: AuditPage } },
    problems: ['invalid-query', 'bad-cursor'],
  },
  async ({ world, caller, query }) => {
    const { workspace } = caller;
    // What was decided at that very instant is listed before it.
    const newest = query.until === undefined ? undefined : `${query.until}~`;
    const cursor = cursorIn('audit', workspace, query.cursor) ?? newest;
    const { items, next, lookedTo } = await auditPage(world, caller, query, cursor);
    return {
      status: 200,
      body: {
        items,
        next: next && cursorOut('audit', workspace, next),
        lookedTo: lookedTo && decidedAt(lookedTo),
      },
    };
  },
);

export const auditRoutes: readonly Route[] = [list];
