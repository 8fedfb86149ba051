// The recovery desk end to end: each of the seven decisions, and what takes a permission away. Judged by the destination's own
// list of effects, and by what the agent was told. Laws: L4, L7, L10, L16, L20, L21.

import type { Context } from 'aws-lambda';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ToolRegistrationInput } from '../../../functions/core/registry/tool.ts';
import { handlerFor as performHandlerFor } from '../../../functions/run/perform.ts';
import { clientOf } from '../../rig/client.ts';
import { approve, finished, openRig, type Rig, talk, waitingOn } from '../../rig/rig.ts';
import { callCreate, callMail, toolNames, toolsAt } from '../../rig/tools.ts';
import { until } from '../../rig/until.ts';

const evidence = {
  what: 'Looked for the opportunity by its title.',
  where: 'The CRM, list of opportunities',
  when: '2026-11-30T09:12:00Z',
  coverage: 'All opportunities of the account, closed ones included.',
};

/** Honours the key, declares no look-up, and nobody has tried it: only a person may have it repeated. */
const keyed = (url: string): ToolRegistrationInput[] =>
  toolsAt(url).flatMap((tool) => {
    if (tool.name !== 'crm_create_opportunity') return [];
    const { lookUp: _none, verification: _untried, ...contract } = tool.contract;
    return [{ ...tool, name: 'keyed', contract }];
  });

let rig: Rig;
/** Holds Perform back, so that something can happen before an attempt opens. */
let gate: Promise<void> = Promise.resolve();
let arrived = 0;

const shut = (): (() => void) => {
  let open = (): void => undefined;
  gate = new Promise((done) => {
    open = done;
  });
  arrived = 0;
  return open;
};

beforeAll(async () => {
  rig = await openRig({
    tools: keyed,
    scripts: Object.fromEntries(
      ['create', 'keyed', 'mail'].map((name) => [
        name,
        {
          scenes: [
            {
              when: {},
              turns: [
                {
                  call: [
                    name === 'mail'
                      ? callMail('{{message}}')
                      : { ...callCreate('{{message}}'), name },
                  ],
                },
                { say: 'It ended so: {{result.last}}', onError: { say: 'It ended so: {{error}}' } },
              ],
            },
          ],
        },
      ]),
    ),
    twin: {
      handlers: {
        perform: (substrate) => {
          const perform = performHandlerFor(substrate);
          return async (input: unknown, context: Context) => {
            arrived += 1;
            await gate;
            return perform(input, context);
          };
        },
      },
    },
  });
});
afterAll(() => rig.close());

const agents = new Map<string, Promise<string>>();
const agentOf = (tool: string): Promise<string> => {
  const known = agents.get(tool) ?? rig.agent(tool, { tools: [...toolNames, 'keyed'] });
  agents.set(tool, known);
  return known;
};

/** A call whose reply is lost; it is at the destination unless `before` says so, and nobody knows. */
const lose = async (title: string, tool = 'create', before = false) => {
  await rig.destination.fault({
    service: 'crm',
    operation: 'create_opportunity',
    match: { title },
    mode: before ? 'drop_before_write' : 'drop_reply_after_write',
  });
  const talked = await talk(rig.client, await agentOf(tool), title);
  await waitingOn(rig.client, talked.runId, 'recovery');
  const [action] = await rig.client.actions(talked.runId);
  return { ...talked, actionId: action?.actionId ?? '' };
};
const saidLast = async (runId: string): Promise<string> => {
  await finished(rig.client, runId);
  return (await rig.client.steps(runId)).at(-1)?.text ?? '';
};
const actionOf = async (actionId: string) => (await rig.client.action(actionId)).action;
const effectsNamed = async (title: string) =>
  (await rig.destination.effects()).filter((one) => one.arguments.title === title);
const post = (path: string, body: object = {}) => rig.client.send('POST', path, body);
const typesOf = async (conversationId: string) =>
  (await rig.client.events(conversationId)).map(({ body }) => body.type);

test('L10 attached by a person: the run goes on with it, the recovery is closed and the claim ended', async () => {
  const { runId, actionId, conversationId } = await lose('Attached');
  await rig.client.decide(actionId, {
    kind: 'attach',
    evidence: { ...evidence, reference: 'opp_1' },
  });
  expect(await saidLast(runId)).toContain('Done: create');
  expect(await actionOf(actionId)).toMatchObject({ effect: 'confirmed', reference: 'opp_1' });
  expect(await typesOf(conversationId)).toEqual(
    expect.arrayContaining(['claim.taken', 'action.decided', 'request.closed', 'claim.ended']),
  );
});

test('L21 stated not performed, with evidence: the agent is told so and nothing is sent again', async () => {
  const { runId, actionId } = await lose('Not there', 'create', true);
  await rig.client.decide(actionId, { kind: 'not_performed', evidence });
  expect(await saidLast(runId)).toContain('Not done, with proof');
  expect(await actionOf(actionId)).toMatchObject({ effect: 'not_performed', attempts: 1 });
  expect(await effectsNamed('Not there')).toEqual([]);
});

test('L5 repeated with the same key after a lost reply: two attempts, one effect', async () => {
  const { runId, actionId } = await lose('Repeated', 'keyed');
  await rig.client.decide(actionId, { kind: 'repeat' });
  expect(await saidLast(runId)).toContain('"title":"Repeated"');
  expect(await actionOf(actionId)).toMatchObject({ effect: 'confirmed', attempts: 2 });
  expect(await effectsNamed('Repeated')).toHaveLength(1);
});

test('L20 suspended: the agent is told, the run goes on, the action stays undetermined and a look-alike asks', async () => {
  const { runId, actionId } = await lose('Suspended');
  await rig.client.decide(actionId, { kind: 'suspend', reason: 'Marta is asked.' });
  expect(await saidLast(runId)).toContain('not known whether');
  expect(await actionOf(actionId)).toMatchObject({
    effect: 'undetermined',
    disposition: { kind: 'suspended', because: 'Marta is asked.' },
  });
  const other = await talk(rig.client, await agentOf('create'), 'Suspended');
  const [request] = await waitingOn(rig.client, other.runId, 'approval');
  const view = await rig.client.request(request?.requestId ?? '');
  expect(view.lookAlikes.map((twin) => twin.actionId)).toEqual([actionId]);
  await rig.client.answer(view.request.requestId, { kind: 'refuse', reason: 'Wait for Marta.' });
  await finished(rig.client, other.runId);
});

test('L4 a suspended action can be repeated later, under the same key', async () => {
  const { runId, actionId } = await lose('Taken up again', 'keyed', true);
  await rig.client.decide(actionId, { kind: 'suspend', reason: 'Later.' });
  await finished(rig.client, runId);
  await rig.client.decide(actionId, { kind: 'repeat' });
  await until('it is confirmed', async () =>
    (await actionOf(actionId)).effect === 'confirmed' ? true : undefined,
  );
  expect(await actionOf(actionId)).toMatchObject({ attempts: 2, disposition: { kind: 'open' } });
  expect(await effectsNamed('Taken up again')).toHaveLength(1);
});

test('L21 abandoned: a look-alike runs without being asked, and the first stays open to evidence', async () => {
  const { runId, actionId } = await lose('Abandoned', 'create', true);
  await rig.client.decide(actionId, { kind: 'abandon', reason: 'The customer left.' });
  await finished(rig.client, runId);
  const other = await talk(rig.client, await agentOf('create'), 'Abandoned');
  await finished(rig.client, other.runId);
  expect(await effectsNamed('Abandoned')).toHaveLength(1);
  const meter = { subject: 'meter', name: 'Meter', email: 'meter@example.test' };
  const token = await rig.twin.token({ ...meter, kind: 'machine', roles: ['reporter'] });
  const path = `/v1/actions/${actionId}/observations`;
  await clientOf(rig.twin.url, token).send('POST', path, { ...evidence, says: 'confirms' });
  expect(await actionOf(actionId)).toMatchObject({
    effect: 'confirmed',
    disposition: { kind: 'abandoned' },
  });
});

test('L21 reissued: the approval shows the original, two effects knowingly, and both show it once the original is confirmed', async () => {
  const { runId, actionId, conversationId } = await lose('Reissued');
  const risk = { reason: 'The customer waits.', riskAccepted: 'It may be there twice.' };
  const taken = await rig.client.decide(actionId, { kind: 'reissue', ...risk });
  const reissue = taken.reissuedAs ?? '';
  expect(await saidLast(runId)).toContain(reissue);
  const request = await until('its approval is open', async () =>
    (await rig.client.openRequests()).find((one) => one.actionId === reissue),
  );
  const view = await rig.client.request(request.requestId);
  expect(view.lookAlikes.map((twin) => twin.actionId)).toEqual([actionId]);
  expect(await effectsNamed('Reissued')).toHaveLength(1);
  await approve(rig.client, request.requestId);
  await until('it is sent', async () =>
    (await actionOf(reissue)).effect === 'confirmed' ? true : undefined,
  );
  expect((await effectsNamed('Reissued')).map(({ reference }) => reference).toSorted()).toEqual(
    [actionId, reissue].toSorted(),
  );
  expect(await actionOf(actionId)).toMatchObject({ effect: 'undetermined' });
  await post(`/v1/actions/${actionId}/observations`, { ...evidence, says: 'confirms' });
  // A person's word is no more than that until somebody decides on it.
  expect(await actionOf(actionId)).toMatchObject({ effect: 'undetermined', recovering: true });
  await rig.client.decide(actionId, { kind: 'attach', evidence });
  expect(await actionOf(actionId)).toMatchObject({ effect: 'confirmed', duplicateOf: reissue });
  expect(await actionOf(reissue)).toMatchObject({ duplicateOf: actionId });
  const said = await rig.client.events(conversationId);
  expect(
    said
      .flatMap(({ body }) => (body.type === 'action.duplicated' ? [body.actionId] : []))
      .toSorted(),
  ).toEqual([actionId, reissue].toSorted());
});

test('L7 a permission revoked before the attempt opens: nothing is sent, and the agent is told why', async () => {
  const agentId = await rig.agent('create');
  const open = shut();
  const { runId } = await talk(rig.client, agentId, 'Withdrawn');
  await until('it is about to be sent', () => (arrived > 0 ? true : undefined));
  const revoked = await post(`/v1/agents/${agentId}/tools/create/revoke`, { reason: 'Withdrawn.' });
  expect(revoked.status).toBe(200);
  open();
  expect(await saidLast(runId)).toContain('revoked');
  const [action] = await rig.client.actions(runId);
  expect(action).toMatchObject({
    effect: 'not_sent',
    attempts: 0,
    disposition: { kind: 'refused' },
  });
  expect(await effectsNamed('Withdrawn')).toEqual([]);
});

test('L7 an approval taken back before its attempt opens: nothing is sent, also when it is asked twice', async () => {
  const { client } = rig;
  const { runId } = await talk(client, await rig.agent('mail', { tools: ['mail'] }), 'Taken back');
  const [request] = await waitingOn(client, runId, 'approval');
  const requestId = request?.requestId ?? '';
  const open = shut();
  await approve(client, requestId);
  await until('it is about to be sent', () => (arrived > 0 ? true : undefined));
  const path = `/v1/requests/${requestId}/revoke`;
  const first = await post(path, { reason: 'The customer withdrew.' });
  expect(first).toMatchObject({ status: 200, body: { attempts: 0, revokedBy: { name: 'Ana' } } });
  expect((await post(path, { reason: 'Again.' })).body).toEqual(first.body);
  open();
  expect(await saidLast(runId)).toContain('revoked');
  const mails = (await rig.destination.effects()).filter(({ service }) => service === 'mail');
  expect(mails.filter((mail) => mail.arguments.subject === 'Taken back')).toEqual([]);
});

test('L7 a permission revoked between the decision to repeat and the attempt: nothing more is sent, and what was sent stays unknown', async () => {
  const agentId = await rig.agent('keyed', { tools: ['keyed'] });
  await rig.destination.fault({
    service: 'crm',
    operation: 'create_opportunity',
    match: { title: 'Between' },
    mode: 'drop_before_write',
  });
  const { runId } = await talk(rig.client, agentId, 'Between');
  await waitingOn(rig.client, runId, 'recovery');
  const [action] = await rig.client.actions(runId);
  const actionId = action?.actionId ?? '';
  const open = shut();
  await rig.client.decide(actionId, { kind: 'repeat' });
  await until('the repeat is about to be sent', () => (arrived > 0 ? true : undefined));
  await post(`/v1/agents/${agentId}/tools/keyed/revoke`, { reason: 'The customer withdrew.' });
  open();
  await rig.client.claim(actionId);
  const decisions = await until('the repeat is forbidden', async () => {
    const { body } = await rig.client.send('GET', `/v1/actions/${actionId}/decisions`);
    return JSON.stringify(body).includes('mandate_revoked') ? JSON.stringify(body) : undefined;
  });
  expect(decisions).toContain('The mandate was revoked on');
  expect(await actionOf(actionId)).toMatchObject({
    effect: 'undetermined',
    attempts: 1,
    disposition: { kind: 'open' },
  });
  await rig.client.decide(actionId, { kind: 'abandon', reason: 'Withdrawn.' });
  expect(await saidLast(runId)).toContain('not known whether');
  expect(await effectsNamed('Between')).toEqual([]);
});

test('L7 a barred tool sends nothing, and is used again when it is let', async () => {
  await post('/v1/tools/create/bar', { reason: 'It doubles everything.' });
  const barred = await talk(rig.client, await agentOf('create'), 'Barred');
  expect(await saidLast(barred.runId)).toContain('barred');
  await post('/v1/tools/create/unbar', { reason: 'It is mended.' });
  const again = await talk(rig.client, await agentOf('create'), 'Barred');
  await finished(rig.client, again.runId);
  expect(await effectsNamed('Barred')).toHaveLength(1);
});

test('L20 a look-alike of an action in flight waits for it, and is asked about even when the other was confirmed meanwhile', async () => {
  const title = 'In flight';
  const fault = await rig.destination.fault({
    service: 'crm',
    operation: 'create_opportunity',
    match: { title },
    mode: 'hold',
    when: 'after_write',
  });
  const first = await talk(rig.client, await agentOf('create'), title);
  await rig.destination.untilHeld('create_opportunity');
  const second = await talk(rig.client, await agentOf('create'), title);
  const [other] = await until('the second was proposed', async () => {
    const actions = await rig.client.actions(second.runId);
    return actions[0]?.alike === undefined ? undefined : actions;
  });
  expect(other).toMatchObject({ effect: 'not_sent' });
  await rig.destination.release(fault);
  await finished(rig.client, first.runId);
  const [request] = await waitingOn(rig.client, second.runId, 'approval');
  const view = await rig.client.request(request?.requestId ?? '');
  const [original] = await rig.client.actions(first.runId);
  expect(view.lookAlikes.map(({ actionId }) => actionId)).toEqual([original?.actionId]);
  expect(await effectsNamed(title)).toHaveLength(1);
  await rig.client.answer(view.request.requestId, { kind: 'refuse', reason: 'It is there.' });
  await finished(rig.client, second.runId);
});
