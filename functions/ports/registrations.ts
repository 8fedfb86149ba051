// The registry as its administrators see it: the read port, and puts that remember what made them.

import type { SkillVersion } from '../core/answers/skill.ts';
import type { AgentId } from '../core/base/ids.ts';
import type { AgentRevision } from '../core/registry/agent.ts';
import type { ToolVersion } from '../core/registry/tool.ts';
import type { Registry } from './store.ts';

export interface Registrations extends Registry {
  /** All revisions, newest first. */
  revisionsOf(workspace: string, agentId: AgentId): Promise<readonly AgentRevision[]>;
  /**
   * Puts a revision that follows the newest one. `once` names the request that made it: a repeat of it is found again by
   * `agentMadeBy`. 'exists' when that number is taken or would leave a gap.
   */
  putAgent(revision: AgentRevision, once?: string): Promise<'put' | 'exists'>;
  agentMadeBy(workspace: string, once: string): Promise<AgentRevision | undefined>;
  putTool(version: ToolVersion, once?: string): Promise<'put' | 'exists'>;
  toolMadeBy(workspace: string, once: string): Promise<ToolVersion | undefined>;
  putSkill(version: SkillVersion, once?: string): Promise<'put' | 'exists'>;
  skillMadeBy(workspace: string, once: string): Promise<SkillVersion | undefined>;
}
