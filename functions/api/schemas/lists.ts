// How the workspace's lists are narrowed and searched, as schemas. Owns: those shapes.
// Tested in test/functions/api/http/openapi.test.ts.
import { z } from 'zod';
import { ActionId, AgentId, MessageId, RunId } from '../../core/base/ids.ts';
import { waitingOn } from '../../core/records/run.ts';
import { runStandings } from '../../core/reports/overview.ts';
import { auditKinds } from './audit-kinds.ts';
import { AuditEntry, InboxItem } from './people.ts';
import { ConversationSummary, PageQuery, pageOf, RunView } from './schemas.ts';

const tool = z.string().min(1).max(64).optional();
/** A page that can hold fewer than fit, since one answer looks at so many and no more. */
const narrowed = <Item extends z.ZodType>(item: Item) =>
  pageOf(item).extend({
    lookedTo: z.iso
      .datetime()
      .optional()
      .describe('When the last item it looked at began; left out at the end of the list.'),
  });

export const listMarks = ['needs_you', 'unread', 'working'] as const;
export const ConversationsQuery = PageQuery.extend({
  mark: z
    .enum(listMarks)
    .optional()
    .describe('Only those that need you, that ended while you were away, or whose run goes on.'),
  agentId: AgentId.optional(),
});
export const ConversationsPage = narrowed(ConversationSummary);

export const RunsQuery = PageQuery.extend({
  state: z.enum(runStandings).optional().describe('Why it ended, or how it stands.'),
  agentId: AgentId.optional(),
});
export const RunsPage = narrowed(RunView);

export const InboxQuery = PageQuery.extend({
  on: z.enum(waitingOn).optional().describe('Kind of request.'),
  agentId: AgentId.optional(),
  tool,
  olderThanMs: z.coerce.number().int().min(0).optional().describe('Age since it was opened.'),
  order: z.enum(['newest', 'oldest']).default('newest'),
});
export const InboxPage = narrowed(InboxItem);

export const AuditQuery = PageQuery.extend({
  kind: z.enum(auditKinds).optional(),
  by: z.string().min(1).max(256).optional().describe('Subject of who decided, or `me`.'),
  tool: tool.describe('Of what was decided about an action, and of grants, permissions, bars.'),
  agentId: z.string().min(1).max(64).optional(),
  actionId: ActionId.optional(),
  until: z.iso.datetime().optional().describe('Nothing newer. A cursor stands before it.'),
});
export const AuditPage = narrowed(AuditEntry);

export const SearchQuery = z.strictObject({
  q: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .describe('Words; all must be found. Case and accents do not count.'),
  cursor: PageQuery.shape.cursor,
});
export const SearchHit = z.strictObject({
  conversation: ConversationSummary,
  found: z.discriminatedUnion('in', [
    /** In its title, its id, or its agent’s name. */
    z.strictObject({ in: z.literal('title') }),
    z.strictObject({
      in: z.literal('message'),
      messageId: MessageId,
      at: z.iso.datetime(),
      /** The text around the first word found. */
      excerpt: z.string(),
    }),
    /** In what the agent said at the end of a run: its assertion, beside which stands what is known. */
    z.strictObject({
      in: z.literal('answer'),
      runId: RunId,
      at: z.iso.datetime(),
      excerpt: z.string(),
    }),
  ]),
});
export type SearchHit = z.infer<typeof SearchHit>;
export const SearchPage = pageOf(SearchHit).extend({
  searched: z.strictObject({
    titlesFrom: z.iso
      .datetime()
      .optional()
      .describe('Titles of conversations begun since then were searched; left out when all were.'),
    messagesFrom: z.iso
      .datetime()
      .optional()
      .describe('Messages sent since then were searched; left out when all were.'),
    answersFrom: z.iso
      .datetime()
      .optional()
      .describe('Answers of runs begun since then were searched; left out when all were.'),
  }),
});
