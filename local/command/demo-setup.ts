// Registers the demo's tools and its agent through the public API, as anybody would. Owns: telling what is missing or
// has changed. Idempotent: a second run changes nothing; a new model or port makes new versions.
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import {
  AgentConfiguration,
  type AgentConfigurationInput,
  AgentRevision,
  type ModelChoice,
} from '../../functions/core/registry/agent.ts';
import {
  ToolRegistration,
  type ToolRegistrationInput,
  ToolVersion,
} from '../../functions/core/registry/tool.ts';
import { demoTools, salesAssistant } from '../demo/registrations.ts';

/** Where the API is and whom to speak as. */
export interface ApiAccess {
  readonly url: string;
  readonly token: string;
}

type Call = (method: 'GET' | 'POST', path: string, body?: unknown) => Promise<unknown>;

/** Rejects with Error when the API answers anything but success. */
const callerOf =
  ({ url, token }: ApiAccess): Call =>
  async (method, path, body) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(method === 'POST'
          ? { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() }
          : {}),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return JSON.parse(text);
  };

const toolList = z.object({ items: z.array(ToolVersion) });
const agentList = z.object({ items: z.array(AgentRevision) });
const toolMade = z.object({ version: z.number() });
const agentMade = z.object({ agentId: z.string() });

/** Puts one tool in place; its newest version. */
const ensureTool = async (
  call: Call,
  there: readonly ToolVersion[],
  wanted: ToolRegistrationInput,
): Promise<number> => {
  const newest = there.find(({ registration }) => registration.name === wanted.name);
  if (newest === undefined) return toolMade.parse(await call('POST', '/v1/tools', wanted)).version;
  if (isDeepStrictEqual(newest.registration, ToolRegistration.parse(wanted))) return newest.version;
  return toolMade.parse(await call('POST', `/v1/tools/${wanted.name}/versions`, wanted)).version;
};

const ensureAgent = async (call: Call, wanted: AgentConfigurationInput): Promise<string> => {
  const { items } = agentList.parse(await call('GET', '/v1/agents'));
  const newest = items.find(({ configuration }) => configuration.name === wanted.name);
  if (newest === undefined)
    return agentMade.parse(await call('POST', '/v1/agents', wanted)).agentId;
  if (!isDeepStrictEqual(newest.configuration, AgentConfiguration.parse(wanted)))
    await call('POST', `/v1/agents/${newest.agentId}/revisions`, wanted);
  return newest.agentId;
};

/** Resolves with the id of the demo's agent. `demoUrl` is where the destinations are. */
export const setUpDemo = async (
  access: ApiAccess,
  demoUrl: string,
  model: ModelChoice,
): Promise<string> => {
  const call = callerOf(access);
  const there = toolList.parse(await call('GET', '/v1/tools')).items;
  const tools: { name: string; version: number }[] = [];
  for (const tool of demoTools(demoUrl))
    tools.push({ name: tool.name, version: await ensureTool(call, there, tool) });
  return ensureAgent(call, { ...salesAssistant, model, tools });
};
