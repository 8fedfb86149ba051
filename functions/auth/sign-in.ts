// Signing in by the authorization code with PKCE: to the issuer and back. Owns: what must match when somebody comes back, and
// that whatever goes wrong ends on the page with a reason. Laws: L18 (no token reaches an address or a log).
import type { Context } from 'hono';
import { IssuerUnavailable, SignInRefused } from '../ports/sign-in.ts';
import type { AuthWorld } from '../wiring/auth.ts';
import { bearerOf } from './bearer.ts';
import { keepSession, keepTransaction, takeTransaction } from './cookies.ts';
import { addressOf, type Failure, failureAddress, placeFrom } from './place.ts';

const callbackPath = '/auth/callback';

const back = (c: Context, world: AuthWorld, why: Failure, place: string): Response =>
  c.redirect(failureAddress(world.origin, why, place), 303);

/** Runs `work`; what the issuer or a check refuses leads to the page, with the reason. */
const orBack = async (
  c: Context,
  world: AuthWorld,
  place: string,
  work: () => Promise<Response>,
): Promise<Response> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SignInRefused) {
      world.log.warn('A sign-in was refused', { why: error.message });
      return back(c, world, error.reason === 'refused' ? 'refused' : 'failed', place);
    }
    // Its keys could not be had, its token is too large for a cookie: whatever it is, a person sees the page and not an answer of ours.
    const why = error instanceof Error ? error.message : 'unknown';
    world.log.error('Nobody can sign in', { why });
    return back(c, world, error instanceof IssuerUnavailable ? 'unavailable' : 'failed', place);
  }
};

export const answerLogin = (c: Context, world: AuthWorld): Promise<Response> => {
  const place = placeFrom(c.req.query('return'));
  return orBack(c, world, place, async () => {
    const returnTo = `${world.origin}${callbackPath}`;
    const other = c.req.query('other') !== undefined;
    const { address, pending } = await world.issuer.begin({ returnTo, other });
    await keepTransaction(c, world, { ...pending, place });
    return c.redirect(address, 303);
  });
};

/** The address that the browser came back by, as the issuer was told it: under our own origin, whatever host passed it on. */
const cameBackBy = (c: Context, { origin }: AuthWorld): URL => {
  const address = new URL(callbackPath, origin);
  address.search = new URL(c.req.url).search;
  return address;
};

const comeBack = async (c: Context, world: AuthWorld): Promise<Response> => {
  const transaction = await takeTransaction(c, world, c.req.query('state') ?? '');
  // Another browser's, an older one's, or one that was used: the code is not even looked at.
  if (transaction === undefined) return back(c, world, 'expired', '/');
  const { place } = transaction;
  return orBack(c, world, place, async () => {
    const granted = await world.issuer.redeem(cameBackBy(c, world), transaction);
    const bearer = await bearerOf(world.tokens, granted);
    if (bearer === undefined) {
      world.log.warn(
        'Somebody signed in, but the API would take none of their tokens: they name no workspace, or another audience than REPRISE_AUDIENCE',
        {},
      );
      return back(c, world, 'no-workspace', place);
    }
    const { refreshToken } = granted;
    await keepSession(c, world, {
      subject: bearer.subject,
      sinceMs: world.clock.now(),
      held:
        refreshToken === undefined
          ? { kind: 'bearer', token: bearer.token }
          : { kind: 'refresh', token: refreshToken },
    });
    return c.redirect(addressOf(world.origin, place), 303);
  });
};

export const answerCallback = (c: Context, world: AuthWorld): Promise<Response> =>
  orBack(c, world, '/', () => comeBack(c, world));
