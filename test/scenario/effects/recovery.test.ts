// Outcomes that nobody reported: what is never sent again by itself, what may be under the same key, and what a person decides
// about the rest, one person at a time. Judged by the destination's own list. Laws: L1, L3, L4, L6, L7, L10, L16, L20.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { DeskEntry } from '../../../functions/api/schemas/desk.ts';
import type { ToolRegistrationInput } from '../../../functions/core/registry/tool.ts';
import { Sheet } from '../../../functions/core/sheet/sheet.ts';
import { calendarTools } from '../../../local/demo/registrations-calendar.ts';
import { type Client, clientOf } from '../../rig/client.ts';
import { demoToken, openDestination } from '../../rig/destination.ts';
import { startTwinProcess } from '../../rig/process.ts';
import {
  approve,
  egressTo,
  finished,
  makeAgent,
  openRig,
  type Rig,
  talk,
  waitingOn,
} from '../../rig/rig.ts';
import { callCreate, callMail, callRefund, toolMs, toolsAt } from '../../rig/tools.ts';
import { until } from '../../rig/until.ts';

/** The mail with a person in charge by name; the creation with a key that was tried, and nothing to look it up by. */
const ownTools = (url: string): ToolRegistrationInput[] => [
  ...calendarTools(url).map((tool) => ({
    ...tool,
    contract: { ...tool.contract, timeoutMs: toolMs },
  })),
  ...toolsAt(url).flatMap((tool) => {
    const { lookUp: _none, ...contract } = tool.contract;
    if (tool.name === 'mail')
      return [{ ...tool, name: 'mail_send', contract: { ...contract, recoverer: 'marta' } }];
    return tool.name === 'crm_create_opportunity' ? [{ ...tool, name: 'keyed', contract }] : [];
  }),
];
const startsAt = '2026-12-10T09:00:00Z';
const told = { say: 'So: {{result.last}}', onError: { say: 'So: {{error}}' } };
const calling = (name: string, args: object) => ({
  scenes: [{ when: {}, turns: [{ call: [{ name, arguments: { ...args } }] }, told] }],
});
const scripts = {
  event: calling('calendar_create_event', { title: '{{message}}', starts_at: startsAt }),
  mail: calling('mail_send', callMail('{{message}}').arguments),
  create: calling('create', callCreate('{{message}}').arguments),
  keyed: calling('keyed', callCreate('{{message}}').arguments),
  refunds: {
    scenes: [
      {
        when: { matches: 'first' },
        turns: [{ call: [callRefund('pay_1003', 500)] }, told],
      },
      { when: {}, turns: [{ call: [callRefund('pay_1003', 900)] }, told] },
    ],
  },
};
const evidence = {
  what: 'It is there.',
  where: 'The list of the destination itself',
  when: '2026-11-30T09:12:00Z',
  coverage: 'The whole account.',
};

let rig: Rig;
beforeAll(async () => {
  rig = await openRig({ scripts, tools: ownTools });
});
afterAll(() => rig.close());

const performed = z.object({ outcome: z.string() });
/** Another worker's Perform of the same call. */
const performAgain = async (input: object): Promise<string> => {
  const answer = await rig.twin.invoke('perform', { schema: 1, segment: 1, ...input });
  expect(answer.functionError).toBeUndefined();
  return performed.parse(JSON.parse(answer.payload)).outcome;
};
const effectsWith = async (name: 'title' | 'subject' | 'payment_id', value: string) =>
  (await rig.destination.effects()).filter((one) => one.arguments[name] === value);

test('L4 S11 an MCP tool that ignores the key and loses its reply: undetermined, a person’s case, and never a second send', async () => {
  const { client, destination } = rig;
  await destination.fault({
    service: 'mcp',
    operation: 'calendar_create_event',
    mode: 'drop_reply_after_write',
  });
  const agentId = await rig.agent('event', {
    tools: ['calendar_create_event', 'calendar_list_events'],
  });
  const { runId } = await talk(client, agentId, 'S11');
  const seen = await until('the look-ups are over and a person is asked', async () => {
    const [action] = await client.actions(runId);
    if (action?.requestId === undefined) return undefined;
    const { request } = await client.request(action.requestId);
    return request.on === 'recovery' && request.needsPerson ? action : undefined;
  });
  expect(seen).toMatchObject({ effect: 'undetermined', attempts: 1 });
  const { decisions } = await client.action(seen.actionId);
  expect(decisions.find(({ kind }) => kind === 'repeat')).toMatchObject({ allowed: false });
  expect(await destination.arrivals('calendar_create_event')).toHaveLength(1);
  await client.decide(seen.actionId, { kind: 'attach', evidence });
  expect((await finished(client, runId)).state.reason).toBe('done');
  expect(await effectsWith('title', 'S11')).toHaveLength(1);
  expect(await destination.arrivals('calendar_create_event')).toHaveLength(1);
});

test('L3 S12 a second worker, while the first waits for its reply and after its time is over: it looks, and the write is sent once', async () => {
  const { client, destination } = rig;
  const faultId = await destination.fault({
    service: 'crm',
    operation: 'create_opportunity',
    match: { title: 'S12' },
    mode: 'hold',
    when: 'after_write',
  });
  const sent = async () => (await destination.arrivals('create_opportunity')).length;
  const before = await sent();
  const { conversationId, runId } = await talk(client, await rig.agent('create'), 'S12');
  await destination.untilHeld('create_opportunity');
  const [engaged] = await client.actions(runId);
  const actionId = engaged?.actionId ?? '';
  expect(await performAgain({ runId, conversationId, actionId })).toBe('wait');
  await waitingOn(client, runId, 'recovery');
  await destination.release(faultId);
  for (const by of ['run', 'recover'])
    expect(await performAgain({ runId, conversationId, actionId, by })).not.toBe('settled');
  expect((await client.action(actionId)).action).toMatchObject({
    effect: 'undetermined',
    attempts: 1,
  });
  expect(await destination.effectsOf(actionId)).toHaveLength(1);
  expect(await sent()).toBe(before + 1);
  await client.decide(actionId, { kind: 'attach', evidence });
  await finished(client, runId);
  expect(await performAgain({ runId, conversationId, actionId })).toBe('settled');
  expect(await sent()).toBe(before + 1);
});

test('L4 S14 no key and no look-up: undetermined, with a sheet and a named recoverer; a person sends anew, with reason and risk on record', async () => {
  const { client, destination } = rig;
  await destination.fault({ service: 'mail', operation: 'send', mode: 'drop_reply_after_write' });
  const { runId } = await talk(client, await rig.agent('mail', { tools: ['mail_send'] }), 'S14');
  const [approval] = await waitingOn(client, runId, 'approval');
  await approve(client, approval?.requestId ?? '');
  const [recovery] = await waitingOn(client, runId, 'recovery');
  expect(recovery).toMatchObject({ needsPerson: true, recoverer: 'marta' });
  const actionId = recovery?.actionId ?? '';
  const sheet = Sheet.parse((await client.send('GET', `/v1/actions/${actionId}/sheet`)).body);
  expect(sheet.state.effect).toBe('undetermined');
  expect(sheet.fields.flatMap(({ missing }) => missing.map(({ says }) => says))).toEqual(
    expect.arrayContaining(['noEvidence', 'noWayToLook']),
  );
  const seenHead = (await client.action(actionId)).action.head;
  const unaccepted = await client.send('POST', `/v1/actions/${actionId}/decisions`, {
    kind: 'reissue',
    reason: 'It must arrive today.',
    seenHead,
    claimFence: (await client.claim(actionId)).fence,
  });
  expect(unaccepted.status).toBe(422);
  const words = { reason: 'It must arrive today.', riskAccepted: 'Marta may get it twice.' };
  await client.decide(actionId, { kind: 'reissue', ...words });
  const { action, journal } = await client.action(actionId);
  expect(journal.decisions).toMatchObject([{ kind: 'reissue', by: { name: 'Ana' }, ...words }]);
  expect(action).toMatchObject({ effect: 'undetermined', attempts: 1 });
  if (action.disposition.kind !== 'reissued') throw new Error('It was not sent anew.');
  const anew = (await client.action(action.disposition.as)).action;
  expect(await effectsWith('subject', 'S14')).toHaveLength(1);
  await approve(client, anew.requestId ?? '');
  await until('the new one is sent', async () =>
    (await effectsWith('subject', 'S14')).length === 2 ? true : undefined,
  );
});

test.each([
  { tool: 'create', attempts: 1, effect: 'undetermined' },
  { tool: 'keyed', attempts: 2, effect: 'confirmed' },
] as const)(
  'L4 S15 the executor dies after the commit ($tool): $attempts attempt(s), one effect, $effect',
  async ({ tool, attempts, effect }) => {
    const destination = await openDestination();
    const dataDir = await mkdtemp(join(tmpdir(), 'reprise-executor-'));
    const first = await openRig({ destination, scripts, newDir: dataDir, tools: ownTools });
    const agentId = await makeAgent(first.client, tool, { tools: [tool] });
    await first.close();
    const child = await startTwinProcess(
      { dataDir, scripts, environment: egressTo(destination.port), demoToken },
      { REPRISE_CRASH_AT: 'perform.reply-received' },
    );
    try {
      const { runId } = await talk(child.client, agentId, 'S15');
      await until('the process dies', () => child.endedBy());
      const again = await openRig({ destination, dataDir, scripts });
      try {
        if (effect === 'undetermined') await waitingOn(again.client, runId, 'recovery');
        else await finished(again.client, runId);
        const [action] = await again.client.actions(runId);
        expect(action).toMatchObject({ effect, attempts });
        const arrivals = await destination.arrivals('create_opportunity');
        expect(arrivals).toHaveLength(attempts);
        expect(new Set(arrivals.map(({ key }) => key)).size).toBe(1);
        expect(await destination.effectsOf(action?.actionId ?? '')).toHaveLength(1);
      } finally {
        await again.close();
      }
    } finally {
      await child.kill();
      await destination.close();
      await rm(dataDir, { recursive: true, force: true });
    }
  },
);

test('L6 S21 the same refund with another amount: another action with another digest, its own approval, and the first one’s is not spent on it', async () => {
  const { client, destination } = rig;
  const agentId = await rig.agent('refunds');
  const first = await talk(client, agentId, 'The first amount');
  const [asked] = await waitingOn(client, first.runId, 'approval');
  await approve(client, asked?.requestId ?? '');
  await finished(client, first.runId);
  const second = await talk(client, agentId, 'Another amount');
  const [anew] = await waitingOn(client, second.runId, 'approval');
  const shown = await client.request(anew?.requestId ?? '');
  const before = await client.request(asked?.requestId ?? '');
  expect(shown.action?.actionId).not.toBe(before.action?.actionId);
  expect(shown.action?.digest).not.toBe(before.action?.digest);
  expect([before, shown].map(({ action }) => action?.arguments.amount_cents)).toEqual([500, 900]);
  const spent = await client.send('POST', `/v1/requests/${anew?.requestId}/answer`, {
    kind: 'approve',
    digest: before.action?.digest,
  });
  expect(spent.status).toBe(409);
  expect(await effectsWith('payment_id', 'pay_1003')).toHaveLength(1);
  await approve(client, anew?.requestId ?? '');
  await finished(client, second.runId);
  const amounts = (await destination.effects())
    .filter(({ arguments: { payment_id } }) => payment_id === 'pay_1003')
    .map((one) => [one.reference, one.arguments.amount_cents]);
  expect(amounts).toEqual([
    [before.action?.actionId, 500],
    [shown.action?.actionId, 900],
  ]);
});

const deskOf = async (who: Client): Promise<DeskEntry[]> =>
  z.object({ items: z.array(DeskEntry) }).parse((await who.send('GET', '/v1/desk')).body).items;

test('L10 S45 two recoverers read the same list and claim at once: one owns it, the other is told whose it is and cannot decide', async () => {
  const { client, destination } = rig;
  await destination.fault({
    service: 'crm',
    operation: 'create_opportunity',
    match: { title: 'S45' },
    mode: 'drop_reply_after_write',
  });
  const { runId } = await talk(client, await rig.agent('create'), 'S45');
  const [recovery] = await waitingOn(client, runId, 'recovery');
  const actionId = recovery?.actionId;
  const cleo = { subject: 'cleo', name: 'Cleo', email: 'cleo@example.test', roles: ['recoverer'] };
  const people = [client, clientOf(rig.twin.url, await rig.twin.token(cleo))];
  const lists = await Promise.all(people.map(deskOf));
  const [head, same] = lists.map((list) => list.find((one) => one.actionId === actionId)?.head);
  expect(head).toBeGreaterThan(0);
  expect(same).toBe(head);
  const claims = await Promise.all(
    people.map((one) => one.send('POST', `/v1/actions/${actionId}/claim`)),
  );
  expect(claims.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  const winner = claims.findIndex(({ status }) => status === 200);
  const name = ['Ana', 'Cleo'][winner] ?? '';
  expect(JSON.stringify(claims[1 - winner]?.body)).toContain(name);
  const decision = { kind: 'abandon', reason: 'Nobody needs it.', seenHead: head, claimFence: 1 };
  const decide = (who: Client | undefined) =>
    who?.send('POST', `/v1/actions/${actionId}/decisions`, decision);
  expect(await decide(people[1 - winner])).toMatchObject({ status: 409 });
  for (const list of await Promise.all(people.map(deskOf)))
    expect(list.find((one) => one.actionId === actionId)?.holder?.name).toBe(name);
  expect((await decide(people[winner]))?.status).toBeLessThan(300);
  const { journal } = await client.action(actionId ?? '');
  expect(journal.decisions.map(({ by }) => by.name)).toEqual([name]);
  await finished(client, runId);
});
