// An approval has two dates: until when it may be answered, and until when, once given, it may be begun. One that was given in the
// last moment is carried out, at once. Judged by the destination's own list. Laws: L7, L12, L13, L16.
import type { Context } from 'aws-lambda';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TryAgain } from '../../../functions/core/base/errors.ts';
import { handlerFor as performHandlerFor } from '../../../functions/run/perform.ts';
import { callCreate, toolsAt } from '../../rig/tools.ts';
import { openTurnedRig, type TurnedRig } from './clock.ts';

const expiryMs = 8_000;
let turned: TurnedRig;
let held = false;
beforeAll(async () => {
  turned = await openTurnedRig(
    Object.fromEntries(
      ['guarded', 'brief'].map((name) => [
        name,
        {
          scenes: [
            {
              when: {},
              turns: [
                { call: [{ ...callCreate('{{message}}'), name }] },
                { say: 'It ended so: {{result.last}}' },
              ],
            },
          ],
        },
      ]),
    ),
    (url) =>
      toolsAt(url)
        .filter(({ name }) => name === 'create')
        .flatMap((tool) => {
          const policy = { approval: { when: 'always' as const }, expiryMs };
          return [
            { ...tool, name: 'guarded', contract: { ...tool.contract, policy } },
            {
              ...tool,
              name: 'brief',
              contract: { ...tool.contract, policy: { ...policy, beginMs: 3_000 } },
            },
          ];
        }),
    {
      handlers: {
        // As if every call of the function failed for a while, before it did anything.
        perform: (substrate) => {
          const perform = performHandlerFor(substrate);
          return async (input: unknown, context: Context) => {
            if (held) throw new TryAgain('Not now.');
            return perform(input, context);
          };
        },
      },
    },
  );
});
afterAll(() => turned.rig.close());

const asked = async (name: string, title: string) => {
  const client = await turned.clientNow();
  const agentId = await turned.rig.agent(name, { tools: [name] });
  const conversationId = await client.begin(agentId);
  const { runId } = await client.say(conversationId, title);
  await turned.quiet();
  const [action] = await client.actions(runId);
  return { client, runId, requestId: action?.requestId ?? '', digest: action?.digest ?? '' };
};
const landed = async (title: string): Promise<number> =>
  (await turned.rig.destination.effects()).filter((one) => one.arguments.title === title).length;

test.each([900, 300, 41, 1])(
  'L12 given %i ms before it lapses, it is carried out at once',
  async (leftMs) => {
    const title = `Left ${leftMs}`;
    const { client, runId, requestId, digest } = await asked('guarded', title);
    await turned.clock.advance(expiryMs - leftMs);
    await client.answer(requestId, { kind: 'approve', digest });
    await turned.quiet();
    expect(await landed(title)).toBe(1);
    // Nothing but the moment of the machine's own wake-up has passed.
    expect((await client.run(runId)).state).toMatchObject({ status: 'finished', reason: 'done' });
    const view = await client.request(requestId);
    expect(view.approval?.expiresAtMs).toBe(turned.clock.now() + 3_600_000);
  },
);

test('L12 at its end it lapses without a pause, and the agent hears so', async () => {
  const { client, runId } = await asked('guarded', 'Nobody');
  await turned.clock.advance(expiryMs + 1_000);
  await turned.quiet();
  expect((await client.run(runId)).state).toMatchObject({ status: 'finished', reason: 'done' });
  expect((await client.actions(runId))[0]?.told?.text).toContain('expired before anybody answered');
});

test('L12 where the contract says how long it may be begun, that holds, and the words say what it was', async () => {
  const { client, runId, requestId, digest } = await asked('brief', 'Brief');
  held = true;
  await client.answer(requestId, { kind: 'approve', digest });
  await turned.clock.advance(4_000);
  held = false;
  await turned.endOf(runId);
  const [action] = await client.actions(runId);
  expect(action?.told?.text).toContain('The approval was given, and expired before it was begun.');
  expect(await landed('Brief')).toBe(0);
});

test('L12 one that was taken back is said to be revoked', async () => {
  const { client, runId, requestId, digest } = await asked('guarded', 'Taken back');
  held = true;
  await client.answer(requestId, { kind: 'approve', digest });
  await turned.quiet();
  await client.send('POST', `/v1/requests/${requestId}/revoke`, { reason: 'A mistake.' });
  held = false;
  await turned.endOf(runId);
  expect((await client.actions(runId))[0]?.told?.text).toContain('The approval was revoked.');
  expect(await landed('Taken back')).toBe(0);
});
