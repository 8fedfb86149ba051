// An entry of the audit as one sentence, and the places it leads to. Owns: both.
import type { AuditEntry } from '../api/types.ts';
import type { LaterWords } from '../words/later.ts';

/** Nobody decided these: what was asked for says more than the tool. */
const undecided: readonly string[] = ['expired', 'voided'];

/** "Ana barred crm_refund for everybody". A decision that has no sentence is named as it is stored. */
export const sentenceOf = (
  { kind, decision, by, on, tool }: AuditEntry,
  { audit, requestKinds }: LaterWords,
): string => {
  const request =
    on === 'approval' || on === 'question' || on === 'skill' || on === 'recovery'
      ? requestKinds[on].toLowerCase()
      : undefined;
  const say = audit.sentences[kind][decision];
  return say === undefined
    ? audit.other(by.name, decision)
    : say(by.name, (undecided.includes(decision) ? request : tool) ?? request ?? '');
};

interface Lead {
  readonly kind: keyof LaterWords['audit']['links'];
  readonly href: string;
}

/** Where an entry leads: to what it is about, the nearest first. */
export const leadsOf = ({
  kind,
  id,
  requestId,
  actionId,
  conversationId,
  agentId,
  tool,
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
    : [{ kind: 'tool' as const, href: `/tools/${tool}` }]),
];
