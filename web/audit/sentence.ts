// An entry of the audit as one sentence, and the places it leads to. Owns: both.
import type { AuditEntry } from '../api/types.ts';
import type { LaterWords } from '../words/later.ts';

/** Nobody decided these: what was asked for says more than the tool. */
const undecided: readonly string[] = ['expired', 'voided'];

/** "the tool crm_refund", for whoever made or changed one. */
const registeredOf = (
  { on, tool, skill, agentName }: AuditEntry,
  { registered }: LaterWords['audit'],
): string | undefined => {
  if (on === 'tool' && tool !== undefined) return registered.tool(tool);
  if (on === 'skill' && skill !== undefined) return registered.skill(skill);
  return agentName === undefined ? undefined : registered.agent(agentName);
};

/** "Ana barred crm_refund for everybody". A decision that has no sentence is named as it is stored. */
export const sentenceOf = (entry: AuditEntry, { audit, requestKinds }: LaterWords): string => {
  const { kind, decision, by, on, tool } = entry;
  const request =
    on === 'approval' || on === 'question' || on === 'skill' || on === 'recovery'
      ? requestKinds[on].toLowerCase()
      : undefined;
  const say = audit.sentences[kind][decision];
  return say === undefined
    ? audit.other(by.name, decision)
    : say(
        by.name,
        (undecided.includes(decision) ? request : undefined) ??
          (kind === 'registration' ? registeredOf(entry, audit) : tool) ??
          request ??
          '',
      );
};

interface Lead {
  readonly kind: keyof LaterWords['audit']['links'];
  readonly href: string;
}

const versioned = (href: string, version: number | undefined): string =>
  version === undefined ? href : `${href}/${version}`;

/** Where an entry leads: to what it is about, the nearest first. */
export const leadsOf = ({
  kind,
  id,
  requestId,
  actionId,
  conversationId,
  agentId,
  tool,
  skill,
  version,
}: AuditEntry): readonly Lead[] => [
  ...(requestId === undefined ? [] : [{ kind: 'request' as const, href: `/request/${requestId}` }]),
  ...(actionId === undefined
    ? []
    : [
        {
          kind: 'action' as const,
          href: kind === 'decision' ? `/action/${actionId}?at=${id}` : `/action/${actionId}`,
        },
      ]),
  ...(conversationId === undefined
    ? []
    : [{ kind: 'conversation' as const, href: `/c/${conversationId}` }]),
  ...(agentId === undefined ? [] : [{ kind: 'agent' as const, href: `/agents/${agentId}` }]),
  ...(tool === undefined || actionId !== undefined
    ? []
    : [{ kind: 'tool' as const, href: versioned(`/tools/${tool}`, version) }]),
  ...(skill === undefined
    ? []
    : [{ kind: 'skill' as const, href: versioned(`/skills/${skill}`, version) }]),
];
