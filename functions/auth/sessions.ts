// The signed-in page: a fresh bearer for it, and its end. Owns: who may ask (our own page only) and when a session is over.
// Laws: L18 (a token is in the answer's body to our own page, in no address, log or error).
import type { Context } from 'hono';
import { IssuerUnavailable, SignInRefused } from '../ports/sign-in.ts';
import type { AuthWorld } from '../wiring/auth.ts';
import { type Bearer, bearerIn, bearerOf } from './bearer.ts';
import { forgetSession, keepSession, readSession, type Session } from './cookies.ts';

/** A request of another site's page carries no cookie of ours (SameSite=Strict); this refuses it in words as well. */
const isOurPages = (c: Context, { origin }: AuthWorld): boolean => {
  const site = c.req.header('sec-fetch-site');
  return site === undefined ? c.req.header('origin') === origin : site === 'same-origin';
};

const said = (c: Context, status: 401 | 403 | 503, title: string): Response =>
  c.body(JSON.stringify({ type: 'about:blank', title, status }), status, {
    'content-type': 'application/problem+json',
    ...(status === 503 ? { 'retry-after': '5' } : {}),
  });

const foreign = (c: Context): Response => said(c, 403, 'Only the page of this address may ask.');

const over = (c: Context, world: AuthWorld): Response => {
  forgetSession(c, world);
  return said(c, 401, 'The session has ended. Sign in again.');
};

interface Renewed {
  readonly bearer: Bearer | undefined;
  /** What to keep from now on, when it changed. */
  readonly session: Session | undefined;
}

const renewed = async (world: AuthWorld, session: Session): Promise<Renewed> => {
  const { held } = session;
  if (held.kind === 'bearer')
    return { bearer: await bearerIn(world.tokens, held.token), session: undefined };
  const granted = await world.issuer.renew(held.token);
  const next = granted.refreshToken;
  return {
    bearer: await bearerOf(world.tokens, granted),
    session:
      next === undefined || next === held.token
        ? undefined
        : { ...session, held: { kind: 'refresh', token: next } },
  };
};

/** 200 with the bearer, 204 when nobody signed in, 401 when the session is over, 503 when the issuer does not answer. */
export const answerToken = async (c: Context, world: AuthWorld): Promise<Response> => {
  if (!isOurPages(c, world)) return foreign(c);
  const session = await readSession(c, world);
  if (session === 'none') return c.body(null, 204);
  if (session === 'over') return over(c, world);
  try {
    const { bearer, session: next } = await renewed(world, session);
    if (bearer === undefined || bearer.subject !== session.subject) return over(c, world);
    if (next !== undefined) await keepSession(c, world, next);
    const expiresInMs = Math.max(0, bearer.expiresAtMs - world.clock.now());
    return c.json({ token: bearer.token, expiresInMs });
  } catch (error) {
    if (error instanceof SignInRefused) {
      world.log.info('A session was not renewed', { why: error.message });
      return over(c, world);
    }
    if (!(error instanceof IssuerUnavailable)) throw error;
    world.log.warn('The issuer does not renew sessions', { why: error.message });
    return said(c, 503, 'The identity provider does not answer. Try again in a moment.');
  }
};

/** Ends the session here and at the issuer; `address` is where the browser goes to end what the issuer keeps of it. */
export const answerLogout = async (c: Context, world: AuthWorld): Promise<Response> => {
  if (!isOurPages(c, world)) return foreign(c);
  const session = await readSession(c, world);
  forgetSession(c, world);
  // Whatever the issuer says: here it is over.
  const trying = async <Answer>(ask: () => Promise<Answer>): Promise<Answer | undefined> => {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof IssuerUnavailable || error instanceof SignInRefused)) throw error;
      world.log.warn('The issuer was not told of a sign-out', { why: error.message });
      return undefined;
    }
  };
  if (typeof session === 'object' && session.held.kind === 'refresh') {
    const { token } = session.held;
    await trying(() => world.issuer.revoke(token));
  }
  const address = await trying(() => world.issuer.endAddress(`${world.origin}/`));
  return c.json({ ...(address === undefined ? {} : { address }) });
};
