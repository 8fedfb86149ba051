// The public API as the tests call it: every answer is parsed by the schema that the API publishes for it.
// Owns: keys, pages, and what counts as an answer.
import { z } from 'zod';
import { InboxItem } from '../../functions/api/schemas/people.ts';
import {
  ActionResult,
  ActionView,
  AgentMade,
  Answered,
  ClaimView,
  ConversationView,
  DecisionTaken,
  EventPage,
  MessagePosted,
  pageOf,
  RequestView,
  RunStopped,
  RunView,
  ToolRegistered,
} from '../../functions/api/schemas/schemas.ts';
import { ConversationId } from '../../functions/core/base/ids.ts';
import { Action } from '../../functions/core/records/action.ts';
import { Message } from '../../functions/core/records/conversation.ts';
import type { StoredEvent } from '../../functions/core/records/event.ts';
import { Step } from '../../functions/core/records/step.ts';
import type { AgentConfigurationInput } from '../../functions/core/registry/agent.ts';
import type { ToolRegistrationInput } from '../../functions/core/registry/tool.ts';

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

interface Sending {
  /** Default: a new one for each POST. */
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Method = 'GET' | 'POST' | 'DELETE';

/** A page of a list that can be narrowed says how far it looked. */
const narrowedPageOf = <Item extends z.ZodType>(item: Item) =>
  pageOf(item).extend({ lookedTo: z.iso.datetime().optional() });

const conversationMade = z.strictObject({ conversationId: ConversationId });

/** Over one address and one token. */
export const clientOf = (url: string, token: string) => {
  /** One request, whatever the answer. Rejects when there is none. */
  const send = async (
    method: Method,
    path: string,
    body?: unknown,
    { key = crypto.randomUUID(), headers = {} }: Sending = {},
  ): Promise<Answer> => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/json',
        ...(method === 'POST'
          ? { 'content-type': 'application/json', 'idempotency-key': key }
          : {}),
        ...headers,
      },
      ...(method === 'POST' ? { body: JSON.stringify(body ?? {}) } : {}),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  };
  const ask = async <Schema extends z.ZodType>(
    schema: Schema,
    method: Method,
    path: string,
    body?: unknown,
    sending?: Sending,
  ): Promise<z.output<Schema>> => {
    const answer = await send(method, path, body, sending);
    if (answer.status >= 300)
      throw new Error(
        `${method} ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`,
      );
    return schema.parse(answer.body);
  };
  /** All pages of a list whose next page is asked for by `name`. */
  const all = async <Item>(
    item: z.ZodType<Item>,
    path: string,
    name: 'cursor' | 'afterStep',
  ): Promise<Item[]> => {
    const items: Item[] = [];
    let next: string | undefined;
    do {
      const query = next === undefined ? '' : `?${name}=${encodeURIComponent(next)}`;
      const page: { items: Item[]; next?: string | undefined } = await ask(
        narrowedPageOf(item),
        'GET',
        `${path}${query}`,
      );
      items.push(...page.items);
      next = page.next;
    } while (next !== undefined);
    return items;
  };
  const events = async (conversationId: string): Promise<StoredEvent[]> => {
    const found: StoredEvent[] = [];
    for (;;) {
      const after = found.at(-1)?.number ?? 0;
      const path = `/v1/conversations/${conversationId}/events?after=${after}`;
      const page = await ask(EventPage, 'GET', path);
      if (page.events.length === 0) return found;
      found.push(...page.events);
    }
  };
  const claim = (actionId: string) => ask(ClaimView, 'POST', `/v1/actions/${actionId}/claim`);
  return {
    url,
    token,
    send,
    registerTool: (tool: ToolRegistrationInput) => ask(ToolRegistered, 'POST', '/v1/tools', tool),
    makeAgent: async (agent: AgentConfigurationInput) =>
      (await ask(AgentMade, 'POST', '/v1/agents', agent)).agentId,
    begin: async (agentId: string, title = '') =>
      (await ask(conversationMade, 'POST', '/v1/conversations', { agentId, title })).conversationId,
    say: (conversationId: string, text: string, sending?: Sending) =>
      ask(MessagePosted, 'POST', `/v1/conversations/${conversationId}/messages`, { text }, sending),
    conversation: (id: string) => ask(ConversationView, 'GET', `/v1/conversations/${id}`),
    run: (runId: string) => ask(RunView, 'GET', `/v1/runs/${runId}`),
    runs: (conversationId: string) =>
      ask(pageOf(RunView), 'GET', `/v1/conversations/${conversationId}/runs?limit=1000`).then(
        ({ items }) => items,
      ),
    steps: (runId: string) => all(Step, `/v1/runs/${runId}/steps`, 'afterStep'),
    actions: (runId: string) => all(Action, `/v1/runs/${runId}/actions`, 'afterStep'),
    action: (actionId: string) => ask(ActionView, 'GET', `/v1/actions/${actionId}`),
    result: (actionId: string, offset = 0) =>
      ask(ActionResult, 'GET', `/v1/actions/${actionId}/result?offset=${offset}`),
    messages: (conversationId: string) =>
      ask(pageOf(Message), 'GET', `/v1/conversations/${conversationId}/messages`).then(
        ({ items }) => items,
      ),
    events,
    /** One page of what waits for an approval. */
    openApprovals: async () => {
      const { items } = await ask(narrowedPageOf(InboxItem), 'GET', '/v1/requests');
      return { items: items.filter(({ on }) => on === 'approval') };
    },
    openRequests: () => all(InboxItem, '/v1/requests', 'cursor'),
    request: (requestId: string) => ask(RequestView, 'GET', `/v1/requests/${requestId}`),
    answer: (requestId: string, answer: object) =>
      ask(Answered, 'POST', `/v1/requests/${requestId}/answer`, answer),
    stop: (runId: string) => ask(RunStopped, 'POST', `/v1/runs/${runId}/stop`),
    goOn: (runId: string) => ask(MessagePosted, 'POST', `/v1/runs/${runId}/continue`),
    claim,
    /** Where nothing else is said: takes the claim first, and decides on the journal as it is now. */
    decide: async (actionId: string, decision: object) => {
      const claimed = 'claimFence' in decision ? {} : { claimFence: (await claim(actionId)).fence };
      const { action } = await ask(ActionView, 'GET', `/v1/actions/${actionId}`);
      const path = `/v1/actions/${actionId}/decisions`;
      return ask(DecisionTaken, 'POST', path, { seenHead: action.head, ...claimed, ...decision });
    },
  };
};
export type Client = ReturnType<typeof clientOf>;
