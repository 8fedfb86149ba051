// A tool of one's own, tried without a real model: its call is written out as a message to the scripted model that ships. What the
// product promises holds for it: a lost reply is undetermined and goes to the desk, what our own settings refuse is told at once.
// Judged by the tool's own list of requests. Laws: L1, L2, L4, L16.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { DeskEntry } from '../../../functions/api/schemas/desk.ts';
import { pageOf } from '../../../functions/api/schemas/schemas.ts';
import type { LookUp } from '../../../functions/core/registry/contract.ts';
import type { ToolRegistrationInput } from '../../../functions/core/registry/tool.ts';
import { closeDestinations, httpDestination } from '../../functions/adapters/destination.ts';
import { approve, egressTo, finished, openRig, type Rig, talk, waitingOn } from '../../rig/rig.ts';

type Server = Awaited<ReturnType<typeof httpDestination>>;

const destination = { provider: 'tickets', account: 'me', environment: 'test', apiVersion: '1' };
const ticketAt = (
  name: string,
  url: string,
  contract: Partial<ToolRegistrationInput['contract']> = {},
  headers: Readonly<Record<string, string>> = {},
): ToolRegistrationInput => ({
  name,
  description: 'Opens a ticket.',
  arguments: {
    type: 'object',
    properties: { subject: { type: 'string' } },
    required: ['subject'],
  },
  transport: {
    kind: 'http',
    method: 'POST',
    url: `${url}/tickets`,
    headers,
    body: { as: 'arguments' },
  },
  contract: { effect: 'write', destination, timeoutMs: 2_000, ...contract },
});
const lookUpBy = (by: 'natural' | 'reference', tool: string): LookUp => ({
  tool,
  arguments: { subject: by === 'reference' ? '$reference' : '$args.subject' },
  found: { status: [200] },
  absent: { status: [404] },
  hits: 'tickets',
  compare: { subject: 'subject' },
  by,
  coverage: {
    account: 'me',
    environment: 'test',
    archived: true,
    readRights: 'all',
    period: 'all time',
    complete: by === 'reference',
  },
  settleMs: 0,
});
const evidence = {
  what: 'The ticket is listed.',
  where: 'The list of tickets',
  when: '2026-11-30T09:12:00Z',
  coverage: 'All tickets.',
};

let rig: Rig;
let tickets: Server;
/** Not named when it started. */
let elsewhere: Server;
let cutting = false;

beforeAll(async () => {
  tickets = await httpDestination((seen, response) => {
    if (seen.method === 'GET') response.writeHead(404).end();
    else if (cutting) response.destroy();
    else response.writeHead(201, { 'content-type': 'application/json' }).end('{"id":"t-1"}');
  });
  elsewhere = await httpDestination((_seen, response) => response.end());
  rig = await openRig({ twin: { environment: egressTo(tickets.port) } });
  const { client } = rig;
  const http = { preset: 'http' } as const;
  await client.registerTool(ticketAt('ticket_open', tickets.url, http));
  await client.registerTool(
    ticketAt('ticket_close', tickets.url, { ...http, policy: { approval: { when: 'always' } } }),
  );
  await client.registerTool(ticketAt('ticket_far', elsewhere.url));
  await client.registerTool(
    ticketAt('ticket_keyless', tickets.url, {}, { 'x-key': '{{secret:nobody}}' }),
  );
  await client.registerTool(ticketAt('ticket_find', elsewhere.url, { effect: 'read' }));
  await client.registerTool({
    ...ticketAt('ticket_search', tickets.url, { effect: 'read' }),
    transport: { kind: 'http', method: 'GET', url: `${tickets.url}/tickets/{{args.subject}}` },
  });
  await client.registerTool(
    ticketAt('ticket_looked_up', tickets.url, { lookUp: lookUpBy('natural', 'ticket_find') }),
  );
  await client.registerTool(
    ticketAt(
      'ticket_believed',
      tickets.url,
      {
        key: { kind: 'reference', place: { in: 'header', name: 'x-reference' } },
        lookUp: lookUpBy('reference', 'ticket_search'),
      },
      { 'x-reference': '{{reference}}' },
    ),
  );
});
afterEach(() => {
  cutting = false;
  tickets.seen.length = 0;
});
afterAll(async () => {
  await rig.close();
  await closeDestinations();
});

const say = async (text: string, ...tools: readonly string[]) =>
  talk(rig.client, await rig.agent('demo', { tools }), text);
const answerOf = async (runId: string) => (await rig.client.steps(runId)).at(-1)?.text ?? '';

test('L1 a call that is written out is made as it is written, and its result is said', async () => {
  const { runId } = await say('call ticket_open {"subject": "hello"}', 'ticket_open');
  expect((await finished(rig.client, runId)).state.reason).toBe('done');
  expect(tickets.seen.map(({ body }) => JSON.parse(body))).toEqual([{ subject: 'hello' }]);
  expect(await answerOf(runId)).toMatch(/^The result: Done: ticket_open .* is confirmed\./);
  expect(await answerOf(runId)).toContain('{"id":"t-1"}');
});

test('L1 several are one step, and the one that needs an approval waits for it alone', async () => {
  const text = 'call ticket_open {"subject": "one"}\ncall ticket_close {"subject": "two"}';
  const { runId } = await say(text, 'ticket_open', 'ticket_close');
  const [approval] = await waitingOn(rig.client, runId, 'approval');
  await approve(rig.client, approval?.requestId ?? '');
  await finished(rig.client, runId);
  expect(tickets.seen.map(({ body }) => JSON.parse(body).subject).toSorted()).toEqual([
    'one',
    'two',
  ]);
  expect((await rig.client.steps(runId)).map(({ calls }) => calls.length)).toEqual([2, 0]);
});

test('L1 when its reply is lost it is undetermined, nobody sends it again, and a person settles it at the desk', async () => {
  const { client } = rig;
  cutting = true;
  const { runId } = await say('call ticket_open {"subject": "lost"}', 'ticket_open');
  const [recovery] = await waitingOn(client, runId, 'recovery');
  const actionId = recovery?.actionId ?? '';
  expect((await client.action(actionId)).action).toMatchObject({
    effect: 'undetermined',
    attempts: 1,
  });
  const desk = pageOf(DeskEntry).parse((await client.send('GET', '/v1/desk')).body);
  expect(desk.items.map((entry) => entry.actionId)).toContain(actionId);
  await client.decide(actionId, { kind: 'attach', evidence });
  expect((await finished(client, runId)).state.reason).toBe('done');
  expect(tickets.seen).toHaveLength(1);
  expect(await answerOf(runId)).toContain('Ana states, with evidence: The ticket is listed.');
});

test.each([
  ['ticket_far', () => `Calls to "127.0.0.1:${elsewhere.port}" are not allowed`],
  ['ticket_keyless', () => 'There is no secret "nobody".'],
])(
  'L1 %s is refused by our own settings: one attempt, told with proof, and not tried again',
  async (tool, why) => {
    const { client } = rig;
    const { runId } = await say(`call ${tool} {"subject": "far"}`, tool);
    expect((await finished(client, runId)).state.reason).toBe('done');
    const [action] = await client.actions(runId);
    // A round of recovery would have been the first step to another attempt.
    expect(action).toMatchObject({ effect: 'not_performed', attempts: 1, round: 0 });
    const { journal } = await client.action(action?.actionId ?? '');
    expect(journal.ends).toMatchObject([{ how: 'not_transmitted' }]);
    const said = await answerOf(runId);
    expect(said).toContain('I cannot say that it is done. What is known: Not done, with proof');
    expect(said).toContain(why());
    expect(elsewhere.connections() + tickets.seen.length).toBe(0);
  },
);

test('L1 a read that our own settings refuse is told, with what to do', async () => {
  const { runId } = await say('call ticket_find {"subject": "far"}', 'ticket_find');
  expect((await finished(rig.client, runId)).state.reason).toBe('done');
  expect(await answerOf(runId)).toContain(
    `REPRISE_EGRESS='{"allowPrivate":["127.0.0.1:${elsewhere.port}"]}'`,
  );
});

test('L1 a look-up that our own settings refuse is a person’s case at once, with that reason', async () => {
  const { client } = rig;
  cutting = true;
  const { runId } = await say('call ticket_looked_up {"subject": "blind"}', 'ticket_looked_up');
  const [recovery] = await waitingOn(client, runId, 'recovery');
  if (recovery?.on !== 'recovery') throw new Error('It is no recovery.');
  expect(recovery.because).toMatch(/^The look-up cannot be made: Calls to /);
  const { journal } = await client.action(recovery?.actionId ?? '');
  expect(journal.observations.filter(({ lookUp }) => lookUp === 'failed')).toHaveLength(1);
  await client.decide(recovery?.actionId ?? '', { kind: 'attach', evidence });
  await finished(client, runId);
});

test('L1 a look-up of which nobody has verified that it finds anything proves nothing by finding nothing', async () => {
  const { client } = rig;
  cutting = true;
  // The ticket is there; what was declared to lead to it does not.
  const { runId } = await say('call ticket_believed {"subject": "there"}', 'ticket_believed');
  const [recovery] = await waitingOn(client, runId, 'recovery');
  if (recovery?.on !== 'recovery') throw new Error('It is no recovery.');
  expect(recovery.because).toMatch(/nobody has verified that the look-up finds what is there/);
  const { action, journal } = await client.action(recovery?.actionId ?? '');
  expect(action).toMatchObject({ effect: 'undetermined', attempts: 1 });
  expect(journal.observations.at(-1)).toMatchObject({ lookUp: 'miss', says: 'nothing' });
  await client.decide(recovery?.actionId ?? '', { kind: 'attach', evidence });
  await finished(client, runId);
});
