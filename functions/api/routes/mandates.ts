// Mandates: standing permissions revoked and restored, approvals taken back, tools barred and let again.
// Laws: L7 (after a revocation no attempt opens: engage checks it in its own transaction), L13.
// Tested in test/functions/api/desk/desk.test.ts.
import { z } from 'zod';
import {
  type Changed,
  changeBar,
  changeStanding,
  revokeApproval,
} from '../../core/answers/permissions.ts';
import { revokeSkill } from '../../core/answers/skill.ts';
import { TryAgain } from '../../core/base/errors.ts';
import { AgentId, RequestId } from '../../core/base/ids.ts';
import { conflictTriesMax } from '../../core/base/limits.ts';
import type { Versioned } from '../../core/records/change.ts';
import type { Round } from '../../core/records/decide.ts';
import {
  barredAt,
  revokedAt,
  type StandingMandate,
  type ToolBar,
} from '../../core/records/mandate.ts';
import type { PersonRequest } from '../../core/records/request.ts';
import { ToolName } from '../../core/registry/tool.ts';
import { type ApiWorld, deciding } from '../../wiring/api.ts';
import { ours, requestFor } from '../http/found.ts';
import { noIds, type Route, reading, route } from '../http/operation.ts';
import type { Caller } from '../identity/identity.ts';
import { problem } from '../problems/problems.ts';
import { ApprovalRevoked, BarView, ReasonBody, StandingView } from '../schemas/desk.ts';
import { grantView } from '../schemas/grant-view.ts';
import { none, pageOf } from '../schemas/schemas.ts';

/** Puts until nobody else was faster. What stands so already is left. */
const changed = async <Item>(
  read: () => Promise<{ readonly item: Item; readonly rev: number } | undefined>,
  change: (now: Item | undefined) => Changed<Item> | undefined,
  put: (changed: Changed<Item>, rev: number) => Promise<'put' | 'conflict'>,
): Promise<Item | undefined> => {
  for (let tries = 0; tries < conflictTriesMax; tries += 1) {
    const now = await read();
    const next = change(now?.item);
    if (next === undefined) return now?.item;
    if ((await put(next, now?.rev ?? 0)) === 'put') return next.item;
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

/** Every tool that any revision of the agent has, or that a skill of one brings. */
const toolsOf = async ({ registry }: ApiWorld, workspace: string, agentId: AgentId) => {
  const revisions = await registry.revisionsOf(workspace, agentId);
  if (revisions.length === 0) throw problem('not-found', {});
  const pinned = new Map(
    revisions
      .flatMap(({ configuration }) => configuration.skills)
      .map(({ name, version }) => [`${name}#${version}`, { name, version }]),
  );
  const skills = await Promise.all(
    [...pinned.values()].map(({ name, version }) => registry.skill(workspace, name, version)),
  );
  const named = [
    ...revisions.flatMap(({ configuration }) => configuration.tools),
    ...skills.flatMap((skill) => skill?.content.tools ?? []),
  ];
  return [...new Set(named.map(({ name }) => name))].toSorted();
};

const mandates = reading(
  {
    operationId: 'listMandates',
    method: 'get',
    path: '/v1/agents/{agentId}/mandates',
    tag: 'desk',
    summary: 'An agent’s standing permissions, tool by tool',
    description: 'One that nobody ever touched stands, and has no changes.',
    params: z.strictObject({ agentId: AgentId }),
    query: none,
    answers: { 200: { description: 'By the tool’s name.', schema: pageOf(StandingView) } },
  },
  async ({ world, caller, params: { agentId } }) => {
    const { workspace } = caller;
    const grants = (await world.store.grantsOf(workspace, agentId)).toSorted((a, b) =>
      b.grantedAt.localeCompare(a.grantedAt),
    );
    const items = await Promise.all(
      (await toolsOf(world, workspace, agentId)).map(async (name) => {
        const found = await world.mandates.standing(workspace, agentId, name);
        const remembered = grants
          .filter(({ tool }) => tool === name)
          .map((grant) => grantView(grant, world.clock.now()));
        return { ...standingView({ agentId, name }, found?.item), remembered };
      }),
    );
    return { status: 200, body: { items } };
  },
);

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
          ? 'From then on this agent opens no attempt of the tool, whatever was approved or remembered, not even a repeat of one that was sent. What was sent is not undone.'
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
    {
      ids: noIds,
      read: async ({ world, caller: { workspace }, params }) => {
        const found = await world.mandates.standing(workspace, params.agentId, params.name);
        return standingView(params, found?.item);
      },
    },
  );

const oneTool = z.strictObject({ name: ToolName });
const barView = (tool: string, bar: ToolBar | undefined) => ({
  tool,
  barred: barredAt(bar) !== undefined,
  changes: bar?.changes ?? [],
});

const getBar = reading(
  {
    operationId: 'getToolBar',
    method: 'get',
    path: '/v1/tools/{name}/bar',
    tag: 'desk',
    summary: 'Whether a tool is barred, by whom and since when',
    params: oneTool,
    query: none,
    answers: { 200: { description: 'How it stands.', schema: BarView } },
  },
  async ({ world, caller, params }) => {
    const { workspace } = caller;
    if ((await world.registry.newestTool(workspace, params.name)) === undefined)
      throw problem('not-found', {});
    const bar = await world.mandates.bar(workspace, params.name);
    return { status: 200, body: barView(params.name, bar?.item) };
  },
);

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
    {
      ids: noIds,
      read: async ({ world, caller: { workspace }, params: { name } }) =>
        barView(name, (await world.mandates.bar(workspace, name))?.item),
    },
  );

type Revoked = z.infer<typeof ApprovalRevoked>;

/** The same for a skill that was granted: it is taken out of its run. */
const skillBack = async (
  world: ApiWorld,
  caller: Caller,
  request: Versioned<PersonRequest>,
  reason: string,
): Promise<Round<Revoked>> => {
  const { requestId, conversationId, runId, actionId, decision } = request.item;
  if (decision?.kind !== 'granted') throw problem('approval-not-given', {});
  const found = await world.store.read({ conversation: conversationId, run: runId });
  const by = changingBy(world, caller, reason);
  const change = revokeSkill({
    ...by,
    conversation: ours(caller, found.conversation),
    run: ours(caller, found.run),
    request,
  });
  const { at: revokedAt, by: revokedBy } = decision.revoked ?? { at: by.nowIso, by: caller.author };
  const answer = { requestId, actionId, revokedAt, revokedBy, attempts: 0 };
  return change === undefined ? { kind: 'answer', answer } : { kind: 'commit', change, answer };
};

const takeBack = (
  world: ApiWorld,
  caller: Caller,
  requestId: RequestId,
  reason: string,
): Promise<Revoked> =>
  deciding<Revoked>(world, async () => {
    const { store, mandates } = world;
    const request = await requestFor(store, caller, requestId);
    if (request.item.on === 'skill') return skillBack(world, caller, request, reason);
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
      'No attempt opens under it any more, not even a repeat, nor under what was granted with it; a granted skill is taken out of its run. What was sent before is not undone: `attempts` says how many.',
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
  mandates,
  standing('revoked'),
  standing('restored'),
  approval,
  getBar,
  bar('barred'),
  bar('unbarred'),
];
