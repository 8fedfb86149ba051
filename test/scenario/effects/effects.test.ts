// Effects that happen twice, or are believed not to have happened. Judged by the destination's own list.
import type { Context } from 'aws-lambda';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { handlerFor as performHandlerFor } from '../../../functions/run/perform.ts';
import { approve, finished, openRig, type Rig, talk, waitingOn } from '../../rig/rig.ts';
import { callCreate, callRefund } from '../../rig/tools.ts';
import { until } from '../../rig/until.ts';

const callKept = {
  name: 'crm_create_opportunity',
  arguments: { customer_id: 'cus_acme', title: '{{message}}', amount_cents: 4_800 },
};
const evidence = {
  what: 'The opportunity is there.',
  where: 'The CRM, list of opportunities',
  when: '2026-11-30T09:12:00Z',
  coverage: 'All opportunities of the account.',
};

let rig: Rig;
let cutAnswers = 0;
beforeAll(async () => {
  rig = await openRig({
    scripts: {
      write: {
        scenes: [
          {
            when: {},
            turns: [{ call: [callCreate('{{message}}')] }, { say: 'It ended so: {{result.last}}' }],
          },
        ],
      },
      lookedUp: {
        scenes: [{ when: {}, turns: [{ call: [callKept] }, { say: 'So: {{result.last}}' }] }],
      },
      refund: {
        scenes: [
          {
            when: { matches: 'refund (?<payment>pay_\\w+)' },
            turns: [{ call: [callRefund('{{match.payment}}', 500)] }, { say: 'Refunded.' }],
          },
          { when: {}, turns: [{ say: 'You are welcome.' }] },
        ],
      },
    },
    twin: {
      handlers: {
        // As if the caller had timed out when the function had done its work: the machine is told nothing else.
        perform: (substrate) => {
          const perform = performHandlerFor(substrate);
          return async (input: unknown, context: Context) => {
            const output = await perform(input, context);
            if (cutAnswers === 0) return output;
            cutAnswers -= 1;
            throw Object.assign(new Error('The caller waits no longer.'), {
              name: 'States.Timeout',
            });
          };
        },
      },
    },
  });
});
afterAll(() => rig.close());

test('L1 S01 the destination writes after the tool’s limit: one effect, undetermined, then confirmed by look-up', async () => {
  const { client, destination } = rig;
  const title = 'S01';
  await destination.fault({
    service: 'crm',
    operation: 'create_opportunity',
    match: { title },
    mode: 'delay',
    beforeWriteMs: 2_000,
  });
  const { conversationId, runId } = await talk(client, await rig.agent('lookedUp', kept), title);
  await finished(client, runId);
  const [action] = await client.actions(runId);
  expect(action).toMatchObject({ effect: 'confirmed', attempts: 1 });
  expect(await destination.effectsOf(action?.actionId ?? '')).toHaveLength(1);
  const types = (await client.events(conversationId)).map(({ body }) => body.type);
  expect(types.indexOf('action.undetermined')).toBeGreaterThan(types.indexOf('action.engaged'));
  expect(types.indexOf('action.confirmed')).toBeGreaterThan(types.indexOf('action.undetermined'));
});

const kept = { tools: ['crm_create_opportunity'] };

test('L8 S02 the call never arrived: absence is proven by look-up, and one retry under the same reference makes one effect', async () => {
  const { client, destination } = rig;
  const title = 'S02';
  await destination.fault({
    service: 'crm',
    operation: 'create_opportunity',
    match: { title },
    mode: 'drop_before_write',
  });
  const { runId } = await talk(client, await rig.agent('lookedUp', kept), title);
  const run = await finished(client, runId);
  expect(run.state.reason).toBe('done');
  const [action] = await client.actions(runId);
  expect(action).toMatchObject({ effect: 'confirmed', attempts: 2 });
  expect(await destination.effectsOf(action?.actionId ?? '')).toHaveLength(1);
});

test('L13 S03 an approved refund is made once, however many turns follow', async () => {
  const { client, destination } = rig;
  const agentId = await rig.agent('refund');
  const { conversationId, runId } = await talk(client, agentId, 'refund pay_1002');
  const [request] = await waitingOn(client, runId, 'approval');
  await approve(client, request?.requestId ?? '');
  await finished(client, runId);
  for (const text of ['Thanks.', 'What is the weather?'])
    await finished(client, (await client.say(conversationId, text)).runId);
  const refunds = (await destination.effects()).filter(
    (effect) => effect.arguments.payment_id === 'pay_1002',
  );
  expect(refunds).toHaveLength(1);
  const [action] = await client.actions(runId);
  expect(action).toMatchObject({ effect: 'confirmed', attempts: 1 });
  expect(await client.openRequests()).toEqual([]);
});

test('L3 S10 the caller times out after the function has done its work: the machine looks again, and one effect is there', async () => {
  const { client, destination } = rig;
  cutAnswers = 2;
  const { runId } = await talk(client, await rig.agent('write'), 'S10');
  const run = await finished(client, runId);
  expect(run.state.reason).toBe('done');
  const [action] = await client.actions(runId);
  expect(action).toMatchObject({ effect: 'confirmed', attempts: 1 });
  expect(await destination.effectsOf(action?.actionId ?? '')).toHaveLength(1);
});

test('L20 S22 a 500 after the write frees nothing: undetermined, not sent again, and a look-alike asks with both on view', async () => {
  const { client, destination } = rig;
  const title = 'S22';
  await destination.fault({
    service: 'crm',
    operation: 'create_opportunity',
    match: { title },
    mode: 'status_after_write',
    status: 500,
  });
  const agentId = await rig.agent('write');
  const first = await talk(client, agentId, title);
  await waitingOn(client, first.runId, 'recovery');
  const [action] = await client.actions(first.runId);
  expect(action).toMatchObject({ effect: 'undetermined', attempts: 1 });
  const second = await talk(client, agentId, title);
  const [request] = await waitingOn(client, second.runId, 'approval');
  const view = await client.request(request?.requestId ?? '');
  expect(view.lookAlikes.map(({ actionId }) => actionId)).toEqual([action?.actionId]);
  await client.answer(view.request.requestId, { kind: 'refuse', reason: 'It is there already.' });
  await finished(client, second.runId);
  await client.decide(action?.actionId ?? '', {
    kind: 'attach',
    evidence,
  });
  const run = await finished(client, first.runId);
  expect(run.state.reason).toBe('done');
  const effects = (await destination.effects()).filter((one) => one.arguments.title === title);
  expect(effects.map(({ reference }) => reference)).toEqual([action?.actionId]);
});

test('L16 an outcome that nobody can know is told as such to the model, which cannot make it look like success', async () => {
  const { client, destination } = rig;
  await destination.fault({
    service: 'crm',
    operation: 'create_opportunity',
    match: { title: 'Gone' },
    mode: 'drop_reply_after_write',
  });
  const { runId } = await talk(client, await rig.agent('write'), 'Gone');
  await waitingOn(client, runId, 'recovery');
  const [action] = await client.actions(runId);
  await client.decide(action?.actionId ?? '', {
    kind: 'abandon',
    reason: 'Nobody needs it.',
  });
  await finished(client, runId);
  const text = await until('the last step', async () => (await client.steps(runId)).at(-1)?.text);
  expect(text).toContain('not known whether');
  expect((await client.action(action?.actionId ?? '')).action.effect).toBe('undetermined');
});
