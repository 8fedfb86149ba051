// Finding a conversation again. Reads only.
// Tested in test/functions/api/lists/lists.test.ts.
import { cursorIn, cursorOut } from '../http/cursor.ts';
import { type Route, reading } from '../http/operation.ts';
import { searchFor } from '../lists/search.ts';
import { SearchPage, SearchQuery } from '../schemas/lists.ts';
import { none } from '../schemas/schemas.ts';

const search = reading(
  {
    operationId: 'searchConversations',
    method: 'get',
    path: '/v1/search',
    tag: 'conversations',
    summary: 'Find conversations by title, id, agent, or what was said and answered in them',
    description:
      'Of agents the last text of each ended run is searched, not what they said on the way. One answer looks back so far and no further: `searched` says since when, `next` goes on from there, and a conversation may be found again by an older text.',
    params: none,
    query: SearchQuery,
    answers: { 200: { description: 'What was found, newest first.', schema: SearchPage } },
    problems: ['invalid-query', 'bad-cursor'],
  },
  async ({ world, caller, query }) => {
    const { workspace } = caller;
    const cursor = cursorIn('search', workspace, query.cursor);
    const { items, next, searched } = await searchFor(world, caller, query.q, cursor);
    const further = next && cursorOut('search', workspace, next);
    return { status: 200, body: { items, next: further, searched } };
  },
);

export const searchRoutes: readonly Route[] = [search];
