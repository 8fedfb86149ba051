// Tools: registered with a contract, changed by new versions only. A contract that contradicts itself is refused.
// Laws: L15 (a version never changes).
// Tested in test/functions/api/routes/routes.test.ts.
import { z } from 'zod';
import { conflictTriesMax } from '../../core/base/limits.ts';
import { checkRegistration, type Finding } from '../../core/registry/contract-check.ts';
import { withPreset } from '../../core/registry/presets.ts';
import { ToolName, ToolRegistration, ToolVersion } from '../../core/registry/tool.ts';
import type { ApiWorld } from '../../wiring/api.ts';
import { pageFrom } from '../http/cursor.ts';
import { type Route, reading, route } from '../http/operation.ts';
import type { Caller } from '../identity/identity.ts';
import type { Language } from '../problems/language.ts';
import { type FieldError, problem } from '../problems/problems.ts';
import { type ContractCode, contractErrors } from '../registry/contract-words.ts';
import { keepersOf, keptNote } from '../registry/version-keepers.ts';
import { CursorQuery, none, pageOf, ToolRegistered, wholeListSays } from '../schemas/schemas.ts';
import { toolExample } from './tool-example.ts';

const one = z.strictObject({ name: ToolName });
const version = one.extend({ version: z.coerce.number().int().positive() });

/** The tool adapter's sentence, which begins with the part it is about. */
const carriageError = (sentence: string): FieldError => {
  const [, field = '', reason = sentence] = /^([a-z]+): (.*)$/s.exec(sentence) ?? [];
  return { field, code: 'cannot_be_carried', reason };
};

/** Notes that come with a registration. Throws the problem `invalid-contract`. */
const checked = async (
  { registry, uncarriable }: ApiWorld,
  caller: Caller,
  registration: ToolRegistration,
): Promise<readonly Finding<ContractCode>[]> => {
  const { refusals, notes } = checkRegistration(registration);
  const { lookUp, progress } = registration.contract;
  const more: Finding<ContractCode>[] = [];
  const missing: Finding<ContractCode>[] = [];
  const asked = { 'contract.lookUp.tool': lookUp, 'contract.progress.poll.tool': progress?.poll };
  for (const [field, by] of Object.entries(asked)) {
    if (by === undefined || by.tool === registration.name) continue;
    const found = await registry.newestTool(caller.workspace, by.tool);
    if (found === undefined) missing.push({ field, code: 'look_up_tool_not_registered' });
    else if (found.registration.contract.effect !== 'read')
      more.push({ field, code: 'look_up_tool_is_no_read' });
  }
  const against = [...refusals, ...more];
  const sentences = uncarriable(registration);
  if (against.length + sentences.length > 0) {
    const errors = (language: Language) => [
      ...contractErrors(against)(language),
      ...sentences.map(carriageError),
    ];
    throw problem('invalid-contract', {}, { errors });
  }
  return [...notes, ...missing];
};

const registered = async (
  world: ApiWorld,
  of: ToolVersion,
  notes: readonly Finding<ContractCode>[],
  language: Language,
) => ({
  status: 201 as const,
  body: {
    name: of.registration.name,
    version: of.version,
    notes: [
      ...contractErrors(notes)(language),
      ...keptNote(await keepersOf(world, of.workspace, of), language),
    ],
  },
});

const versionFrom = (
  world: ApiWorld,
  caller: Caller,
  registration: ToolRegistration,
  number: number,
): ToolVersion => ({
  schema: 1,
  workspace: caller.workspace,
  version: number,
  registration,
  createdAt: new Date(world.clock.now()).toISOString(),
  createdBy: caller.author.subject,
  author: caller.author,
});

const register = route(
  {
    operationId: 'registerTool',
    method: 'post',
    path: '/v1/tools',
    tag: 'tools',
    summary: 'Register a tool with its contract',
    description:
      'Refused, field by field, when the contract contradicts itself. A preset is written out, so that what is stored is whole.',
    params: none,
    query: none,
    body: ToolRegistration,
    answers: { 201: { description: 'Registered.', schema: ToolRegistered } },
    problems: ['invalid-contract', 'already-exists'],
    example: toolExample,
  },
  async ({ world, caller, language, body: given, suffix }) => {
    const { registry } = world;
    const body = withPreset(given);
    const earlier = await registry.toolMadeBy(caller.workspace, suffix);
    const notes = await checked(world, caller, body);
    if (earlier !== undefined) return registered(world, earlier, notes, language);
    const first = versionFrom(world, caller, body, 1);
    if ((await registry.putTool(first, suffix)) === 'put')
      return registered(world, first, notes, language);
    const taken = await registry.newestTool(caller.workspace, body.name);
    throw taken === undefined
      ? problem('busy', {})
      : problem('already-exists', { name: body.name });
  },
);

const sameName = {
  en: 'The name must be the one in the address.',
  fr: 'Le nom doit être celui de l’adresse.',
};

const revise = route(
  {
    operationId: 'registerToolVersion',
    method: 'post',
    path: '/v1/tools/{name}/versions',
    tag: 'tools',
    summary: 'Register a new version of a tool',
    description:
      'Agents keep the version they are pinned to until their next revision; `notes` names those that have an earlier one.',
    params: one,
    query: none,
    body: ToolRegistration,
    answers: { 201: { description: 'Registered.', schema: ToolRegistered } },
    problems: ['invalid-contract'],
    example: toolExample,
  },
  async ({ world, caller, language, params, body: given, suffix }) => {
    const { registry } = world;
    const body = withPreset(given);
    if (body.name !== params.name)
      throw problem(
        'invalid-body',
        {},
        {
          errors: (spoken) => [{ field: 'name', code: 'other_name', reason: sameName[spoken] }],
        },
      );
    const notes = await checked(world, caller, body);
    for (let tries = 0; tries < conflictTriesMax; tries += 1) {
      const earlier = await registry.toolMadeBy(caller.workspace, suffix);
      if (earlier !== undefined) return registered(world, earlier, notes, language);
      const newest = await registry.newestTool(caller.workspace, params.name);
      if (newest === undefined) throw problem('not-found', {});
      const next = versionFrom(world, caller, body, newest.version + 1);
      if ((await registry.putTool(next, suffix)) === 'put')
        return registered(world, next, notes, language);
    }
    throw problem('busy', {});
  },
);

const list = reading(
  {
    operationId: 'listTools',
    method: 'get',
    path: '/v1/tools',
    tag: 'tools',
    summary: 'All tools, each with its newest version',
    description: wholeListSays,
    params: none,
    query: CursorQuery,
    answers: { 200: { description: 'A page.', schema: pageOf(ToolVersion) } },
    problems: ['invalid-query', 'bad-cursor'],
  },
  async ({ world, caller: { workspace }, query }) => {
    const all = await world.registry.toolsOf(workspace);
    const wanted = { list: 'tools', workspace, cursor: query.cursor };
    return { status: 200, body: pageFrom(all, wanted, ({ registration }) => registration.name) };
  },
);

const found = (tool: ToolVersion | undefined) => {
  if (tool === undefined) throw problem('not-found', {});
  return { status: 200, body: tool };
};

const get = reading(
  {
    operationId: 'getTool',
    method: 'get',
    path: '/v1/tools/{name}',
    tag: 'tools',
    summary: 'One tool, its newest version',
    params: one,
    query: none,
    answers: { 200: { description: 'The tool.', schema: ToolVersion } },
  },
  async ({ world, caller, params }) =>
    found(await world.registry.newestTool(caller.workspace, params.name)),
);

const getVersion = reading(
  {
    operationId: 'getToolVersion',
    method: 'get',
    path: '/v1/tools/{name}/versions/{version}',
    tag: 'tools',
    summary: 'One version of a tool',
    params: version,
    query: none,
    answers: { 200: { description: 'The version.', schema: ToolVersion } },
  },
  async ({ world, caller, params }) =>
    found(await world.registry.tool(caller.workspace, params.name, params.version)),
);

export const toolRoutes: readonly Route[] = [register, list, get, revise, getVersion];
