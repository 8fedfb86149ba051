// What a browser keeps for us: one cookie per sign-in under way, one for the session. Owns: their names, limits and contents;
// both are sealed, seen by no script, and sent to /auth only.
// Laws: L18 (the refresh token is in the sealed cookie and nowhere else).
import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import type { CookieOptions } from 'hono/utils/cookie';
import { z } from 'zod';
import type { AuthWorld } from '../wiring/auth.ts';

/** A sign-in that takes longer is begun again. */
export const transactionMs = 600_000;
/** After this long a person signs in again, whatever the issuer would still renew. */
export const sessionMs = 7 * 86_400_000;

/** Several tabs may be signing in at once; more than these are somebody's doing. */
const transactionsMax = 5;
/** Browsers drop a cookie of more than 4,096 bytes, name and attributes included, without a word. */
const charactersMax = 3_900;

const Transaction = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  place: z.string(),
});
export type Transaction = z.infer<typeof Transaction>;

const Session = z.object({
  subject: z.string(),
  /** Epoch milliseconds: when the person signed in. */
  sinceMs: z.number(),
  /** What renews it; or, from an issuer that gives nothing to renew with, the bearer itself until it ends. */
  held: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('refresh'), token: z.string() }),
    z.object({ kind: z.literal('bearer'), token: z.string() }),
  ]),
});
export type Session = z.infer<typeof Session>;

/** TLS everywhere but on this very machine, where there is none to ask for. */
const isSecure = ({ origin }: AuthWorld): boolean => origin.startsWith('https:');
const nameOf = (world: AuthWorld, name: string): string =>
  `${isSecure(world) ? '__Secure-' : ''}reprise-${name}`;

const options = (world: AuthWorld, sameSite: 'Strict' | 'Lax', ageMs: number): CookieOptions => ({
  path: '/auth',
  httpOnly: true,
  secure: isSecure(world),
  sameSite,
  maxAge: Math.floor(ageMs / 1000),
});

const transactionName = (world: AuthWorld, state: string): string =>
  nameOf(world, `sign-in-${/^[\w-]{8}/.exec(state)?.[0] ?? 'none'}`);

/** It comes back with a redirect from the issuer, another site: hence Lax. */
const put = (c: Context, world: AuthWorld, name: string, value: string, ageMs: number): void =>
  setCookie(c, name, value, options(world, 'Lax', ageMs));

export const keepTransaction = async (
  c: Context,
  world: AuthWorld,
  transaction: Transaction,
): Promise<void> => {
  const prefix = nameOf(world, 'sign-in-');
  const others = Object.keys(getCookie(c)).filter((name) => name.startsWith(prefix));
  if (others.length >= transactionsMax) for (const name of others) put(c, world, name, '', 0);
  const untilMs = world.clock.now() + transactionMs;
  const sealed = await world.seals.seal('transaction', transaction, untilMs);
  put(c, world, transactionName(world, transaction.state), sealed, transactionMs);
};

/** The sign-in that this state belongs to, once: its cookie is taken away. Undefined: none, changed, or too old. */
export const takeTransaction = async (
  c: Context,
  world: AuthWorld,
  state: string,
): Promise<Transaction | undefined> => {
  const name = transactionName(world, state);
  const sealed = getCookie(c, name);
  if (sealed === undefined) return undefined;
  put(c, world, name, '', 0);
  const read = Transaction.safeParse(await world.seals.open('transaction', sealed));
  return read.success && read.data.state === state ? read.data : undefined;
};

/** Throws when it is too large for a browser to keep. */
export const keepSession = async (
  c: Context,
  world: AuthWorld,
  session: Session,
): Promise<void> => {
  const untilMs = session.sinceMs + sessionMs;
  const sealed = await world.seals.seal('session', session, untilMs);
  if (sealed.length > charactersMax)
    throw new Error(
      `The issuer's token needs ${sealed.length} characters in a cookie, at most ${charactersMax} are kept: put less into it.`,
    );
  const ageMs = untilMs - world.clock.now();
  setCookie(c, nameOf(world, 'session'), sealed, options(world, 'Strict', ageMs));
};

/** `none`: nobody signed in here. `over`: somebody did, and must again. */
export const readSession = async (
  c: Context,
  world: AuthWorld,
): Promise<Session | 'none' | 'over'> => {
  const sealed = getCookie(c, nameOf(world, 'session'));
  if (sealed === undefined) return 'none';
  const read = Session.safeParse(await world.seals.open('session', sealed));
  return read.success ? read.data : 'over';
};

export const forgetSession = (c: Context, world: AuthWorld): void =>
  setCookie(c, nameOf(world, 'session'), '', options(world, 'Strict', 0));
