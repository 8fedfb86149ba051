// The fault switchboard: what each mode does to the reply, judged by the provider ledger.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openRig, opportunity, type Rig } from './rig.ts';

let rig: Rig;
beforeEach(async () => {
  rig = await openRig();
});
afterEach(() => rig.close());

const target = { service: 'crm', operation: 'create_opportunity' } as const;
const create = (body: unknown = opportunity, headers: Record<string, string> = {}) =>
  rig.send('/crm/opportunities', { body, headers });
const effects = async () => (await rig.ledger()).effects.length;

test('the reply is lost after the write: no reply, one effect', async () => {
  await rig.fault({ ...target, mode: 'drop_reply_after_write' });
  await expect(create()).rejects.toThrow();
  expect(await effects()).toBe(1);
  expect((await create()).status).toBe(201);
});

test('half a reply arrives: not readable, one effect', async () => {
  await rig.fault({ ...target, mode: 'drop_reply_after_write', partial: true });
  await expect(create()).rejects.toThrow();
  expect(await effects()).toBe(1);
});

test('the connection is cut before the write: no reply, no effect, but the request was received', async () => {
  await rig.fault({ ...target, mode: 'drop_before_write' });
  await expect(create()).rejects.toThrow();
  const { effects, requests } = await rig.ledger();
  expect(effects).toEqual([]);
  expect(requests.byOperation).toEqual({ 'crm.create_opportunity': 1 });
});

test.each([400, 409, 429, 503])('a refusal with %i writes nothing', async (status) => {
  await rig.fault({ ...target, mode: 'refuse', status, body: { slow_down: true } });
  expect(await create()).toMatchObject({ status, body: { slow_down: true } });
  expect(await effects()).toBe(0);
});

test.each([500, 429, 200])('an answer of %i after the write hides one effect', async (status) => {
  const body = { ok: false };
  await rig.fault({ ...target, mode: 'status_after_write', status, body });
  expect(await create()).toMatchObject({ status, body });
  expect(await effects()).toBe(1);
});

test('after a 500 that hid the write, the same key returns the first result', async () => {
  const headers = { 'idempotency-key': 'k1' };
  await rig.fault({ ...target, mode: 'status_after_write' });
  expect((await create(opportunity, headers)).status).toBe(500);
  expect((await create(opportunity, headers)).status).toBe(201);
  expect(await effects()).toBe(1);
});

test('a refused request frees its key', async () => {
  const headers = { 'idempotency-key': 'k1' };
  await rig.fault({ ...target, mode: 'refuse' });
  expect((await create(opportunity, headers)).status).toBe(503);
  expect((await create(opportunity, headers)).status).toBe(201);
});

test('an answer that is no JSON can be given', async () => {
  await rig.fault({ ...target, mode: 'status_after_write', status: 200, body: '<html></html>' });
  expect((await create()).body).toEqual({ text: '<html></html>' });
});

test('a delayed write happens at its time, also when the caller has gone', async () => {
  await rig.fault({ ...target, mode: 'delay', beforeWriteMs: 3_000 });
  const gone = new AbortController();
  const call = fetch(rig.url('/crm/opportunities'), {
    method: 'POST',
    headers: { authorization: 'Bearer demo-secret-for-tests' },
    body: JSON.stringify(opportunity),
    signal: gone.signal,
  });
  const lost = expect(call).rejects.toThrow();
  await rig.untilReceived('crm.create_opportunity', 1);
  await rig.clock.advance(2_000);
  gone.abort();
  await lost;
  expect(await effects()).toBe(0);
  await rig.clock.advance(1_000);
  expect(await effects()).toBe(1);
});

test('a delay after the write keeps back the reply, not the effect', async () => {
  await rig.fault({ ...target, mode: 'delay', afterWriteMs: 3_000 });
  const call = create();
  await rig.untilReceived('crm.create_opportunity', 1);
  expect(await effects()).toBe(1);
  await rig.clock.advance(3_000);
  expect((await call).status).toBe(201);
});

test.each([
  ['before_write', 0],
  ['after_write', 1],
] as const)('a request held %s has %i effects until it is released', async (when, before) => {
  await rig.fault({ ...target, mode: 'hold', when });
  const call = create();
  await rig.untilHeld();
  expect((await rig.board()).holding).toMatchObject([{ operation: 'create_opportunity' }]);
  expect(await effects()).toBe(before);
  expect((await rig.send('/_admin/release', { body: {} })).body).toEqual({ released: 1 });
  expect((await call).status).toBe(201);
  expect(await effects()).toBe(1);
});

test.each([
  ['before_write', 0],
  ['after_write', 1],
] as const)('dying %s leaves %i effects for the next start', async (when, left) => {
  await rig.fault({ ...target, mode: 'die', when });
  await expect(create()).rejects.toThrow();
  await expect(rig.ledger()).rejects.toThrow();
  await rig.restart();
  expect(await effects()).toBe(left);
  expect((await rig.board()).faults).toEqual([]);
});

test('a fault meets its service, operation and matching fields only, as often as told', async () => {
  const match = { customer_id: 'cus_blumen' };
  await rig.fault({ ...target, mode: 'refuse', match, times: 2 });
  expect((await create()).status).toBe(201);
  const matching = { ...opportunity, customer_id: 'cus_blumen' };
  expect((await create(matching)).status).toBe(503);
  expect((await rig.board()).faults).toMatchObject([{ mode: 'refuse', remaining: 1 }]);
  expect((await create(matching)).status).toBe(503);
  expect((await create(matching)).status).toBe(201);
});

test('reads and mails meet faults too', async () => {
  await rig.fault({ service: 'crm', operation: 'find_customers', mode: 'refuse', status: 500 });
  expect((await rig.send('/crm/customers')).status).toBe(500);
  await rig.fault({ service: 'mail', mode: 'drop_reply_after_write' });
  const mail = { to: 'marta@acme.example', subject: 'Offer', text: 'Here it is.' };
  await expect(rig.send('/mail/messages', { body: mail })).rejects.toThrow();
  expect(await effects()).toBe(1);
});

test('cleared faults meet nobody; a fault that is not understood is refused with its field', async () => {
  await rig.fault({ ...target, mode: 'drop_before_write', times: 5 });
  await rig.send('/_admin/faults', { method: 'DELETE' });
  expect((await create()).status).toBe(201);
  const typo = await rig.send('/_admin/faults', { body: { ...target, mode: 'hold', time: 3 } });
  expect(typo).toMatchObject({ status: 400, body: { error: { code: 'invalid_arguments' } } });
});

test('a reset cuts off held requests without their effect', async () => {
  await rig.fault({ ...target, mode: 'hold' });
  const lost = expect(create()).rejects.toThrow();
  await rig.untilHeld();
  await rig.send('/_admin/reset', { body: {} });
  await lost;
  expect(await effects()).toBe(0);
});
