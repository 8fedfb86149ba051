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
import { approve, finished, openRig, type Rig } from '../../../rig/rig.ts';
import { holds, until } from '../../../rig/until.ts';
import { makeSkilledAgent } from '../../../scenario/people/parts.ts';
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
const appFor = async (
  script: keyof typeof scripts,
  given: { readonly agentId?: string; readonly threadId?: string } = {},
) => {
  const warned = vi.spyOn(console, 'warn');
  onTestFinished(() => {
    expect(warned.mock.calls).toEqual([]);
    warned.mockRestore();
  });
  const agentId = given.agentId ?? (await rig.agent(script));
  const agent = new HttpAgent({
    url: `${rig.client.url}/v1/ag-ui/${agentId}`,
    threadId: given.threadId ?? crypto.randomUUID(),
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

const resolved = ({ id }: Interrupt, payload: unknown) => ({
  interruptId: id,
  status: 'resolved' as const,
  payload,
});
const lastText = ({ messages }: HttpAgent): string => String(messages.at(-1)?.content);

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
  expect(lastText(agent)).toBe('You said: Hello');
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
  const payload = { kind: 'approve', digest: digestIn(interrupt) };
  const events = await run({ resume: [resolved(interrupt, payload)] });
  expect(typesOf(events)).not.toContain('TOOL_CALL_START');
  expect(the(resultsIn(agent.messages))).toMatchObject({ toolCallId: call.id });
  expect(agent.pendingInterrupts).toEqual([]);
  expect(lastText(agent)).toContain('So: ');
  expect(await rig.destination.effectsOf(call.id)).toHaveLength(1);
});

test('an approval that is refused, or sent back, gives the call its one result, and nothing is sent', async () => {
  const payloads = [
    { kind: 'refuse', reason: 'Too much.' },
    { kind: 'request_changes', text: 'Half of it.' },
  ];
  for (const payload of payloads) {
    const { agent, say, run } = await appFor('refund');
    await say('Refund it.');
    await run({ resume: [resolved(the(agent.pendingInterrupts), payload)] });
    const { toolCallId, content } = the(resultsIn(agent.messages));
    expect(content).toContain(payload.reason ?? payload.text);
    expect(await rig.destination.effectsOf(toolCallId)).toEqual([]);
  }
});

test('edited arguments, another digest and an answer in another form are refused, and the request stays open', async () => {
  const { agent, say, run } = await appFor('refund');
  await say('Refund it.');
  const interrupt = the(agent.pendingInterrupts);
  const digest = digestIn(interrupt);
  const errors = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const cases = [
    [{ kind: 'approve', digest, editedArgs: { amount_cents: 1 } }, /exactly what was shown/],
    [{ kind: 'approve', digest: `sha256:${'0'.repeat(64)}` }, /digest-changed/],
    [{ approved: true }, /form that was asked for/],
  ] as const;
  for (const [payload, problem] of cases)
    await expect(run({ resume: [resolved(interrupt, payload)] })).rejects.toThrow(problem);
  errors.mockRestore();
  const { request } = await rig.client.request(interrupt.id);
  expect(request.decision).toBeUndefined();
});

test('a question is an interrupt with its form; the answer is the form filled in', async () => {
  const { agent, say, run } = await appFor('ask');
  await say('Ask me.');
  const interrupt = the(agent.pendingInterrupts);
  expect(interrupt).toMatchObject({
    reason: 'input_required',
    message: 'Which colour?',
    responseSchema: { type: 'object', required: ['text'] },
  });
  const answer = [resolved(interrupt, { text: 'blue' })];
  await run({ resume: answer });
  expect(the(resultsIn(agent.messages)).content).toContain('"text":"blue"');
  // A resume that is sent again, as after a lost connection, changes nothing and shows the same.
  const before = structuredClone(agent.messages);
  await run({ resume: answer });
  expect(agent.messages).toEqual(before);
});

test('a skill request is an interrupt; refused, the agent is told', async () => {
  await rig.client.send('POST', '/v1/skills', {
    name: 'filing',
    description: 'Files opportunities.',
    instructions: 'File it under its title.',
  });
  const agentId = await makeSkilledAgent(rig.client, 'skill', 'on_request');
  const { agent, say, run } = await appFor('skill', { agentId });
  await say('Ask for it.');
  const interrupt = the(agent.pendingInterrupts);
  expect(interrupt).toMatchObject({ reason: 'reprise:skill_request' });
  await run({ resume: [resolved(interrupt, { kind: 'refuse', reason: 'Not now.' })] });
  expect(the(resultsIn(agent.messages)).content).toContain('Not now.');
});

test('what nobody knows is an activity and an interrupt that only the desk resolves', async () => {
  const { agent, say, run } = await appFor('mail');
  await rig.destination.fault({ service: 'mail', mode: 'drop_reply_after_write', times: 1 });
  await say(`mail ${crypto.randomUUID()}`);
  const approval = the(agent.pendingInterrupts);
  await run({ resume: [resolved(approval, { kind: 'approve', digest: digestIn(approval) })] });
  const { id, reason, toolCallId, responseSchema } = the(agent.pendingInterrupts);
  expect(reason).toBe('reprise:undetermined_action');
  expect(responseSchema).toBeUndefined();
  const activity = agent.messages.find(({ role }) => role === 'activity');
  expect(activity).toMatchObject({
    activityType: 'reprise:action',
    content: { actionId: toolCallId, effect: 'undetermined', href: `/action/${toolCallId}` },
  });
  expect(resultsIn(agent.messages)).toEqual([]);
  const errors = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  await expect(
    run({ resume: [{ interruptId: id, status: 'resolved', payload: { kind: 'done' } }] }),
  ).rejects.toThrow(/recovery desk/);
  errors.mockRestore();
  // Letting go of it looks again: still unknown. Then a person decides at the desk, and the run goes on.
  await run({ resume: [{ interruptId: id, status: 'cancelled' }] });
  expect(the(agent.pendingInterrupts).id).toBe(id);
  await rig.client.decide(String(toolCallId), {
    kind: 'attach',
    evidence: {
      what: 'the mail is in the list of effects',
      where: 'list of effects',
      when: new Date().toISOString(),
      coverage: 'every opportunity of the account',
    },
  });
  await run({ resume: [{ interruptId: id, status: 'cancelled' }] });
  expect(the(resultsIn(agent.messages))).toMatchObject({ toolCallId });
  expect(agent.pendingInterrupts).toEqual([]);
});

test('the same message sent again after a lost connection is one message, shown once', async () => {
  const { agent, say, run } = await appFor('create');
  const title = `once ${crypto.randomUUID()}`;
  const faultId = await rig.destination.fault({
    service: 'crm',
    operation: 'create_opportunity',
    match: { title },
    mode: 'hold',
  });
  const lost = say(title);
  await rig.destination.untilHeld('create_opportunity');
  await holds('the call is shown', () => callsIn(agent.messages).length === 1);
  agent.abortRun();
  await lost;
  await rig.destination.release(faultId);
  const events = await run();
  expect(typesOf(events)).toContain('MESSAGES_SNAPSHOT');
  the(callsIn(agent.messages));
  the(resultsIn(agent.messages));
  expect(agent.messages.map(({ role }) => role)).toEqual([
    'user',
    'assistant',
    'tool',
    'assistant',
  ]);
  const named = (await rig.destination.effects()).filter((one) => one.arguments.title === title);
  expect(named).toHaveLength(1);
});

/** Ends the answer after so many events, as a connection does that is lost. */
const cutAfter = (count: number) => async (url: string, init: RequestInit) => {
  const response = await fetch(url, init);
  const events = (await response.text()).split('\n\n').slice(0, count);
  return new Response(events.map((event) => `${event}\n\n`).join(''), response);
};

test('a connection that is lost at any event: sent again, the thread shows the same as without the loss', async () => {
  const { agent, agentId, say, run } = await appFor('refund');
  await say('Refund it.');
  const interrupt = the(agent.pendingInterrupts);
  const resume = [resolved(interrupt, { kind: 'approve', digest: digestIn(interrupt) })];
  await run({ resume });
  const whole = structuredClone(agent.messages);
  const again = async (count: number) => {
    const lossy = await appFor('refund', { agentId, threadId: agent.threadId });
    lossy.agent.setMessages(whole.slice(0, 1));
    const { fetch: real } = lossy.agent;
    lossy.agent.fetch = cutAfter(count);
    await lossy.run();
    lossy.agent.fetch = real;
    const events = await lossy.run();
    expect(lossy.agent.messages, `lost after ${count}`).toEqual(whole);
    return events.length;
  };
  const length = await again(1);
  for (let count = 2; count <= length; count += 1) await again(count);
  // The same with the answer: what was lost after it is told again.
  for (let count = 1; count <= length; count += 3) {
    const lossy = await appFor('refund', { agentId, threadId: agent.threadId });
    lossy.agent.setMessages(whole.slice(0, 2));
    const { fetch: real } = lossy.agent;
    lossy.agent.fetch = cutAfter(count);
    await lossy.run({ resume });
    lossy.agent.fetch = real;
    await lossy.run({ resume });
    expect(lossy.agent.messages, `lost after ${count}`).toEqual(whole);
  }
  const call = the(callsIn(whole));
  expect(await rig.destination.effectsOf(call.id)).toHaveLength(1);
});

test('a message sent into a run, from another place, steers it; each stream tells its own part', async () => {
  const { agent, agentId, say } = await appFor('create');
  const title = `steered ${crypto.randomUUID()}`;
  const faultId = await rig.destination.fault({
    service: 'crm',
    operation: 'create_opportunity',
    match: { title },
    mode: 'hold',
  });
  const first = say(title);
  await rig.destination.untilHeld('create_opportunity');
  const elsewhere = await appFor('create', { agentId, threadId: agent.threadId });
  const second = elsewhere.say('And tell me when.');
  await holds('it is connected', () => elsewhere.agent.isRunning);
  await until('it is taken in', async () => {
    const { items } = (await rig.client.send('GET', '/v1/conversations')).body as {
      items: { agentId: string; pending: string[] }[];
    };
    return items.find((one) => one.agentId === agentId && one.pending.length === 1);
  });
  await rig.destination.release(faultId);
  expect((await first).at(-1)).toMatchObject({
    type: 'RUN_FINISHED',
    result: { reason: 'handed_over' },
  });
  expect((await second).at(-1)).toMatchObject({ result: { reason: 'done' } });
  the(resultsIn(agent.messages));
  expect(lastText(elsewhere.agent)).toContain('So: ');
});

test('a message sent while something waits is answered by what waits, and read once that is over', async () => {
  const { agent, agentId, say, run } = await appFor('refund');
  await say('Refund it.');
  const elsewhere = await appFor('refund', { agentId, threadId: agent.threadId });
  await elsewhere.say('And be quick.');
  const interrupt = the(agent.pendingInterrupts);
  expect(elsewhere.agent.pendingInterrupts).toEqual(agent.pendingInterrupts);
  const payload = { kind: 'approve', digest: digestIn(interrupt) };
  await run({ resume: [resolved(interrupt, payload)] });
  the(resultsIn(agent.messages));
  expect(lastText(agent)).toContain('So: ');
});

test('two calls: the one that needs nobody is done, the other asked about, in one interrupt', async () => {
  const { agent, say, run } = await appFor('refundAndCreate');
  await say(`both ${crypto.randomUUID()}`);
  const interrupt = the(agent.pendingInterrupts);
  the(resultsIn(agent.messages));
  // Somebody approves it on the page meanwhile; the client lets go, and sees what came of it.
  await approve(rig.client, interrupt.id);
  await run({ resume: [{ interruptId: interrupt.id, status: 'cancelled' }] });
  expect(resultsIn(agent.messages)).toHaveLength(2);
  expect(agent.pendingInterrupts).toEqual([]);
});

test('a failed run is a run error, with what to do; what it had begun to say is taken back', async () => {
  const { agent, say } = await appFor('fails');
  const events = await say('Fail.');
  expect(events.at(-1)).toMatchObject({ type: 'RUN_ERROR', code: 'reprise:failed' });
  expect(agent.messages.map(({ role }) => role)).toEqual(['user']);
});

test('a call that never became an action has its result at once', async () => {
  const { agent, say } = await appFor('unknown');
  await say('Call it.');
  expect(the(resultsIn(agent.messages)).content).toContain('There is no tool named "nothing"');
});

test('a run that a person stops is cancelled; its calls have their results', async () => {
  const { agent, agentId, run, say } = await appFor('refund');
  const events = await say('Refund it.');
  const { conversationId } = events[0]?.metadata?.reprise ?? {};
  const { activeRun } = await rig.client.conversation(conversationId);
  await rig.client.stop(String(activeRun));
  await finished(rig.client, String(activeRun));
  const interrupt = the(agent.pendingInterrupts);
  const after = await run({ resume: [{ interruptId: interrupt.id, status: 'cancelled' }] });
  expect(after.at(-1)).toMatchObject({ type: 'RUN_FINISHED', outcome: { type: 'cancelled' } });
  the(resultsIn(agent.messages));
  expect(agentId).toMatch(/^agt_/);
});
