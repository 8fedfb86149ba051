// The demo CRM's payments and refunds. A refund is irreversible; its key travels in the body, as `idempotency_key`.
import type { Hono } from 'hono';
import { z } from 'zod';
import { failure, missing, shownRecord } from './answers.ts';
import { accountOf, type DemoEnv, inputOf, serve } from './exchange.ts';
import type { Demo } from './perform.ts';

const refundInput = z.strictObject({
  payment_id: z.string().min(1).max(128),
  amount_cents: z.int().min(1),
  reason: z.string().min(1).max(500),
  reference: z.string().min(1).max(128).optional(),
  idempotency_key: z.string().min(1).max(255).optional(),
});
const search = z.strictObject({ customer_id: z.string().optional() });
const refundSearch = z.strictObject({
  reference: z.string().optional(),
  payment_id: z.string().optional(),
});

export const refundRoutes = (demo: Demo, crm: Hono<DemoEnv>): void => {
  crm.get('/payments', async (c) => {
    const name = { kind: 'payment', account: accountOf(c.req.raw.headers) };
    const call = { service: 'crm', operation: 'find_payments', schema: search } as const;
    return serve(demo, c, { ...call, input: await inputOf(c) }, ({ customer_id: customer }) => {
      const payments = demo.store
        .list(name)
        .filter(({ body }) => [undefined, body.customer_id].includes(customer))
        .map(shownRecord);
      return { answer: { status: 200, body: { payments } } };
    });
  });
  crm.get('/refunds', async (c) => {
    const name = { kind: 'refund', account: accountOf(c.req.raw.headers) };
    const call = { service: 'crm', operation: 'find_refunds', schema: refundSearch } as const;
    return serve(demo, c, { ...call, input: await inputOf(c) }, (args) => {
      const refunds = demo.store
        .list(name, args.reference)
        .filter(({ body }) => [undefined, body.payment_id].includes(args.payment_id))
        .map(shownRecord);
      return { answer: { status: 200, body: { refunds } } };
    });
  });
  postRefund(demo, crm);
};

const postRefund = (demo: Demo, crm: Hono<DemoEnv>): void => {
  crm.post('/refunds', async (c) => {
    const name = { kind: 'refund', account: accountOf(c.req.raw.headers) };
    const input = await inputOf(c);
    const key = z.string().min(1).optional().catch(undefined).parse(input.idempotency_key);
    const call = { service: 'crm', operation: 'refund', schema: refundInput, input, key } as const;
    return serve(demo, c, call, (args, nowMs) => {
      const { reference, idempotency_key: _key, ...fields } = args;
      const payment = demo.store.get({ ...name, kind: 'payment' }, args.payment_id);
      if (payment === undefined) return { answer: missing('payment', args.payment_id) };
      const refundedCents = demo.store
        .list(name)
        .filter(({ body }) => body.payment_id === args.payment_id)
        .reduce((sum, { body }) => sum + Number(body.amount_cents), 0);
      const leftCents = Number(payment.body.amount_cents) - refundedCents;
      if (args.amount_cents > leftCents)
        return {
          answer: failure(
            422,
            'amount_exceeds_payment',
            `Payment ${args.payment_id} has ${leftCents} cents left to refund; nothing was refunded. Ask for at most that.`,
          ),
        };
      const body = { ...fields, currency: payment.body.currency };
      const record = demo.store.add(name, { prefix: 'ref', reference, createdAtMs: nowMs, body });
      return {
        answer: { status: 201, body: { refund: shownRecord(record) } },
        effect: { id: record.id, reference },
      };
    });
  });
};
