// The recovery desk over its API: who may do what when, and what the list shows.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ActionId, ObservationId } from '../../../../functions/core/base/ids.ts';
import { claimIt, decide, evidence } from '../problems/desk-cases.ts';
import { openRig, type PersonName, type Reply, type Rig } from '../rig.ts';
import {
  type Begun,
  begin,
  converse,
  engageIt,
  loseReply,
  sendCall,
  startRun,
  storedAction,
  takeStep,
} from '../story.ts';

let rig: Rig;
let begun: Begun;
beforeEach(async () => {
  rig = await openRig();
  begun = await begin(rig);
});
afterEach(() => rig.close());

const minuteMs = 60_000;
const post = (path: string, body: object, as: PersonName = 'rob') =>
  rig.call({ method: 'POST', path, body, as });
const get = (path: string, as: PersonName = 'rob', query: { [name: string]: string } = {}) =>
  rig.call({ path, as, query });
const lost = async (): Promise<ActionId> =>
  loseReply(rig, await startRun(rig, await converse(rig, begun.agentId)));
const observe = (actionId: string, says: string, as: PersonName = 'rob') =>
  post(`/v1/actions/${actionId}/observations`, { ...evidence, says }, as);
const attach = { kind: 'attach', evidence };
const items = (reply: Reply) =>
  reply.body.items as { actionId: string; holder?: { name: string } }[];

describe('evidence that was stored alone, and that nobody has folded yet', () => {
  /** A look-up found it, and its change could not be written: the journal knows, the action is only marked. */
  const foundAlone = async (says: 'confirms' | 'in_progress' = 'confirms') => {
    const actionId = await lost();
    const action = await storedAction(rig, actionId);
    const { destination, head } = action.item;
    const seen = {
      schema: 1 as const,
      observationId: ObservationId.parse(`obs_${rig.world.minter.suffix()}`),
      actionId,
      entry: head + 1,
      at: new Date(rig.now()).toISOString(),
      source: 'look_up' as const,
      by: 'verify',
      says,
      about: says === 'confirms' ? ('all' as const) : 1,
      because: 'It was found.',
      account: destination.account,
      environment: destination.environment,
      reference: 'note_7',
    };
    expect(await rig.world.store.putEvidence(undefined, seen, action)).toBe('done');
    expect((await storedAction(rig, actionId)).item).toMatchObject({ effect: 'undetermined' });
    return actionId;
  };

  test('is what a decision is about: what is confirmed by it is not repeated, nor set aside', async () => {
    const actionId = await foundAlone();
    await claimIt(rig, actionId, 'rob');
    for (const decision of [
      { kind: 'repeat', affirmed: true },
      { kind: 'suspend', reason: 'Not now.' },
      { kind: 'reissue', reason: 'Urgent.', riskAccepted: 'Twice.' },
    ])
      expect(await decide(rig, actionId, decision, { as: 'rob', claimFence: 1 })).toMatchObject({
        status: 409,
        body: { because: 'already_settled', fact: 'confirmed' },
      });
  });

  test('is in the action that a decision leaves, and in what the agent is told by it', async () => {
    const actionId = await foundAlone('in_progress');
    await claimIt(rig, actionId, 'rob');
    const decision = { kind: 'suspend', reason: 'Not now.' };
    const reply = await decide(rig, actionId, decision, { as: 'rob', claimFence: 1 });
    expect(reply.status).toBe(201);
    const { item } = await storedAction(rig, actionId);
    expect(item).toMatchObject({ effect: 'in_progress', disposition: { kind: 'suspended' } });
    expect(item.unfolded).toBeUndefined();
    expect(item.told?.text).toContain('progress');
  });

  test('is in what everybody is shown: the action, its sheet, the lists', async () => {
    const actionId = await foundAlone();
    const { action, decisions } = (await get(`/v1/actions/${actionId}`)).body as {
      action: object;
      decisions: { kind: string; allowed: boolean }[];
    };
    expect(action).toMatchObject({ effect: 'confirmed', reference: 'note_7' });
    expect(decisions.find(({ kind }) => kind === 'repeat')).toMatchObject({ allowed: false });
    expect(JSON.stringify((await get(`/v1/actions/${actionId}/sheet`)).body)).toContain(
      'confirmed',
    );
    const of = (reply: Reply) =>
      (reply.body.items as { actionId: string; effect: string }[]).find(
        (item) => item.actionId === actionId,
      );
    expect(of(await get('/v1/actions'))).toMatchObject({ effect: 'confirmed' });
    expect(of(await get('/v1/desk'))).toMatchObject({ effect: 'confirmed' });
  });
});

describe('claims', () => {
  test('two recoverers at the same instant, a hundred times: one claim each time, the other is told whose', async () => {
    for (let round = 0; round < 100; round += 1) {
      const actionId = await lost();
      const both = await Promise.all([
        claimIt(rig, actionId, 'rob'),
        claimIt(rig, actionId, 'ana'),
      ]);
      expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
      const won = both.find(({ status }) => status === 200)?.body.holder as { name: string };
      const told = both.find(({ status }) => status === 409)?.body;
      expect(told).toMatchObject({ type: expect.stringMatching(/claim-held$/) });
      expect(String(told?.detail)).toContain(won.name);
    }
  });

  test('a lapsed holder’s late decision is refused by the fence, and the successor’s until a fresh observation exists', async () => {
    const actionId = await lost();
    await claimIt(rig, actionId, 'rob');
    await observe(actionId, 'nothing', 'ana');
    rig.turnClock(2 * minuteMs);
    const taken = await claimIt(rig, actionId, 'ana');
    expect(taken.body).toMatchObject({ fence: 2, tookOver: true });
    const late = await decide(rig, actionId, attach, { as: 'rob', claimFence: 1 });
    expect(late.body).toMatchObject({ because: 'claimed_by_other', fact: 'Ana' });
    const early = await decide(rig, actionId, attach, { as: 'ana', claimFence: 2 });
    expect(early.body).toMatchObject({ status: 409, because: 'look_first' });
    expect((await observe(actionId, 'nothing', 'ana')).status).toBe(201);
    expect((await decide(rig, actionId, attach, { as: 'ana', claimFence: 2 })).status).toBe(201);
  });

  test('who lets go and takes it again has a new fence, and the old one no longer decides', async () => {
    const actionId = await lost();
    await claimIt(rig, actionId, 'rob');
    expect((await post(`/v1/actions/${actionId}/claim/release`, {})).status).toBe(200);
    expect((await claimIt(rig, actionId, 'rob')).body.fence).toBe(2);
    const late = await decide(rig, actionId, attach, { claimFence: 1 });
    expect(late.body).toMatchObject({ type: expect.stringMatching(/claim-moved$/), fence: 2 });
  });

  test('a take-over that is handed on without a look still asks the next one to look', async () => {
    const actionId = await lost();
    await claimIt(rig, actionId, 'rob');
    rig.turnClock(2 * minuteMs);
    await claimIt(rig, actionId, 'ana');
    await post(`/v1/actions/${actionId}/claim/release`, {}, 'ana');
    expect((await claimIt(rig, actionId, 'rob')).body).toMatchObject({ fence: 3, tookOver: true });
    const early = await decide(rig, actionId, attach, { claimFence: 3 });
    expect(early.body).toMatchObject({ because: 'look_first' });
  });

  test('a take-over that lapsed is no freer of the look when the same person, or another, takes it again', async () => {
    const actionId = await lost();
    await claimIt(rig, actionId, 'rob');
    rig.turnClock(2 * minuteMs);
    await claimIt(rig, actionId, 'ana');
    for (const [as, fence] of [
      ['ana', 3],
      ['ana', 4],
      ['rob', 5],
      ['rob', 6],
    ] as const) {
      rig.turnClock(2 * minuteMs);
      expect((await claimIt(rig, actionId, as)).body).toMatchObject({ fence, tookOver: true });
      const early = await decide(rig, actionId, attach, { as, claimFence: fence });
      expect(early.body).toMatchObject({ because: 'look_first' });
    }
    expect((await observe(actionId, 'nothing', 'rob')).status).toBe(201);
    rig.turnClock(2 * minuteMs);
    // Nobody was between: what was looked at in the lapsed claim was looked at.
    await claimIt(rig, actionId, 'rob');
    expect((await decide(rig, actionId, attach, { as: 'rob', claimFence: 7 })).status).toBe(201);
  });

  test('who takes the own first claim again, with nobody between, has taken nothing over', async () => {
    const actionId = await lost();
    await claimIt(rig, actionId, 'rob');
    rig.turnClock(2 * minuteMs);
    expect((await claimIt(rig, actionId, 'rob')).body).toMatchObject({ fence: 2, tookOver: false });
    expect((await decide(rig, actionId, attach, { claimFence: 2 })).status).toBe(201);
  });

  test('renewing keeps the fence while it is yours, and is refused once it has lapsed', async () => {
    const actionId = await lost();
    await claimIt(rig, actionId, 'rob');
    const renew = () => post(`/v1/actions/${actionId}/claim/renew`, { forMs: 10 * minuteMs });
    expect((await renew()).body).toMatchObject({ fence: 1 });
    rig.turnClock(11 * minuteMs);
    expect((await renew()).body).toMatchObject({ type: expect.stringMatching(/claim-not-held$/) });
  });

  test('nothing that was never sent can be claimed', async () => {
    const runId = await startRun(rig, begun.conversationId);
    const { actionId } = await takeStep(rig, runId, {
      tool: 'note',
      arguments: { payment: 'p', cents: 1 },
    });
    expect((await claimIt(rig, actionId, 'rob')).body).toMatchObject({ because: 'nothing_sent' });
  });
});

describe('observations', () => {
  test.each([
    ['rob', 'confirms'],
    ['rob', 'disproves'],
    // Who has the claim decides too, with head and fence.
    ['ana', 'disproves'],
    // A program that may not report is heard as a person is.
    ['watcher', 'disproves'],
  ] as const)('what %s says %s stands for the claimant, and settles nothing', async (as, says) => {
    const actionId = await lost();
    await claimIt(rig, actionId, 'ana');
    const { head } = (await get(`/v1/actions/${actionId}`)).body.action as { head: number };
    const added = await observe(actionId, says, as);
    expect(added.body).toMatchObject({
      effect: 'undetermined',
      contradicted: false,
      head: head + 1,
      observation: { says, uncounted: true, author: { subject: as } },
    });
    const { body } = await get(`/v1/actions/${actionId}`);
    expect(body.action).toMatchObject({ effect: 'undetermined' });
    expect(body.action).not.toHaveProperty('told');
    expect(body.claim).toMatchObject({ holder: { subject: 'ana' } });
    expect(items(await get('/v1/requests'))).toHaveLength(1);
    const sheet = JSON.stringify((await get(`/v1/actions/${actionId}/sheet`)).body);
    expect(sheet).toContain('It settles nothing by itself');
    const unseen = await decide(rig, actionId, attach, { as: 'ana', seenHead: head });
    expect(unseen.body).toMatchObject({ type: expect.stringMatching(/journal-moved$/) });
    const kind = says === 'confirms' ? 'attach' : 'not_performed';
    const taken = await decide(rig, actionId, { kind, evidence }, { as: 'ana' });
    expect(taken.body).toMatchObject({
      effect: says === 'confirms' ? 'confirmed' : 'not_performed',
    });
    expect((await get(`/v1/actions/${actionId}`)).body.action).toMatchObject({
      contradicted: false,
    });
  });

  test('a person’s word that the claimant decides against is a contradiction that shows', async () => {
    const actionId = await lost();
    await claimIt(rig, actionId, 'ana');
    await observe(actionId, 'confirms', 'rob');
    const taken = await decide(rig, actionId, { kind: 'not_performed', evidence }, { as: 'ana' });
    expect(taken.body).toMatchObject({ effect: 'not_performed' });
    expect((await get(`/v1/actions/${actionId}`)).body.action).toMatchObject({
      contradicted: true,
    });
  });

  test('late truth from a person opens a recovery, and is counted once somebody decides', async () => {
    const actionId = await lost();
    await claimIt(rig, actionId, 'ana');
    await decide(rig, actionId, { kind: 'not_performed', evidence }, { as: 'ana' });
    expect(items(await get('/v1/desk'))).toEqual([]);
    const added = await observe(actionId, 'confirms');
    expect(added.body).toMatchObject({ effect: 'not_performed', contradicted: true });
    expect(items(await get('/v1/desk'))).toMatchObject([{ actionId, needsPerson: true }]);
    await claimIt(rig, actionId);
    const taken = await decide(rig, actionId, attach, { claimFence: 2 });
    expect(taken.body).toMatchObject({ effect: 'confirmed' });
    expect(items(await get('/v1/desk'))).toEqual([]);
  });

  test('what a reporting program confirms settles the action, closes its recovery and ends whoever’s claim', async () => {
    const actionId = await lost();
    await claimIt(rig, actionId, 'ana');
    const added = await observe(actionId, 'confirms', 'meter');
    expect(added.body).toMatchObject({ effect: 'confirmed', observation: { source: 'webhook' } });
    expect(added.body.observation).not.toHaveProperty('uncounted');
    const { body } = await get(`/v1/actions/${actionId}`);
    expect(body.action).toMatchObject({ effect: 'confirmed' });
    expect(body.claim).not.toHaveProperty('holder');
    expect(items(await get('/v1/requests'))).toEqual([]);
    const { conversationId } = body.action as { conversationId: ActionId };
    const events = await rig.world.store.eventsAfter(conversationId as never, 0, 100);
    expect(events.map(({ body: event }) => event.type)).toEqual(
      expect.arrayContaining(['claim.taken', 'claim.ended', 'action.confirmed', 'request.closed']),
    );
  });

  test('evidence against an attempt that may still run is refused, evidence for it is taken', async () => {
    const runId = await startRun(rig, begun.conversationId);
    const { actionId } = await takeStep(rig, runId, {
      tool: 'note',
      arguments: { payment: 'p', cents: 1 },
    });
    await engageIt(rig, runId, actionId);
    expect((await observe(actionId, 'disproves')).body).toMatchObject({
      because: 'attempt_running',
    });
    expect((await observe(actionId, 'confirms')).status).toBe(201);
    const reported = await observe(actionId, 'confirms', 'meter');
    expect(reported.body).toMatchObject({ effect: 'confirmed' });
  });

  test('evidence that disagrees is shown as a contradiction and goes to a person, who decides', async () => {
    const actionId = await sendCall(rig, await startRun(rig, begun.conversationId), 'confirmed');
    await observe(actionId, 'confirms', 'meter');
    const added = await observe(actionId, 'disproves');
    expect(added.body).toMatchObject({ effect: 'confirmed', contradicted: true });
    expect(items(await get('/v1/desk')).map((entry) => entry.actionId)).toEqual([actionId]);
    await claimIt(rig, actionId);
    expect((await decide(rig, actionId, attach)).status).toBe(201);
    expect(items(await get('/v1/desk'))).toEqual([]);
  });

  test('a program’s word is shown as a program’s', async () => {
    const actionId = await lost();
    const made = await observe(actionId, 'nothing', 'robot');
    expect(made.body).toMatchObject({ title: 'Not allowed' });
    const added = await observe(actionId, 'nothing', 'watcher');
    expect(added.body.observation).toMatchObject({
      source: 'webhook',
      author: { kind: 'machine', name: 'Watcher' },
    });
  });

  test.each(['ok', 'Vérifié.', 'checked', 'All checked, OK', 'n/a'])(
    'evidence that says only “%s” is refused, in the reader’s language',
    async (empty) => {
      const actionId = await lost();
      const reply = await rig.call({
        method: 'POST',
        path: `/v1/actions/${actionId}/observations`,
        body: { ...evidence, what: empty, says: 'confirms' },
        as: 'rob',
        headers: { 'accept-language': 'fr' },
      });
      expect(reply.status).toBe(422);
      expect(JSON.stringify(reply.body.errors)).toContain(
        empty.trim().length < 3 ? 'what' : 'Cela ne dit rien',
      );
    },
  );
});

describe('the list', () => {
  test('has what is not known, oldest first, and nothing that is settled', async () => {
    const first = await lost();
    await sendCall(rig, await startRun(rig, await converse(rig, begun.agentId)), 'confirmed');
    rig.turnClock(minuteMs);
    const second = await lost();
    const page = await get('/v1/desk');
    expect(items(page).map(({ actionId }) => actionId)).toEqual([first, second]);
    const older = await get('/v1/desk', 'rob', { olderThanMs: String(minuteMs / 2) });
    expect(items(older).map(({ actionId }) => actionId)).toEqual([first]);
  });

  test('shows an attempt past its time that nobody has closed yet', async () => {
    const runId = await startRun(rig, begun.conversationId);
    const { actionId } = await takeStep(rig, runId, {
      tool: 'note',
      arguments: { payment: 'p', cents: 1 },
    });
    await engageIt(rig, runId, actionId);
    expect(items(await get('/v1/desk'))).toEqual([]);
    rig.turnClock(10 * minuteMs);
    const about = 'payment: p, cents: 1';
    expect(items(await get('/v1/desk'))).toMatchObject([{ actionId, effect: 'engaged', about }]);
  });

  test('is narrowed by tool, destination, owner and state, and paged without loss', async () => {
    const all = [await lost(), await lost(), await lost()];
    await claimIt(rig, all[1] ?? '', 'rob');
    const ids = async (query: { [name: string]: string }) =>
      items(await get('/v1/desk', 'rob', query)).map(({ actionId }) => actionId);
    expect(await ids({ owner: 'me' })).toEqual([all[1]]);
    expect(await ids({ owner: 'none' })).toEqual([all[0], all[2]]);
    expect(await ids({ owner: 'ana' })).toEqual([]);
    expect(await ids({ tool: 'note', state: 'undetermined', destination: 'billing/acme' })).toEqual(
      all,
    );
    expect(await ids({ tool: 'refund' })).toEqual([]);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page: Reply = await get('/v1/desk', 'rob', {
        limit: '1',
        ...(cursor ? { cursor } : {}),
      });
      seen.push(...items(page).map(({ actionId }) => actionId));
      cursor = page.body.next as string | undefined;
    } while (cursor !== undefined);
    expect(seen).toEqual(all);
  });

  test('what was abandoned is set aside, and still found', async () => {
    const actionId = await lost();
    await claimIt(rig, actionId);
    await decide(rig, actionId, { kind: 'abandon', reason: 'The customer left.' });
    expect(items(await get('/v1/desk'))).toEqual([]);
    const aside = items(await get('/v1/desk', 'rob', { part: 'aside' }));
    expect(aside).toMatchObject([{ actionId, disposition: 'abandoned', effect: 'undetermined' }]);
  });

  test('as CSV it runs nothing in a spreadsheet', async () => {
    const actionId = await lost();
    await claimIt(rig, actionId, 'sly');
    const reply = await rig.call({
      path: '/v1/desk',
      query: { format: 'csv' },
      as: 'rob',
      headers: { 'accept-language': 'fr' },
    });
    expect(reply.headers['content-type']).toContain('text/csv');
    expect(reply.text.split('\r\n')[0]).toContain('effet');
    expect(reply.text).toContain(`"'=HYPERLINK(""http://x"")"`);
    expect(reply.text).not.toMatch(/(^|,)"?=/m);
    expect(reply.text).toContain(actionId);
  });
});

describe('mandates and bars', () => {
  test('a permission is revoked and restored with who, when and why; twice is once', async () => {
    const path = `/v1/agents/${begun.agentId}/tools/note`;
    const reason = { reason: 'The customer withdrew.' };
    const revoked = await post(`${path}/revoke`, reason);
    expect(revoked.body).toMatchObject({ stands: false });
    expect(await post(`${path}/revoke`, reason)).toMatchObject({ body: revoked.body });
    expect((await post(`${path}/restore`, reason)).status).toBe(403);
    const restored = await post(`${path}/restore`, { reason: 'They came back.' }, 'ana');
    expect(restored.body).toMatchObject({
      stands: true,
      changes: [
        { what: 'revoked', by: { name: 'Rob' } },
        { what: 'restored', by: { name: 'Ana' } },
      ],
    });
  });

  test('a barred tool forbids a repeat, with the date', async () => {
    const actionId = await loseReply(rig, await startRun(rig, begun.conversationId), 'keyed_note');
    await post('/v1/tools/keyed_note/bar', { reason: 'It doubles everything.' });
    await claimIt(rig, actionId);
    rig.turnClock(10_000);
    const { body } = await get(`/v1/actions/${actionId}/decisions`);
    const decisions = body.decisions as { kind: string; allowed: boolean; because?: string }[];
    expect(decisions.find(({ kind }) => kind === 'repeat')).toMatchObject({
      allowed: false,
      because: 'tool_barred',
      at: expect.any(String),
    });
    expect(decisions.find(({ kind }) => kind === 'abandon')).toMatchObject({ allowed: true });
    await post('/v1/tools/keyed_note/unbar', { reason: 'It is mended.' }, 'ana');
    expect((await decide(rig, actionId, { kind: 'repeat' })).status).toBe(201);
  });
});
