// One request for each row of docs/problems.md that is about people's requests beyond approvals.
import { answerTo, askAll, askOne, colourForm } from '../answers/ask.ts';
import type { Request, Rig } from '../rig.ts';
import { askApproval, type Begun, noteTool, startRun, storedAction } from '../story.ts';
import type { Case } from './problem-cases.ts';

export const peopleCases: readonly Case[] = [
  {
    input: 'an answer to a request of a run that is stopped',
    run: async (rig, { conversationId }) => {
      const runId = await startRun(rig, conversationId);
      const { requestId } = await askOne(rig, runId, { question: colourForm });
      await rig.call({ method: 'POST', path: `/v1/runs/${runId}/stop`, body: {}, as: 'ben' });
      return answerTo(rig, requestId, { kind: 'decline' });
    },
  },
  {
    input: 'an answer to a question that does not fit its form',
    run: async (rig, { conversationId }) => {
      const runId = await startRun(rig, conversationId);
      const { requestId } = await askOne(rig, runId, { question: colourForm });
      return answerTo(rig, requestId, { kind: 'answer', answer: { colour: 'green' } });
    },
  },
  {
    input: 'an answer without a request when two are open',
    run: async (rig, { conversationId }) => {
      const runId = await startRun(rig, conversationId);
      await askAll(rig, runId, [{ question: colourForm }, { question: colourForm }]);
      return rig.call({
        method: 'POST',
        path: `/v1/conversations/${conversationId}/answer`,
        body: { kind: 'decline' },
      });
    },
  },
  {
    input: 'an answer without a request when none is open',
    run: (rig, { conversationId }) =>
      rig.call({
        method: 'POST',
        path: `/v1/conversations/${conversationId}/answer`,
        body: { kind: 'decline' },
      }),
  },
  {
    input: 'remembering the approval of what cannot be taken back',
    run: async (rig, { conversationId }) => {
      const runId = await startRun(rig, conversationId);
      const { requestId } = await askApproval(rig, runId);
      const { body } = await rig.call({ path: `/v1/requests/${requestId}` });
      const { digest } = body.request as { digest: string };
      const remember = { scope: 'run', condition: 'cents < 100000' };
      return answerTo(rig, requestId, { kind: 'approve', digest, remember });
    },
  },
  {
    input: 'a viewer answers a question',
    run: async (rig, { conversationId }) => {
      const runId = await startRun(rig, conversationId);
      const { requestId } = await askOne(rig, runId, { question: colourForm });
      return answerTo(rig, requestId, { kind: 'decline' }, 'vera');
    },
  },
  {
    input: 'granting a skill of which the agent has a new version',
    run: async (rig, { conversationId, agentId }) => {
      const post = (path: string, body: object) => rig.call({ method: 'POST', path, body });
      await post('/v1/skills', skill);
      const first = await rig.world.registry.newestSkill('acme', 'notes');
      if (first === undefined) throw new Error('No skill.');
      const runId = await startRun(rig, conversationId);
      const { requestId } = await askOne(rig, runId, { skill: first });
      await post('/v1/skills/notes/versions', skill);
      const { body } = await rig.call({ path: `/v1/agents/${agentId}` });
      const { configuration } = body as { configuration: { skills: object[] } };
      await post(`/v1/agents/${agentId}/revisions`, {
        ...configuration,
        skills: [{ name: 'notes', version: 2, grant: 'on_request' }],
      });
      return answerTo(rig, requestId, { kind: 'grant', scope: 'run' });
    },
  },
  {
    input: 'a skill name that is taken',
    run: async (rig) => {
      const body = { name: 'notes', description: 'Notes.', instructions: 'Note it.' };
      await rig.call({ method: 'POST', path: '/v1/skills', body });
      return rig.call({ method: 'POST', path: '/v1/skills', body });
    },
  },
];

const skill = { name: 'notes', description: 'Notes.', instructions: 'Note it.' };

/** One valid POST of each operation that is about people. */
export const peoplePosts = (
  now: () => { readonly rig: Rig; readonly begun: Begun },
): { readonly [operationId: string]: () => Promise<Request> } => ({
  answerInConversation: async () => {
    const { rig, begun } = now();
    const runId = await startRun(rig, begun.conversationId);
    await askOne(rig, runId, { question: colourForm });
    return {
      path: `/v1/conversations/${begun.conversationId}/answer`,
      body: { kind: 'decline', reason: 'Not now.' },
    };
  },
  readConversation: async () => ({
    path: `/v1/conversations/${now().begun.conversationId}/read`,
    body: { number: 0 },
  }),
  registerSkill: async () => ({ path: '/v1/skills', body: skill }),
  registerSkillVersion: async () => {
    await now().rig.call({ method: 'POST', path: '/v1/skills', body: skill });
    return { path: '/v1/skills/notes/versions', body: skill };
  },
  revokeGrant: async () => {
    const { rig, begun } = now();
    const contract = { ...noteTool.contract, policy: { approval: { when: 'always' as const } } };
    const body = { ...noteTool, name: 'guarded', contract };
    await rig.call({ method: 'POST', path: '/v1/tools', body });
    const runId = await startRun(rig, begun.conversationId);
    const call = { approve: 'guarded', arguments: { payment: 'pay_1', cents: 1 } };
    const { requestId, actionId } = await askOne(rig, runId, call);
    const { digest } = (await storedAction(rig, actionId)).item;
    const remember = { scope: 'run', condition: 'cents < 100000' };
    await answerTo(rig, requestId, { kind: 'approve', digest, remember });
    return { path: `/v1/agents/${begun.agentId}/grants/${requestId}/revoke`, body: {} };
  },
});
