// The same thing asked for, answered, stopped or taken back through different doors at the same instant, on a whole twin: judged by
// the store, and by what the destination did. Laws: L3, L7, L11, L13, L16.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Scene, ScriptedCall } from '../../functions/adapters/model/script.ts';
import type { CrashPoint } from '../../functions/core/base/crash-points.ts';
import type { Client } from '../rig/client.ts';
import { finished, openRig, type Rig, talk, waitingOn } from '../rig/rig.ts';
import { callCreate, callRefund } from '../rig/tools.ts';
import { agUi, aiSdk, approveByCommand, type Door, gateTo } from './doors.ts';

let rig: Rig;
let agentId: string;
let cleo: Door;
let ana: Door;
/** What happens when an invocation passes a crash point; a promise keeps it there. */
let passing: (point: CrashPoint) => Promise<void> | undefined;

const scene = (says: string, call: ScriptedCall): Scene => ({
  when: { says: [says] },
  turns: [{ call: [call] }, { say: 'That is what became of it.' }],
});

beforeAll(async () => {
  rig = await openRig({
    twin: { crash: { at: (point) => passing(point) } },
    scripts: {
      doors: {
        scenes: [
          scene('refund', callRefund('pay_1001', 100)),
          scene('create', callCreate('{{message}}')),
        ],
      },
    },
  });
  agentId = await rig.agent('doors');
  ana = { url: rig.twin.url, token: rig.client.token };
  cleo = { url: rig.twin.url, token: await rig.twin.token('cleo') };
});
beforeEach(() => {
  passing = () => undefined;
});
afterAll(() => rig.close());

const rounds = [0, 1, 2];

/** A refund that waits for its approval. */
const asked = async () => {
  const { conversationId, runId } = await talk(rig.client, agentId, 'Please refund it.');
  const [request] = await waitingOn(rig.client, runId, 'approval');
  if (request?.on !== 'approval') throw new Error('No approval was asked for.');
  const { requestId, digest, actionId } = request;
  return { conversationId, runId, requestId, digest, actionId };
};

/** One result, as many effects as attempts and never two, the request closed once, the run over. */
const settledOnce = async (client: Client, runId: string, conversationId: string) => {
  const run = await finished(client, runId);
  const [action, ...others] = await client.actions(runId);
  if (action === undefined) throw new Error(`The run ${runId} called nothing.`);
  expect(others).toEqual([]);
  expect(action.told).toBeDefined();
  const effects = await rig.destination.effectsOf(action.actionId);
  expect(effects).toHaveLength(action.attempts);
  expect(action.attempts).toBeLessThan(2);
  const events = await client.events(conversationId);
  expect(events.map(({ number }) => number)).toEqual(events.map((_, index) => index + 1));
  const closed = events.flatMap(({ body }) =>
    body.type === 'request.closed' && body.runId === runId ? [body.requestId] : [],
  );
  expect(closed).toHaveLength(action.requestId === undefined ? 0 : 1);
  return { run, action, effects: effects.length };
};

const conversations = async (): Promise<string[]> => {
  const { body } = await rig.client.send('GET', '/v1/conversations?limit=100');
  const { items } = body as { readonly items: readonly { readonly conversationId: string }[] };
  return items.map(({ conversationId }) => conversationId);
};

/** The one conversation, and the one run in it, that came of what a client said. */
const begunBy = async (said: () => Promise<void>) => {
  const before = new Set(await conversations());
  await said();
  const begun = (await conversations()).filter((id) => !before.has(id));
  expect(begun).toHaveLength(1);
  const conversationId = begun[0] ?? '';
  const runs = await rig.client.runs(conversationId);
  expect(runs).toHaveLength(1);
  return { conversationId, runId: runs[0]?.runId ?? '' };
};

const later = async (turns: number): Promise<void> => {
  for (let turn = 0; turn < turns; turn += 1) await new Promise<void>((on) => setImmediate(on));
};

describe('one approval', () => {
  test.each(rounds)(
    'answered by the page, the command, AG-UI and the AI SDK at once: one answer stands, and decides what is done (round %i)',
    async (round) => {
      const { conversationId, runId, requestId, digest } = await asked();
      const gate = await gateTo(rig.twin.url);
      const command = approveByCommand({ ...cleo, url: gate.url }, requestId, digest);
      await gate.untilWaiting();
      const page = later(round % 2 === 0 ? 0 : 4).then(() =>
        rig.client.send('POST', `/v1/requests/${requestId}/answer`, {
          kind: 'refuse',
          reason: 'No.',
        }),
      );
      const others = [
        later(round).then(() =>
          agUi(cleo, agentId).answer(conversationId, requestId, { kind: 'approve', digest }),
        ),
        later(3 - round).then(() => aiSdk(ana, agentId).answer(conversationId, requestId, true)),
      ];
      gate.open();
      const statuses = [(await page).status, ...(await Promise.all(others))];
      const code = await command;
      gate.close();
      const { request } = await rig.client.request(requestId);
      const { effects } = await settledOnce(rig.client, runId, conversationId);
      const approved = request.decision?.kind === 'approved';
      expect(effects).toBe(approved ? 1 : 0);
      // The page refuses as Ana; everybody else approves. Whoever says again what they said themselves is no late-comer.
      const [byPage, byAgUi, byAiSdk] = statuses;
      expect(byPage).toBe(approved ? 409 : 200);
      const accepted = { ana: byAiSdk === 200, cleo: byAgUi === 200 || code === 0 };
      const winner = request.decidedBy?.subject;
      expect(accepted).toEqual({
        ana: approved && winner === 'ana',
        cleo: approved && winner === 'cleo',
      });
      for (const status of [byAgUi, byAiSdk]) expect([200, 409]).toContain(status);
    },
  );

  test.each(rounds)(
    'given by AG-UI while its run is stopped: done once or not at all, and the stop is told which (round %i)',
    async (round) => {
      const { conversationId, runId, requestId, digest } = await asked();
      const stopping = later(round).then(() => rig.client.send('POST', `/v1/runs/${runId}/stop`));
      const answering = later(3 - round).then(() =>
        agUi(cleo, agentId).answer(conversationId, requestId, { kind: 'approve', digest }),
      );
      const [stopped, status] = [await stopping, await answering];
      expect(stopped.status).toBe(202);
      const { run, effects } = await settledOnce(rig.client, runId, conversationId);
      expect(run.state.reason).toBe('stopped');
      const { request } = await rig.client.request(requestId);
      expect(request.decision?.kind).toBe(status === 200 ? 'approved' : 'voided');
      if (status !== 200) expect([status, effects]).toEqual([409, 0]);
    },
  );
});

describe('a permission taken back', () => {
  const revoked = (path: string) => rig.client.send('POST', path, { reason: 'Withdrawn.' });
  const standing = (what: string): string => `/v1/agents/${agentId}/tools/create/${what}`;

  test.each([
    ['before', 'perform.before-engage'],
    ['while', 'perform.before-engage'],
    ['after', 'perform.engaged'],
  ] as const)(
    '%s the attempt of what the AI SDK asked for opens: nothing is sent that was not open before',
    async (when, at) => {
      let revoking: ReturnType<typeof revoked> | undefined;
      passing = (point) => {
        if (point !== at || revoking !== undefined) return undefined;
        revoking = revoked(standing('revoke'));
        return when === 'while' ? undefined : revoking.then(() => undefined);
      };
      const thread = `revoked ${when}`;
      const { runId, conversationId } = await begunBy(async () => {
        const text = `Please create ${thread}.`;
        expect(await aiSdk(ana, agentId).say(thread, 'm1', text)).toBe(200);
      });
      const { action, effects } = await settledOnce(rig.client, runId, conversationId);
      expect((await revoking)?.status).toBe(200);
      if (when === 'before') expect([effects, action.effect]).toEqual([0, 'not_sent']);
      if (when === 'after') expect([effects, action.effect]).toEqual([1, 'confirmed']);
      expect((await revoked(standing('restore'))).status).toBe(200);
    },
  );

  test.each([
    ['before', 0],
    ['while', undefined],
  ] as const)('an approval, %s its attempt opens', async (when, expected) => {
    const { conversationId, runId, requestId, digest } = await asked();
    let revoking: ReturnType<typeof revoked> | undefined;
    passing = (point) => {
      if (point !== 'perform.before-engage' || revoking !== undefined) return undefined;
      revoking = revoked(`/v1/requests/${requestId}/revoke`);
      return when === 'while' ? undefined : revoking.then(() => undefined);
    };
    const payload = { kind: 'approve', digest };
    expect(await agUi(cleo, agentId).answer(conversationId, requestId, payload)).toBe(200);
    const { effects } = await settledOnce(rig.client, runId, conversationId);
    expect((await revoking)?.status).toBe(200);
    if (expected !== undefined) expect(effects).toBe(expected);
  });
});

test.each(rounds)(
  'a message with one id of its client, sent by AG-UI and the AI SDK at once and twice: one run, one effect (round %i)',
  async (round) => {
    const thread = `one id ${round}`;
    const text = `Please create ${thread}.`;
    const says = [
      () => agUi(ana, agentId).say(thread, 'm1', text),
      () => aiSdk(ana, agentId).say(thread, 'm1', text),
    ];
    const { runId, conversationId } = await begunBy(async () => {
      const all = [...says, ...says].map((say, index) => later((index * round) % 3).then(say));
      expect(await Promise.all(all)).toEqual([200, 200, 200, 200]);
    });
    const { effects } = await settledOnce(rig.client, runId, conversationId);
    expect(effects).toBe(1);
    expect(await rig.client.messages(conversationId)).toHaveLength(1);
  },
);
