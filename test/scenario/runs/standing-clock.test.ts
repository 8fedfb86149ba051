// A clock that stands: who loses against another writer still gets an answer, since rivals part by turns and not by time.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTurnedRig, type TurnedRig } from '../people/clock.ts';

let turned: TurnedRig;
beforeAll(async () => {
  turned = await openTurnedRig({ talk: { scenes: [{ when: {}, turns: [{ say: 'Yes.' }] }] } });
});
afterAll(() => turned.rig.close());

test('L17 many write to one conversation at once while the clock stands, and each is answered', async () => {
  const client = await turned.clientNow();
  const agentId = await turned.rig.agent('talk');
  const conversationId = await client.begin(agentId);
  const texts = Array.from({ length: 12 }, (_, index) => `Message ${index}`);
  const said = await Promise.all(texts.map((text) => client.say(conversationId, text)));
  expect(new Set(said.map(({ messageId }) => messageId)).size).toBe(texts.length);
  expect(new Set(said.map(({ runId }) => runId)).size).toBe(1);
}, 20_000);
