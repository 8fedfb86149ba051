// Starts the demo destinations: one HTTP server on 127.0.0.1 with /crm, /mail, /mcp and /_admin over one SQLite file.
// Owns the doors: bearer token for the services, no browsers, no other host names.
import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { Hono } from 'hono';
import { realClock, type TwinClock } from '../base/clock.ts';
import { adminRoutes } from './admin.ts';
import { failure } from './answers.ts';
import { mcpRoute } from './calendar.ts';
import { crmRoutes } from './crm.ts';
import { accountOf, type DemoEnv, defaultAccount, responseOf } from './exchange.ts';
import { openSwitchboard } from './faults.ts';
import { mailRoutes } from './mail.ts';
import type { Demo } from './perform.ts';
import { seed } from './seed.ts';
import { openStore } from './store.ts';
import { listenerFor } from './wire.ts';

export interface DemoOptions {
  readonly dataDir: string;
  /** 0 takes a free port. */
  readonly port: number;
  /** The bearer token of /crm, /mail and /mcp. */
  readonly secret: string;
  readonly clock?: TwinClock;
  /** Shown in every answer; default `test`. */
  readonly environment?: string;
  readonly keyRetentionMs?: number;
  /** What the fault `die` does; default: the server stops and cuts everybody off, as if its process were gone. */
  readonly die?: () => void;
}

export interface RunningDemo {
  /** `http://127.0.0.1:<port>`, without a slash at the end. */
  readonly url: string;
  /** Ends waits and connections and closes the store; harmless when it died before. */
  close(): Promise<void>;
}

const dayMs = 86_400_000;

/** Rejects with node's error when the port is taken or the folder cannot be written. */
export const startDemo = async (options: DemoOptions): Promise<RunningDemo> => {
  const clock = options.clock ?? realClock();
  const store = openStore(options.dataDir);
  const faults = openSwitchboard(clock);
  const server = createServer();
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closed ??= stop(server, () => {
      faults.clear();
      faults.abandon();
      store.close();
    });
    return closed;
  };
  const demo: Demo = {
    store,
    faults,
    clock,
    settings: { keyRetentionMs: options.keyRetentionMs ?? dayMs, lookupLagMs: 0 },
    environment: options.environment ?? 'test',
    running: new Map(),
    die: options.die ?? (() => void close()),
  };
  const { app, fillAccount } = routesFor(demo, options.secret);
  fillAccount(defaultAccount);
  server.on(
    'request',
    listenerFor((request, exchange) => app.fetch(request, exchange)),
  );
  try {
    return { url: `http://127.0.0.1:${await listening(server, options.port)}`, close };
  } catch (cause) {
    store.close();
    throw cause;
  }
};

const listening = async (server: Server, port: number): Promise<number> => {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(port, '127.0.0.1', resolve);
  await promise;
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
};

const stop = async (server: Server, release: () => void): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  server.closeAllConnections();
  release();
  await promise;
};

const routesFor = (demo: Demo, secret: string) => {
  const filled = new Set<string>();
  const fillAccount = (account: string): void => {
    if (filled.has(account)) return;
    seed(demo.store, account, demo.clock.now());
    filled.add(account);
  };
  const app = new Hono<DemoEnv>();
  app.onError((cause) => {
    throw cause;
  });
  app.notFound(() => responseOf(noSuchPath));
  guard(demo, app, secret, fillAccount);
  const mcp = mcpRoute(demo, secret);
  app.route('/crm', crmRoutes(demo));
  app.route('/mail', mailRoutes(demo));
  app.all('/mcp', (c) => mcp(c.req.raw, c.env));
  const reset = (): void => {
    demo.faults.clear();
    demo.faults.abandon();
    demo.store.transaction(() => demo.store.clear());
    filled.clear();
    fillAccount(defaultAccount);
  };
  app.route('/_admin', adminRoutes(demo, reset));
  return { app, fillAccount };
};

const noSuchPath = failure(
  404,
  'no_such_path',
  'The demo serves /crm, /mail, /mcp and /_admin; `/_admin/effects` lists what was written.',
);
const noToken = failure(
  401,
  'unauthorised',
  'The bearer token is missing or wrong; nothing was done. Send `Authorization: Bearer <secret>`.',
);
const noBrowser = failure(
  403,
  'forbidden',
  'The demo answers programs on this machine only, not browsers or other host names.',
);

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

const guard = (
  demo: Demo,
  app: Hono<DemoEnv>,
  secret: string,
  fillAccount: (account: string) => void,
): void => {
  const expected = sha256(`Bearer ${secret}`);
  app.use(async (c, next) => {
    const { hostname } = new URL(c.req.url);
    const local = hostname === '127.0.0.1' || hostname === 'localhost';
    if (!local || c.req.header('origin') !== undefined) return responseOf(noBrowser);
    return next();
  });
  app.use('/:service{crm|mail|mcp}/*', async (c, next) => {
    const account = accountOf(c.req.raw.headers);
    if (timingSafeEqual(sha256(c.req.header('authorization') ?? ''), expected)) {
      fillAccount(account);
      return next();
    }
    const request = { service: c.req.param('service'), operation: 'unauthorised', account };
    const arrival = demo.store.arrived({ ...request, key: null, atMs: demo.clock.now() });
    demo.store.left(arrival, 'answered 401');
    return responseOf({ ...noToken, headers: { 'www-authenticate': 'Bearer' } });
  });
};
