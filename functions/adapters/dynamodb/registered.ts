// A version or revision as the audit's list names it. Owns: reading one back from that list.
// Tested in test/functions/api/lists/audit-pages.test.ts.

import { SkillVersion } from '../../core/answers/skill.ts';
import { AgentRevision } from '../../core/registry/agent.ts';
import { ToolVersion } from '../../core/registry/tool.ts';
import type { Decided } from '../../ports/people.ts';
import type { Attributes } from './codec.ts';

/** Undefined when it is something else. Throws when it does not have its schema's form. */
export const registeredOf = (kind: string, { doc }: Attributes): Decided | undefined => {
  const read = (): unknown => JSON.parse(doc?.S ?? 'null');
  switch (kind) {
    case 'agent':
      return { kind, item: AgentRevision.parse(read()) };
    case 'tool':
      return { kind, item: ToolVersion.parse(read()) };
    case 'skill':
      return { kind, item: SkillVersion.parse(read()) };
    default:
      return undefined;
  }
};
