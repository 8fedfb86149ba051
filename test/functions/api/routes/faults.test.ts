// Calls that readers marked as faulty, over the API: who marks what, two at once, history, erasing, and the lists. Laws: L13.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RunId } from '../../../../functions/core/base/ids.ts';
import { changeIt, markIt, mixedStep, said, takeItBack } from '../problems/fault-cases.ts';
import { openRig, type PersonName, type Reply, type Rig } from '../rig.ts';
import { agentConfiguration, type Begun, begin, converse, startRun, takeStep } from '../story.ts';

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

type Mark = Record<string, unknown> & { readonly changes: readonly Record<string, unknown>[] };
const items = async (path: string, as: PersonName = 'vera'): Promise<readonly Mark[]> => {
  const reply = await rig.call({ path, as });
  expect(reply.status, reply.text).toBe(200);
  return reply.body.items as readonly Mark[];
};
const ofRun = (as?: PersonName) => items(`/v1/runs/${runId}/fault-marks`, as);
const ofAgent = () => items(`/v1/agents/${begun.agentId}/fault-marks`);
const whole = async ({ body }: Reply): Promise<Mark> => {
  const path = `/v1/runs/${runId}/fault-marks/${String(body.markId)}`;
  return (await rig.call({ path, as: 'vera' })).body as Mark;
};

describe('a mark', () => {
  test('has author, time, revision and call, and is listed for run, conversation and agent', async () => {
    const before = await rig.world.store.read({ conversation: begun.conversationId });
    const made = await markIt(rig, runId, {});
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      ...said,
      runId,
      conversationId: begun.conversationId,
      agentId: begun.agentId,
      revision: 1,
      step: 1,
      call: 0,
      tool: 'note',
      actionId: expect.stringMatching(/^act_/),
      by: { subject: 'ben', name: 'Ben', kind: 'person' },
      mayChange: true,
    });
    const seen = [{ ...made.body, mayChange: false }];
    expect(await ofRun()).toEqual(seen);
    expect(await items(`/v1/conversations/${begun.conversationId}/fault-marks`)).toEqual(seen);
    expect(await ofAgent()).toEqual(seen);
    // It is nobody's state: no event, and the conversation is as it was.
    expect(await rig.world.store.read({ conversation: begun.conversationId })).toEqual(before);
  });

  test('can be on a call that never became an action, and on one too many', async () => {
    const { actionId, surplus } = await mixedStep(rig, runId);
    const unknown = await markIt(rig, runId, { step: 2, call: 0 });
    expect(unknown.body).toMatchObject({ tool: 'nothing', step: 2, call: 0 });
    expect(unknown.body).not.toHaveProperty('actionId');
    expect((await markIt(rig, runId, { step: 2, call: 1 })).body).toMatchObject({ actionId });
    expect((await markIt(rig, runId, { step: 2, call: surplus })).status).toBe(201);
    const none = await markIt(rig, runId, { step: 2, call: surplus + 1 });
    expect(none.status).toBe(422);
    expect(none.body.type).toMatch(/no-such-call$/);
    expect((await ofRun()).map(({ call }) => call)).toEqual([0, 1, surplus]);
  });

  test('needs a note, of a kind that exists, and takes one of two thousand characters', async () => {
    for (const wrong of [{ note: '  ' }, { note: 'x'.repeat(2_001) }, { kind: 'silly' }]) {
      const reply = await markIt(rig, runId, wrong);
      expect(reply.body.type, JSON.stringify(wrong).slice(0, 40)).toMatch(/invalid-body$/);
    }
    expect((await markIt(rig, runId, { note: 'é'.repeat(2_000), kind: undefined })).status).toBe(
      201,
    );
  });

  test('is of one run of one workspace: another’s is not found', async () => {
    const { body } = await markIt(rig, runId, {});
    const elsewhere = await startRun(rig, await converse(rig, begun.agentId));
    const one = `/v1/runs/${elsewhere}/fault-marks/${String(body.markId)}`;
    expect((await rig.call({ path: one })).status).toBe(404);
    expect((await changeIt(rig, { ...body, runId: elsewhere }, said)).status).toBe(404);
    for (const reply of [
      await markIt(rig, runId, {}, 'stranger'),
      await changeIt(rig, body, said, 'stranger'),
      await takeItBack(rig, body, {}, 'stranger'),
      await rig.call({ path: `/v1/runs/${runId}/fault-marks`, as: 'stranger' }),
      await rig.call({ path: `/v1/agents/${begun.agentId}/fault-marks`, as: 'stranger' }),
    ])
      expect(reply.status).toBe(404);
  });

  test('is made once however often the request is sent, and a viewer makes none', async () => {
    const first = await markIt(rig, runId, {}, 'ben', 'key-1');
    const second = await markIt(rig, runId, {}, 'ben', 'key-1');
    expect(second.body).toEqual(first.body);
    expect((await whole(first)).changes).toHaveLength(1);
    expect((await markIt(rig, runId, {}, 'vera')).status).toBe(403);
  });
});

describe('several people', () => {
  test('mark the same call at once, each with a mark of their own', async () => {
    const notes = ['One.', 'Two.', 'Three.'];
    const replies = await Promise.all([
      markIt(rig, runId, { note: notes[0] }, 'ben'),
      markIt(rig, runId, { note: notes[1] }, 'ana'),
      markIt(rig, runId, { note: notes[2] }, 'robot'),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect((await ofRun()).map(({ note }) => note).toSorted()).toEqual(notes.toSorted());
  });

  test('and one person in two windows at once: the one mark keeps both sayings', async () => {
    const replies = await Promise.all([
      markIt(rig, runId, { note: 'One.' }),
      markIt(rig, runId, { note: 'Two.' }),
    ]);
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 201]);
    const [mark, ...others] = await ofRun();
    expect(others).toEqual([]);
    const { changes } = await whole({ ...replies[0], body: mark ?? {} });
    expect(changes.map(({ what }) => what)).toEqual(['marked', 'changed']);
    expect(changes.map(({ note }) => note).toSorted()).toEqual(['One.', 'Two.']);
  });

  test('change only their own; an admin may change any, and it shows', async () => {
    const made = await markIt(rig, runId, {});
    expect((await changeIt(rig, made.body, said, 'robot')).status).toBe(403);
    expect((await takeItBack(rig, made.body, {}, 'robot')).body.detail).toContain('Ben');
    rig.turnClock(1_000);
    const changed = await changeIt(rig, made.body, { note: 'Better words.' }, 'ana');
    expect(changed.body).toMatchObject({
      note: 'Better words.',
      at: made.body.at,
      by: { subject: 'ben' },
      changed: { by: { subject: 'ana' } },
    });
    expect(changed.body).not.toHaveProperty('kind');
    expect((await ofRun('ben'))[0]).toMatchObject({ mayChange: true });
    expect((await ofRun('robot'))[0]).toMatchObject({ mayChange: false });
  });
});

describe('taken back', () => {
  test('it is listed no more, its history stays, and it can be made anew', async () => {
    const made = await markIt(rig, runId, {});
    const back = await takeItBack(rig, made.body);
    expect(back.body).toMatchObject({ takenBack: { by: { subject: 'ben' } } });
    expect(back.body).not.toHaveProperty('note');
    expect(await ofRun()).toEqual([]);
    expect(await ofAgent()).toEqual([]);
    expect((await takeItBack(rig, made.body)).body).toEqual(back.body);
    expect((await changeIt(rig, made.body, said)).body.type).toMatch(/taken-back$/);
    rig.turnClock(1_000);
    expect((await markIt(rig, runId, { note: 'After all.' })).status).toBe(200);
    const { changes, at } = await whole(made);
    expect(changes.map(({ what }) => what)).toEqual(['marked', 'taken_back', 'marked']);
    expect(changes[0]).toMatchObject(said);
    expect(at).not.toBe(made.body.at);
  });

  test('and erased, no note is left anywhere, only who did what when', async () => {
    const made = await markIt(rig, runId, { note: 'A secret name.' });
    await changeIt(rig, made.body, { note: 'Another name.' });
    await takeItBack(rig, made.body);
    const erased = await takeItBack(rig, made.body, { erase: true }, 'ana');
    expect(erased.status).toBe(200);
    const mark = await whole(made);
    expect(JSON.stringify(mark)).not.toContain('name.');
    expect(mark.changes.map(({ what, by }) => [what, (by as { name: string }).name])).toEqual([
      ['marked', 'Ben'],
      ['changed', 'Ben'],
      ['taken_back', 'Ben'],
      ['erased', 'Ana'],
    ]);
  });

  test('a mark that is changed for ever keeps its first and its newest words', async () => {
    const made = await markIt(rig, runId, { note: 'First.' });
    for (let n = 1; n <= 30; n += 1) await changeIt(rig, made.body, { note: `Words ${n}.` });
    const { changes } = await whole(made);
    expect(changes).toHaveLength(20);
    expect(changes[0]).toMatchObject({ note: 'First.' });
    expect(changes.at(-1)).toMatchObject({ note: 'Words 30.' });
  });
});

test('an agent’s marks come newest first, a page at a time, each with its run’s revision', async () => {
  await markIt(rig, runId, { note: 'Oldest.' });
  await rig.call({
    method: 'POST',
    path: `/v1/agents/${begun.agentId}/revisions`,
    body: { ...agentConfiguration, prompt: 'You help better.' },
  });
  for (const note of ['Middle.', 'Newest.']) {
    rig.turnClock(1_000);
    const next = await startRun(rig, await converse(rig, begun.agentId));
    await takeStep(rig, next, { tool: 'note', arguments: { payment: 'pay_2', cents: 1 } });
    await markIt(rig, next, { note });
  }
  const path = `/v1/agents/${begun.agentId}/fault-marks`;
  const first = await rig.call({ path, query: { limit: '2' } });
  const seen = first.body.items as readonly Mark[];
  expect(seen.map(({ note, revision }) => [note, revision])).toEqual([
    ['Newest.', 2],
    ['Middle.', 2],
  ]);
  const rest = await rig.call({ path, query: { cursor: String(first.body.next) } });
  expect(rest.body.items).toMatchObject([{ note: 'Oldest.', revision: 1 }]);
  const foreign = { cursor: String(first.body.next) };
  expect(
    (await rig.call({ path: `/v1/runs/${runId}/fault-marks`, query: foreign })).body.type,
  ).toMatch(/bad-cursor$/);
});

test('a run’s marks come a page at a time, none lost', async () => {
  const { surplus } = await mixedStep(rig, runId);
  for (let call = 0; call <= surplus; call += 1) await markIt(rig, runId, { step: 2, call });
  const calls: unknown[] = [];
  let query: Record<string, string> = { limit: '5' };
  for (;;) {
    const { body } = await rig.call({ path: `/v1/runs/${runId}/fault-marks`, query });
    calls.push(...(body.items as readonly Mark[]).map(({ call }) => call));
    if (body.next === undefined) break;
    query = { limit: '5', cursor: String(body.next) };
  }
  expect(new Set(calls).size).toBe(surplus + 1);
  expect(calls).toHaveLength(surplus + 1);
});
