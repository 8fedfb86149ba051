// The demo CRM under /crm: customers and payments to read, opportunities with a key and a look-up by reference, notes put
// by id, and refunds that cannot be taken back. What it promises is written in `registrations.ts`.
import { Hono } from 'hono';
import { z } from 'zod';
import { failure, missing, shownRecord } from './answers.ts';
import { accountOf, type DemoEnv, inputOf, keyOf, serve } from './exchange.ts';
import type { Demo } from './perform.ts';
import { refundRoutes } from './refunds.ts';
import type { RecordName } from './store.ts';

const id = z.string().min(1).max(128);
const byId = z.strictObject({ id });
const yes = z.enum(['true', 'false']).default('false');

export const opportunityInput = z.strictObject({
  customer_id: id,
  title: z.string().min(1).max(200),
  amount_cents: z.int().min(0),
  currency: z.enum(['EUR', 'USD', 'CHF']).default('EUR'),
  stage: z.enum(['new', 'qualified', 'proposal', 'won', 'lost']).default('new'),
  reference: z.string().min(1).max(128).optional(),
});
const opportunitySearch = z.strictObject({
  reference: z.string().optional(),
  customer_id: z.string().optional(),
  title: z.string().optional(),
  include_archived: yes,
});
const noteInput = z.strictObject({
  id,
  customer_id: id,
  text: z.string().min(1).max(10_000),
  if_none_match: z.literal('*').optional(),
});

export const crmRoutes = (demo: Demo): Hono<DemoEnv> => {
  const crm = new Hono<DemoEnv>();
  customerRoutes(demo, crm);
  opportunityRoutes(demo, crm);
  noteRoutes(demo, crm);
  refundRoutes(demo, crm);
  return crm;
};

const getOne = (demo: Demo, crm: Hono<DemoEnv>, kind: string, path: string): void => {
  crm.get(`${path}/:id`, async (c) => {
    const name = { kind, account: accountOf(c.req.raw.headers) };
    const call = { service: 'crm', operation: `get_${kind}`, schema: byId } as const;
    return serve(demo, c, { ...call, input: await inputOf(c) }, (args) => {
      const record = demo.store.get(name, args.id);
      return {
        answer:
          record === undefined
            ? missing(kind, args.id)
            : { status: 200, body: { [kind]: shownRecord(record) } },
      };
    });
  });
};

const customerRoutes = (demo: Demo, crm: Hono<DemoEnv>): void => {
  const search = z.strictObject({ query: z.string().max(200).default('') });
  const size = z.strictObject({ bytes: z.coerce.number().int().min(0).max(16_777_216) });
  crm.get('/customers', async (c) => {
    const name = { kind: 'customer', account: accountOf(c.req.raw.headers) };
    const call = { service: 'crm', operation: 'find_customers', schema: search } as const;
    return serve(demo, c, { ...call, input: await inputOf(c) }, ({ query }) => {
      const wanted = query.toLowerCase();
      const customers = demo.store
        .list(name)
        .map(shownRecord)
        .filter((customer) => JSON.stringify(customer).toLowerCase().includes(wanted));
      return { answer: { status: 200, body: { customers } } };
    });
  });
  getOne(demo, crm, 'customer', '/customers');
  // A reply of the size one asks for, so that large tool results can be tried.
  crm.get('/export', async (c) => {
    const call = { service: 'crm', operation: 'export', schema: size } as const;
    return serve(demo, c, { ...call, input: await inputOf(c) }, ({ bytes }) => ({
      answer: {
        status: 200,
        body: { text: 'customer;city\n'.repeat(bytes / 14 + 1).slice(0, bytes) },
      },
    }));
  });
};

const opportunityRoutes = (demo: Demo, crm: Hono<DemoEnv>): void => {
  const nameFor = (headers: Headers): RecordName => ({
    kind: 'opportunity',
    account: accountOf(headers),
  });
  crm.post('/opportunities', async (c) => {
    const name = nameFor(c.req.raw.headers);
    const key = keyOf(c.req.raw.headers);
    const call = {
      service: 'crm',
      operation: 'create_opportunity',
      schema: opportunityInput,
    } as const;
    return serve(demo, c, { ...call, input: await inputOf(c), key }, (args, nowMs) => {
      const { reference, ...fields } = args;
      if (demo.store.get({ ...name, kind: 'customer' }, args.customer_id) === undefined)
        return { answer: unknownCustomer(args.customer_id) };
      const body = { ...fields, archived: false };
      const record = demo.store.add(name, { prefix: 'opp', reference, createdAtMs: nowMs, body });
      return {
        answer: { status: 201, body: { opportunity: shownRecord(record) } },
        effect: { id: record.id, reference },
      };
    });
  });
  crm.get('/opportunities', async (c) => {
    const name = nameFor(c.req.raw.headers);
    const call = {
      service: 'crm',
      operation: 'find_opportunities',
      schema: opportunitySearch,
    } as const;
    return serve(demo, c, { ...call, input: await inputOf(c) }, (args, nowMs) => {
      const opportunities = demo.store
        .list(name, args.reference)
        .filter(({ createdAtMs }) => createdAtMs + demo.settings.lookupLagMs <= nowMs)
        .filter(({ body }) => args.include_archived === 'true' || body.archived === false)
        .filter(({ body }) => [undefined, body.customer_id].includes(args.customer_id))
        .filter(({ body }) => [undefined, body.title].includes(args.title))
        .map(shownRecord);
      const searched = { include_archived: args.include_archived === 'true' };
      return { answer: { status: 200, body: { searched, opportunities } } };
    });
  });
  getOne(demo, crm, 'opportunity', '/opportunities');
  crm.post('/opportunities/:id/archive', async (c) => {
    const name = nameFor(c.req.raw.headers);
    const call = { service: 'crm', operation: 'archive_opportunity', schema: byId } as const;
    return serve(demo, c, { ...call, input: c.req.param() }, (args) => {
      const record = demo.store.get(name, args.id);
      if (record === undefined) return { answer: missing('opportunity', args.id) };
      const archived = { ...record, body: { ...record.body, archived: true } };
      demo.store.replaceBody(name, args.id, archived.body);
      const answer = { status: 200, body: { opportunity: shownRecord(archived) } };
      if (record.body.archived === true) return { answer };
      return { answer, effect: { id: args.id, reference: record.reference ?? undefined } };
    });
  });
};

const unknownCustomer = (wanted: string) =>
  failure(
    422,
    'unknown_customer',
    `There is no customer ${wanted} in this account; nothing was created. Search for the customer first.`,
  );

const noteRoutes = (demo: Demo, crm: Hono<DemoEnv>): void => {
  getOne(demo, crm, 'note', '/notes');
  crm.put('/notes/:id', async (c) => {
    const { headers } = c.req.raw;
    const name = { kind: 'note', account: accountOf(headers) };
    const condition = headers.get('if-none-match');
    const input = {
      ...(await inputOf(c)),
      ...(condition === null ? {} : { if_none_match: condition }),
    };
    const call = { service: 'crm', operation: 'put_note', schema: noteInput, input } as const;
    return serve(demo, c, call, (args, nowMs) => {
      const { id, if_none_match: onlyNew, ...body } = args;
      if (demo.store.get({ ...name, kind: 'customer' }, args.customer_id) === undefined)
        return { answer: unknownCustomer(args.customer_id) };
      const before = demo.store.get(name, id);
      if (before !== undefined && onlyNew !== undefined)
        return {
          answer: failure(412, 'already_exists', `Note ${id} exists already; it was not changed.`),
        };
      const effect = { id, reference: id };
      if (before === undefined) {
        const record = demo.store.add(name, { id, reference: id, createdAtMs: nowMs, body });
        return { answer: { status: 201, body: { note: shownRecord(record) } }, effect };
      }
      demo.store.replaceBody(name, id, body);
      return { answer: { status: 200, body: { note: shownRecord({ ...before, body }) } }, effect };
    });
  });
};
