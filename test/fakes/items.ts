// Agents and conversations for tests that need one, with nothing remarkable about them.

import { Conversation } from '../../functions/core/records/conversation.ts';
import { AgentRevision } from '../../functions/core/registry/agent.ts';

const at = '2027-01-01T00:00:00.000Z';

export const agentOf = (
  workspace: string,
  agentId: string,
  tools: readonly string[],
  stepLimit = 40,
): AgentRevision =>
  AgentRevision.parse({
    schema: 1,
    workspace,
    agentId,
    revision: 1,
    configuration: {
      name: 'Agent',
      prompt: 'You help.',
      model: { provider: 'scripted', script: 'test' },
      tools: tools.map((name) => ({ name, version: 1 })),
      skills: [],
      stepLimit,
    },
    createdAt: at,
    createdBy: 'test',
  });

export const conversationOf = (
  workspace: string,
  conversationId: string,
  agentId: string,
): Conversation =>
  Conversation.parse({
    schema: 1,
    workspace,
    conversationId,
    agentId,
    title: 'A conversation',
    createdAt: at,
    createdBy: { kind: 'person', subject: 'ana', name: 'Ana' },
    eventNumber: 0,
    messageNumber: 0,
    runs: 0,
    pending: [],
  });
