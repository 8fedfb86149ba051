// Grants: what people remembered with an approval, for a run or an agent; listed and taken back. Laws: L7 (after a revocation no
// attempt opens under it: engage checks it in its own transaction).
// Tested in test/functions/api/answers/answers.test.ts.
import { z } from 'zod';
import { AgentId, RequestId } from '../../core/base/ids.ts';
import type { Grant } from '../../core/records/grant.ts';
import { deciding } from '../../wiring/api.ts';
import { ours } from '../http/found.ts';
import { noIds, type Route, reading, route } from '../http/operation.ts';
import { problem } from '../problems/problems.ts';
import { grantView } from '../schemas/grant-view.ts';
import { GrantView } from '../schemas/people.ts';
import { none, pageOf } from '../schemas/schemas.ts';

const ofAgent = z.strictObject({ agentId: AgentId });
const one = ofAgent.extend({ requestId: RequestId });

const list = reading(
  {
    operationId: 'listGrants',
    method: 'get',
    path: '/v1/agents/{agentId}/grants',
    tag: 'agents',
    summary: 'What was granted to an agent or its runs with an approval',
    params: ofAgent,
    query: none,
    answers: { 200: { description: 'The grants, newest first.', schema: pageOf(GrantView) } },
  },
  async ({ world, caller, params }) => {
    const agent = await world.registry.newestAgent(caller.workspace, params.agentId);
    if (agent === undefined) throw problem('not-found', {});
    const grants = await world.store.grantsOf(caller.workspace, params.agentId);
    const nowMs = world.clock.now();
    const items = grants
      .toSorted((a, b) => b.grantedAt.localeCompare(a.grantedAt))
      .map((grant) => grantView(grant, nowMs));
    return { status: 200, body: { items } };
  },
);

const revoke = route(
  {
    operationId: 'revokeGrant',
    method: 'post',
    path: '/v1/agents/{agentId}/grants/{requestId}/revoke',
    tag: 'agents',
    summary: 'Take a grant back',
    description:
      'No attempt opens under it any more; what was sent stays sent. Revoking it again changes nothing.',
    params: one,
    query: none,
    body: none,
    answers: { 200: { description: 'Revoked.', schema: GrantView } },
    example: {},
  },
  async ({ world, caller, params }) => {
    const { store, mandates, clock } = world;
    const grant = await deciding<Grant>(world, async () => {
      const found = await mandates.grant(caller.workspace, params.agentId, params.requestId);
      const before = ours(caller, found);
      if (before.item.revokedAt !== undefined) return { kind: 'answer', answer: before.item };
      const { requests } = await store.read({ requests: [params.requestId] });
      const { conversationId, runId, actionId } = ours(caller, requests[0]).item;
      const { conversation } = await store.read({ conversation: conversationId });
      const nowIso = new Date(clock.now()).toISOString();
      const item: Grant = { ...before.item, revokedAt: nowIso, revokedBy: caller.author };
      return {
        kind: 'commit',
        answer: item,
        change: {
          conversation: ours(caller, conversation),
          events: [
            {
              type: 'action.decided',
              runId,
              actionId,
              decision: 'grant_revoked',
              by: caller.author.name,
            },
          ],
          writes: [{ do: 'replace', kind: 'grant', item, rev: before.rev }],
        },
      };
    });
    return { status: 200, body: grantView(grant, clock.now()) };
  },
  {
    ids: noIds,
    read: async ({ world: { mandates, clock }, caller, params: { agentId, requestId } }) => {
      const found = await mandates.grant(caller.workspace, agentId, requestId);
      return grantView(ours(caller, found).item, clock.now());
    },
  },
);

export const grantRoutes: readonly Route[] = [list, revoke];
