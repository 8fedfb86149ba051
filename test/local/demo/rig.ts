// A running demo for one test: its folder, a clock turned by hand, callers with and without the token, and the ledger.
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { type SimulatedClock, simulatedClock } from '../../../local/base/clock.ts';
import type { FaultInput } from '../../../local/demo/faults.ts';
import { type DemoOptions, type RunningDemo, startDemo } from '../../../local/demo/server.ts';

export const secret = 'demo-secret-for-tests';
export const startMs = Date.parse('2026-11-30T09:00:00Z');

const ledger = z.object({
  effects: z.array(
    z.object({
      number: z.number(),
      arrival: z.number(),
      service: z.string(),
      operation: z.string(),
      id: z.string(),
      account: z.string(),
      environment: z.string(),
      reference: z.string().nullable(),
      key: z.string().nullable(),
      argumentsDigest: z.string(),
      arguments: z.record(z.string(), z.unknown()),
      at: z.string(),
    }),
  ),
  requests: z.object({ received: z.number(), byOperation: z.record(z.string(), z.number()) }),
});
const board = z.object({
  faults: z.array(z.object({ id: z.number(), mode: z.string(), remaining: z.number() })),
  holding: z.array(z.object({ faultId: z.number(), arrival: z.number(), operation: z.string() })),
});

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}

export interface Send {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
  readonly token?: string | null;
}

/** One request on a connection of its own. Rejects when the connection ends without a whole reply. */
export const send = async (url: string, request: Send = {}): Promise<Reply> => {
  const { token = secret, body, method = body === undefined ? 'GET' : 'POST' } = request;
  const response = await fetch(url, {
    method,
    headers: {
      connection: 'close',
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...request.headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const json = response.headers.get('content-type')?.includes('json') === true;
  return {
    status: response.status,
    headers: response.headers,
    body: json ? JSON.parse(text) : { text },
  };
};

export interface Rig {
  readonly dataDir: string;
  readonly clock: SimulatedClock;
  url(pathname: string): string;
  send(pathname: string, request?: Send): Promise<Reply>;
  fault(fault: FaultInput): Promise<Reply>;
  ledger(query?: string): Promise<z.output<typeof ledger>>;
  board(): Promise<z.output<typeof board>>;
  /** Resolves when a request is held; asks again until then. */
  untilHeld(): Promise<void>;
  /** Waits until `operation` was received `count` times. */
  untilReceived(operation: string, count: number): Promise<void>;
  restart(): Promise<void>;
  close(): Promise<void>;
}

export const openRig = async (options: Partial<DemoOptions> = {}): Promise<Rig> => {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'reprise-demo-'));
  const clock = simulatedClock(startMs);
  const start = (): Promise<RunningDemo> =>
    startDemo({ dataDir, port: 0, secret, clock, ...options });
  let demo = await start();
  const url = (pathname: string): string => `${demo.url}${pathname}`;
  const sendTo: Rig['send'] = (pathname, request) => send(url(pathname), request);
  const readLedger: Rig['ledger'] = async (query = '') =>
    ledger.parse((await sendTo(`/_admin/effects${query}`)).body);
  const readBoard: Rig['board'] = async () => board.parse((await sendTo('/_admin/faults')).body);
  return {
    dataDir,
    clock,
    url,
    send: sendTo,
    fault: (fault) => sendTo('/_admin/faults', { body: fault }),
    ledger: readLedger,
    board: readBoard,
    untilHeld: async () => {
      while ((await readBoard()).holding.length === 0);
    },
    untilReceived: async (operation, count) => {
      while (((await readLedger()).requests.byOperation[operation] ?? 0) < count);
    },
    restart: async () => {
      await demo.close();
      demo = await start();
    },
    close: async () => {
      await demo.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
};

export const opportunity = {
  customer_id: 'cus_acme',
  title: 'Renewal 2027',
  amount_cents: 8_200_000,
  reference: 'act_one',
};
