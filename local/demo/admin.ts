// The test's view of the demo destinations under /_admin: the provider ledger, the requests received, the fault
// switchboard and the settings. Needs no token; browsers are kept out (see server.ts).
import { Hono } from 'hono';
import { z } from 'zod';
import { failure } from './answers.ts';
import type { DemoEnv } from './exchange.ts';
import { faultInput } from './faults.ts';
import type { Demo } from './perform.ts';

const settingsInput = z
  .strictObject({ keyRetentionMs: z.int().min(0), lookupLagMs: z.int().min(0) })
  .partial();
const releaseInput = z.strictObject({ faultId: z.int().optional() });
const effectSearch = z.strictObject({
  service: z.string().optional(),
  operation: z.string().optional(),
  reference: z.string().optional(),
  key: z.string().optional(),
  account: z.string().optional(),
});

export const adminRoutes = (demo: Demo, reset: () => void): Hono<DemoEnv> => {
  const admin = new Hono<DemoEnv>();
  admin.get('/effects', (c) => {
    const wanted = effectSearch.safeParse(c.req.query());
    if (!wanted.success) return c.json(refused(wanted.error), 400);
    const { service, operation, reference, key, account } = wanted.data;
    const effects = demo.store
      .effects()
      .filter((effect) => [undefined, effect.service].includes(service))
      .filter((effect) => [undefined, effect.operation].includes(operation))
      .filter((effect) => reference === undefined || effect.reference === reference)
      .filter((effect) => key === undefined || effect.key === key)
      .filter((effect) => [undefined, effect.account].includes(account))
      .map((effect) => ({ ...effect, at: new Date(effect.atMs).toISOString() }));
    const byOperation = demo.store.received();
    const received = Object.values(byOperation).reduce((sum, count) => sum + count, 0);
    return c.json({ effects, requests: { received, byOperation } });
  });
  admin.get('/requests', (c) => c.json({ requests: demo.store.requests() }));
  admin.post('/reset', (c) => {
    reset();
    return c.json({ reset: true });
  });
  faultRoutes(demo, admin);
  settingsRoutes(demo, admin);
  return admin;
};

const bodyOf = async (request: { json(): Promise<unknown> }): Promise<unknown> =>
  request.json().catch(() => undefined);

const refused = (error: z.ZodError) =>
  failure(
    400,
    'invalid_arguments',
    'The request is not valid; nothing was changed. Correct the fields in details.',
    error.issues.map(({ path, message }) => ({ path, message })),
  ).body;

const faultRoutes = (demo: Demo, admin: Hono<DemoEnv>): void => {
  const list = () => ({ faults: demo.faults.registered(), holding: demo.faults.holding() });
  admin.get('/faults', (c) => c.json(list()));
  admin.post('/faults', async (c) => {
    const fault = faultInput.safeParse(await bodyOf(c.req));
    if (!fault.success) return c.json(refused(fault.error), 400);
    return c.json({ fault: demo.faults.add(fault.data) }, 201);
  });
  admin.delete('/faults', (c) => {
    demo.faults.clear();
    return c.json(list());
  });
  admin.post('/release', async (c) => {
    const wanted = releaseInput.safeParse((await bodyOf(c.req)) ?? {});
    if (!wanted.success) return c.json(refused(wanted.error), 400);
    return c.json({ released: demo.faults.release(wanted.data.faultId) });
  });
};

const settingsRoutes = (demo: Demo, admin: Hono<DemoEnv>): void => {
  admin.get('/settings', (c) => c.json(demo.settings));
  admin.post('/settings', async (c) => {
    const wanted = settingsInput.safeParse(await bodyOf(c.req));
    if (!wanted.success) return c.json(refused(wanted.error), 400);
    const { keyRetentionMs, lookupLagMs } = wanted.data;
    if (keyRetentionMs !== undefined) demo.settings.keyRetentionMs = keyRetentionMs;
    if (lookupLagMs !== undefined) demo.settings.lookupLagMs = lookupLagMs;
    return c.json(demo.settings);
  });
};
