// The demo CRM and mail service: what each endpoint answers, what its key means, and what the provider ledger says.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openRig, opportunity, type Rig, startMs } from './rig.ts';

let rig: Rig;
beforeEach(async () => {
  rig = await openRig();
});
afterEach(() => rig.close());

const key = (value: string) => ({ 'idempotency-key': value });
const create = (headers: Record<string, string>, body: unknown = opportunity) =>
  rig.send('/crm/opportunities', { headers, body });

test('a request without the token is refused, does nothing and is counted', async () => {
  for (const token of [null, 'wrong'])
    for (const pathname of ['/crm/opportunities', '/mail/messages', '/mcp'])
      expect((await rig.send(pathname, { body: opportunity, token })).status).toBe(401);
  const { effects, requests } = await rig.ledger();
  expect(effects).toEqual([]);
  expect(requests.byOperation).toEqual({
    'crm.unauthorised': 2,
    'mail.unauthorised': 2,
    'mcp.unauthorised': 2,
  });
});

test('a browser is refused, at the admin path too', async () => {
  const headers = { origin: 'https://elsewhere.example' };
  expect((await rig.send('/_admin/reset', { headers, body: {} })).status).toBe(403);
});

test('customers and payments are found and read', async () => {
  const found = await rig.send('/crm/customers?query=acme');
  expect(found.body).toMatchObject({
    account: 'demo-account',
    environment: 'test',
    customers: [{ id: 'cus_acme', name: 'Acme SARL' }],
  });
  expect((await rig.send('/crm/customers/cus_acme')).body).toMatchObject({
    customer: { contact: 'Marta Keller' },
  });
  expect((await rig.send('/crm/customers/cus_none')).status).toBe(404);
  expect((await rig.send('/crm/payments?customer_id=cus_acme')).body).toMatchObject({
    payments: [{ id: 'pay_1001' }, { id: 'pay_1002' }],
  });
  expect((await rig.ledger()).effects).toEqual([]);
});

test('an opportunity is created, found by its reference, and hidden from plain searches once archived', async () => {
  const created = await create({});
  expect(created.status).toBe(201);
  expect(created.body).toMatchObject({
    account: 'demo-account',
    environment: 'test',
    opportunity: { title: 'Renewal 2027', amount_cents: 8_200_000, reference: 'act_one' },
  });
  const { effects } = await rig.ledger();
  expect(effects).toMatchObject([
    { service: 'crm', operation: 'create_opportunity', reference: 'act_one', key: null },
  ]);
  expect(effects[0]?.at).toBe('2026-11-30T09:00:00.000Z');
  expect(effects[0]?.argumentsDigest).toMatch(/^[0-9a-f]{64}$/);
  const id = effects[0]?.id;
  const search = '/crm/opportunities?reference=act_one';
  expect((await rig.send(search)).body).toMatchObject({ opportunities: [{ id }] });
  await rig.send(`/crm/opportunities/${id}/archive`, { body: {} });
  await rig.send(`/crm/opportunities/${id}/archive`, { body: {} });
  expect((await rig.send(search)).body.opportunities).toEqual([]);
  expect((await rig.send(`${search}&include_archived=true`)).body).toMatchObject({
    searched: { include_archived: true },
    opportunities: [{ id, archived: true }],
  });
  expect((await rig.ledger('?operation=archive_opportunity')).effects).toHaveLength(1);
});

test('another account sees nothing of the first one, not even its keys', async () => {
  await create(key('k1'));
  const other = { 'demo-account': 'other-account' };
  const found = await rig.send('/crm/opportunities?reference=act_one', { headers: other });
  expect(found.body).toMatchObject({ account: 'other-account', opportunities: [] });
  await create({ ...key('k1'), ...other });
  expect((await rig.ledger()).effects.map(({ account }) => account)).toEqual([
    'demo-account',
    'other-account',
  ]);
});

test('arguments that are not valid are refused with the field, and nothing is done', async () => {
  const wrong = await create({}, { ...opportunity, amount_cents: 'many' });
  expect(wrong).toMatchObject({
    status: 400,
    body: { error: { code: 'invalid_arguments', details: [{ path: ['amount_cents'] }] } },
  });
  expect((await create({}, '{"half":')).status).toBe(400);
  expect((await create({}, { ...opportunity, customer_id: 'cus_none' })).status).toBe(422);
  expect((await rig.ledger()).effects).toEqual([]);
});

test('the same key gives the first result again, quoted or bare, and one effect', async () => {
  const first = await create(key('k1'));
  const again = await create(key('"k1"'));
  expect(again.status).toBe(201);
  expect(again.body).toEqual(first.body);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect((await rig.ledger('?key=k1')).effects).toHaveLength(1);
});

test('a key with other parameters is refused with 422 and changes nothing', async () => {
  await create(key('k1'));
  const other = await create(key('k1'), { ...opportunity, amount_cents: 82_000_000 });
  expect(other).toMatchObject({ status: 422, body: { error: { code: 'key_reused' } } });
  expect((await rig.ledger()).effects).toHaveLength(1);
});

test('a key is honoured to the end of its retention and forgotten after it', async () => {
  await create(key('k1'));
  await rig.clock.advance(86_400_000 - 1);
  await create(key('k1'));
  expect((await rig.ledger()).effects).toHaveLength(1);
  await rig.clock.advance(1);
  await create(key('k1'));
  expect((await rig.ledger()).effects).toHaveLength(2);
});

test('the retention can be set', async () => {
  await rig.send('/_admin/settings', { body: { keyRetentionMs: 1_000 } });
  await create(key('k1'));
  await rig.clock.advance(1_000);
  await create(key('k1'));
  expect((await rig.ledger()).effects).toHaveLength(2);
});

test('while the first request with a key runs, a second one is told so; afterwards it gets the result', async () => {
  await rig.fault({ service: 'crm', operation: 'create_opportunity', mode: 'hold' });
  const first = create(key('k1'));
  await rig.untilHeld();
  const second = await create(key('k1'));
  expect(second).toMatchObject({ status: 409, body: { error: { code: 'key_in_use' } } });
  expect(second.headers.get('retry-after')).toBe('1');
  await rig.send('/_admin/release', { body: {} });
  expect((await first).status).toBe(201);
  expect((await create(key('k1'))).body).toEqual((await first).body);
  expect((await rig.ledger()).effects).toHaveLength(1);
});

test('twenty parallel requests with the same key give one effect and one result', async () => {
  await rig.fault({ service: 'crm', operation: 'create_opportunity', mode: 'hold' });
  const calls = Array.from({ length: 20 }, () => create(key('k1')));
  await rig.untilReceived('crm.create_opportunity', 20);
  await rig.send('/_admin/release', { body: {} });
  const statuses = (await Promise.all(calls)).map(({ status }) => status).sort();
  expect(statuses).toEqual([201, ...Array.from({ length: 19 }, () => 409)]);
  expect((await rig.ledger()).effects).toHaveLength(1);
});

test('a new opportunity stays invisible to searches for the time set', async () => {
  await rig.send('/_admin/settings', { body: { lookupLagMs: 5_000 } });
  await create({});
  const search = '/crm/opportunities?reference=act_one';
  expect((await rig.send(search)).body.opportunities).toEqual([]);
  await rig.clock.advance(5_000);
  expect((await rig.send(search)).body.opportunities).toHaveLength(1);
});

test('a note put with If-None-Match is written once; the second put is told it exists', async () => {
  const note = { customer_id: 'cus_acme', text: 'Asked for an offer.' };
  const put = (text: string, headers: Record<string, string>) =>
    rig.send('/crm/notes/act_note', { method: 'PUT', headers, body: { ...note, text } });
  expect((await put('one', { 'if-none-match': '*' })).status).toBe(201);
  expect((await put('two', { 'if-none-match': '*' })).status).toBe(412);
  expect((await rig.send('/crm/notes/act_note')).body).toMatchObject({ note: { text: 'one' } });
  expect((await rig.ledger()).effects).toMatchObject([{ operation: 'put_note', id: 'act_note' }]);
  expect((await put('three', {})).status).toBe(200);
  expect((await rig.ledger()).effects).toHaveLength(2);
});

test('a refund takes its key in the body and never gives back more than was paid', async () => {
  const refund = { payment_id: 'pay_1002', amount_cents: 100_000, reason: 'Damaged' };
  const keyed = { ...refund, idempotency_key: 'k1', reference: 'act_refund' };
  const first = await rig.send('/crm/refunds', { body: keyed });
  expect(first.status).toBe(201);
  expect((await rig.send('/crm/refunds', { body: keyed })).body).toEqual(first.body);
  const more = { ...keyed, amount_cents: 1 };
  expect((await rig.send('/crm/refunds', { body: more })).status).toBe(422);
  expect((await rig.send('/crm/refunds', { body: refund })).body).toMatchObject({
    error: { code: 'amount_exceeds_payment' },
  });
  expect((await rig.ledger()).effects).toMatchObject([{ operation: 'refund', key: 'k1' }]);
  expect((await rig.send('/crm/refunds?reference=act_refund')).body.refunds).toHaveLength(1);
});

test('a mail is sent at every call, whatever key comes along, and cannot be looked up', async () => {
  const mail = { to: 'marta@acme.example', subject: 'Offer', text: 'Here it is.' };
  const post = () => rig.send('/mail/messages', { headers: key('k1'), body: mail });
  expect(await post()).toMatchObject({
    status: 202,
    body: { account: 'demo-account', environment: 'test', status: 'queued' },
  });
  await post();
  expect((await rig.ledger('?service=mail')).effects).toMatchObject([
    { operation: 'send', key: null, arguments: mail },
    { operation: 'send', key: null, arguments: mail },
  ]);
  expect((await rig.send('/mail/messages')).status).toBe(404);
});

test('a restart keeps effects, keys and counts; arrival numbers go on', async () => {
  const first = await create(key('k1'));
  await rig.restart();
  expect((await create(key('k1'))).body).toEqual(first.body);
  await create(key('k2'));
  const { effects, requests } = await rig.ledger();
  expect(effects.map(({ arrival }) => arrival)).toEqual([1, 3]);
  expect(requests.byOperation).toEqual({ 'crm.create_opportunity': 3 });
});

test('a reset empties the ledger and fills the CRM anew', async () => {
  await create(key('k1'));
  await rig.send('/_admin/reset', { body: {} });
  expect(await rig.ledger()).toEqual({ effects: [], requests: { received: 0, byOperation: {} } });
  expect((await rig.send('/crm/customers')).body.customers).toHaveLength(5);
  expect((await create(key('k1'))).headers.get('idempotent-replayed')).toBeNull();
});

test('an export has the size asked for', async () => {
  const { body } = await rig.send('/crm/export?bytes=2000000');
  expect(body.text).toHaveLength(2_000_000);
});

test('the received requests are listed with how each ended', async () => {
  await create({});
  await create({}, {});
  expect((await rig.send('/_admin/requests')).body.requests).toMatchObject([
    { arrival: 1, operation: 'create_opportunity', atMs: startMs, outcome: 'answered 201' },
    { arrival: 2, operation: 'create_opportunity', outcome: 'answered 400' },
  ]);
});
