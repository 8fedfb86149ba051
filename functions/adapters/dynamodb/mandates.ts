// Standing permissions and tool bars on DynamoDB. Owns: where each lies.
// Tested in test/functions/store.test.ts.
import type { Mandates } from '../../ports/mandates.ts';
import { getOne, putWith } from './by-revision.ts';
import { keys } from './keys.ts';
import type { StoreParts } from './read-keys.ts';

export const mandatesFrom = (parts: StoreParts): Mandates => ({
  standing: (workspace, agentId, tool) =>
    getOne(parts, 'standing', keys.standingMandate(workspace, agentId, tool)),
  bar: (workspace, tool) => getOne(parts, 'bar', keys.bar(workspace, tool)),
  grant: (workspace, agentId, requestId) =>
    getOne(parts, 'grant', keys.grant(workspace, agentId, requestId)),
  putStanding: ({ item, records }, rev) =>
    putWith(parts, { kind: 'standing', item, rev }, 'mandate-record', records),
  putBar: ({ item, records }, rev) =>
    putWith(parts, { kind: 'bar', item, rev }, 'mandate-record', records),
});
