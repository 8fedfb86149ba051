// Inbox and marks: each person sees what they may answer, and marks that are theirs on every client. Laws: L14.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SkillVersion } from '../../../../functions/core/answers/skill.ts';
import type { RunId } from '../../../../functions/core/base/ids.ts';
import { answerTo, askAll, askOne, colourForm } from '../answers/ask.ts';
import { openRig, type PersonName, type Rig } from '../rig.ts';
import { type Begun, begin, converse, endRun, loseReply, startRun } from '../story.ts';

let rig: Rig;
let begun: Begun;
let runId: RunId;
beforeEach(async () => {
  rig = await openRig();
  begun = await begin(rig);
  runId = await startRun(rig, begun.conversationId);
});
afterEach(() => rig.close());

const refund = { approve: 'refund', arguments: { payment: 'pay_1', cents: 8_200 } };
const inbox = async (as: PersonName): Promise<{ on: string }[]> =>
  (await rig.call({ path: '/v1/requests', as })).body.items as { on: string }[];
const kinds = async (as: PersonName) => (await inbox(as)).map(({ on }) => on).toSorted();
const summary = async (as: PersonName) => (await rig.call({ path: '/v1/inbox/summary', as })).body;
const marks = async (as: PersonName, id = begun.conversationId) =>
  (await rig.call({ path: `/v1/conversations/${id}`, as })).body.marks;
const listed = async (as: PersonName) =>
  ((await rig.call({ path: '/v1/conversations', as })).body.items as { marks: unknown }[]).map(
    (one) => one.marks,
  );
const numberNow = async (id = begun.conversationId): Promise<number> =>
  (await rig.world.store.read({ conversation: id })).conversation?.item.eventNumber ?? 0;
const read = (as: PersonName, number: number, id = begun.conversationId) =>
  rig.call({ method: 'POST', path: `/v1/conversations/${id}/read`, body: { number }, as });

const askFour = async () => {
  const body = { name: 'notes', description: 'Notes.', instructions: 'Note it.' };
  await rig.call({ method: 'POST', path: '/v1/skills', body });
  const skill = SkillVersion.parse((await rig.call({ path: '/v1/skills/notes' })).body);
  await askAll(rig, runId, [{ question: colourForm, ms: 3_600_000 }, refund, { skill }]);
  const other = await startRun(rig, await converse(rig, begun.agentId));
  await loseReply(rig, other);
};

test('each person sees what their roles may answer, and the badge counts the same', async () => {
  await askFour();
  expect(await kinds('ana')).toEqual(['approval', 'question', 'recovery', 'skill']);
  expect(await kinds('ben')).toEqual(['question']);
  expect(await kinds('rob')).toEqual(['approval', 'recovery', 'skill']);
  expect(await kinds('vera')).toEqual([]);
  expect(await kinds('stranger')).toEqual([]);
  expect(await summary('rob')).toEqual({
    needsYou: { total: 3, approval: 1, question: 0, skill: 1, recovery: 1 },
    more: false,
    finishedWhileAway: 0,
  });
  expect((await inbox('rob')).find(({ on }) => on === 'approval')).toMatchObject({
    runId,
    expiresAtMs: expect.any(Number),
    about: {
      title: 'Test',
      agentId: begun.agentId,
      role: 'approver',
      action: { tool: { name: 'refund' }, arguments: refund.arguments, effectKind: 'irreversible' },
    },
  });
});

test('what has expired is in no inbox, even before anything has closed it', async () => {
  await askFour();
  rig.turnClock(3_600_000);
  expect(await kinds('ben')).toEqual([]);
  expect(await marks('ben')).toMatchObject({ needsYou: 0 });
  expect(await summary('ben')).toMatchObject({ needsYou: { total: 0 } });
});

test('S17 a run that ends voids what it asked, and the badges are back to zero', async () => {
  const { requestId } = await askOne(rig, runId, refund);
  expect(await summary('rob')).toMatchObject({ needsYou: { total: 1 } });
  await rig.call({ method: 'POST', path: `/v1/runs/${runId}/stop`, body: {}, as: 'ben' });
  expect(await summary('rob')).toMatchObject({ needsYou: { total: 0 } });
  expect(await kinds('rob')).toEqual([]);
  const late = await answerTo(rig, requestId, { kind: 'refuse', reason: 'No.' }, 'rob');
  expect(late.body).toMatchObject({ status: 409, decision: 'voided', runId });
});

test('the mark "finished while you were away" is set by an end, cleared by reading, each reader for themselves', async () => {
  await endRun(rig, runId);
  expect(await marks('ben')).toMatchObject({ finishedWhileAway: true, finished: true });
  expect(await listed('ben')).toMatchObject([{ finishedWhileAway: true }]);
  expect(await summary('ben')).toMatchObject({ finishedWhileAway: 1 });
  expect((await read('ben', await numberNow())).body).toMatchObject({ finishedWhileAway: false });
  expect(await marks('ben')).toMatchObject({ finishedWhileAway: false });
  expect(await listed('ben')).toMatchObject([{ finishedWhileAway: false }]);
  expect(await marks('rob')).toMatchObject({ finishedWhileAway: true });
  await endRun(rig, await startRun(rig, begun.conversationId));
  expect(await marks('ben')).toMatchObject({ finishedWhileAway: true });
});

test('a pause does not set it: it needs you, and is new until it was read', async () => {
  await read('ben', await numberNow());
  const { requestId } = await askOne(rig, runId, { question: colourForm });
  expect(await marks('ben')).toMatchObject({
    needsYou: 1,
    newRequests: true,
    finishedWhileAway: false,
  });
  await read('ben', await numberNow());
  expect(await marks('ben')).toMatchObject({ needsYou: 1, newRequests: false });
  expect(await marks('vera')).toMatchObject({ needsYou: 0, newRequests: false });
  await answerTo(rig, requestId, { kind: 'decline' }, 'ben');
  expect(await marks('ben')).toMatchObject({ needsYou: 0, newRequests: false });
});

test('an older number changes nothing, and none silences what is yet to come', async () => {
  await endRun(rig, runId);
  const number = await numberNow();
  await read('ben', Number.MAX_SAFE_INTEGER);
  await read('ben', 1);
  expect(await marks('ben')).toMatchObject({ finishedWhileAway: false });
  expect(await rig.world.people.readMarks('ben', [begun.conversationId])).toMatchObject([
    { number },
  ]);
  await endRun(rig, await startRun(rig, begun.conversationId));
  expect(await marks('ben')).toMatchObject({ finishedWhileAway: true });
});

test('two clients that read at once keep the greater number', async () => {
  await endRun(rig, runId);
  const number = await numberNow();
  await Promise.all(Array.from({ length: number }, (_, index) => read('ben', index + 1)));
  expect(await rig.world.people.readMarks('ben', [begun.conversationId])).toMatchObject([
    { number },
  ]);
});

test('the audit pages through all that was decided, newest first', async () => {
  const asked = await askAll(rig, runId, [
    { question: colourForm },
    { question: colourForm },
    { question: colourForm },
  ]);
  for (const { requestId } of asked) {
    rig.turnClock(1_000);
    await answerTo(rig, requestId, { kind: 'decline' }, 'ben');
  }
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const query = { limit: '1', ...(cursor === undefined ? {} : { cursor }) };
    const { body } = await rig.call({ path: '/v1/audit', query });
    // What was registered before is listed too, and names no request.
    seen.push(
      ...(body.items as { requestId?: string }[]).flatMap((entry) => entry.requestId ?? []),
    );
    cursor = body.next as string | undefined;
  } while (cursor !== undefined);
  expect(seen).toEqual(asked.map(({ requestId }) => requestId).toReversed());
  expect((await rig.call({ path: '/v1/audit', as: 'rob' })).status).toBe(403);
});
