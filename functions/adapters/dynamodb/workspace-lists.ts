// The workspace's lists on DynamoDB. Owns: which partition of the index holds which.
// Tested in test/functions/api/lists/lists.test.ts.
import type { WorkspaceLists } from '../../ports/lists.ts';
import { listed } from './listed.ts';
import type { StoreParts } from './read-keys.ts';

export const workspaceListsFrom = (parts: StoreParts): WorkspaceLists => ({
  runs: (workspace, wanted) => listed(parts, 'Conversations', 'run', `RUN#${workspace}`, wanted),
  messages: (workspace, wanted) =>
    listed(parts, 'Conversations', 'message', `MSG#${workspace}`, wanted),
  openRequests: (workspace, wanted) =>
    listed(parts, 'Requests', 'request', `REQ#${workspace}`, { ...wanted, oldestFirst: true }),
  closedRequests: (workspace, wanted) =>
    listed(parts, 'Requests', 'request', `AUD#${workspace}`, wanted),
});
