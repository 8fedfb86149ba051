// Agents: made once, changed by new revisions only. Laws: L15 (a revision never changes).
// Tested in test/functions/api/routes/routes.test.ts.
import { z } from 'zod';
import { AgentId } from '../../core/base/ids.ts';
import type { JsonObject } from '../../core/base/json.ts';
import { conflictTriesMax } from '../../core/base/limits.ts';
import { AgentConfiguration, AgentRevision } from '../../core/registry/agent.ts';
import type { ApiWorld } from '../../wiring/api.ts';
import { pageFrom } from '../http/cursor.ts';
import { type Route, reading, route } from '../http/operation.ts';
import type { Caller } from '../identity/identity.ts';
import { type FieldError, problem } from '../problems/problems.ts';
import { AgentMade, CursorQuery, none, pageOf, wholeListSays } from '../schemas/schemas.ts';

const one = z.strictObject({ agentId: AgentId });
const example: JsonObject = {
  name: 'Back office',
  prompt: 'You keep the customer records in order.',
  model: { provider: 'anthropic', model: 'claude-sonnet-5', secret: 'reprise/anthropic' },
  tools: [{ name: 'crm_find_customer' }],
  stepLimit: 40,
};

const unknownTool = {
  en: 'There is no such tool or version in this workspace.',
  fr: 'Cet outil ou cette version n’existe pas dans cet espace de travail.',
};
const unknownSkill = {
  en: 'There is no such skill or version in this workspace.',
  fr: 'Cette compétence ou cette version n’existe pas dans cet espace de travail.',
};
const twiceNamed = {
  en: 'The tool is named twice.',
  fr: 'L’outil est nommé deux fois.',
};

/** The configuration with every tool's version pinned. Throws the problem that names the tools that are not there. */
const pinned = async (
  { registry }: ApiWorld,
  caller: Caller,
  configuration: AgentConfiguration,
): Promise<AgentRevision['configuration']> => {
  const found = await Promise.all(
    configuration.tools.map(({ name, version }) =>
      version === undefined
        ? registry.newestTool(caller.workspace, name)
        : registry.tool(caller.workspace, name, version),
    ),
  );
  const wrong = configuration.tools.flatMap(({ name }, index) => {
    const field = `tools.${index}.name`;
    if (found[index] === undefined) return [{ field, code: 'unknown_tool', words: unknownTool }];
    const earlier = configuration.tools.findIndex((tool) => tool.name === name);
    return earlier < index ? [{ field, code: 'named_twice', words: twiceNamed }] : [];
  });
  const skills = await pinnedSkills(registry, caller, configuration);
  const errors = [...wrong, ...skills.wrong];
  if (errors.length > 0) {
    throw problem(
      'invalid-body',
      {},
      {
        errors: (language): FieldError[] =>
          errors.map(({ field, code, words }) => ({ field, code, reason: words[language] })),
      },
    );
  }
  const tools = found.flatMap((tool) =>
    tool === undefined ? [] : [{ name: tool.registration.name, version: tool.version }],
  );
  return { ...configuration, tools, skills: skills.pinned };
};

const pinnedSkills = async (
  registry: ApiWorld['registry'],
  { workspace }: Caller,
  { skills }: AgentConfiguration,
) => {
  const found = await Promise.all(
    skills.map(({ name, version }) =>
      version === undefined
        ? registry.newestSkill(workspace, name)
        : registry.skill(workspace, name, version),
    ),
  );
  return {
    wrong: skills.flatMap((_, index) =>
      found[index] === undefined
        ? [{ field: `skills.${index}.name`, code: 'unknown_skill', words: unknownSkill }]
        : [],
    ),
    pinned: skills.flatMap(({ name, grant }, index) => {
      const skill = found[index];
      return skill === undefined ? [] : [{ name, version: skill.version, grant }];
    }),
  };
};

const made = ({ agentId, revision }: AgentRevision) => ({
  status: 201,
  body: { agentId, revision },
});

const agentFor = async (world: ApiWorld, caller: Caller, agentId: AgentId) => {
  const agent = await world.registry.newestAgent(caller.workspace, agentId);
  if (agent === undefined) throw problem('not-found', {});
  return agent;
};

const revisionFrom = (
  world: ApiWorld,
  caller: Caller,
  agentId: AgentId,
  revision: number,
  configuration: AgentRevision['configuration'],
): AgentRevision => ({
  schema: 1,
  workspace: caller.workspace,
  agentId,
  revision,
  configuration,
  createdAt: new Date(world.clock.now()).toISOString(),
  createdBy: caller.author.subject,
  author: caller.author,
});

const create = route(
  {
    operationId: 'createAgent',
    method: 'post',
    path: '/v1/agents',
    tag: 'agents',
    summary: 'Make an agent',
    description:
      'Its first revision pins the version of every tool: the one named, or the newest there is.',
    params: none,
    query: none,
    body: AgentConfiguration,
    answers: { 201: { description: 'Made.', schema: AgentMade } },
    example,
  },
  async ({ world, caller, body, suffix }) => {
    const { registry } = world;
    const agentId = AgentId.parse(`agt_${suffix}`);
    for (let tries = 0; tries < conflictTriesMax; tries += 1) {
      const earlier = await registry.agentMadeBy(caller.workspace, suffix);
      if (earlier !== undefined) return made(earlier);
      const configuration = await pinned(world, caller, body);
      const revision = revisionFrom(world, caller, agentId, 1, configuration);
      if ((await registry.putAgent(revision, suffix)) === 'put') return made(revision);
    }
    throw problem('busy', {});
  },
);

const revise = route(
  {
    operationId: 'reviseAgent',
    method: 'post',
    path: '/v1/agents/{agentId}/revisions',
    tag: 'agents',
    summary: 'Change an agent: make a new revision',
    description: 'Runs in progress keep the revision they started with.',
    params: one,
    query: none,
    body: AgentConfiguration,
    answers: { 201: { description: 'Made.', schema: AgentMade } },
    example,
  },
  async ({ world, caller, params, body, suffix }) => {
    for (let tries = 0; tries < conflictTriesMax; tries += 1) {
      const earlier = await world.registry.agentMadeBy(caller.workspace, suffix);
      if (earlier !== undefined) return made(earlier);
      const newest = await agentFor(world, caller, params.agentId);
      const configuration = await pinned(world, caller, body);
      const number = newest.revision + 1;
      const revision = revisionFrom(world, caller, params.agentId, number, configuration);
      if ((await world.registry.putAgent(revision, suffix)) === 'put') return made(revision);
    }
    throw problem('busy', {});
  },
);

const list = reading(
  {
    operationId: 'listAgents',
    method: 'get',
    path: '/v1/agents',
    tag: 'agents',
    summary: 'All agents, each with its newest revision',
    description: wholeListSays,
    params: none,
    query: CursorQuery,
    answers: { 200: { description: 'A page.', schema: pageOf(AgentRevision) } },
    problems: ['invalid-query', 'bad-cursor'],
  },
  async ({ world, caller: { workspace }, query }) => {
    const all = await world.registry.agentsOf(workspace);
    const wanted = { list: 'agents', workspace, cursor: query.cursor };
    return { status: 200, body: pageFrom(all, wanted, ({ agentId }) => agentId) };
  },
);

const get = reading(
  {
    operationId: 'getAgent',
    method: 'get',
    path: '/v1/agents/{agentId}',
    tag: 'agents',
    summary: 'One agent, its newest revision',
    params: one,
    query: none,
    answers: { 200: { description: 'The agent.', schema: AgentRevision } },
  },
  async ({ world, caller, params }) => ({
    status: 200,
    body: await agentFor(world, caller, params.agentId),
  }),
);

const revisions = reading(
  {
    operationId: 'listAgentRevisions',
    method: 'get',
    path: '/v1/agents/{agentId}/revisions',
    tag: 'agents',
    summary: 'All revisions of an agent, newest first',
    description: wholeListSays,
    params: one,
    query: CursorQuery,
    answers: { 200: { description: 'A page.', schema: pageOf(AgentRevision) } },
    problems: ['invalid-query', 'bad-cursor'],
  },
  async ({ world, caller: { workspace }, params: { agentId }, query }) => {
    const all = await world.registry.revisionsOf(workspace, agentId);
    if (all.length === 0) throw problem('not-found', {});
    const wanted = { list: `revisions:${agentId}`, workspace, cursor: query.cursor };
    return { status: 200, body: pageFrom(all, wanted, ({ revision }) => String(revision)) };
  },
);

export const agentRoutes: readonly Route[] = [create, list, get, revise, revisions];
