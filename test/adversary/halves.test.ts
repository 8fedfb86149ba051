// A model that cuts a character in two: what is approved, digested, kept and sent is the same all the same. Laws: L6.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { approve, finished, openRig, type Rig, talk, waitingOn } from '../rig/rig.ts';
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

test('its calls run, and the destination gets what the ledger has', async () => {
  const { client, destination } = rig;
  const { runId, conversationId } = await talk(client, await rig.agent('halves'), 'Go');
  const [asked] = await waitingOn(client, runId, 'approval');
  if (asked !== undefined) await approve(client, asked.requestId);
  const { state } = await finished(client, runId);
  expect(state).toMatchObject({ reason: 'done' });
  const actions = await client.actions(runId);
  expect(actions).toHaveLength(2);
  for (const action of actions) {
    expect(['confirmed', 'accepted']).toContain(action.effect);
    expect(JSON.stringify(action.arguments)).toContain(whole);
  }
  const effects = await destination.effects();
  expect(effects).toHaveLength(2);
  for (const effect of effects) expect(JSON.stringify(effect.arguments)).toContain(whole);
  const steps = await client.steps(runId);
  expect(JSON.stringify([steps, await client.events(conversationId)]).isWellFormed()).toBe(true);
  expect(JSON.stringify([steps, await client.events(conversationId)])).not.toMatch(/\\ud83d/);
});
