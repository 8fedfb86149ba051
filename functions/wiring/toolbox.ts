// What a run may use now: its pinned revision's tools, the tools of its skills, and the built-in ones; and the prompt that says so.
// Owns: joining them. Laws: L15 (the revision's versions; a skill granted during the run is the only exception).

import type { SkillVersion } from '../core/answers/skill.ts';
import type { Run } from '../core/records/run.ts';
import type { AgentRevision } from '../core/registry/agent.ts';
import { askUser, requestSkill } from '../core/registry/ask-user.ts';
import type { ToolVersion } from '../core/registry/tool.ts';
import type { RegistryCache } from './versions.ts';

export interface Toolbox {
  readonly agent: AgentRevision;
  readonly prompt: string;
  readonly tools: readonly ToolVersion[];
  /** Skills the model may ask a person for. */
  readonly requestable: readonly SkillVersion[];
}

const promptOf = (
  agent: AgentRevision,
  granted: readonly SkillVersion[],
  requestable: readonly SkillVersion[],
): string => {
  const instructions = granted.map(
    ({ content }) => `\n\nSkill "${content.name}":\n${content.instructions}`,
  );
  const list = requestable.map(({ content }) => `- ${content.name}: ${content.description}`);
  const offer =
    list.length === 0 ? '' : `\n\nSkills you may request with request_skill:\n${list.join('\n')}`;
  return `${agent.configuration.prompt}${instructions.join('')}${offer}`;
};

const byName = (tools: readonly ToolVersion[]): ToolVersion[] => [
  ...new Map(tools.map((tool) => [tool.registration.name, tool])).values(),
];

export const toolboxOf = async (versions: RegistryCache, run: Run): Promise<Toolbox> => {
  const { workspace } = run;
  const agent = await versions.agent(workspace, run.agentId, run.revision);
  const { configuration } = agent;
  const grantedNow = [
    ...configuration.skills.filter(({ grant }) => grant === 'always'),
    ...run.skills,
  ];
  const askable = configuration.skills.filter(
    ({ name }) => !grantedNow.some((skill) => skill.name === name),
  );
  const load = (wanted: readonly { readonly name: string; readonly version: number }[]) =>
    Promise.all(wanted.map(({ name, version }) => versions.skill(workspace, name, version)));
  const [granted, requestable] = await Promise.all([load(grantedNow), load(askable)]);
  const wanted = [
    ...granted.flatMap(({ content }) => content.tools),
    // The revision's own versions win over those that a skill brings.
    ...configuration.tools,
  ];
  const tools = await Promise.all(
    wanted.map(({ name, version }) => versions.tool(workspace, name, version)),
  );
  return {
    agent,
    prompt: promptOf(agent, granted, requestable),
    tools: [...byName(tools), askUser, ...(requestable.length > 0 ? [requestSkill] : [])],
    requestable,
  };
};
