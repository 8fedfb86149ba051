// A POST repeated with its key after what it wrote was changed or erased: the same ids, and what stands by then. What a person
// wrote is kept where it can be erased, and nowhere else.
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RunId } from '../../../../functions/core/base/ids.ts';
import { markIt, said, takeItBack } from '../problems/fault-cases.ts';
import { routinePosts } from '../problems/routine-cases.ts';
import { openRig, type Request, type Rig } from '../rig.ts';
import { type Begun, begin, startRun, takeStep } from '../story.ts';

let rig: Rig;
let begun: Begun;
let runId: RunId;
beforeEach(async () => {
  rig = await openRig();
  begun = await begin(rig);
  runId = await startRun(rig, begun.conversationId);
  await takeStep(rig, runId, { tool: 'note', arguments: { payment: 'pay_1', cents: 1 } });
});
afterEach(() => rig.close());

const post = (path: string, body: object, key: string, as: Request['as'] = 'ben') =>
  rig.call({ method: 'POST', path, body, key, as });

test('an erased note does not come back by repeating the mark, nor any change of it', async () => {
  const made = await markIt(rig, runId, {}, 'ben', 'first');
  const path = `/v1/runs/${runId}/fault-marks/${String(made.body.markId)}`;
  const changing = { note: 'It should have asked for the account.' };
  const changed = await post(path, changing, 'second');
  expect(made.body).toMatchObject(said);
  expect(changed.body).toMatchObject(changing);
  const erased = await takeItBack(rig, made.body, { erase: true }, 'ana');
  expect(erased.status).toBe(200);
  expect(rig.remembered()).not.toContain('It should have');

  const again = await markIt(rig, runId, {}, 'ben', 'first');
  const changedAgain = await post(path, changing, 'second');
  for (const { status, body, headers, text } of [again, changedAgain]) {
    expect(headers['idempotency-replayed']).toBe('true');
    expect(body).toMatchObject({ markId: made.body.markId, takenBack: { by: { name: 'Ana' } } });
    expect(text).not.toContain('It should have');
    expect(status).toBeLessThan(300);
  }
  expect(again.status).toBe(201);
  const { body } = await rig.call({ path, as: 'vera' });
  const changes = body.changes as readonly { readonly what: string; readonly note?: string }[];
  expect(changes.map(({ what }) => what)).toEqual(['marked', 'changed', 'erased']);
  expect(changes.every(({ note }) => note === undefined)).toBe(true);
});

test('what was remembered with its text, before it was left out, is answered by what stands', async () => {
  await markIt(rig, runId, {}, 'ben', 'first');
  const [record] = JSON.parse(rig.remembered()).Items.filter((item: object) =>
    JSON.stringify(item).includes('flt_'),
  );
  const { data } = record;
  data.M.body.M.note = { S: said.note };
  rig.rememberAs(record);
  expect(rig.remembered()).toContain(said.note);
  const listed = await rig.call({ path: `/v1/runs/${runId}/fault-marks` });
  const [mark] = listed.body.items as Record<string, unknown>[];
  await takeItBack(rig, mark ?? {}, { erase: true });
  const again = await markIt(rig, runId, {}, 'ben', 'first');
  expect(again.headers['idempotency-replayed']).toBe('true');
  expect(again.text).not.toContain(said.note);
});

test('a routine’s message that was changed since is told as it is now', async () => {
  const { changeRoutine, pauseRoutine } = routinePosts(() => ({ rig, begun }));
  const change = await changeRoutine?.();
  if (change === undefined || pauseRoutine === undefined) throw new Error('No such POST.');
  const first = await rig.call({ ...change, method: 'POST', key: 'change' });
  const { rev, routineId } = first.body;
  const body = { ...Object(change.body), rev, message: 'Say nothing of it.' };
  const next = await post(`/v1/routines/${String(routineId)}`, body, 'next', 'ana');
  expect(next.status, next.text).toBe(200);
  const again = await rig.call({ ...change, method: 'POST', key: 'change' });
  expect(again).toMatchObject({ status: 200, body: { routineId, message: 'Say nothing of it.' } });
  await rig.call({ method: 'DELETE', path: `/v1/routines/${String(routineId)}` });
  const gone = await rig.call({ ...change, method: 'POST', key: 'change' });
  expect(gone.status).toBe(404);
});

test('a permission that was given back since is told as it stands, with every reason', async () => {
  const path = `/v1/agents/${begun.agentId}/tools/note`;
  const revoke = () => post(`${path}/revoke`, { reason: 'It doubles.' }, 'revoke', 'ana');
  expect((await revoke()).body).toMatchObject({ stands: false });
  await post(`${path}/restore`, { reason: 'It is mended.' }, 'restore', 'ana');
  const again = await revoke();
  expect(again.headers['idempotency-replayed']).toBe('true');
  expect(again.body).toMatchObject({
    stands: true,
    changes: [{ reason: 'It doubles.' }, { reason: 'It is mended.' }],
  });
  const now = await rig.call({ path: `/v1/agents/${begun.agentId}/mandates` });
  expect(now.body).toMatchObject({
    items: expect.arrayContaining([expect.objectContaining(again.body)]),
  });
});
