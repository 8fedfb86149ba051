// The demo's registrations, held against the running demo: each contract says what the service really does.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { at, Json } from '../../../functions/core/base/json.ts';
import { readReply } from '../../../functions/core/perform/reply.ts';
import { pathOf } from '../../../functions/core/recover/look-up.ts';
import { AgentConfiguration } from '../../../functions/core/registry/agent.ts';
import { ownReference } from '../../../functions/core/registry/contract.ts';
import { matches, type Reply } from '../../../functions/core/registry/reply-pattern.ts';
import { ToolRegistration } from '../../../functions/core/registry/tool.ts';
import { demoTools, salesAssistant } from '../../../local/demo/registrations.ts';
import { openRig, type Rig, type Send, secret } from './rig.ts';

let rig: Rig;
beforeEach(async () => {
  rig = await openRig();
});
afterEach(() => rig.close());

const tools = () => demoTools(rig.url('')).map((tool) => ToolRegistration.parse(tool));
const tool = (name: string): ToolRegistration => {
  const found = tools().find((each) => each.name === name);
  if (found === undefined) throw new Error(`The demo registers no tool ${name}.`);
  return found;
};

const reference = 'act_01TEST';
/** Fills a registration's templates the plain way and sends the request. */
const call = async (name: string, args: Record<string, Json>): Promise<Reply> => {
  const { transport } = tool(name);
  if (transport.kind !== 'http') throw new Error(`Tool ${name} is not called by HTTP.`);
  const fill = (template: string): string =>
    template
      .replaceAll(/\{\{args\.(\w+)\}\}/g, (_all, path: string) => String(args[path]))
      .replaceAll('{{reference}}', reference)
      .replaceAll('{{secret:reprise/demo-token}}', secret);
  const typed = (template: Json): Json => {
    const path = typeof template === 'string' ? /^\{\{args\.(\w+)\}\}$/.exec(template)?.[1] : '';
    return path ? (args[path] ?? null) : fill(String(template));
  };
  const fields = (template: object): [string, Json][] =>
    Object.entries(template).map(([field, value]) => [field, typed(Json.parse(value))]);
  const body =
    transport.body?.as === 'json' ? Object.fromEntries(fields(transport.body.template)) : args;
  const query = Object.entries(transport.query).map(([name, value]) => [name, fill(value)]);
  const url = new URL(`${fill(transport.url)}?${new URLSearchParams(query)}`);
  const headers = Object.entries(transport.headers).map(([name, value]) => [name, fill(value)]);
  const request: Send = {
    method: transport.method,
    headers: Object.fromEntries(headers),
    ...(transport.method === 'GET' ? {} : { body }),
  };
  const answer = await rig.send(url.href.slice(rig.url('').length), { ...request, token: null });
  return { status: answer.status, body: Json.parse(answer.body) };
};
const read = async (name: string, args: Record<string, Json>) =>
  readReply(tool(name).contract, await call(name, args));

const opportunity = { customer_id: 'cus_acme', title: 'Renewal', amount_cents: 8_200_000 };
const note = { customer_id: 'cus_acme', text: 'Asked for an offer.' };
const refund = { payment_id: 'pay_1001', amount_cents: 8_200_000, reason: 'Cancelled' };
const mail = { to: 'marta@acme.example', subject: 'Offer', text: 'Here it is.' };

test('every registration and the agent have the shape of their schemas', () => {
  const names = tools().map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  const agent = AgentConfiguration.parse(salesAssistant);
  expect(agent.tools.map(({ name }) => name)).toEqual(names);
});

test('every look-up names a registered read tool', () => {
  for (const { contract } of tools())
    if (contract.lookUp) expect(tool(contract.lookUp.tool).contract.effect).toBe('read');
});

test('irreversible tools always ask', () => {
  const irreversible = tools().filter(({ contract }) => contract.effect === 'irreversible');
  expect(irreversible.map(({ name }) => name)).toEqual(['crm_refund', 'mail_send']);
  for (const { contract } of irreversible) expect(contract.policy.approval.when).toBe('always');
});

test.each([
  ['crm_create_opportunity', opportunity],
  ['crm_put_note', note],
  ['crm_refund', refund],
] as const)('%s: its reply confirms it, and its look-up finds the same', async (name, args) => {
  const { lookUp, effect } = tool(name).contract;
  if (lookUp === undefined) throw new Error(`Tool ${name} declares no look-up.`);
  const asked = Object.fromEntries(
    Object.keys(lookUp.arguments).map((argument) => [argument, reference]),
  );
  const before = await call(lookUp.tool, asked);
  expect([matches(lookUp.absent, before), matches(lookUp.found, before)]).toEqual([true, false]);
  const confirmed = await read(name, args);
  const [done] = (await rig.ledger()).effects;
  expect(confirmed).toMatchObject({ says: 'confirms', reference: done?.id });
  const after = await call(lookUp.tool, asked);
  expect([matches(lookUp.absent, after), matches(lookUp.found, after)]).toEqual([false, true]);
  const hits = at(after.body, lookUp.hits);
  const hit = Array.isArray(hits) ? hits[0] : hits;
  const own: Json = { ...args, [ownReference]: reference };
  for (const [argument, path] of Object.entries(lookUp.compare))
    expect(at(hit, pathOf(path))).toEqual(at(own, argument));
  expect(Object.keys(lookUp.compare)).toContain(ownReference);
  expect(at(hit, lookUp.reference ?? '')).toBe(done?.id);
  expect(effect).not.toBe('read');
});

test('a repeat with the same key is the first result; with other parameters a disproof', async () => {
  await read('crm_create_opportunity', opportunity);
  expect((await read('crm_create_opportunity', opportunity)).says).toBe('confirms');
  const more = { ...opportunity, amount_cents: 1 };
  expect((await read('crm_create_opportunity', more)).says).toBe('disproves');
  expect((await rig.ledger()).effects).toHaveLength(1);
});

test('a key still at work reads as in progress', async () => {
  await rig.fault({ service: 'crm', operation: 'refund', mode: 'hold' });
  const first = read('crm_refund', refund);
  await rig.untilHeld();
  expect((await read('crm_refund', refund)).says).toBe('in_progress');
  await rig.send('/_admin/release', { body: {} });
  expect((await first).says).toBe('confirms');
});

test('a note put again reads as already there', async () => {
  await read('crm_put_note', note);
  expect(await read('crm_put_note', note)).toMatchObject({ alreadyExists: true });
});

test('a mail is accepted, never confirmed', async () => {
  expect((await read('mail_send', mail)).says).toBe('accepts');
});

test.each([
  ['refuse', 400, 'disproves', 0],
  ['refuse', 429, 'nothing', 0],
  ['status_after_write', 500, 'nothing', 1],
  ['status_after_write', 201, 'nothing', 1],
] as const)('%s with %i reads as %s, with %i effects', async (mode, status, says, effects) => {
  const body =
    says === 'disproves'
      ? { account: 'demo-account', environment: 'test', error: { code: 'invalid_arguments' } }
      : { ok: false };
  await rig.fault({ service: 'crm', operation: 'create_opportunity', mode, status, body });
  expect((await read('crm_create_opportunity', opportunity)).says).toBe(says);
  expect((await rig.ledger()).effects).toHaveLength(effects);
});
