// Keeps immutable versions in memory: an agent's revision and a tool's version never change once stored (L15).

import type { SkillVersion } from '../core/answers/skill.ts';
import { Defect } from '../core/base/errors.ts';
import type { AgentId } from '../core/base/ids.ts';
import type { AgentRevision } from '../core/registry/agent.ts';
import type { ToolVersion } from '../core/registry/tool.ts';
import type { Registry } from '../ports/store.ts';

export interface RegistryCache {
  /** The revision a run is pinned to. Throws Defect when it is missing: revisions are never deleted. */
  agent(workspace: string, agentId: AgentId, revision: number): Promise<AgentRevision>;
  tool(workspace: string, name: string, version: number): Promise<ToolVersion>;
  skill(workspace: string, name: string, version: number): Promise<SkillVersion>;
}

/** Versions kept; enough for every agent and tool in use, small enough for the smallest function. */
const keptMax = 2_000;

const keeping = <Value>() => {
  const values = new Map<string, Value>();
  return async (key: string, load: () => Promise<Value | undefined>): Promise<Value> => {
    const known = values.get(key);
    if (known !== undefined) return known;
    const value = await load();
    if (value === undefined) throw new Defect(`The registry has no ${key}, though a run uses it.`);
    if (values.size >= keptMax) values.clear();
    values.set(key, value);
    return value;
  };
};

export const registryCache = (registry: Registry): RegistryCache => {
  const agents = keeping<AgentRevision>();
  const tools = keeping<ToolVersion>();
  const skills = keeping<SkillVersion>();
  const agent: RegistryCache['agent'] = (workspace, agentId, revision) =>
    agents(`agent ${workspace}/${agentId} revision ${revision}`, () =>
      registry.agent(workspace, agentId, revision),
    );
  const tool: RegistryCache['tool'] = (workspace, name, version) =>
    tools(`tool ${workspace}/${name} version ${version}`, () =>
      registry.tool(workspace, name, version),
    );
  const skill: RegistryCache['skill'] = (workspace, name, version) =>
    skills(`skill ${workspace}/${name} version ${version}`, () =>
      registry.skill(workspace, name, version),
    );
  return { agent, tool, skill };
};
