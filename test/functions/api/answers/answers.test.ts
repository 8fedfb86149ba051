// Answers of each kind by the API, with the run machine's part put into the store: what fits, what does not, who may, and what
// the late one is told. Laws: L13, L15, L16.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SkillVersion } from '../../../../functions/core/answers/skill.ts';
import type { RunId } from '../../../../functions/core/base/ids.ts';
import type { ToolRegistrationInput } from '../../../../functions/core/registry/tool.ts';
import { openRig, type Rig } from '../rig.ts';
import { type Begun, begin, noteTool, startRun, storedAction } from '../story.ts';
import { answerTo, askAll, askOne, colourForm } from './ask.ts';

let rig: Rig;
let begun: Begun;
let runId: RunId;
beforeEach(async () => {
  rig = await openRig();
  begun = await begin(rig);
  runId = await startRun(rig, begun.conversationId);
});
afterEach(() => rig.close());

const guardedTool: ToolRegistrationInput = {
  ...noteTool,
  name: 'guarded',
  contract: { ...noteTool.contract, policy: { approval: { when: 'always' }, remember: 'agent' } },
};
const guarded = { approve: 'guarded', arguments: { payment: 'pay_1', cents: 90 } };
const askGuarded = async () => {
  await rig.call({ method: 'POST', path: '/v1/tools', body: guardedTool });
  return askOne(rig, runId, guarded);
};
const digestOf = async (actionId: Parameters<typeof storedAction>[1]) =>
  (await storedAction(rig, actionId)).item.digest;

const makeSkill = async () => {
  const content = { name: 'notes', description: 'Notes.', instructions: 'Note it.' };
  await rig.call({ method: 'POST', path: '/v1/skills', body: content });
  const { body } = await rig.call({ path: '/v1/skills/notes' });
  return SkillVersion.parse(body);
};

describe('a question', () => {
  test('takes an answer that fits; defaults are filled in, and the agent is told who answered', async () => {
    const { requestId, actionId } = await askOne(rig, runId, { question: colourForm });
    const reply = await answerTo(
      rig,
      requestId,
      { kind: 'answer', answer: { colour: 'blue' } },
      'ben',
    );
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({
      decision: { kind: 'answered', answer: { colour: 'blue', count: 2, urgent: false } },
      decidedBy: { kind: 'person', subject: 'ben', name: 'Ben' },
    });
    const { item } = await storedAction(rig, actionId);
    expect(item.told).toEqual({
      status: 'success',
      text: 'Ben answers: {"colour":"blue","count":2,"urgent":false}',
    });
    expect((await rig.world.store.read({ run: runId })).run?.item.state.status).toBe('running');
  });

  test.each([
    ['en', 'Choose among those on offer.', 'The number is too big.'],
    ['fr', 'Choisissez parmi les valeurs offertes.', 'Le nombre est trop grand.'],
  ])('names each field that does not fit, in %s, and stays open', async (language, ...reasons) => {
    const { requestId } = await askOne(rig, runId, { question: colourForm });
    const reply = await rig.call({
      method: 'POST',
      path: `/v1/requests/${requestId}/answer`,
      body: { kind: 'answer', answer: { colour: 'green', count: 10, extra: 1 } },
      headers: { 'accept-language': language },
    });
    expect(reply.status).toBe(422);
    expect(reply.body.errors).toEqual(
      expect.arrayContaining([
        { field: 'answer.colour', code: 'not_a_choice', reason: reasons[0] },
        { field: 'answer.count', code: 'too_big', reason: reasons[1] },
        expect.objectContaining({ field: 'answer.extra', code: 'unknown' }),
      ]),
    );
    const again = await answerTo(rig, requestId, { kind: 'answer', answer: { colour: 'red' } });
    expect(again.status).toBe(200);
  });

  test('can be declined, with a reason that the agent is told', async () => {
    const { requestId, actionId } = await askOne(rig, runId, { question: colourForm });
    await answerTo(rig, requestId, { kind: 'decline', reason: 'Not mine to say.' });
    const { item } = await storedAction(rig, actionId);
    expect(item.disposition.kind).toBe('refused');
    expect(item.told?.text).toContain('Not mine to say.');
  });

  test('is not approved, and an approval is not answered', async () => {
    const { requestId } = await askOne(rig, runId, { question: colourForm });
    const reply = await answerTo(rig, requestId, { kind: 'approve', digest: 'sha256:0' });
    expect(reply.body).toMatchObject({ status: 409, on: 'question' });
  });

  test.each([
    ['ana', 200],
    ['ben', 200],
    ['robot', 200],
    ['rob', 403],
    ['vera', 403],
    ['stranger', 404],
  ] as const)('answered by %s gives %i', async (as, status) => {
    const { requestId } = await askOne(rig, runId, { question: colourForm });
    expect((await answerTo(rig, requestId, { kind: 'decline' }, as)).status).toBe(status);
  });
});

describe('two open requests', () => {
  test('S27 an answer without a name is refused with the list; with one open it is taken', async () => {
    const asked = await askAll(rig, runId, [{ question: colourForm }, { question: colourForm }]);
    const path = `/v1/conversations/${begun.conversationId}/answer`;
    const body = { kind: 'answer', answer: { colour: 'red' } };
    const refused = await rig.call({ method: 'POST', path, body, as: 'ben' });
    expect(refused.status).toBe(409);
    expect(refused.body.requests).toEqual(
      asked.map(({ requestId }) => ({ on: 'question', requestId })),
    );
    await answerTo(rig, asked[0]?.requestId ?? '', body);
    const taken = await rig.call({ method: 'POST', path, body, as: 'ben' });
    expect(taken.body).toMatchObject({ requestId: asked[1]?.requestId });
    const nothing = await rig.call({ method: 'POST', path, body, as: 'ben' });
    expect(nothing.body).toMatchObject({ status: 409, title: 'Nothing to answer' });
  });
});

describe('a remembered approval', () => {
  test('gives a grant in the same change, which is listed and can be revoked once', async () => {
    const { requestId, actionId } = await askGuarded();
    const reply = await answerTo(
      rig,
      requestId,
      {
        kind: 'approve',
        digest: await digestOf(actionId),
        remember: { scope: 'agent', condition: 'cents < 100', expiresInMs: 60_000 },
      },
      'rob',
    );
    expect(reply.body).toMatchObject({
      decision: { kind: 'approved', remembered: { scope: 'agent', condition: 'cents < 100' } },
    });
    const path = `/v1/agents/${begun.agentId}/grants`;
    const grants = async () => (await rig.call({ path, as: 'vera' })).body.items;
    expect(await grants()).toMatchObject([
      { tool: 'guarded', stands: true, grantedBy: { name: 'Rob' }, requestId },
    ]);
    const revoke = () =>
      rig.call({ method: 'POST', path: `${path}/${requestId}/revoke`, body: {}, as: 'rob' });
    const revoked = (await revoke()).body;
    expect(revoked).toMatchObject({ stands: false, revokedBy: { name: 'Rob' } });
    expect((await revoke()).body).toEqual(revoked);
    expect(await grants()).toMatchObject([{ stands: false }]);
    const foreign = await rig.call({
      method: 'POST',
      path: `${path}/${requestId}/revoke`,
      body: {},
      as: 'stranger',
    });
    expect(foreign.status).toBe(404);
  });

  test.each([
    ['that is no expression', 'cents <'],
    ['that is false for the call itself', 'cents > 100'],
    ['that is not true but something else', 'cents'],
  ])('with a condition %s is refused, and the approval stays open', async (_what, condition) => {
    const { requestId, actionId } = await askGuarded();
    const digest = await digestOf(actionId);
    const remember = { scope: 'run', condition };
    const reply = await answerTo(rig, requestId, { kind: 'approve', digest, remember });
    expect(reply.status).toBe(422);
    expect(reply.body.errors).toMatchObject([
      { field: 'remember.condition', code: 'condition_does_not_cover' },
    ]);
    expect((await answerTo(rig, requestId, { kind: 'approve', digest })).status).toBe(200);
  });

  test('with a condition that could run on for ever is refused before it runs', async () => {
    const { requestId, actionId } = await askGuarded();
    const digest = await digestOf(actionId);
    const remember = { scope: 'run', condition: '($f := function() { $f() }; $f())' };
    const reply = await answerTo(rig, requestId, { kind: 'approve', digest, remember });
    expect(reply.status).toBe(422);
    expect(reply.body.errors).toMatchObject([
      { field: 'remember.condition', code: 'condition_has_no_bound' },
    ]);
  });

  test('of a look-alike is refused', async () => {
    const { requestId, actionId } = await askGuarded();
    const { requests, conversation } = await rig.world.store.read({
      requests: [requestId],
      conversation: begun.conversationId,
    });
    const [request] = requests;
    if (request?.item.on !== 'approval' || !conversation) throw new Error('No approval.');
    const likeness = { rev: 'r1', holders: [actionId] };
    await rig.world.store.commit({
      conversation,
      events: [],
      writes: [
        { do: 'replace', kind: 'request', item: { ...request.item, likeness }, rev: request.rev },
      ],
    });
    const reply = await answerTo(rig, requestId, {
      kind: 'approve',
      digest: await digestOf(actionId),
      remember: { scope: 'run', condition: 'cents < 100000' },
    });
    expect(reply.body).toMatchObject({ status: 409, why: 'look_alike' });
  });
});

describe('a skill request', () => {
  test('is granted for the run by an approver, for the agent by an administrator only', async () => {
    const skill = await makeSkill();
    const [first, second] = await askAll(rig, runId, [{ skill }, { skill }]);
    const grant = (asked: typeof first, scope: string, as: 'rob' | 'ana') =>
      answerTo(rig, asked?.requestId ?? '', { kind: 'grant', scope }, as);
    expect((await grant(first, 'agent', 'rob')).body).toMatchObject({ status: 403 });
    expect((await grant(first, 'run', 'rob')).body).toMatchObject({
      decision: { kind: 'granted', scope: 'run' },
    });
    const { run } = await rig.world.store.read({ run: runId });
    expect(run?.item.skills).toEqual([{ name: 'notes', version: 1 }]);
    expect((await grant(second, 'agent', 'ana')).status).toBe(200);
    const newest = await rig.world.registry.newestAgent('acme', begun.agentId);
    expect(newest).toMatchObject({
      revision: 2,
      createdBy: 'ana',
      configuration: { skills: [{ name: 'notes', version: 1, grant: 'always' }] },
    });
  });

  test('that two people answer at once is granted or refused, and the agent changes only if granted', async () => {
    const skill = await makeSkill();
    for (let round = 0; round < 10; round += 1) {
      const before = await rig.world.registry.newestAgent('acme', begun.agentId);
      const { requestId } = await askOne(rig, runId, { skill });
      const replies = await Promise.all([
        answerTo(rig, requestId, { kind: 'grant', scope: 'agent' }, 'ana'),
        answerTo(rig, requestId, { kind: 'refuse', reason: 'No.' }, 'rob'),
      ]);
      expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
      const after = await rig.world.registry.newestAgent('acme', begun.agentId);
      const granted = replies[0]?.status === 200;
      const first = before?.revision === 1 && granted;
      expect((after?.revision ?? 0) - (before?.revision ?? 0)).toBe(first ? 1 : 0);
    }
  });
});

describe('the late one', () => {
  test('S52 is told who answered what and when, and after expiry when it expired', async () => {
    const [first, second] = await askAll(rig, runId, [
      { question: colourForm },
      { question: colourForm, ms: 60_000 },
    ]);
    await answerTo(rig, first?.requestId ?? '', { kind: 'decline' }, 'ben');
    rig.turnClock(120_000);
    const again = await answerTo(rig, first?.requestId ?? '', { kind: 'decline' });
    expect(again.body).toMatchObject({ status: 409, decision: 'declined' });
    expect(again.body.detail).toMatch(/^Ben declined to answer on .+ UTC\.$/);
    const late = await answerTo(rig, second?.requestId ?? '', { kind: 'decline' });
    expect(late.body.detail).toMatch(/^The request expired on .+ UTC\.$/);
  });

  test('S38 the name is the session’s, whatever the body says; a machine is shown as such', async () => {
    const { requestId } = await askOne(rig, runId, { question: colourForm });
    const named = await answerTo(rig, requestId, { kind: 'decline', by: { name: 'Ana' } }, 'robot');
    expect(named.status).toBe(422);
    const reply = await answerTo(rig, requestId, { kind: 'decline' }, 'robot');
    expect(reply.body.decidedBy).toEqual({ kind: 'machine', subject: 'robot', name: 'Robot' });
    const { body } = await rig.call({ path: '/v1/audit', query: { kind: 'answer' } });
    expect(body.items).toMatchObject([
      { kind: 'answer', decision: 'declined', on: 'question', by: { kind: 'machine' }, requestId },
    ]);
  });
});
