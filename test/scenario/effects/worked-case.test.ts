// The worked case: an opportunity is created and the reply lost, a notification's outcome stays open, and the customer withdraws
// meanwhile. Judged by the destination's own list; each step is in the sheet and in the journal. Laws: L1, L4, L7, L8, L16, L21.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Sheet } from '../../../functions/core/sheet/sheet.ts';
import { approve, finished, openRig, type Rig, talk, waitingOn } from '../../rig/rig.ts';
import { callCreate, callMail } from '../../rig/tools.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await openRig({
    scripts: {
      sale: {
        scenes: [
          {
            when: {},
            turns: [
              { call: [{ ...callCreate('12 seats'), name: 'crm_create_opportunity' }] },
              { call: [callMail('Your offer')], onError: { say: 'The CRM failed: {{error}}' } },
              {
                call: [callCreate('Follow-up')],
                onError: { say: 'About the mail: {{error}}', call: [callCreate('Follow-up')] },
              },
              { say: 'All done.', onError: { say: 'The follow-up: {{error}}' } },
            ],
          },
        ],
      },
    },
  });
});
afterAll(() => rig.close());

const sheetOf = async (actionId: string): Promise<Sheet> =>
  Sheet.parse((await rig.client.send('GET', `/v1/actions/${actionId}/sheet`)).body);
const saysIn = (sheet: Sheet, name: Sheet['fields'][number]['name']) =>
  sheet.fields
    .find((field) => field.name === name)
    ?.lines.map(({ says, text }) => ({ says, text }));

test('L10 the first is settled by its reference and attached, the second undetermined until a person decides, the third not sent after the revocation', async () => {
  const { client, destination } = rig;
  await destination.fault({
    service: 'crm',
    operation: 'create_opportunity',
    mode: 'drop_reply_after_write',
  });
  await destination.fault({ service: 'mail', operation: 'send', mode: 'drop_reply_after_write' });
  const agentId = await rig.agent('sale', {
    tools: ['crm_create_opportunity', 'mail', 'create'],
  });
  const { runId } = await talk(client, agentId, 'Sell 12 seats to Acme.');
  const [approval] = await waitingOn(client, runId, 'approval');
  await approve(client, approval?.requestId ?? '');
  await waitingOn(client, runId, 'recovery');
  const [first, second] = await client.actions(runId);
  expect(first).toMatchObject({ effect: 'confirmed', attempts: 1, reference: expect.any(String) });
  expect(second).toMatchObject({ effect: 'undetermined', attempts: 1 });

  const withdrawn = { reason: 'The customer withdrew.' };
  await client.send('POST', `/v1/agents/${agentId}/tools/create/revoke`, withdrawn);
  await client.decide(second?.actionId ?? '', { kind: 'suspend', reason: 'Marta is asked.' });
  await finished(client, runId);
  const third = (await client.actions(runId))[2];
  expect(third).toMatchObject({
    effect: 'not_sent',
    attempts: 0,
    disposition: { kind: 'refused' },
  });
  expect((await client.steps(runId)).at(-1)?.text).toContain('revoked');

  const effects = await destination.effects();
  expect(effects.map(({ service, operation }) => `${service} ${operation}`).toSorted()).toEqual([
    'crm create_opportunity',
    'mail send',
  ]);
  expect(effects.find(({ service }) => service === 'crm')?.reference).toBe(first?.actionId);

  const journals = await Promise.all(
    [first, second, third].map(
      async (action) => (await client.action(action?.actionId ?? '')).journal,
    ),
  );
  expect(journals[0]?.observations.map(({ source, says }) => `${source} ${says}`)).toEqual([
    'transport nothing',
    'look_up confirms',
  ]);
  expect(journals[1]?.decisions).toMatchObject([{ kind: 'suspend', by: { name: 'Ana' } }]);
  expect(journals[2]?.attempts).toEqual([]);

  const one = await sheetOf(first?.actionId ?? '');
  expect(one.state).toMatchObject({ effect: 'confirmed', text: 'confirmed' });
  expect(JSON.stringify(saysIn(one, 'evidence'))).toContain('found by its reference');
  const two = await sheetOf(second?.actionId ?? '');
  expect(two.state.text).toBe('undetermined · suspended');
  expect(JSON.stringify(saysIn(two, 'decision'))).toContain('suspend, by Ana');
  expect(two.fields[4]?.missing.map(({ says }) => says)).toEqual(['noEvidence', 'noWayToLook']);
  const three = await sheetOf(third?.actionId ?? '');
  expect(JSON.stringify(saysIn(three, 'mandate'))).toContain(
    'Permission revoked by Ana: The customer withdrew.',
  );
  expect(three.fields[6]?.missing.map(({ says }) => says)).toEqual(['mandateGone']);
});
