// Many people, one conversation, the same instant. Laws: L11, L17.
import { expect, test } from 'vitest';
import { openRig } from '../../rig/rig.ts';
import { callCreate } from '../../rig/tools.ts';
import { holds } from '../../rig/until.ts';

const clients = 20;
const rounds = 50;

test(`L11 ${clients} clients say something at the same instant, ${rounds} times: one run each time, the rest steers, none is lost`, async () => {
  const rig = await openRig({
    toolMs: 20_000,
    scripts: {
      work: {
        scenes: [
          {
            when: {},
            turns: [{ call: [callCreate('{{message}}')] }, { say: 'Done.' }],
          },
        ],
      },
    },
  });
  try {
    const { client, destination } = rig;
    const conversationId = await client.begin(await rig.agent('work'));
    let said = 0;
    for (let round = 1; round <= rounds; round += 1) {
      const faultId = await destination.fault({
        service: 'crm',
        operation: 'create_opportunity',
        mode: 'hold',
      });
      const fates = await Promise.all(
        Array.from({ length: clients }, (_, index) =>
          client.say(conversationId, `Round ${round}, client ${index}`),
        ),
      );
      said += fates.length;
      expect(fates.filter(({ fate }) => fate === 'started')).toHaveLength(1);
      expect(new Set(fates.map(({ runId }) => runId)).size).toBe(1);
      await destination.untilHeld('create_opportunity');
      await destination.release(faultId);
      await holds('the conversation rests', async () => {
        const { state, pending } = await client.conversation(conversationId);
        return state.status === 'idle' && pending.length === 0;
      });
    }
    expect(await client.runs(conversationId)).toHaveLength(rounds);
    const messages = await client.messages(conversationId);
    expect(messages.map(({ number }) => number)).toEqual(
      Array.from({ length: said }, (_, index) => index + 1),
    );
    const fates = messages.map(({ fate }) => fate.fate);
    expect(fates.filter((fate) => fate === 'started')).toHaveLength(rounds);
    expect(fates.filter((fate) => fate === 'taken')).toHaveLength(said - rounds);
    // A step takes a bounded number of messages, so a round may need a second call: each action has its one effect.
    const runs = await client.runs(conversationId);
    const actions = (await Promise.all(runs.map(({ runId }) => client.actions(runId)))).flat();
    const effects = await destination.effects();
    expect(actions.length).toBeGreaterThanOrEqual(rounds);
    expect(effects.map(({ reference }) => reference).toSorted()).toEqual(
      actions.map(({ actionId }) => actionId).toSorted(),
    );
    const numbers = (await client.events(conversationId)).map(({ number }) => number);
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
  } finally {
    await rig.close();
  }
}, 240_000);
