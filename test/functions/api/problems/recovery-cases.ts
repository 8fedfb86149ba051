// One request for each row of docs/problems.md that is about recovery beyond an ordinary decision.

import type { PersonName, Rig } from '../rig.ts';
import { askApproval, type Begun, engageIt, loseReply, startRun, takeStep } from '../story.ts';
import { claimIt, decide, evidence } from './desk-cases.ts';
import type { Case } from './problem-cases.ts';

const minuteMs = 60_000;
const post = (rig: Rig, path: string, body: object, as: PersonName = 'rob') =>
  rig.call({ method: 'POST', path, body, as });
const lost = async (rig: Rig, { conversationId }: Begun, tool?: string): Promise<string> =>
  loseReply(rig, await startRun(rig, conversationId), tool);
const unsent = async (rig: Rig, { conversationId }: Begun) => {
  const runId = await startRun(rig, conversationId);
  const call = { tool: 'note', arguments: { payment: 'pay_2', cents: 1 } };
  return { runId, ...(await takeStep(rig, runId, call)) };
};
const repeat = { kind: 'repeat', affirmed: true };
const observe = (rig: Rig, actionId: string, body: object) =>
  post(rig, `/v1/actions/${actionId}/observations`, body);

/** A lost keyed call that somebody wants repeated after `meanwhile`. */
const repeatAfter =
  (meanwhile: (rig: Rig, begun: Begun) => Promise<unknown> | unknown, tool = 'keyed_note') =>
  async (rig: Rig, begun: Begun) => {
    const actionId = await lost(rig, begun, tool);
    rig.turnClock(minuteMs);
    await meanwhile(rig, begun);
    await claimIt(rig, actionId);
    return decide(rig, actionId, repeat);
  };

export const recoveryCases: readonly Case[] = [
  {
    input: 'renewing a claim that lapsed',
    run: async (rig, begun) => {
      const actionId = await lost(rig, begun);
      await claimIt(rig, actionId);
      rig.turnClock(2 * minuteMs);
      return post(rig, `/v1/actions/${actionId}/claim/renew`, {});
    },
  },
  {
    input: 'claiming what was never sent',
    run: async (rig, begun) => claimIt(rig, (await unsent(rig, begun)).actionId),
  },
  {
    input: 'deciding after a take-over, without a look',
    run: async (rig, begun) => {
      const actionId = await lost(rig, begun);
      await claimIt(rig, actionId, 'ana');
      rig.turnClock(2 * minuteMs);
      await claimIt(rig, actionId);
      return decide(rig, actionId, { kind: 'attach', evidence }, { claimFence: 2 });
    },
  },
  { input: 'a repeat where no key is promised', run: repeatAfter(() => undefined, 'note') },
  {
    input: 'a repeat after the key’s time',
    run: repeatAfter((rig) => rig.turnClock(48 * 60 * minuteMs)),
  },
  {
    input: 'a repeat after the permission was revoked',
    run: repeatAfter((rig, { agentId }) =>
      post(rig, `/v1/agents/${agentId}/tools/keyed_note/revoke`, { reason: 'Withdrawn.' }),
    ),
  },
  {
    input: 'a repeat of a barred tool',
    run: repeatAfter((rig) => post(rig, '/v1/tools/keyed_note/bar', { reason: 'Broken.' })),
  },
  {
    input: 'suspending what was abandoned',
    run: async (rig, begun) => {
      const actionId = await lost(rig, begun);
      await claimIt(rig, actionId);
      await decide(rig, actionId, { kind: 'abandon', reason: 'No need.' });
      await claimIt(rig, actionId);
      return decide(rig, actionId, { kind: 'suspend', reason: 'Later.' }, { claimFence: 2 });
    },
  },
  {
    input: 'evidence against an attempt that may run',
    run: async (rig, begun) => {
      const { runId, actionId } = await unsent(rig, begun);
      await engageIt(rig, runId, actionId);
      return observe(rig, actionId, { ...evidence, says: 'disproves' });
    },
  },
  {
    input: 'evidence that only says "checked"',
    run: async (rig, begun) =>
      observe(rig, await lost(rig, begun), { ...evidence, what: 'Checked.', says: 'confirms' }),
  },
  {
    input: 'a look where none is declared',
    run: async (rig, begun) => post(rig, `/v1/actions/${await lost(rig, begun)}/look`, {}),
  },
  {
    input: 'taking back an approval that was not given',
    run: async (rig, { conversationId }) => {
      const { requestId } = await askApproval(rig, await startRun(rig, conversationId));
      return post(rig, `/v1/requests/${requestId}/revoke`, { reason: 'Withdrawn.' });
    },
  },
];
