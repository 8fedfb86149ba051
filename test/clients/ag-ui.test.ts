// AG-UI 1.0 by its real client against the twin: what an app sees that talks to an agent through it. Laws: L6, L11, L12, L13, L16.
import {
  type AgentSubscriber,
  type BaseEvent,
  HttpAgent,
  type Interrupt,
  type Message,
  type RunAgentParameters,
} from '@ag-ui/client';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { approve, finished, openRig, type Rig } from '../rig/rig.ts';
import { until } from '../rig/until.ts';
import { scripts } from './scripts.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await openRig({ scripts });
});
afterAll(() => rig.close());

const user = (content: string, id = crypto.randomUUID()): Message => ({
  id,
  role: 'user',
  content,
});

/** An app's agent on a thread of its own, and all that it was sent. A warning of the client about what it got fails the test. */
const appFor = async (script: keyof typeof scripts, threadId = crypto.randomUUID()) => {
  const warned = vi.spyOn(console, 'warn');
  onTestFinished(() => {
    expect(warned.mock.calls).toEqual([]);
    warned.mockRestore();
  });
  const agentId = await rig.agent(script);
  const agent = new HttpAgent({
    url: `${rig.client.url}/v1/ag-ui/${agentId}`,
    threadId,
    headers: { authorization: `Bearer ${rig.client.token}` },
  });
  const run = async (parameters: RunAgentParameters = {}) => {
    const events: BaseEvent[] = [];
    const subscriber: AgentSubscriber = { onEvent: ({ event }) => void events.push(event) };
    await agent.runAgent(parameters, subscriber);
    return events;
  };
  const say = (text: string) => {
    agent.addMessage(user(text));
    return run();
  };
  return { agent, agentId, run, say };
};

const typesOf = (events: readonly BaseEvent[]): string[] => events.map(({ type }) => type);
const the = <Item>(items: readonly Item[]): Item => {
  const [first, second] = items;
  if (first === undefined || second !== undefined)
    throw new Error(`There are ${items.length} of them: ${JSON.stringify(items)}`);
  return first;
};
const digestIn = ({ metadata }: Interrupt): string => String(metadata?.reprise.digest);
const resultsIn = (messages: readonly Message[]) =>
  messages.flatMap((message) => (message.role === 'tool' ? [message] : []));
const callsIn = (messages: readonly Message[]) =>
  messages.flatMap((message) => (message.role === 'assistant' ? (message.toolCalls ?? []) : []));

test('a message is answered by text, in a step, and the thread goes on', async () => {
  const { agent, say } = await appFor('talk');
  const events = await say('Hello');
  expect(typesOf(events)).toEqual([
    'RUN_STARTED',
    'STEP_STARTED',
    'TEXT_MESSAGE_START',
    'TEXT_MESSAGE_CONTENT',
    'TEXT_MESSAGE_END',
    'STEP_FINISHED',
    'RUN_FINISHED',
  ]);
  expect(agent.messages.at(-1)).toMatchObject({ role: 'assistant', content: 'You said: Hello' });
  await say('Again');
  expect(agent.messages.map(({ content }) => content)).toEqual([
    'Hello',
    'You said: Hello',
    'Again',
    'You said: Again',
  ]);
});

test('an approval is an interrupt; approved as shown, the result comes under the original call', async () => {
  const { agent, say, run } = await appFor('refund');
  await say('Refund it.');
  const interrupt = the(agent.pendingInterrupts);
  const call = the(callsIn(agent.messages));
  expect(interrupt).toMatchObject({ reason: 'tool_call', toolCallId: call.id });
  expect(resultsIn(agent.messages)).toEqual([]);
  const resume = [
    {
      interruptId: interrupt.id,
      status: 'resolved' as const,
      payload: { kind: 'approve', digest: digestIn(interrupt) },
    },
  ];
  const events = await run({ resume });
  expect(typesOf(events)).not.toContain('TOOL_CALL_START');
  expect(the(resultsIn(agent.messages))).toMatchObject({ toolCallId: call.id });
  expect(agent.pendingInterrupts).toEqual([]);
  expect(agent.messages.at(-1)?.content).toContain('So: ');
  expect(await rig.destination.effectsOf(call.id)).toHaveLength(1);
});
