// Messages while a run is in progress, readers that come and go, and stopping. Laws: L11, L14, L16, L17.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { z } from 'zod';
import type { MessagePosted as MessagePostedSchema } from '../../../functions/api/schemas/schemas.ts';
import { openReader } from '../../rig/reader.ts';
import { finished, openRig, type Rig, talk } from '../../rig/rig.ts';
import { callCreate } from '../../rig/tools.ts';
import { holds, until } from '../../rig/until.ts';

type MessagePosted = z.infer<typeof MessagePostedSchema>;

let rig: Rig;
beforeAll(async () => {
  rig = await openRig({
    toolMs: 20_000,
    scripts: {
      work: {
        scenes: [
          {
            when: {},
            turns: [
              { say: 'I write.', call: [callCreate('{{message}}')] },
              { say: 'It is written.' },
            ],
          },
        ],
      },
      twice: {
        scenes: [
          {
            when: {},
            turns: [
              { call: [callCreate('{{message}} 1')] },
              { call: [callCreate('{{message}} 2')] },
              { say: 'Both.' },
            ],
          },
        ],
      },
    },
  });
});
afterAll(() => rig.close());

/** A run whose write is under way at the destination, until it is released. */
const held = async (script: string, text: string, stepLimit = 40, title = text) => {
  const { client, destination } = rig;
  const faultId = await destination.fault({
    service: 'crm',
    operation: 'create_opportunity',
    match: { title },
    mode: 'hold',
  });
  const talking = await talk(client, await rig.agent(script, { stepLimit }), text);
  await destination.untilHeld('create_opportunity');
  return { ...talking, release: () => destination.release(faultId) };
};

const effectsNamed = async (title: string): Promise<number> =>
  (await rig.destination.effects()).filter((effect) => effect.arguments.title === title).length;

/** The numbers of a conversation's events are 1, 2, 3 … */
const withoutGap = async (conversationId: string): Promise<void> => {
  const numbers = (await rig.client.events(conversationId)).map(({ number }) => number);
  expect(numbers).toEqual(numbers.map((_, index) => index + 1));
};

test('L11 S39 a message sent into a run is at its place after a reload, and read at the next step', async () => {
  const { client } = rig;
  const run = await held('work', 'S39a');
  const steered = await client.say(run.conversationId, 'And be brief.');
  expect(steered).toMatchObject({ fate: 'steering', runId: run.runId });
  const reloaded = await client.messages(run.conversationId);
  expect(reloaded.map(({ text, fate }) => [text, fate.fate])).toEqual([
    ['S39a', 'started'],
    ['And be brief.', 'waiting'],
  ]);
  await run.release();
  await finished(client, run.runId);
  const read = await client.messages(run.conversationId);
  expect(read[1]?.fate).toEqual({ fate: 'taken', runId: run.runId, step: 2 });
  expect((await client.steps(run.runId))[1]?.text).toContain('Noted: And be brief.');
});

test('L11 S39 a message sent during the last permitted step opens the next run, and the first one says step limit', async () => {
  const { client } = rig;
  const run = await held('work', 'S39b', 1);
  const { messageId } = await client.say(run.conversationId, 'One more thing.');
  await run.release();
  const first = await finished(client, run.runId);
  expect(first.state.reason).toBe('step_limit');
  const next = await until('the next run', async () => (await client.runs(run.conversationId))[0]);
  expect(next).toMatchObject({ number: 2, firstMessageId: messageId });
  await finished(client, next.runId);
  const message = (await client.messages(run.conversationId)).find(
    (one) => one.messageId === messageId,
  );
  expect(message?.fate).toEqual({ fate: 'started', runId: next.runId });
  expect(await client.runs(run.conversationId)).toHaveLength(2);
});

test('L11 S39 messages sent around the very end of runs each steer the run or start the next one: none is lost, none refused', async () => {
  const { client } = rig;
  const conversationId = await client.begin(await rig.agent('work'));
  // One after the other without a pause: they meet runs at every point between their start and after their end.
  const texts = Array.from({ length: 40 }, (_, index) => `S39c ${index}`);
  const said: MessagePosted[] = [];
  for (const text of texts) said.push(await client.say(conversationId, text));
  await holds('the conversation rests', async () => {
    const { state, pending } = await client.conversation(conversationId);
    return state.status === 'idle' && pending.length === 0;
  });
  const messages = await client.messages(conversationId);
  expect(messages.map(({ text }) => text)).toEqual(texts);
  const runs = await client.runs(conversationId);
  const started = said.filter(({ fate }) => fate === 'started').map(({ runId }) => runId);
  expect(runs.map(({ runId }) => runId).toSorted()).toEqual(started.toSorted());
  const steps = (await Promise.all(runs.map(({ runId }) => client.steps(runId)))).flat();
  const read = steps.flatMap(({ took }) => took);
  expect(read.toSorted()).toEqual(said.map(({ messageId }) => messageId).toSorted());
  await withoutGap(conversationId);
});

test('L11 S41 the stream breaks after a steering message: it is once in the model’s input and once in the transcript', async () => {
  const { client } = rig;
  const run = await held('work', 'S41');
  const reader = await openReader(client, run.conversationId);
  await client.say(run.conversationId, 'In blue, please.');
  await until('the reader sees the message', () =>
    reader.events.find(
      ({ body }) => body.type === 'message.received' && body.text.includes('blue'),
    ),
  );
  reader.leave();
  await run.release();
  await finished(client, run.runId);
  const said = (await client.steps(run.runId)).map(({ text }) => text).join('\n');
  expect(said.match(/In blue, please\./g)).toHaveLength(1);
  const messages = await client.messages(run.conversationId);
  expect(messages.filter(({ text }) => text === 'In blue, please.')).toHaveLength(1);
  const again = await openReader(client, run.conversationId, reader.events.at(-1)?.number ?? 0);
  await until('the reader that came back sees the end', () =>
    again.events.find(({ body }) => body.type === 'run.finished'),
  );
  again.leave();
  const whole = await client.events(run.conversationId);
  expect([...reader.events, ...again.events]).toEqual(whole);
});

test('L11 S43 three messages while the first one works are one run with two steering messages, and one effect', async () => {
  const { client } = rig;
  const run = await held('work', 'S43');
  const reader = await openReader(client, run.conversationId);
  const fates = [
    await client.say(run.conversationId, 'Second.'),
    await client.say(run.conversationId, 'Third.'),
  ];
  expect(fates.map(({ fate, runId }) => [fate, runId])).toEqual([
    ['steering', run.runId],
    ['steering', run.runId],
  ]);
  await run.release();
  await finished(client, run.runId);
  expect(await client.runs(run.conversationId)).toHaveLength(1);
  expect(await effectsNamed('S43')).toBe(1);
  await until('the reader sees the end', () =>
    reader.events.find(({ body }) => body.type === 'run.finished'),
  );
  reader.leave();
  expect(reader.events.filter(({ body }) => body.type === 'run.started')).toHaveLength(1);
});

test('L14 S59 three tabs are open, one of them comes back in the middle, and stop ends the run for all of them alike', async () => {
  const { client } = rig;
  const run = await held('twice', 'S59', 40, 'S59 1');
  const tabs = await Promise.all([1, 2, 3].map(() => openReader(client, run.conversationId)));
  tabs[2]?.leave();
  tabs[2] = await openReader(client, run.conversationId);
  await client.stop(run.runId);
  await run.release();
  const { state } = await finished(client, run.runId);
  expect(state.reason).toBe('stopped');
  for (const tab of tabs) {
    await until('the tab sees the end', () =>
      tab.events.find(({ body }) => body.type === 'run.finished'),
    );
    tab.leave();
  }
  const whole = await client.events(run.conversationId);
  for (const tab of tabs) expect(tab.events).toEqual(whole);
  expect([await effectsNamed('S59 1'), await effectsNamed('S59 2')]).toEqual([1, 0]);
});

test('L3 S61 stop during a write that is under way: stopping until it settles, then stopped with the effect that did happen', async () => {
  const { client, destination } = rig;
  const run = await held('twice', 'S61', 40, 'S61 1');
  const { state } = await client.stop(run.runId);
  expect(state.status).toBe('stopping');
  expect((await client.run(run.runId)).state.status).toBe('stopping');
  expect((await client.conversation(run.conversationId)).state.status).toBe('stopping');
  await run.release();
  const end = await finished(client, run.runId);
  expect(end.state).toMatchObject({ reason: 'stopped', detail: 'Ana stopped the run.' });
  const actions = await client.actions(run.runId);
  expect(actions.map(({ effect }) => effect)).toEqual(['confirmed']);
  expect(await destination.effectsOf(actions[0]?.actionId ?? '')).toHaveLength(1);
  expect(await effectsNamed('S61 2')).toBe(0);
});
