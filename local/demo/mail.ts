// The demo mail service under /mail: takes a mail and says so. No key, no look-up, no way to take it back; only the
// provider ledger under /_admin knows what was sent.
import { Hono } from 'hono';
import { z } from 'zod';
import { accountOf, type DemoEnv, inputOf, serve } from './exchange.ts';
import type { Demo } from './perform.ts';

const messageInput = z.strictObject({
  to: z.email().max(254),
  subject: z.string().min(1).max(300),
  text: z.string().min(1).max(50_000),
});

export const mailRoutes = (demo: Demo): Hono<DemoEnv> => {
  const mail = new Hono<DemoEnv>();
  mail.post('/messages', async (c) => {
    const name = { kind: 'mail', account: accountOf(c.req.raw.headers) };
    const call = { service: 'mail', operation: 'send', schema: messageInput } as const;
    return serve(demo, c, { ...call, input: await inputOf(c) }, (body, nowMs) => {
      const { id } = demo.store.add(name, { prefix: 'mail', createdAtMs: nowMs, body });
      return { answer: { status: 202, body: { id, status: 'queued' } }, effect: { id } };
    });
  });
  return mail;
};
