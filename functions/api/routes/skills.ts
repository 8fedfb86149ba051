// Skills: registered with instructions and tools, changed by new versions only. Laws: L15 (a version never changes).
// Tested in test/functions/api/routes/routes.test.ts.
import { z } from 'zod';
import { SkillContent, SkillVersion } from '../../core/answers/skill.ts';
import { conflictTriesMax } from '../../core/base/limits.ts';
import { SkillName } from '../../core/registry/tool.ts';
import type { ApiWorld } from '../../wiring/api.ts';
import { pageFrom } from '../http/cursor.ts';
import { type Route, reading, route } from '../http/operation.ts';
import type { Caller } from '../identity/identity.ts';
import { problem } from '../problems/problems.ts';
import { SkillRegistered } from '../schemas/people.ts';
import { CursorQuery, none, pageOf, wholeListSays } from '../schemas/schemas.ts';

const one = z.strictObject({ name: SkillName });
const version = one.extend({ version: z.coerce.number().int().positive() });
const example = {
  name: 'refunds',
  description: 'Refunds customers by the house rules.',
  instructions: 'Look the payment up first. Never refund more than was paid.',
  tools: [{ name: 'refund' }],
};

const unknownTool = {
  en: 'There is no such tool or version in this workspace.',
  fr: 'Cet outil ou cette version n’existe pas dans cet espace de travail.',
};
const sameName = {
  en: 'The name must be the one in the address.',
  fr: 'Le nom doit être celui de l’adresse.',
};

/** The content with every tool's version pinned. Throws the problem that names the tools that are not there. */
const pinned = async (
  { registry }: ApiWorld,
  { workspace }: Caller,
  content: SkillContent,
): Promise<SkillVersion['content']> => {
  const found = await Promise.all(
    content.tools.map(({ name, version: number }) =>
      number === undefined
        ? registry.newestTool(workspace, name)
        : registry.tool(workspace, name, number),
    ),
  );
  const wrong = found.flatMap((tool, index) => (tool === undefined ? [index] : []));
  if (wrong.length > 0)
    throw problem(
      'invalid-body',
      {},
      {
        errors: (language) =>
          wrong.map((index) => ({
            field: `tools.${index}.name`,
            code: 'unknown_tool',
            reason: unknownTool[language],
          })),
      },
    );
  const tools = found.flatMap((tool) =>
    tool === undefined ? [] : [{ name: tool.registration.name, version: tool.version }],
  );
  return { ...content, tools };
};

const versionFrom = async (
  world: ApiWorld,
  caller: Caller,
  content: SkillContent,
  number: number,
): Promise<SkillVersion> => ({
  schema: 1,
  workspace: caller.workspace,
  version: number,
  content: await pinned(world, caller, content),
  createdAt: new Date(world.clock.now()).toISOString(),
  createdBy: caller.author.subject,
  author: caller.author,
});

const registered = ({ content, version: number }: SkillVersion) => ({
  status: 201,
  body: { name: content.name, version: number },
});

const register = route(
  {
    operationId: 'registerSkill',
    method: 'post',
    path: '/v1/skills',
    tag: 'skills',
    summary: 'Register a skill',
    description:
      'Its description is shown to every agent that may ask for it; its instructions and tools only once it is granted. The version of every tool is pinned.',
    params: none,
    query: none,
    body: SkillContent,
    answers: { 201: { description: 'Registered.', schema: SkillRegistered } },
    problems: ['skill-exists'],
    example,
  },
  async ({ world, caller, body, suffix }) => {
    const { registry } = world;
    const earlier = await registry.skillMadeBy(caller.workspace, suffix);
    if (earlier !== undefined) return registered(earlier);
    const first = await versionFrom(world, caller, body, 1);
    if ((await registry.putSkill(first, suffix)) === 'put') return registered(first);
    const taken = await registry.newestSkill(caller.workspace, body.name);
    throw taken === undefined ? problem('busy', {}) : problem('skill-exists', { name: body.name });
  },
);

const revise = route(
  {
    operationId: 'registerSkillVersion',
    method: 'post',
    path: '/v1/skills/{name}/versions',
    tag: 'skills',
    summary: 'Register a new version of a skill',
    description: 'Agents keep the version they are pinned to until their next revision.',
    params: one,
    query: none,
    body: SkillContent,
    answers: { 201: { description: 'Registered.', schema: SkillRegistered } },
    example,
  },
  async ({ world, caller, params, body, suffix }) => {
    const { registry } = world;
    if (body.name !== params.name)
      throw problem(
        'invalid-body',
        {},
        { errors: (spoken) => [{ field: 'name', code: 'other_name', reason: sameName[spoken] }] },
      );
    for (let tries = 0; tries < conflictTriesMax; tries += 1) {
      const earlier = await registry.skillMadeBy(caller.workspace, suffix);
      if (earlier !== undefined) return registered(earlier);
      const newest = await registry.newestSkill(caller.workspace, params.name);
      if (newest === undefined) throw problem('not-found', {});
      const next = await versionFrom(world, caller, body, newest.version + 1);
      if ((await registry.putSkill(next, suffix)) === 'put') return registered(next);
    }
    throw problem('busy', {});
  },
);

const list = reading(
  {
    operationId: 'listSkills',
    method: 'get',
    path: '/v1/skills',
    tag: 'skills',
    summary: 'All skills, each with its newest version',
    description: wholeListSays,
    params: none,
    query: CursorQuery,
    answers: { 200: { description: 'A page.', schema: pageOf(SkillVersion) } },
    problems: ['invalid-query', 'bad-cursor'],
  },
  async ({ world, caller: { workspace }, query }) => {
    const all = await world.registry.skillsOf(workspace);
    const wanted = { list: 'skills', workspace, cursor: query.cursor };
    return { status: 200, body: pageFrom(all, wanted, ({ content }) => content.name) };
  },
);

const found = (skill: SkillVersion | undefined) => {
  if (skill === undefined) throw problem('not-found', {});
  return { status: 200, body: skill };
};

const get = reading(
  {
    operationId: 'getSkill',
    method: 'get',
    path: '/v1/skills/{name}',
    tag: 'skills',
    summary: 'One skill, its newest version',
    params: one,
    query: none,
    answers: { 200: { description: 'The skill.', schema: SkillVersion } },
  },
  async ({ world, caller, params }) =>
    found(await world.registry.newestSkill(caller.workspace, params.name)),
);

const getVersion = reading(
  {
    operationId: 'getSkillVersion',
    method: 'get',
    path: '/v1/skills/{name}/versions/{version}',
    tag: 'skills',
    summary: 'One version of a skill',
    params: version,
    query: none,
    answers: { 200: { description: 'The version.', schema: SkillVersion } },
  },
  async ({ world, caller, params }) =>
    found(await world.registry.skill(caller.workspace, params.name, params.version)),
);

export const skillRoutes: readonly Route[] = [register, list, get, revise, getVersion];
