// One valid POST of each operation of the recovery desk that changes claims, evidence and mandates, for the test of repeats.
import { claimIt, evidence, noteLookUp } from '../problems/desk-cases.ts';
import type { Request, Rig } from '../rig.ts';
import { askApproval, type Begun, loseReply, noteTool, startRun } from '../story.ts';

interface Here {
  readonly rig: Rig;
  readonly begun: Begun;
}

/** A new version of the tool, whose contract declares a look-up; the next call takes it. */
const withLookUp = async (rig: Rig): Promise<void> => {
  await rig.call({
    method: 'POST',
    path: '/v1/tools/note/versions',
    body: { ...noteTool, contract: { ...noteTool.contract, lookUp: noteLookUp } },
  });
};

export const recoveryPosts = (
  here: () => Here,
): { readonly [operationId: string]: () => Promise<Request> } => {
  const lost = async (claimed: boolean): Promise<string> => {
    const { rig, begun } = here();
    const actionId = await loseReply(rig, await startRun(rig, begun.conversationId));
    if (claimed) await claimIt(rig, actionId, 'ana');
    return actionId;
  };
  const reason = { reason: 'It has to wait.' };
  const first = async (path: string): Promise<void> => {
    await here().rig.call({ method: 'POST', path, body: reason });
  };
  return {
    addObservation: async () => ({
      path: `/v1/actions/${await lost(false)}/observations`,
      body: { ...evidence, says: 'nothing' },
    }),
    renewClaim: async () => ({
      path: `/v1/actions/${await lost(true)}/claim/renew`,
      body: { forMs: 120_000 },
    }),
    endClaim: async () => ({ path: `/v1/actions/${await lost(true)}/claim/release`, body: {} }),
    lookAgain: async () => {
      await withLookUp(here().rig);
      return { path: `/v1/actions/${await lost(false)}/look`, body: {} };
    },
    revokeMandate: async () => ({
      path: `/v1/agents/${here().begun.agentId}/tools/note/revoke`,
      body: reason,
    }),
    restoreMandate: async () => {
      const path = `/v1/agents/${here().begun.agentId}/tools/note`;
      await first(`${path}/revoke`);
      return { path: `${path}/restore`, body: reason };
    },
    barTool: async () => ({ path: '/v1/tools/note/bar', body: reason }),
    unbarTool: async () => {
      await first('/v1/tools/note/bar');
      return { path: '/v1/tools/note/unbar', body: reason };
    },
    revokeApproval: async () => {
      const { rig, begun } = here();
      const { requestId } = await askApproval(rig, await startRun(rig, begun.conversationId));
      const { body } = await rig.call({ path: `/v1/requests/${requestId}` });
      await rig.call({
        method: 'POST',
        path: `/v1/requests/${requestId}/answer`,
        body: { kind: 'approve', digest: (body.request as { digest: string }).digest },
      });
      return { path: `/v1/requests/${requestId}/revoke`, body: reason };
    },
  };
};
