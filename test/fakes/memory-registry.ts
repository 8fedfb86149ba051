// Agents, tools and skills in memory. Owns: their versions; the newest of a name is the last one put.

import type { SkillVersion } from '../../functions/core/answers/skill.ts';
import type { AgentRevision } from '../../functions/core/registry/agent.ts';
import type { ToolVersion } from '../../functions/core/registry/tool.ts';
import type { Registry } from '../../functions/ports/store.ts';

/** Versions of one kind of thing, by workspace and name. */
const shelf = <Item extends { readonly workspace: string }>(
  nameOf: (item: Item) => string,
  numberOf: (item: Item) => number,
) => {
  const items: Item[] = [];
  const named = (workspace: string, name: string): Item[] =>
    items.filter((item) => item.workspace === workspace && nameOf(item) === name);
  return {
    one: async (workspace: string, name: string, number: number) =>
      named(workspace, name).find((item) => numberOf(item) === number),
    newest: async (workspace: string, name: string) => named(workspace, name).at(-1),
    all: async (workspace: string) => {
      const own = items.filter((item) => item.workspace === workspace);
      return [...new Map(own.map((item) => [nameOf(item), item])).values()];
    },
    put: async (item: Item): Promise<'put' | 'exists'> => {
      const there = named(item.workspace, nameOf(item));
      if (there.some((other) => numberOf(other) === numberOf(item))) return 'exists';
      items.push(item);
      return 'put';
    },
  };
};

export const memoryRegistry = (tools: readonly ToolVersion[] = []): Registry => {
  const agents = shelf<AgentRevision>(
    (item) => item.agentId,
    (item) => item.revision,
  );
  const toolShelf = shelf<ToolVersion>(
    (item) => item.registration.name,
    (item) => item.version,
  );
  const skills = shelf<SkillVersion>(
    (item) => item.content.name,
    (item) => item.version,
  );
  for (const tool of tools) void toolShelf.put(tool);
  return {
    agent: agents.one,
    newestAgent: agents.newest,
    agentsOf: agents.all,
    putAgent: agents.put,
    tool: toolShelf.one,
    newestTool: toolShelf.newest,
    toolsOf: toolShelf.all,
    putTool: toolShelf.put,
    skill: skills.one,
    newestSkill: skills.newest,
    skillsOf: skills.all,
    putSkill: skills.put,
  };
};
