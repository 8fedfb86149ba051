// All runs of the workspace, newest first, narrowed by how they stand and whose they are. Reads only.
// Tested in test/functions/api/lists/lists.test.ts.

import type { Run } from '../../core/records/run.ts';
import type { AgentRevision } from '../../core/registry/agent.ts';
import { standingOf } from '../../core/reports/overview.ts';
import type { ApiWorld } from '../../wiring/api.ts';
import { cursorIn, cursorOut } from '../http/cursor.ts';
import { type Route, reading } from '../http/operation.ts';
import { filtered } from '../http/walk.ts';
import { RunsPage, RunsQuery } from '../schemas/lists.ts';
import { none } from '../schemas/schemas.ts';
import { runView } from '../schemas/views.ts';

/** Pages of the list that one answer looks through when it leaves some out. */
const pagesMax = 8;
const pageOfIndex = 500;

/** Each revision is read once for a page. */
const revisionsIn = ({ registry }: ApiWorld) => {
  const known = new Map<string, Promise<AgentRevision | undefined>>();
  return ({ workspace, agentId, revision }: Run): Promise<AgentRevision | undefined> => {
    const name = `${agentId} ${revision}`;
    const found = known.get(name) ?? registry.agent(workspace, agentId, revision);
    known.set(name, found);
    return found;
  };
};

const list = reading(
  {
    operationId: 'listWorkspaceRuns',
    method: 'get',
    path: '/v1/runs',
    tag: 'runs',
    summary: 'Runs of the workspace, newest first',
    description:
      'A page can hold fewer than `limit`, or none, and still have a next one: `lookedTo` says how far it looked.',
    params: none,
    query: RunsQuery,
    answers: { 200: { description: 'A page.', schema: RunsPage } },
    problems: ['invalid-query', 'bad-cursor'],
  },
  async ({ world, caller, query }) => {
    const { workspace } = caller;
    const { state, agentId, limit } = query;
    const narrow = state !== undefined || agentId !== undefined;
    const revisionOf = revisionsIn(world);
    const show = async (run: Run) => {
      if (state !== undefined && standingOf(run) !== state) return undefined;
      if (agentId !== undefined && run.agentId !== agentId) return undefined;
      return runView(run, await revisionOf(run), world.traces);
    };
    const { items, next, lookedTo } = await filtered(
      (cursor) => world.lists.runs(workspace, { limit: narrow ? pageOfIndex : limit, cursor }),
      {
        limit,
        pagesMax: narrow ? pagesMax : 1,
        cursor: cursorIn('runs', workspace, query.cursor),
        placeOf: ({ startedAt, runId }) => `${startedAt}#${runId}`,
      },
      (runs) => Promise.all(runs.map(show)),
    );
    return {
      status: 200,
      body: {
        items,
        next: next && cursorOut('runs', workspace, next),
        lookedTo: lookedTo?.startedAt,
      },
    };
  },
);

export const workspaceRunRoutes: readonly Route[] = [list];
