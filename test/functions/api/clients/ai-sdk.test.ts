// The AI SDK 7 by its real client (useChat without React) against the twin. Laws: L6, L11, L12, L13, L16.
import {
  AbstractChat,
  type ChatState,
  type ChatStatus,
  DefaultChatTransport,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  lastAssistantMessageIsCompleteWithToolCalls,
  type UIMessage,
} from 'ai';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { approve, finished, openRig, type Rig } from '../../../rig/rig.ts';
import { holds, until } from '../../../rig/until.ts';
import { scripts } from './scripts.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await openRig({ scripts });
});
afterAll(() => rig.close());

/** What React keeps for useChat. */
class State implements ChatState<UIMessage> {
  status: ChatStatus = 'ready';
  error: Error | undefined = undefined;
  messages: UIMessage[];
  constructor(messages: UIMessage[]) {
    this.messages = messages;
  }
  pushMessage = (message: UIMessage): void => {
    this.messages = [...this.messages, message];
  };
  popMessage = (): void => {
    this.messages = this.messages.slice(0, -1);
  };
  replaceMessage = (index: number, message: UIMessage): void => {
    this.messages = this.messages.with(index, structuredClone(message));
  };
  snapshot = <Thing>(thing: Thing): Thing => structuredClone(thing);
}

class Chat extends AbstractChat<UIMessage> {}

interface Given {
  readonly agentId?: string;
  readonly id?: string;
  readonly messages?: UIMessage[];
}

/** An app's thread, and the bodies of all requests that it made. */
const appFor = async (script: keyof typeof scripts, given: Given = {}) => {
  const agentId = given.agentId ?? (await rig.agent(script));
  const id = given.id ?? crypto.randomUUID();
  const statuses: number[] = [];
  const chat = new Chat({
    id,
    state: new State(given.messages ?? []),
    transport: new DefaultChatTransport({
      api: `${rig.client.url}/v1/ai-sdk/${agentId}`,
      headers: { authorization: `Bearer ${rig.client.token}` },
      fetch: async (url, init) => {
        const response = await fetch(url, init);
        statuses.push(response.status);
        return response;
      },
    }),
    sendAutomaticallyWhen: (of) =>
      lastAssistantMessageIsCompleteWithApprovalResponses(of) ||
      lastAssistantMessageIsCompleteWithToolCalls(of),
  });
  return { chat, agentId, id, statuses };
};

const textOf = (message: UIMessage | undefined): string =>
  (message?.parts ?? []).flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(' ');
const callsOf = (message: UIMessage | undefined) =>
  (message?.parts ?? []).flatMap((part) => (part.type === 'dynamic-tool' ? [part] : []));
const theCall = (chat: Chat) => {
  const [call, another] = chat.messages.flatMap(callsOf);
  if (call === undefined || another !== undefined) throw new Error('There is not one call.');
  return call;
};
const settled = (chat: Chat) =>
  holds('the thread is ready', () => chat.status === 'ready' || chat.status === 'error');
const Ours = z.looseObject({ conversationId: z.string(), runId: z.string() });
const oursOf = (chat: Chat) => Ours.parse(chat.messages.at(-1)?.metadata);

test('a message is answered by text in steps, and the thread goes on', async () => {
  const { chat } = await appFor('talk');
  await chat.sendMessage({ text: 'Hello' });
  await chat.sendMessage({ text: 'Again' });
  expect(chat.messages.map((message) => [message.role, textOf(message)])).toEqual([
    ['user', 'Hello'],
    ['assistant', 'You said: Hello'],
    ['user', 'Again'],
    ['assistant', 'You said: Again'],
  ]);
  expect(chat.messages.at(-1)?.metadata).toMatchObject({ reason: 'done' });
});

test('an approval that is given is submitted by itself, and the output comes under the same call', async () => {
  const { chat, statuses } = await appFor('refund');
  await chat.sendMessage({ text: 'Refund it.' });
  const asked = theCall(chat);
  expect(asked).toMatchObject({
    state: 'approval-requested',
    toolName: 'refund',
    approval: { descriptor: { on: 'approval', digest: expect.stringMatching(/^sha256:/) } },
  });
  await chat.addToolApprovalResponse({ id: asked.approval?.id ?? '', approved: true });
  await holds('the output is there', () => theCall(chat).state === 'output-available');
  await settled(chat);
  expect(theCall(chat).toolCallId).toBe(asked.toolCallId);
  expect(chat.messages).toHaveLength(2);
  expect(textOf(chat.messages.at(-1))).toMatch(/^I look into it\. So: /);
  expect(statuses).toEqual([200, 200]);
  expect(await rig.destination.effectsOf(asked.toolCallId)).toHaveLength(1);
});

test('an approval that is denied leaves the call denied, and nothing is sent', async () => {
  const { chat } = await appFor('refund');
  await chat.sendMessage({ text: 'Refund it.' });
  const { approval, toolCallId } = theCall(chat);
  await chat.addToolApprovalResponse({ id: approval?.id ?? '', approved: false, reason: 'No.' });
  await holds('the call is denied', () => theCall(chat).state === 'output-denied');
  await settled(chat);
  expect(textOf(chat.messages.at(-1))).toContain('Reason: No.');
  expect(await rig.destination.effectsOf(toolCallId)).toEqual([]);
});

test('what was shown changed, or is shown changed: the approval is refused and stays open', async () => {
  const { chat, agentId, id } = await appFor('refund');
  await chat.sendMessage({ text: 'Refund it.' });
  const { approval } = theCall(chat);
  const requestId = approval?.id ?? '';
  const post = async (changed: object) => {
    const parts = chat.messages.at(-1)?.parts.map((part) =>
      part.type === 'dynamic-tool'
        ? {
            ...part,
            state: 'approval-responded',
            approval: { ...approval, approved: true },
            ...changed,
          }
        : part,
    );
    const message = { ...chat.messages.at(-1), parts };
    return rig.client.send('POST', `/v1/ai-sdk/${agentId}`, { id, messages: [message] });
  };
  expect((await post({ input: { payment_id: 'pay_1001', amount_cents: 1 } })).status).toBe(422);
  const descriptor = { digest: `sha256:${'0'.repeat(64)}` };
  const other = await post({ approval: { id: requestId, approved: true, descriptor } });
  expect(other.body).toMatchObject({ type: expect.stringMatching(/digest-changed$/) });
  expect((await rig.client.request(requestId)).request.decision).toBeUndefined();
});

test('a question is a data part, answered by the output of its call', async () => {
  const { chat } = await appFor('ask');
  await chat.sendMessage({ text: 'Ask me.' });
  const { toolCallId, toolName, state } = theCall(chat);
  expect([toolName, state]).toEqual(['ask_user', 'input-available']);
  const part = chat.messages.at(-1)?.parts.find(({ type }) => type === 'data-question');
  expect(part).toMatchObject({ data: { message: 'Which colour?', form: { type: 'object' } } });
  await chat.addToolOutput({ tool: 'ask_user', toolCallId, output: { text: 'blue' } });
  await holds('the run is over', () => textOf(chat.messages.at(-1)).includes('So: '));
  await settled(chat);
  const { output } = z.looseObject({ output: z.string() }).parse(theCall(chat));
  expect(output).toContain('"text":"blue"');
});

test('what nobody knows is a data part that leads to the desk, and the thread waits', async () => {
  const { chat } = await appFor('mail');
  await rig.destination.fault({ service: 'mail', mode: 'drop_reply_after_write', times: 1 });
  await chat.sendMessage({ text: `mail ${crypto.randomUUID()}` });
  const { approval, toolCallId } = theCall(chat);
  await chat.addToolApprovalResponse({ id: approval?.id ?? '', approved: true });
  const part = await until('it is known to be unknown', () =>
    chat.messages.at(-1)?.parts.find(({ type }) => type === 'data-action'),
  );
  await settled(chat);
  expect(part).toMatchObject({
    data: { actionId: toolCallId, effect: 'undetermined', href: `/action/${toolCallId}` },
  });
  expect(chat.messages.at(-1)?.metadata).toMatchObject({
    reason: 'waiting',
    waitingFor: [{ on: 'recovery' }],
  });
});

/** A thread whose write is under way at the destination, until it is released. */
const held = async (script: 'create', given: Given = {}) => {
  const title = `held ${crypto.randomUUID()}`;
  const faultId = await rig.destination.fault({
    service: 'crm',
    operation: 'create_opportunity',
    match: { title },
    mode: 'hold',
  });
  const app = await appFor(script, given);
  const first = app.chat.sendMessage({ text: title });
  await rig.destination.untilHeld('create_opportunity');
  await holds('the call is shown', () => app.chat.messages.flatMap(callsOf).length === 1);
  return { ...app, title, first, release: () => rig.destination.release(faultId) };
};

test('a stream that is asked for again tells the run in progress whole; without one there is nothing', async () => {
  const { chat, first, release, agentId, id, statuses } = await held('create');
  await chat.stop();
  await first;
  const again = chat.resumeStream();
  // Another tab that has only the person's message.
  const tab = await appFor('create', { agentId, id, messages: chat.messages.slice(0, 1) });
  const inTab = tab.chat.resumeStream();
  await holds('both are connected', () => statuses.length === 2 && tab.statuses.length === 1);
  await release();
  await Promise.all([again, inTab]);
  for (const each of [chat, tab.chat]) {
    expect(each.messages.map(({ role }) => role)).toEqual(['user', 'assistant']);
    expect(theCall(each).state).toBe('output-available');
    expect(textOf(each.messages.at(-1))).toMatch(/^I look into it\. So: /);
  }
  await finished(rig.client, oursOf(chat).runId);
  await tab.chat.resumeStream();
  expect(tab.statuses).toEqual([200, 204]);
});

test('a message sent into a run steers it: one run, each message answered in its own place', async () => {
  const { chat, first, release, title } = await held('create');
  const { runId, conversationId } = oursOf(chat);
  const second = chat.sendMessage({ text: 'And tell me when.' });
  await until('it is taken in', async () =>
    (await rig.client.messages(conversationId)).find(({ text }) => text === 'And tell me when.'),
  );
  await release();
  await Promise.all([first, second]);
  expect(chat.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant']);
  expect(theCall(chat).state).toBe('output-available');
  expect(textOf(chat.messages[1])).toBe('I look into it.');
  expect(textOf(chat.messages[3])).toContain('So: ');
  expect((await rig.client.runs(conversationId)).map((run) => run.runId)).toEqual([runId]);
  const effects = await rig.destination.effects();
  expect(effects.filter((effect) => effect.arguments.title === title)).toHaveLength(1);
});

test('a message sent while an approval waits is read after it; what comes goes on where it was approved', async () => {
  const { chat } = await appFor('refund');
  await chat.sendMessage({ text: 'Refund it.' });
  const { approval, toolCallId } = theCall(chat);
  const { runId, conversationId } = oursOf(chat);
  await chat.sendMessage({ text: 'And be quick.' });
  expect(chat.messages.at(-1)?.metadata).toMatchObject({ reason: 'waiting' });
  await chat.addToolApprovalResponse({ id: approval?.id ?? '', approved: true });
  // It is not the newest message: the app sends it, as one does without sending by itself.
  await chat.sendMessage();
  await settled(chat);
  expect(theCall(chat)).toMatchObject({ toolCallId, state: 'output-available' });
  expect(textOf(chat.messages[1])).toMatch(/^I look into it\. Noted: And be quick\.\s+So: /);
  await finished(rig.client, runId);
  const messages = await rig.client.messages(conversationId);
  expect(messages.map(({ fate }) => fate.fate)).toEqual(['started', 'taken']);
});

test('an approval that was given but not sent goes out with the next message', async () => {
  const { chat } = await appFor('refund');
  await chat.sendMessage({ text: 'Refund it.' });
  const { approval, toolCallId } = theCall(chat);
  const parts = chat.messages
    .at(-1)
    ?.parts.map((part) =>
      part.type === 'dynamic-tool'
        ? { ...part, state: 'approval-responded', approval: { ...approval, approved: true } }
        : part,
    );
  chat.messages = z
    .custom<UIMessage[]>()
    .parse([chat.messages[0], { ...chat.messages.at(-1), parts }]);
  await chat.sendMessage({ text: 'Go on.' });
  await settled(chat);
  await finished(rig.client, oursOf(chat).runId);
  expect(await rig.destination.effectsOf(toolCallId)).toHaveLength(1);
});

test('somebody else approves: the stream of the one who waits has it, and a late answer is told who', async () => {
  const { chat, agentId, id } = await appFor('refund');
  await chat.sendMessage({ text: 'Refund it.' });
  const { approval } = theCall(chat);
  const marta = await appFor('refund', { agentId, id });
  await approve(rig.client, approval?.id ?? '');
  await chat.resumeStream();
  expect(theCall(chat).state).toBe('output-available');
  expect(marta.chat.messages).toEqual([]);
});

test('a thread by the conversation’s own id is that conversation; another agent’s is not found', async () => {
  const agentId = await rig.agent('talk');
  const id = await rig.client.begin(agentId);
  const { chat } = await appFor('talk', { agentId, id });
  await chat.sendMessage({ text: 'Hello' });
  expect(oursOf(chat).conversationId).toBe(id);
  const other = await appFor('talk', { id });
  await other.chat.sendMessage({ text: 'Hello' });
  expect(other.statuses).toEqual([404]);
});
