// Mandates: standing permissions revoked and restored, approvals taken back, tools barred and let again.
// Laws: L7 (after a revocation no attempt opens: engage checks it in its own transaction), L13.
import { z } from 'zod';
import { TryAgain } from '../../core/errors.ts';
import { AgentId, RequestId } from '../../core/ids.ts';
import { conflictTriesMax } from '../../core/limits.ts';
import {
  barredAt,
  changeBar,
  changeStanding,
  revokeApproval,
  revokedAt,
  type StandingMandate,
  type ToolBar,
} from '../../core/mandate.ts';
import { ToolName } from '../../core/tool.ts';
import { type ApiWorld, deciding } from '../../wiring/api.ts';
import { ours, requestFor } from '../found.ts';
import type { Caller } from '../identity.ts';
import { type Route, route } from '../operation.ts';
import { problem } from '../problems.ts';
import { none } from '../schemas.ts';
import { ApprovalRevoked, BarView, ReasonBody, StandingView } from '../schemas-desk.ts';

/** Puts until nobody else was faster. What stands so already is left. */
const changed = async <Item>(
  read: () => Promise<{ readonly item: Item; readonly rev: number } | undefined>,
  change: (now: Item | undefined) => Item | undefined,
  put: (item: Item, rev: number) => Promise<'put' | 'conflict'>,
): Promise<Item | undefined> => {
  for (let tries = 0; tries < conflictTriesMax; tries += 1) {
    const now = await read();
    const next = change(now?.item);
    if (next === undefined) return now?.item;
    if ((await put(next, now?.rev ?? 0)) === 'put') return next;
  }
  throw new TryAgain('The permission is being changed by others. Nothing was written.');
};

const changingBy = (world: ApiWorld, caller: Caller, reason: string) => ({
  by: caller.author,
  reason,
  nowIso: new Date(world.clock.now()).toISOString(),
});

const ofTool = z.strictObject({ agentId: AgentId, name: ToolName });
type OfTool = z.infer<typeof ofTool>;

const standingView = ({ agentId, name }: OfTool, mandate: StandingMandate | undefined) => ({
  agentId,
  tool: name,
  stands: revokedAt(mandate) === undefined,
  changes: mandate?.changes ?? [],
});

const standing = (what: 'revoked' | 'restored'): Route =>
  route(
    {
      operationId: what === 'revoked' ? 'revokeMandate' : 'restoreMandate',
      method: 'post',
      path: `/v1/agents/{agentId}/tools/{name}/${what === 'revoked' ? 'revoke' : 'restore'}`,
      tag: 'desk',
      summary:
        what === 'revoked'
          ? 'Revoke an agent’s standing permission to use a tool'
          : 'Restore an agent’s standing permission to use a tool',
      description:
        what === 'revoked'
          ? 'From then on no attempt opens under it, not even a repeat of one that was sent. What was sent is not undone.'
          : 'Attempts may open under it again.',
      params: ofTool,
      query: none,
      body: ReasonBody,
      answers: { 200: { description: 'It is so now.', schema: StandingView } },
      example: { reason: 'The customer withdrew.' },
    },
    async ({ world, caller, params, body }) => {
      const { workspace } = caller;
      const { agentId, name: tool } = params;
      if ((await world.registry.newestAgent(workspace, agentId)) === undefined)
        throw problem('not-found', {});
      const by = changingBy(world, caller, body.reason);
      const mandate = await changed(
        () => world.mandates.standing(workspace, agentId, tool),
        (now) => changeStanding(now, { workspace, agentId, tool }, what, by),
        world.mandates.putStanding,
      );
      return { status: 200, body: standingView(params, mandate) };
    },
  );

const oneTool = z.strictObject({ name: ToolName });
const barView = (tool: string, bar: ToolBar | undefined) => ({
  tool,
  barred: barredAt(bar) !== undefined,
  changes: bar?.changes ?? [],
});

const bar = (what: 'barred' | 'unbarred'): Route =>
  route(
    {
      operationId: what === 'barred' ? 'barTool' : 'unbarTool',
      method: 'post',
      path: `/v1/tools/{name}/${what === 'barred' ? 'bar' : 'unbar'}`,
      tag: 'desk',
      summary: what === 'barred' ? 'Bar a tool for everybody' : 'Let a barred tool be used again',
      description:
        what === 'barred'
          ? 'From then on no attempt of this tool opens in the workspace, whoever decided it. What was sent is not undone.'
          : 'Attempts of this tool may open again.',
      params: oneTool,
      query: none,
      body: ReasonBody,
      answers: { 200: { description: 'It is so now.', schema: BarView } },
      example: { reason: 'It sends everything twice since this morning.' },
    },
    async ({ world, caller, params, body }) => {
      const { workspace } = caller;
      const tool = params.name;
      if ((await world.registry.newestTool(workspace, tool)) === undefined)
        throw problem('not-found', {});
      const by = changingBy(world, caller, body.reason);
      const now = await changed(
        () => world.mandates.bar(workspace, tool),
        (before) => changeBar(before, { workspace, tool }, what, by),
        world.mandates.putBar,
      );
      return { status: 200, body: barView(tool, now) };
    },
  );

type Revoked = z.infer<typeof ApprovalRevoked>;

const takeBack = (
  world: ApiWorld,
  caller: Caller,
  requestId: RequestId,
  reason: string,
): Promise<Revoked> =>
  deciding<Revoked>(world, async () => {
    const { store, mandates } = world;
    const request = await requestFor(store, caller, requestId);
    const found = await store.read({
      conversation: request.item.conversationId,
      actions: [request.item.actionId],
      mandates: [requestId],
    });
    const approval = found.mandates[0];
    if (approval === undefined) throw problem('approval-not-given', {});
    const action = ours(caller, found.actions[0]).item;
    const { actionId, attempts, agentId, workspace } = action;
    const by = changingBy(world, caller, reason);
    const change = revokeApproval({
      ...by,
      conversation: ours(caller, found.conversation),
      action,
      approval,
      grant: await mandates.grant(workspace, agentId, requestId),
    });
    const { revokedAt: at = by.nowIso, revokedBy = caller.author } = approval.item;
    const answer = { requestId, actionId, revokedAt: at, revokedBy, attempts };
    return change === undefined ? { kind: 'answer', answer } : { kind: 'commit', change, answer };
  });

const approval = route(
  {
    operationId: 'revokeApproval',
    method: 'post',
    path: '/v1/requests/{requestId}/revoke',
    tag: 'desk',
    summary: 'Take an approval back',
    description:
      'No attempt opens under it any more, not even a repeat, nor under what was granted with it. What was sent before is not undone: `attempts` says how many.',
    params: z.strictObject({ requestId: RequestId }),
    query: none,
    body: ReasonBody,
    answers: { 200: { description: 'It is so now.', schema: ApprovalRevoked } },
    problems: ['approval-not-given'],
    example: { reason: 'The customer withdrew.' },
  },
  async ({ world, caller, params, body }) => ({
    status: 200,
    body: await takeBack(world, caller, params.requestId, body.reason),
  }),
);

export const mandateRoutes: readonly Route[] = [
  standing('revoked'),
  standing('restored'),
  approval,
  bar('barred'),
  bar('unbarred'),
];
