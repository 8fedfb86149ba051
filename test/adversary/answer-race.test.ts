// One approval, answered at the same instant on the page and through clients of other protocols, one way and the other. Laws: L6, L7, L13.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listen, servingOf } from '../functions/api/clients/listen.ts';
import { openRig, type Rig } from '../functions/api/rig.ts';
import { askApproval, type Begun, begin, converse, startRun } from '../functions/api/story.ts';
import { holds } from '../rig/until.ts';

let rig: Rig;
let begun: Begun;
beforeAll(async () => {
  rig = await openRig();
  begun = await begin(rig);
});
afterAll(() => rig.close());

const rounds = Array.from({ length: 6 }, (_, round) => round);

test.each(rounds)(
  'one answer stands and everybody else is told whose (round %i)',
  async (round) => {
    const conversationId = await converse(rig, begun.agentId);
    const { requestId } = await askApproval(rig, await startRun(rig, conversationId));
    const { body } = await rig.call({ path: `/v1/requests/${requestId}` });
    const { digest } = body.request as { digest: string };
    const serving = servingOf(rig);
    const part = {
      type: 'dynamic-tool',
      toolCallId: 'x',
      state: 'approval-responded',
      approval: { id: requestId, approved: true },
    };
    const chat = listen(serving, {
      method: 'POST',
      path: `/v1/ai-sdk/${begun.agentId}`,
      body: { id: conversationId, messages: [{ id: 'a', role: 'assistant', parts: [part] }] },
      as: 'ana',
    });
    const payload = { kind: 'approve', digest };
    const agUi = listen(serving, {
      method: 'POST',
      path: `/v1/ag-ui/${begun.agentId}`,
      body: {
        threadId: conversationId,
        runId: 'r',
        messages: [],
        resume: [{ interruptId: requestId, status: 'resolved', payload }],
      },
      as: 'abe',
    });
    for (let turn = 0; turn < round; turn += 1) await Promise.resolve();
    const page = await rig.call({
      method: 'POST',
      path: `/v1/requests/${requestId}/answer`,
      body: { kind: 'refuse', reason: 'No.' },
      as: 'rob',
    });
    await holds('both are answered', () => chat.head.status > 0 && agUi.head.status > 0);
    for (const heard of [chat, agUi]) heard.leave();
    await Promise.all([chat.ended, agUi.ended]);
    const statuses = [page.status, chat.head.status, agUi.head.status];
    expect(statuses.filter((status) => status < 300)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(2);
    const after = await rig.call({ path: `/v1/requests/${requestId}` });
    const { decision, decidedBy } = after.body.request as {
      decision: { kind: string };
      decidedBy: { subject: string };
    };
    const winner = ['rob', 'ana', 'abe'][statuses.findIndex((status) => status < 300)];
    expect(decidedBy.subject).toBe(winner);
    expect(decision.kind).toBe(winner === 'rob' ? 'refused' : 'approved');
    // Leave to run exists exactly where it was approved.
    const { mandates } = await rig.world.store.read({ mandates: [requestId] });
    expect(mandates).toHaveLength(winner === 'rob' ? 0 : 1);
  },
);
