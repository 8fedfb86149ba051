// The overview of a period. Reads only.
// Tested in test/functions/api/lists/overview.test.ts.
import { type Route, reading } from '../http/operation.ts';
import { overviewOf } from '../lists/overview.ts';
import { OverviewQuery, OverviewView } from '../schemas/overview.ts';
import { none } from '../schemas/schemas.ts';

const get = reading(
  {
    operationId: 'getOverview',
    method: 'get',
    path: '/v1/overview',
    tag: 'overview',
    summary: 'A period in numbers: runs, waiting times, undetermined actions, cost',
    description:
      'Counted from the items themselves each time, so that no total can drift. There is a bound to how many one answer counts; where it was reached, the answer says from when on it is whole.',
    params: none,
    query: OverviewQuery,
    answers: { 200: { description: 'The numbers.', schema: OverviewView } },
    problems: ['invalid-query'],
  },
  async ({ world, caller, query }) => ({
    status: 200,
    body: await overviewOf(world, caller.workspace, query),
  }),
);

export const overviewRoutes: readonly Route[] = [get];
