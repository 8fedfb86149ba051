// A model that cuts a character in two: in what it says that is a character lost, in arguments it is refused. Laws: L6.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { finished, openRig, type Rig, talk } from '../rig/rig.ts';
import { callCreate, callMail } from '../rig/tools.ts';

const half = 'A smile \ud83d';
const whole = 'A smile \ufffd';

let rig: Rig;
beforeAll(async () => {
  rig = await openRig({
    scripts: {
      halves: {
        scenes: [
          {
            when: {},
            turns: [
              { say: `${half}, I make it.`, call: [callCreate(half)] },
              { call: [callMail(half)] },
              { say: half },
            ],
          },
        ],
      },
    },
  });
});
afterAll(() => rig.close());

test('its calls are refused with a word to it, and what it says is whole characters', async () => {
  const { client, destination } = rig;
  const { runId, conversationId } = await talk(client, await rig.agent('halves'), 'Go');
  const { state } = await finished(client, runId);
  expect(state).toMatchObject({ reason: 'done' });
  expect(await client.actions(runId)).toEqual([]);
  expect(await destination.effects()).toEqual([]);
  const steps = await client.steps(runId);
  expect(steps.flatMap(({ calls }) => calls)).toMatchObject([
    { kind: 'fixed', told: { text: expect.stringContaining('holds half a character') } },
    { kind: 'fixed', told: { text: expect.stringContaining('Write whole characters') } },
  ]);
  expect(steps[0]?.text).toBe(`${whole}, I make it.`);
  expect(JSON.stringify([steps, await client.events(conversationId)]).isWellFormed()).toBe(true);
});
