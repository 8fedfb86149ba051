// Registers a tool, makes an agent or registers a skill that is not there yet: its JSON, begun from an example. Owns: those
// examples. Offered to whom the API lets do it.
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { cache, keys } from '../api/cache.ts';
import { createAgent, registerSkill, registerTool } from '../api/calls.ts';
import { useAgents } from '../api/queries.ts';
import type { Json, JsonObject } from '../api/types.ts';
import { claimsOf } from '../base/claims.ts';
import { session } from '../base/session.ts';
import { useStore } from '../base/store.ts';
import { useLater } from '../words/later.ts';
import { Edit } from './edit-form.tsx';

const useIsAdmin = (): boolean => {
  const { token } = useStore(session);
  return token !== undefined && claimsOf(token)?.roles.includes('admin') === true;
};

const tool: Json = {
  name: 'ticket_open',
  description: 'Opens a ticket.',
  arguments: {
    type: 'object',
    properties: { subject: { type: 'string' } },
    required: ['subject'],
    additionalProperties: false,
  },
  transport: {
    kind: 'http',
    method: 'POST',
    url: 'https://tickets.example/v1/tickets',
    headers: { authorization: 'Bearer {{secret:tickets}}' },
    body: { as: 'arguments' },
  },
  contract: {
    effect: 'write',
    preset: 'none',
    destination: {
      provider: 'tickets',
      account: 'acme',
      environment: 'test',
      apiVersion: '1',
    },
  },
};

const skill: Json = {
  name: 'refunds',
  description: 'How refunds are made.',
  instructions: 'Look the payment up before you refund it.',
  tools: [],
};

export const FirstTool = (): ReactNode => {
  const { tools } = useLater();
  const [, go] = useLocation();
  const save = async (body: JsonObject, key: string): Promise<void> => {
    const { name, version } = await registerTool(body, key);
    await cache.invalidateQueries({ queryKey: keys.tools });
    go(`/tools/${name}/${version}`);
  };
  const words = { open: tools.firstOne, button: tools.firstOne, label: tools.json };
  return useIsAdmin() ? <Edit kind="tool" first {...words} before={tool} save={save} /> : null;
};

export const FirstSkill = (): ReactNode => {
  const { skills } = useLater();
  const [, go] = useLocation();
  const save = async (body: JsonObject, key: string): Promise<void> => {
    const { name, version } = await registerSkill(body, key);
    await cache.invalidateQueries({ queryKey: keys.skills });
    go(`/skills/${name}/${version}`);
  };
  const words = { open: skills.firstOne, button: skills.firstOne, label: skills.json };
  return useIsAdmin() ? <Edit kind="skill" first {...words} before={skill} save={save} /> : null;
};

const jsonOf = (value: object): Json => {
  const json: Json = JSON.parse(JSON.stringify(value));
  return json;
};

export const FirstAgent = (): ReactNode => {
  const { agents } = useLater();
  const [, go] = useLocation();
  const model = useAgents().data?.[0]?.configuration.model;
  const save = async (body: JsonObject, key: string): Promise<void> => {
    const { agentId } = await createAgent(body, key);
    await cache.invalidateQueries({ queryKey: keys.agents });
    go(`/agents/${agentId}`);
  };
  // The model that the other agents have is the one that is there.
  const before = jsonOf({
    name: 'Help desk',
    prompt: 'You help the help desk. Call a tool only for what was asked.',
    model: model ?? {
      provider: 'anthropic',
      model: 'claude-sonnet-5',
      secret: 'reprise/anthropic',
    },
    tools: [],
  });
  const words = { open: agents.firstOne, button: agents.firstOne, label: agents.json };
  return useIsAdmin() ? <Edit kind="agent" first {...words} before={before} save={save} /> : null;
};
