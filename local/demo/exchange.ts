// One HTTP exchange of a demo destination, between its routes and the wire: who asks, and how the connection is to end.
// Owns: reading the caller's account, key and arguments from a request, and turning an outcome into a response.
import type { Context } from 'hono';
import type { Answer } from './answers.ts';
import type { Call, Demo, Outcome, Work } from './perform.ts';
import { perform } from './perform.ts';

/** How the wire ends the connection, decided while the request is served. */
export interface Exchange {
  ending: 'whole' | 'cut' | 'partial';
  /** An HTTP answer that a fault puts in place of whatever the protocol layer says. */
  replaced?: Answer;
}

export type DemoEnv = { Bindings: Exchange };

export const defaultAccount = 'demo-account';

/** The account a request acts for: header `Demo-Account`, else `demo-account`. */
export const accountOf = (headers: Headers): string =>
  headers.get('demo-account') ?? defaultAccount;

export const responseOf = ({ status, body, headers = {} }: Answer): Response =>
  typeof body === 'string'
    ? new Response(body, { status, headers: { 'content-type': 'text/html', ...headers } })
    : new Response(status === 204 ? null : JSON.stringify(body), {
        status,
        headers: { 'content-type': 'application/json', ...headers },
      });

/** Tells the wire how `outcome` ends, and gives the response there is to send. */
export const settleExchange = (exchange: Exchange, outcome: Outcome): Response => {
  if (outcome.kind === 'cut') {
    exchange.ending = 'cut';
    return new Response(null, { status: 500 });
  }
  if (outcome.partial) exchange.ending = 'partial';
  return responseOf(outcome.answer);
};

/** The body as an object; undefined when it is no JSON object. */
const bodyOf = async (request: Request): Promise<Record<string, unknown> | undefined> => {
  try {
    const body: unknown = JSON.parse(await request.text());
    return typeof body === 'object' && body !== null && !Array.isArray(body)
      ? { ...body }
      : undefined;
  } catch {
    return undefined;
  }
};

/** Path, query and body of a request as one object; a body that is no object leaves `body` as a surplus field. */
export const inputOf = async (c: Context<DemoEnv>): Promise<Record<string, unknown>> => {
  const named = { ...c.req.query(), ...c.req.param() };
  if (c.req.method === 'GET') return named;
  const body = await bodyOf(c.req.raw);
  return body === undefined ? { ...named, body: 'not a JSON object' } : { ...body, ...named };
};

/** An Idempotency-Key, quoted (as the IETF draft writes it) or bare; undefined when absent or empty. */
export const keyOf = (headers: Headers): string | undefined => {
  const sent = headers.get('idempotency-key')?.trim();
  const bare = sent?.match(/^"(.*)"$/)?.[1] ?? sent;
  return bare === undefined || bare === '' ? undefined : bare;
};

/** Serves one HTTP request as an operation. `c.env.ending` afterwards says how the connection ends. */
export const serve = async <Arguments>(
  demo: Demo,
  c: Context<DemoEnv>,
  call: Omit<Call<Arguments>, 'account'>,
  work: Work<Arguments>,
): Promise<Response> =>
  settleExchange(
    c.env,
    await perform(demo, { ...call, account: accountOf(c.req.raw.headers) }, work),
  );
