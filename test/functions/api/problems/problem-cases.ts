// One request for each row of docs/problems.md: what must go wrong, and how to bring it about.
import type { Reply, Request, Rig } from '../rig.ts';
import {
  askApproval,
  type Begun,
  converse,
  endRun,
  engageIt,
  loseReply,
  noteTool,
  refundTool,
  say,
  startRun,
  takeStep,
} from '../story.ts';

export interface Case {
  readonly input: string;
  readonly run: (rig: Rig, begun: Begun) => Promise<Reply>;
}

const none = '00000000000000000000000000';
const conversations = '/v1/conversations';
const messagesOf = (conversationId: string): string =>
  `${conversations}/${conversationId}/messages`;

const asIs =
  (request: Request) =>
  (rig: Rig): Promise<Reply> =>
    rig.call(request);
const post = (rig: Rig, path: string, body: unknown, more: Partial<Request> = {}) =>
  rig.call({ method: 'POST', path, body, ...more });
/** Posts the same message each time, with something about the request that is wrong. */
const message =
  (more: Partial<Request>) =>
  (rig: Rig, { conversationId }: Begun): Promise<Reply> =>
    post(rig, messagesOf(conversationId), { text: 'Hello' }, { as: 'ben', ...more });

const answer = (rig: Rig, requestId: string, body: object, more: Partial<Request> = {}) =>
  post(rig, `/v1/requests/${requestId}/answer`, body, { as: 'rob', ...more });

const requestCases: readonly Case[] = [
  { input: 'no token, or none that is valid', run: asIs({ path: '/v1/agents', as: null }) },
  { input: 'a viewer posts a message', run: message({ as: 'vera' }) },
  {
    input: 'an approver answers what needs an admin',
    run: async (rig, { agentId }) => {
      const contract = {
        ...refundTool.contract,
        policy: { approval: { when: 'always' as const }, role: 'admin' as const },
      };
      await post(rig, '/v1/tools/refund/versions', { ...refundTool, contract });
      const runId = await startRun(rig, await converse(rig, agentId));
      const { requestId } = await askApproval(rig, runId);
      return answer(rig, requestId, { kind: 'refuse', reason: 'No.' });
    },
  },
  { input: 'an unknown id', run: asIs({ path: `/v1/runs/run_${none}` }) },
  {
    input: 'the id of another workspace',
    run: (rig, { conversationId }) =>
      rig.call({ path: `${conversations}/${conversationId}`, as: 'stranger' }),
  },
  {
    input: 'an id of the wrong kind',
    run: (rig, { conversationId }) => rig.call({ path: `/v1/runs/${conversationId}` }),
  },
  { input: 'an unknown path', run: asIs({ path: '/v1/nothing' }) },
  {
    input: 'a method that the path does not have',
    run: asIs({ method: 'PUT', path: '/v1/agents', body: {} }),
  },
  {
    input: 'a body of more than 1 MiB',
    run: message({ raw: JSON.stringify({ text: 'x'.repeat(1024 * 1024) }) }),
  },
  {
    input: 'a body that no item of the store can hold',
    run: asIs({
      method: 'POST',
      path: '/v1/agents',
      body: {
        name: 'Escapes',
        prompt: '\u0001'.repeat(100_000),
        model: { provider: 'scripted', script: 'demo' },
        tools: [],
      },
    }),
  },
  {
    input: 'a body that is no JSON by its content type',
    run: message({ headers: { 'content-type': 'text/plain' } }),
  },
  { input: 'a body that is no JSON', run: message({ raw: '{"text":' }) },
  { input: 'no body where one is needed', run: message({ body: undefined }) },
  {
    input: 'JSON of more than 32 levels',
    run: message({ raw: `{"text":${'['.repeat(32)}${']'.repeat(32)}}` }),
  },
  { input: 'a field of the wrong type', run: message({ body: { text: 5 } }) },
  {
    input: 'an unknown field',
    run: message({ body: { text: 'Hello', author: { name: 'Somebody else' } } }),
  },
  {
    input: 'an agent with a tool that is not registered',
    run: (rig) =>
      post(rig, '/v1/agents', {
        name: 'A',
        prompt: 'P',
        model: { provider: 'scripted', script: 'demo' },
        tools: [{ name: 'missing' }],
      }),
  },
  {
    input: 'a conversation with an unknown agent',
    run: (rig) => post(rig, conversations, { agentId: `agt_${none}` }),
  },
  {
    input: 'a version of a tool under another name',
    run: (rig) => post(rig, '/v1/tools/refund/versions', noteTool),
  },
  { input: 'a message of blanks', run: message({ body: { text: ' \n' } }) },
  {
    input: 'a contract that contradicts itself',
    run: (rig) =>
      post(rig, '/v1/tools', {
        ...noteTool,
        name: 'odd',
        contract: { ...noteTool.contract, alreadyExists: { status: [409] } },
      }),
  },
  {
    input: 'a limit that is no number',
    run: asIs({ path: conversations, query: { limit: 'many' } }),
  },
  {
    input: 'a cursor that was made up',
    run: asIs({ path: conversations, query: { cursor: 'made-up' } }),
  },
  {
    input: 'the cursor of another list',
    run: async (rig, { agentId }) => {
      await converse(rig, agentId);
      const page = await rig.call({ path: conversations, query: { limit: '1' } });
      return rig.call({ path: '/v1/actions', query: { cursor: String(page.body.next) } });
    },
  },
  { input: 'a POST without Idempotency-Key', run: message({ key: null }) },
  { input: 'an Idempotency-Key with blanks', run: message({ key: 'two words' }) },
  {
    input: 'a used key with another body',
    run: async (rig, { conversationId }) => {
      await say(rig, conversationId, 'Hello', 'the-key');
      return say(rig, conversationId, 'Goodbye', 'the-key');
    },
  },
  { input: 'a tool name that is taken', run: (rig) => post(rig, '/v1/tools', refundTool) },
];

const conversationCases: readonly Case[] = [
  {
    input: 'a message when a hundred wait',
    run: async (rig, { conversationId }) => {
      for (let count = 0; count < 100; count += 1) await say(rig, conversationId);
      return say(rig, conversationId);
    },
  },
  {
    input: 'withdrawing a message that was read',
    run: async (rig, { conversationId }) => {
      const { body } = await say(rig, conversationId);
      await takeStep(rig, (await activeRun(rig, conversationId)) ?? fail());
      const path = `${messagesOf(conversationId)}/${String(body.messageId)}`;
      return rig.call({ method: 'DELETE', path, as: 'ben' });
    },
  },
  {
    input: "withdrawing somebody else's message",
    run: async (rig, { conversationId }) => {
      await say(rig, conversationId);
      const { body } = await say(rig, conversationId);
      const path = `${messagesOf(conversationId)}/${String(body.messageId)}`;
      return rig.call({ method: 'DELETE', path, as: 'ana' });
    },
  },
  {
    input: 'stopping a run that is done',
    run: async (rig, { conversationId }) => {
      const runId = await startRun(rig, conversationId);
      await endRun(rig, runId);
      return post(rig, `/v1/runs/${runId}/stop`, {});
    },
  },
  {
    input: 'continuing a run that did not reach its limit',
    run: async (rig, { conversationId }) => {
      const runId = await startRun(rig, conversationId);
      await endRun(rig, runId);
      return post(rig, `/v1/runs/${runId}/continue`, {});
    },
  },
];

const fail = (): never => {
  throw new Error('There is no active run.');
};
const activeRun = async (rig: Rig, conversation: Begun['conversationId']) =>
  (await rig.world.store.read({ conversation })).conversation?.item.activeRun;

const digestOf = async (rig: Rig, requestId: string): Promise<string> => {
  const { body } = await rig.call({ path: `/v1/requests/${requestId}` });
  return (body.request as { digest: string }).digest;
};

const personCases: readonly Case[] = [
  {
    input: 'a second answer to a request',
    run: async (rig, { conversationId }) => {
      const { requestId } = await askApproval(rig, await startRun(rig, conversationId));
      await answer(rig, requestId, { kind: 'approve', digest: await digestOf(rig, requestId) });
      return answer(rig, requestId, { kind: 'refuse', reason: 'Too late.' }, { as: 'ana' });
    },
  },
  {
    input: 'an answer after the request expired',
    run: async (rig, { conversationId }) => {
      const { requestId } = await askApproval(rig, await startRun(rig, conversationId));
      rig.turnClock(8 * 86_400_000);
      return answer(rig, requestId, { kind: 'refuse', reason: 'Too late.' });
    },
  },
  {
    input: "approving another digest than the action's",
    run: async (rig, { conversationId }) => {
      const { requestId } = await askApproval(rig, await startRun(rig, conversationId));
      return answer(rig, requestId, { kind: 'approve', digest: `sha256:${'0'.repeat(64)}` });
    },
  },
  {
    input: 'approving what could open no attempt now',
    run: async (rig, { conversationId }) => {
      const { requestId } = await askApproval(rig, await startRun(rig, conversationId));
      const { body } = await rig.call({ path: `/v1/requests/${requestId}` });
      const { digest } = body.request as { digest: string };
      await rig.call({
        method: 'POST',
        path: '/v1/tools/refund/bar',
        body: { reason: 'It sends everything twice.' },
      });
      return answer(rig, requestId, { kind: 'approve', digest });
    },
  },
  {
    input: 'approving what a new one looks like',
    run: async (rig, { conversationId }) => {
      const runId = await startRun(rig, conversationId);
      const first = await askApproval(rig, runId);
      const { requestId } = await askApproval(rig, runId);
      const { body } = await rig.call({ path: `/v1/requests/${requestId}` });
      const { digest } = body.request as { digest: string };
      await answer(rig, first.requestId, { kind: 'approve', digest });
      await engageIt(rig, runId, first.actionId);
      return answer(rig, requestId, { kind: 'approve', digest });
    },
  },
  {
    input: 'approving a recovery',
    run: async (rig, { conversationId }) => {
      const actionId = await loseReply(rig, await startRun(rig, conversationId));
      const { body } = await rig.call({ path: `/v1/actions/${actionId}` });
      const { requestId } = body.action as { requestId: string };
      return answer(rig, requestId, { kind: 'approve', digest: 'sha256:0' });
    },
  },
  {
    input: 'the result of an action that has none',
    run: async (rig, { conversationId }) => {
      const { actionId } = await askApproval(rig, await startRun(rig, conversationId));
      return rig.call({ path: `/v1/actions/${actionId}/result` });
    },
  },
];

export const cases: readonly Case[] = [...requestCases, ...conversationCases, ...personCases];
